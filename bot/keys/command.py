"""`/pod key add KEY`, `/pod key list`, `/pod key remove N`."""

from sqlmodel import Session

from bot.slack.answering import Declined, answer
from bot.table import Typed
from bot.text import code, when, word
from gateways.ssh.public_key import PublicKeyError, read_public_key
from jobs.house import House
from storage.columns import JsonObject
from storage.ssh import SshKey, add_key, keys_of, remove_key
from storage.trail import Event, record

USAGE = "Say `/pod key add KEY`, `/pod key list` or `/pod key remove N`."


async def run_key(house: House, typed: Typed) -> None:
    """Whatever is done is done to the person's own list."""
    match [word.lower() for word in typed.words[:1]]:
        case ["add"]:
            told = await _add(house, typed)
        case ["list"] if len(typed.words) == 1:
            told = await _list(house, typed.user)
        case ["remove"]:
            told = await _remove(house, typed)
        case _:
            raise Declined(USAGE)
    await answer(house, typed, told)


async def _add(house: House, typed: Typed) -> str:
    _, _, behind = typed.rest.partition(typed.words[0])
    try:
        key = read_public_key(behind)
    except PublicKeyError as error:
        raise Declined(str(error)) from error
    now = house.clock.now()

    def work(session: Session) -> tuple[SshKey, bool]:
        known = {each.fingerprint for each in keys_of(session, typed.user)}
        added = add_key(session, typed.user, key.line, key.fingerprint, key.comment, now)
        if key.fingerprint not in known:
            what: JsonObject = {"n": added.n, "fingerprint": key.fingerprint}
            record(session, Event(now, typed.user, "key.added", typed.user, what))
        return added, key.fingerprint in known

    added, was_there = await house.db.run(work)
    if was_there:
        return f"That key is on your list already, as number {added.n}."
    return f"Added as number {added.n}: {_described(added)}. It is put on pods that you ask for from now on."


async def _list(house: House, user: str) -> str:
    keys = await house.db.read(lambda session: keys_of(session, user))
    if not keys:
        return "I have no SSH key of yours. `/pod key add` with the line of your `.pub` file adds one."
    return "Your SSH keys:\n" + "\n".join(
        f"{key.n}. {_described(key)}, since {when(key.added_at)}" for key in keys
    )


async def _remove(house: House, typed: Typed) -> str:
    number = typed.words[1] if len(typed.words) == 2 else ""
    if not (number.isascii() and number.isdigit()) or len(number) > 9:
        raise Declined("Say which one by its number, like `/pod key remove 1`. `/pod key list` shows them.")
    now = house.clock.now()

    def work(session: Session) -> bool:
        removed = remove_key(session, typed.user, int(number), now)
        if removed:
            record(session, Event(now, typed.user, "key.removed", typed.user, {"n": int(number)}))
        return removed

    if not await house.db.run(work):
        raise Declined(f"You have no key number {number}. `/pod key list` shows those that you have.")
    return f"Removed number {number}. Pods that have it already keep it; new ones do not get it."


def _described(key: SshKey) -> str:
    comment = f" {word(key.comment)}" if key.comment else ""
    return f"{code(key.fingerprint)}{comment}"
