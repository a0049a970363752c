"""`note`: words for people. Kept apart, posted as text, evidence of nothing."""

import hashlib
from datetime import timedelta

from bot.agents.door import Call, Done
from bot.agents.events import Note
from bot.agents.problems import Code, ProblemError
from storage.agent_request import Note as StoredNote
from storage.agent_request import write_note
from storage.columns import JsonObject
from storage.outbox import Letter, send, waiting

KIND = "note"
AT_ONCE = 10
APART = timedelta(seconds=2)
"""With more than AT_ONCE waiting, the others follow like this. Slack takes a message a second in a channel:
half of that is left to what the ops channel is there for."""
MOST_WAITING = 1000
"""More than half an hour of them; what comes then is refused, and never taken and dropped."""
RETRY_AFTER_SECONDS = 60


def note(call: Call, data: Note) -> Done:
    """Keep the words and have them posted, those of one task in one thread.

    Raises ProblemError(rate_limited) while too many notes wait.
    """
    before = waiting(call.session, KIND)
    if before >= MOST_WAITING:
        raise ProblemError(
            Code.RATE_LIMITED,
            f"{before} notes wait to be posted already. This one was not taken; send it again later.",
            headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
        )
    write_note(call.session, StoredNote(call.agent.name, call.id, call.now, data.task, data.text))
    facts: JsonObject = {"agent": call.agent.name, "note": call.id}
    letter = Letter(_key(call), call.rules.ops_channel, KIND, facts, _thread(call, data))
    send(call.session, letter, call.now, call.now + APART * max(0, before - AT_ONCE))
    return Done(text="Kept, and posted to the ops channel.", wakes=("outbox",))


def _thread(call: Call, data: Note) -> str | None:
    """The message under which the notes of this task stand: one that only says which task it is."""
    if data.task is None:
        return None
    task = hashlib.sha256(data.task.encode()).hexdigest()[:16]
    facts: JsonObject = {"agent": call.agent.name, "note": call.id}
    head = Letter(f"note-task/{call.agent.name}/{task}", call.rules.ops_channel, "note_task", facts)
    return send(call.session, head, call.now)


def _key(call: Call) -> str:
    return f"note/{call.agent.name}/{call.id}"
