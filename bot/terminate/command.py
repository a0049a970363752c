"""`/pod terminate POD [reason]`, `/pod stop POD`, `/pod start POD`."""

from typing import assert_never

from sqlmodel import Session

from bot.fleet.naming import meant, the_pod
from bot.fleet.views import PodView, view
from bot.slack.answering import Declined, answer
from bot.slack.heard import Answerable
from bot.standing import fingerprint_now
from bot.table import Typed
from bot.terminate.asking import put_to_owner
from bot.terminate.confirmation import Act, Confirmation, draw, remember
from bot.terminate.rights import AsAdmin, AskOwner, AsOwner, No, right_to_end, right_to_stop
from bot.terminate.starting import is_stopped, start
from bot.text import Shown, mention, word
from jobs.house import House
from pods.phase import Phase
from storage.keys import key_from
from storage.switch import switches


async def run_terminate(house: House, typed: Typed) -> None:
    """Show what would be ended; or ask its owner; or say why not."""
    if not typed.words:
        raise Declined("Say which pod, like `/pod terminate train-7b`. `/pod list` shows yours.")
    reason = " ".join(typed.words[1:]) or None
    pod = await _meant(house, typed.words[0])
    await confirm(house, typed, Act.END, pod, reason)


async def run_stop(house: House, typed: Typed) -> None:
    """Show what would be stopped; or ask its owner; or say why not."""
    if len(typed.words) != 1:
        raise Declined("Say which pod, like `/pod stop train-7b`. `/pod list` shows yours.")
    await confirm(house, typed, Act.STOP, await _meant(house, typed.words[0]), None)


async def run_start(house: House, typed: Typed) -> None:
    """Start a stopped pod at once."""
    if len(typed.words) != 1:
        raise Declined("Say which pod, like `/pod start train-7b`. `/pod list` shows yours.")
    pod = await _meant(house, typed.words[0])
    match right_to_stop(pod, typed.user, "start"):
        case AsOwner() | AsAdmin():
            await answer(house, typed, await start(house, pod, typed.user))
        case AskOwner(owner):
            raise Declined(f"*{word(pod.name)}* is {mention(owner)}'s; only they can start it.")
        case No(sentence):
            raise Declined(sentence)


async def confirm(
    house: House, to: Answerable, act: Act, pod: PodView, reason: str | None, *, changed: bool = False
) -> None:
    """Show the confirmation, or what is in the way of it.

    `changed`: in the place of one that does not hold any more, for the pod is not as it was shown.
    """
    await declined_if_paused(house)
    if act is Act.STOP and pod.phase is Phase.EXITED and await is_stopped(house, pod):
        raise Declined(f"*{word(pod.name)}* is stopped already, so there is nothing to stop.")
    is_admin = to.user in house.admins
    right = (
        right_to_end(pod, to.user, is_admin=is_admin, reason=reason)
        if act is Act.END
        else right_to_stop(pod, to.user)
    )
    match right:
        case No(sentence):
            raise Declined(sentence)
        case AskOwner(owner):
            told = await house.db.run(
                lambda session: put_to_owner(session, house, to, act, pod, owner, reason)
            )
            house.wakes.wake("outbox")
            await answer(house, to, told)
        case AsOwner() | AsAdmin():
            as_admin = isinstance(right, AsAdmin)
            shown = await _show(house, to, act, pod, reason, as_admin=as_admin, changed=changed)
            await answer(house, to, shown.text, shown.blocks, replace=changed)
        case _:
            assert_never(right)


async def declined_if_paused(house: House) -> None:
    """Raises Declined while everything is paused."""
    paused = (await house.db.read(switches)).get("paused")
    if paused is not None and paused.value == "on":
        raise Declined(f"{mention(paused.set_by)} has paused everything: nothing is ended or stopped now.")


async def pod_by_id(house: House, pod_id: str) -> PodView:
    """The pod of a button. Raises Declined if nobody ever heard of it."""
    now, settle = house.clock.now(), house.policy.claim_settle
    found = await house.db.read(lambda session: view(session, pod_id, now, settle))
    if found is None:
        raise Declined("I know no such pod any more. `/pod list` shows yours.")
    return found


async def _meant(house: House, typed: str) -> PodView:
    now, settle = house.clock.now(), house.policy.claim_settle
    return the_pod(await house.db.read(lambda session: meant(session, typed, now, settle)), typed)


async def _show(
    house: House,
    to: Answerable,
    act: Act,
    pod: PodView,
    reason: str | None,
    *,
    as_admin: bool,
    changed: bool,
) -> Shown:
    now = house.clock.now()

    def work(session: Session) -> Shown:
        state = fingerprint_now(session, pod.pod_id, pod.whose)
        key, kept = key_from(f"confirm {to.key}"), pod.keeps.cover(now)
        shown = Confirmation(key, to.user, act, pod.pod_id, state, reason, kept)
        remember(session, shown, now)
        return draw(shown, pod, now, as_admin=as_admin, changed=changed)

    return await house.db.run(work)
