"""`note`: words for people. Kept apart, posted as text, evidence of nothing."""

import hashlib
from datetime import timedelta

from sqlmodel import col, func, select

from bot.agents.door import Call, Done
from bot.agents.events import Note
from storage.agent_request import Note as StoredNote
from storage.agent_request import NoteRow, write_note
from storage.columns import JsonObject
from storage.outbox import Letter, send

POSTED_PER_MINUTE = 6


def note(call: Call, data: Note) -> Done:
    """Keep the words and have them posted, those of one task in one thread."""
    recent = _in_the_last_minute(call)
    write_note(call.session, StoredNote(call.agent.name, call.id, call.now, data.task, data.text))
    if recent >= POSTED_PER_MINUTE:
        return Done(text=f"Kept, but not posted: there were {recent} notes in the last minute.")
    facts: JsonObject = {"agent": call.agent.name, "note": call.id}
    send(
        call.session,
        Letter(_key(call), call.rules.ops_channel, "note", facts, _thread(call, data)),
        call.now,
    )
    return Done(text="Kept, and posted to the ops channel.", wakes=("outbox",))


def _in_the_last_minute(call: Call) -> int:
    since = call.now - timedelta(minutes=1)
    written = select(func.count()).where(col(NoteRow.agent) == call.agent.name, col(NoteRow.at) > since)
    return call.session.exec(written).one()


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
