"""The checks that ask RunPod: the key, what it sees, and whether the clocks agree."""

from bot.doctor.check import Check, Name, fail, ok, skip
from gateways.runpod.errors import RunPodError
from gateways.runpod.protocol import RunPod
from pods.policy import CLOCK_TOLERANCE
from pods.snapshot import Listing
from pods.words import span_in_words


async def runpod_checks(runpod: RunPod | None) -> list[Check]:
    """Two calls: the cheapest one for the key, and one listing."""
    if runpod is None:
        return [fail(Name.RUNPOD_KEY, "RUNPOD_API_KEY: is not set"), *_skipped("the key is missing")]
    try:
        await runpod.ssh_keys()
    except RunPodError as error:
        sentence = f"RUNPOD_API_KEY, RUNPOD_API_BASE_URL: {error.sentence}"
        return [fail(Name.RUNPOD_KEY, sentence), *_skipped("RunPod has to be reached first")]
    listing = await runpod.list_pods()
    return [ok(Name.RUNPOD_KEY, "RunPod takes the key"), _sees(listing), _clock(listing)]


def _skipped(why: str) -> list[Check]:
    return [skip(Name.RUNPOD_SEES_PODS, why), skip(Name.CLOCK, why)]


def _sees(listing: Listing) -> Check:
    if not listing.whole:
        sentence = f"RUNPOD_API_KEY, RUNPOD_TEAM_ID: {listing.why_not_whole or 'the list is not whole'}"
        return fail(Name.RUNPOD_SEES_PODS, sentence)
    if not listing.pods:
        return ok(
            Name.RUNPOD_SEES_PODS, "it sees no pods; if there are some, look at the key's rights and its team"
        )
    return ok(Name.RUNPOD_SEES_PODS, f"it sees {len(listing.pods)} pods")


def _clock(listing: Listing) -> Check:
    if listing.provider_at is None:
        return skip(Name.CLOCK, "RunPod's answer had no readable date")
    off = abs(listing.at - listing.provider_at)
    if off > CLOCK_TOLERANCE:
        sentence = f"this machine's clock is {span_in_words(off)} off RunPod's; set it, or run NTP"
        return fail(Name.CLOCK, sentence)
    return ok(Name.CLOCK, "it agrees with RunPod's")
