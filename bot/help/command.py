"""`/pod help [command]`, and what is said to a command that does not exist."""

from collections.abc import Mapping

from bot.help.near import near
from bot.slack.answering import answer
from bot.table import Typed, Verb
from bot.text import Shown, code, sections
from jobs.house import House


async def run_help(house: House, typed: Typed, verbs: Mapping[str, Verb]) -> None:
    """Tells about every command, or about the one that is named."""
    is_admin = typed.user in house.admins
    name = typed.words[0].lower() if typed.words else None
    if name is None:
        shown = all_commands(verbs, is_admin=is_admin)
    else:
        shown = one_command(verbs[name]) if name in verbs else unknown(name, verbs)
    await answer(house, typed, shown.text, shown.blocks)


def all_commands(verbs: Mapping[str, Verb], *, is_admin: bool) -> Shown:
    """The whole list. Commands for admins are shown to admins."""
    listed = {verb.usage: verb for verb in verbs.values() if is_admin or not verb.admins_only}
    lines = [f"`/pod {verb.usage}`\n{verb.does}" for verb in listed.values()]
    head = "*Podkeeper* rents, watches and ends GPU pods. Only you see my answers."
    return sections([head, *lines, "`/pod help` followed by a command tells more about it."])


def one_command(verb: Verb) -> Shown:
    """How it is written, what it does, an example."""
    who = " Only admins may." if verb.admins_only else ""
    does = verb.does[:1].upper() + verb.does[1:]
    return sections([f"`/pod {verb.usage}`\n{does}.{who}\nFor example: `/pod {verb.example}`"])


def unknown(name: str, verbs: Mapping[str, Verb]) -> Shown:
    """There is no such command; these come near."""
    close = near(name.lower(), verbs)
    meant = " or ".join(f"`/pod {verbs[word].usage}`" for word in close)
    hint = f"Did you mean {meant}?" if close else "`/pod help` lists what I understand."
    return sections([f"There is no command {code(name)}. {hint}"])
