"""Plays a conversation that is written as plain text, and writes down what everybody saw.

A line that begins with `> ` is something that somebody does; what follows it is what changed on the screens
of the four people. The end says whose presses decided nothing, and which calls to RunPod change something.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

from sqlmodel import col, select

from pods.durations import parse_duration
from storage.trail import TrailRow
from tests.bot.account import foreign, looked, owned
from tests.bot.asking import opened, sent
from tests.bot.talk import Talk
from tests.world import World

PEOPLE = ("alice", "bob", "carol", "dana")
PLACES = ("#general", "#gpu-ops", "dm")
ROUNDS = 3
CHANGING = ("POST", "DELETE", "PATCH")


@dataclass(slots=True)
class Stage:
    """Where it is played. `pods`: name → id."""

    world: World
    talk: Talk
    pods: dict[str, str] = field(default_factory=dict)

    async def play(self, script: str) -> str:
        """The whole transcript. Raises LookupError for an act that nobody knows."""
        written = [line for line in script.splitlines() if line.startswith("#")]
        await self._settled()
        for line in script.splitlines():
            if line.startswith("> "):
                written.append(line)
                before = self._screens()
                await self._act(line.removeprefix("> "))
                await self._settled()
                written += self._changes(before)
        return "\n".join([*written, *await self._end(), ""])

    async def _act(self, act: str) -> None:
        for pattern, do in ACTS:
            if found := re.fullmatch(pattern, act):
                return await do(self, *found.groups())
        raise LookupError(f"nobody knows how to play {act!r}")

    async def _settled(self) -> None:
        """Everything that follows from it has happened: what came in, jobs that are due, messages."""
        for _ in range(ROUNDS):
            await self.talk.works()
            await sent(self.world)

    def _screens(self) -> dict[tuple[str, str, str], str]:
        return {
            (person, place, message.ts): message.plain
            for person in PEOPLE
            for place in PLACES
            for message in self.world.slack.people[person].messages(place)
        }

    def _changes(self, before: dict[tuple[str, str, str], str]) -> list[str]:
        lines: list[str] = []
        seen: dict[tuple[str, str], list[str]] = {}
        for key, plain in self._screens().items():
            if before.get(key) != plain:
                seen.setdefault((key[1], plain), []).append(key[0])
        for (place, plain), people in seen.items():
            lines.append(f"{', '.join(people)} in {place}:")
            lines += [f"    {line}".rstrip() for line in self._plain(plain).splitlines()]
        return lines

    def _plain(self, text: str) -> str:
        for name, pod_id in self.pods.items():
            text = re.sub(
                rf"{name}-[a-z0-9]{{8}}\b", f"{name}-<provision>", text.replace(pod_id, f"<{name}>")
            )
        return text

    async def _end(self) -> list[str]:
        wanted = select(TrailRow.actor).where(TrailRow.kind == "press.refused").order_by(col(TrailRow.seq))
        refused = await self.world.house.db.read(lambda session: list(session.exec(wanted)))
        names = [
            person for user in refused for person in PEOPLE if self.world.slack.people[person].id == user
        ]
        calls = [
            self._plain(f"{call.method} {call.path}")
            for call in self.world.runpod.calls
            if call.method in CHANGING and "graphql" not in call.path
        ]
        return [
            f"= presses that decided nothing: {', '.join(names) or 'nobody'}",
            f"= calls that change something: {', '.join(calls) or 'none'}",
        ]


async def _has_pod(stage: Stage, person: str, name: str) -> None:
    stage.pods[name] = await owned(stage.world, name, stage.world.slack.people[person].id)


async def _of_nobody(stage: Stage, name: str) -> None:
    stage.pods[name] = await foreign(stage.world, name)


async def _stopped(stage: Stage, name: str) -> None:
    stage.world.runpod.console.stop(stage.pods[name], by="console:alice")
    await looked(stage.world)


async def _asked(stage: Stage, person: str, name: str, reason: str) -> None:
    await opened(stage.world, stage.pods[name], stage.world.slack.people[person].id, reason)


async def _types(stage: Stage, person: str, text: str) -> None:
    await stage.world.slack.people[person].types(text)


async def _clicks(stage: Stage, person: str, label: str, confirms: str | None) -> None:
    await stage.world.slack.people[person].clicks(label, confirm=True if confirms else None)


async def _forges(stage: Stage, person: str, label: str, name: str, reason: str) -> None:
    await stage.world.slack.people[person].sends_action(label, f"q-{stage.pods[name]}-{reason}")


async def _fills(stage: Stage, person: str, field_: str, value: str) -> None:
    await stage.world.slack.people[person].fills({field_: value}).submits()


async def _passes(stage: Stage, span: str) -> None:
    left = parse_duration(span)
    step = timedelta(minutes=1)
    while left > timedelta(0):
        await stage.world.passes(min(step, left))
        left -= step
        await stage._settled()


Act = Callable[..., Awaitable[None]]
ACTS: tuple[tuple[str, Act], ...] = (
    (r"(\w+) has a pod (\w+)", _has_pod),
    (r"there is a pod (\w+) of nobody", _of_nobody),
    (r"(\w+) is stopped at RunPod", _stopped),
    (r"(\w+) is asked about (\w+): (\w+)", _asked),
    (r"(\w+) types (.+)", _types),
    (r"(\w+) clicks ([^,]+)(, and confirms)?", _clicks),
    (r"(\w+) forges (\w+) about (\w+): (\w+)", _forges),
    (r"(\w+) fills (\w+) with (.+)", _fills),
    (r"(\w+) passes?", _passes),
)
