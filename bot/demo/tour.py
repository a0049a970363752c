"""The guided tour: the main job, step by step, told only by what the simulated world shows."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.demo.fleet import Fleet
from bot.demo.telling import Telling
from bot.demo.town import DemoFailed, Town
from simulator.runpod.pod import Pod
from simulator.runpod.truth import Truth
from simulator.slack.client.person import Person

READY_WITHIN_SECONDS = 45.0
SOON_SECONDS = 15.0
NAME = "first-run"


@dataclass(frozen=True, slots=True)
class Tour:
    """The steps, in the order of `walk`. A step that does not happen raises DemoFailed, AssertionError or
    LookupError."""

    place: Town
    telling: Telling
    fleet: Fleet

    async def walk(self) -> None:
        """Take every step."""
        steps: tuple[tuple[str, Callable[[], Awaitable[None]]], ...] = (
            ("A shared account, as Podkeeper finds it", self.first_look),
            ("Alice asks for a pod", self.provision),
            ("Who has what", self.listing),
            ("What needs somebody", self.audit),
            ("A question, and its answer", self.card),
            ("Alice is done", self.terminate),
        )
        for number, (title, step) in enumerate(steps, 1):
            self.telling.chapter(number, title)
            await step()
        self.telling.say("\nThat was the tour: all of it was shown by the simulated Slack or RunPod.")

    async def first_look(self) -> None:
        pods = self.place.runpod.fleet.truths()
        self.telling.say(
            f"The team's account already has {len(pods)} pods that people rented by hand. Podkeeper has "
            "created none of them, so it will end none of them without their owner's yes."
        )
        calls = self.place.runpod.fleet.calls
        await _until(
            lambda: len(calls.matching("GET", r"^/v2/pods$")) >= 2, "the bot did not look at the pods"
        )
        self.telling.shows(
            f"RunPod was asked which pods there are, {len(calls.matching('GET', r'^/v2/pods$'))} times."
        )

    async def provision(self) -> None:
        alice = self.place.slack.people.alice
        await self._types(
            alice, f'/pod provision {NAME} --gpu "H100 PCIe" --branch experiment --for 8h', expect=NAME
        )
        await alice.sees(f"BOOTSTRAP-OK pod={NAME}", within=READY_WITHIN_SECONDS)
        head = await alice.sees("asked for by", within=SOON_SECONDS)
        self.telling.shows(head.plain)
        lines = [line for seen in alice.messages() if seen.thread_ts for line in seen.plain.splitlines()]
        self.telling.shows("\n".join(line for line in lines if line.strip("`")), most=30)
        ours = self._ours()
        started = ours.container_first_started_at
        self.telling.say(
            f"RunPod's own record: {ours.id} was created once and its container started at {started}."
        )

    async def listing(self) -> None:
        alice = self.place.slack.people.alice
        await self._types(alice, "/pod list", expect=NAME)
        await self._types(alice, f"/pod ssh {NAME}", expect="ssh root@")

    async def audit(self) -> None:
        bob = self.place.slack.people.bob
        await self._types(bob, "/pod audit", expect="pod")
        for pod in (self.fleet.running, self.fleet.fresh, self.fleet.stuck):
            await self._types(bob, f"/pod why {pod.id}", expect=pod.order.name)

    async def card(self) -> None:
        bob = self.place.slack.people.bob
        self.telling.say(
            "Bob's old pod has been stopped for thirty hours. Nothing proves that it is his, so he says so; "
            "then he is asked, and decides."
        )
        await self._types(bob, f"/pod claim {self.fleet.stale.id}", expect="yours")
        asked = await bob.sees(self.fleet.stale.order.name, in_="dm", within=SOON_SECONDS)
        self.telling.shows(asked.plain)
        self.telling.does("bob", "presses Keep 1 day")
        outcome = await bob.clicks("Keep 1 day")
        if outcome.error:
            raise DemoFailed(f"the click was answered with {outcome.error}")
        kept = await bob.sees("kept", in_="dm", within=SOON_SECONDS)
        self.telling.shows(kept.plain)

    async def terminate(self) -> None:
        alice, ours = self.place.slack.people.alice, self._ours()
        await self._types(alice, f"/pod terminate {NAME}", expect="End this pod?")
        self.telling.does("alice", "presses Terminate")
        outcome = await alice.clicks("Terminate", on="End this pod?")
        self.telling.shows(outcome.text)
        await _until(
            lambda: self.place.runpod.truth(ours.id).ended_at is not None,
            "RunPod never saw the pod end",
            SOON_SECONDS,
        )
        ended = self.place.runpod.truth(ours.id)
        self.telling.say(
            f"RunPod's own record: {ours.id} was ended by {ended.ended_by}; it cost ${ended.billed_usd:.2f}."
        )
        harmed = [
            pod.order.name
            for pod in (self.fleet.running, self.fleet.fresh, self.fleet.stale, self.fleet.stuck)
            if self._ended(pod)
        ]
        if harmed:
            raise DemoFailed(f"pods of other people were ended: {', '.join(harmed)}")
        self.telling.say("The teammates' pods are all still there.")

    async def _types(self, who: Person, text: str, *, expect: str) -> None:
        """A command, and its private answer, which has to contain `expect`."""
        self.telling.does(who.name, text)
        before = {seen.ts for seen in who.messages()}
        outcome = await who.types(text)
        if outcome.error:
            raise DemoFailed(f"{text!r} was answered with {outcome.error}")

        def answers() -> list[str]:
            new = (seen for seen in who.messages() if seen.only_for and seen.ts not in before)
            return [seen.plain for seen in new if expect in seen.plain]

        await _until(lambda: bool(answers()), f"{text!r} was not answered with {expect!r}")
        self.telling.shows(answers()[-1])

    def _ours(self) -> Truth:
        """The one pod that the bot's key has created."""
        [ours] = [pod for pod in self.place.runpod.fleet.truths() if pod.name.startswith(f"{NAME}-")]
        return ours

    def _ended(self, pod: Pod) -> bool:
        return self.place.runpod.truth(pod.id).ended_at is not None


async def _until(met: Callable[[], bool], otherwise: str, seconds: float = SOON_SECONDS) -> None:
    """Wait until the simulated world shows it. Raises DemoFailed with `otherwise` if it does not in time."""
    try:
        async with asyncio.timeout(seconds):
            while not met():  # noqa: ASYNC110 - RunPod tells nobody when something happens
                await asyncio.sleep(0.1)
    except TimeoutError:
        raise DemoFailed(otherwise) from None
