"""`/pod provision`: the order as it is typed or filled in, and the private answer to it."""

import json
from dataclasses import dataclass
from datetime import timedelta

from bot.provision.ask import order as place_order
from bot.provision.form import form_view
from bot.provision.terms import Accepted, Refused, Terms
from bot.slack.answering import Declined, answer
from bot.slack.heard import Answerable, Submission
from bot.table import Typed
from bot.text import code, mention
from gateways.runpod.errors import RunPodError
from gateways.slack.errors import SlackError
from jobs.catalogue import Catalogue
from jobs.house import House
from jobs.provision.home import takes_messages
from jobs.provision.people import ask_about
from pods.ceilings import Ceilings
from pods.order import OrderDefaults
from pods.ordering import cautions, order_of
from pods.wish import Wish, wish_from_command, wish_from_form
from storage.keys import key_from
from storage.ledger import Asked


@dataclass(frozen=True, slots=True)
class Sender:
    """Whoever sent the form off, to be answered in the channel where it was opened."""

    key: str
    user: str
    channel: str | None
    response_url: None = None


async def run_provision(house: House, typed: Typed) -> None:
    """`/pod provision`: with arguments straight ahead, without them the form."""
    if not typed.words:
        return await _open_form(house, typed)
    return await _order(house, typed, wish_from_command(typed.words), typed.channel)


async def submit_form(house: House, sent: Submission) -> None:
    """The form was sent off, and its fields were fine in themselves."""
    channel = opened_in(sent.private_metadata)
    await _order(house, Sender(sent.key, sent.user, channel), wish_from_form(sent.values), channel)


def check_form(sent: Submission) -> dict[str, str]:
    """What is wrong with which field. Pure: what needs the catalogue or the database is answered later."""
    order = order_of(wish_from_form(sent.values), _defaults_in(sent.private_metadata))
    if not isinstance(order, tuple):
        return {}
    known = set(sent.values)
    wrong: dict[str, str] = {}
    for complaint in order:
        field = complaint.option if complaint.option in known else "name"
        wrong.setdefault(field, str(complaint).replace("`", ""))
    return wrong


async def _open_form(house: House, typed: Typed) -> None:
    trigger = typed.command.trigger_id
    try:
        types = await Catalogue(house).types()
    except RunPodError as error:
        raise Declined(
            f"The form needs RunPod's list of GPU types, and {error.sentence}. You can type it all the same:"
            " `/pod provision train-7b --gpu H100 --for 8h`."
        ) from error
    metadata = {
        "channel": typed.channel,
        "gpu": house.defaults.gpu,
        "longest_s": house.defaults.longest_lifetime.total_seconds(),
        "repo": house.defaults.repo,
    }
    try:
        await house.slack.open_view(trigger or "", form_view(types, house.defaults, json.dumps(metadata)))
    except SlackError as error:
        raise Declined(
            "Slack did not let me open the form in time. Please type `/pod provision` again, or all at once:"
            " `/pod provision train-7b --gpu H100 --for 8h`."
        ) from error


def opened_in(metadata: str) -> str | None:
    """The channel where the form was opened."""
    channel = _read(metadata).get("channel")
    return channel if isinstance(channel, str) else None


def _defaults_in(metadata: str) -> OrderDefaults:
    known = _read(metadata)
    gpu, repo, longest = known.get("gpu"), known.get("repo"), known.get("longest_s")
    return OrderDefaults(
        image="image",
        gpu=gpu if isinstance(gpu, str) else None,
        repo=repo if isinstance(repo, str) else None,
        longest_lifetime=timedelta(seconds=longest)
        if isinstance(longest, float | int)
        else timedelta(days=30),
    )


def _read(metadata: str) -> dict[str, object]:
    try:
        known = json.loads(metadata or "{}")
    except ValueError:
        return {}
    return known if isinstance(known, dict) else {}


async def _order(house: House, to: Answerable, wish: Wish, channel: str | None) -> None:
    await ask_about(house, [to.user])
    asked = Asked(owner=to.user, asker=to.user, door="slack", channel=channel)
    answered = await place_order(
        house.db,
        wish,
        asked,
        terms_of(house),
        Catalogue(house),
        house.clock.now(),
        house.wakes.wake,
        provision_id=key_from(to.key),
    )
    if isinstance(answered, Refused):
        raise Declined(_refusal(answered))
    house.wakes.wake("outbox")
    here = not channel or await takes_messages(house, channel)
    elsewhere = "" if here else "\nI am not a member of this channel, so I tell you in a direct message."
    await answer(house, to, _accepted(answered, wish, house) + elsewhere)


def terms_of(house: House) -> Terms:
    """What an order is held against."""
    limits = house.ceilings
    return Terms(
        house.defaults,
        Ceilings(limits.account, limits.per_owner, limits.confirm_above),
        house.waits,
        house.answers.expires,
    )


def _refusal(refused: Refused) -> str:
    more = "".join(f"\n• {line}" for line in refused.matches)
    return f"{refused.sentence}{more}\nNothing was ordered."


def _accepted(accepted: Accepted, wish: Wish, house: House) -> str:
    said = f"{code(accepted.name)} is on its way; its thread tells how it goes."
    if accepted.asked is not None:
        who = mention(accepted.asked)
        said = f"{code(accepted.name)} waits: {who} has to press *Go on*, because {accepted.why}."
    order = order_of(wish, house.defaults)
    warned = () if isinstance(order, tuple) else cautions(order)
    return "\n".join([said, *warned])
