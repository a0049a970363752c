"""`pod.provision`, `provision.cancel`, `provision.retry`."""

from bot.agents.door import Call, Done
from bot.agents.events import PodProvision, ProvisionAct
from bot.agents.nearby import provisions_like
from bot.agents.problems import Code, ProblemError
from bot.provision.ask import place
from bot.provision.terms import Accepted, Because, Priced, Refused
from bot.provision.waiting import go_on_first
from pods.exit_codes import ExitCode
from pods.options import BY_NAME
from pods.provision.events import can_retry
from storage.ledger import Asked, ProvisionRecord, provision_of
from storage.ledger import record as provision_record
from storage.provision_asks import ask_for_retry, call_off
from storage.trail import Event, record


def provision(call: Call, data: PodProvision, priced: Priced) -> Done:
    """A wish, written down as everybody's is. Its thread is in `channel`, else in the owner's DM."""
    asked = Asked(
        owner=call.agent.owner,
        asker=call.actor,
        door="agent",
        agent=call.agent.name,
        notify=data.notify,
        channel=data.channel,
    )
    placed = place(call.session, priced, asked, call.terms, call.now)
    if isinstance(placed, Refused):
        raise problem_of(placed)
    return _placed(placed)


def _placed(placed: Accepted) -> Done:
    wakes = ("provisions", "outbox")
    if placed.asked is None:
        text = f"Provision {placed.provision} is under way."
        return Done("working", None, text, provision_id=placed.provision, wakes=wakes)
    text = go_on_first(placed.asked, str(placed.why))
    return Done("asked", ExitCode.ASKED, text, None, placed.provision, asked=placed.asked, wakes=wakes)


def problem_of(refused: Refused) -> ProblemError:
    """The refusal of an order as an agent reads it."""
    field = None
    if refused.because is Because.INVALID and refused.option is not None:
        known = BY_NAME.get(refused.option)
        field = f"data.{known.key if known else refused.option}"
    return ProblemError(Code(refused.because), refused.sentence, field=field, matches=refused.matches or None)


def cancel(call: Call, data: ProvisionAct) -> Done:
    """Call a provision off. How it ends is the provision's own to tell."""
    found = _own(call, data.provision)
    if not call_off(call.session, found.id, call.actor, call.now) and found.outcome is not None:
        return Done(text="There was nothing left to call off.", provision_id=found.id)
    record(call.session, Event(call.now, call.actor, "provision.called_off", found.id, {"request": call.id}))
    return Done("working", None, "Being called off.", provision_id=found.id, wakes=("provisions",))


def retry(call: Call, data: ProvisionAct) -> Done:
    """Run the bootstrap again on a pod that is alive."""
    found = _own(call, data.provision)
    if found.name_freed_at is not None or not can_retry(provision_of(found)):
        raise ProblemError(
            Code.FORBIDDEN,
            f"The provision {found.id} cannot be tried again: it has not failed, or left no pod.",
        )
    ask_for_retry(call.session, found.id, call.actor, call.now)
    record(call.session, Event(call.now, call.actor, "provision.retried", found.id, {"request": call.id}))
    return Done("working", None, "Being tried again.", provision_id=found.id, wakes=("provisions",))


def _own(call: Call, provision_id: str) -> ProvisionRecord:
    found = provision_record(call.session, provision_id)
    if found is None or found.owner != call.agent.owner:
        matches = provisions_like(call.session, provision_id, call.agent.owner)
        sentence = f"There is no provision {provision_id} of this agent's owner's."
        raise ProblemError(Code.NOT_FOUND, sentence, matches=matches)
    if found.agent != call.agent.name:
        raise ProblemError(Code.FORBIDDEN, f"The provision {provision_id} was not this agent's wish.")
    return found
