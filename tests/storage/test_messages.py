"""What comes in and what goes out: taken down once, handled once, sent once."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from sqlmodel import Session

from storage import inbox, outbox
from storage.columns import JsonObject
from storage.database import Database
from storage.inbox import Incoming
from storage.outbox import Letter, Sending

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


def receive(now: datetime, key: str = "k1") -> Callable[[Session], bool]:
    return lambda session: inbox.receive(session, key, "command", {"text": "/pod list"}, now)


def incoming(now: datetime) -> Callable[[Session], list[Incoming]]:
    return lambda session: inbox.take_due(session, now, MINUTE, 10)


def outgoing(now: datetime) -> Callable[[Session], list[Sending]]:
    return lambda session: outbox.take_due(session, now, MINUTE, 10)


def send(now: datetime, dedupe: str = "hello:1") -> Callable[[Session], str]:
    letter = Letter(dedupe, "C1", "hello", {"provision": "aaaaaaaa"})
    return lambda session: outbox.send(session, letter, now)


async def test_the_same_delivery_twice_is_taken_down_once(database: Database, now: datetime) -> None:
    first = await database.run(receive(now), within=SECOND)
    second = await database.run(receive(now), within=SECOND)

    assert (first, second) == (True, False)
    assert len(database.run_now(incoming(now))) == 1


def test_a_payload_that_no_text_column_could_hold_is_taken_down(database: Database, now: datetime) -> None:
    payload: JsonObject = {"text": "a\0b\ud800c"}
    database.run_now(lambda session: inbox.receive(session, "k1", "command", payload, now))

    [taken] = database.run_now(incoming(now))

    assert taken.payload == payload


def test_what_came_in_is_taken_up_with_its_payload(database: Database, now: datetime) -> None:
    database.run_now(receive(now))

    taken = database.run_now(lambda session: inbox.take(session, "k1", MINUTE))

    assert taken == Incoming("k1", "command", {"text": "/pod list"}, now, attempts=1, fencing=1)


def test_what_is_in_hand_is_not_taken_up_again(database: Database, now: datetime) -> None:
    database.run_now(receive(now))
    database.run_now(incoming(now))

    assert database.run_now(incoming(now)) == []
    assert database.run_now(lambda session: inbox.take(session, "k1", MINUTE)) is None


def test_what_is_done_is_not_taken_up_again(database: Database, now: datetime) -> None:
    database.run_now(receive(now))
    [taken] = database.run_now(incoming(now))

    assert database.run_now(lambda session: inbox.done(session, taken, now))

    assert database.run_now(incoming(now)) == []
    assert database.run_now(lambda session: inbox.take(session, "k1", MINUTE)) is None


def test_what_was_put_back_is_taken_up_at_its_time_and_counted(database: Database, now: datetime) -> None:
    database.run_now(receive(now))
    [taken] = database.run_now(incoming(now))

    database.run_now(lambda session: inbox.put_back(session, taken, now + MINUTE))

    assert database.run_now(incoming(now)) == []
    assert [again.attempts for again in database.run_now(incoming(now + MINUTE))] == [2]


def test_a_message_is_sent_once_however_often_it_is_asked_for(database: Database, now: datetime) -> None:
    first = database.run_now(send(now))
    second = database.run_now(send(now))

    assert first == second
    assert [sending.id for sending in database.run_now(outgoing(now))] == [first]


def test_a_delivered_message_is_not_sent_again(database: Database, now: datetime) -> None:
    message_id = database.run_now(send(now))
    [sending] = database.run_now(outgoing(now))

    assert database.run_now(lambda session: outbox.delivered(session, sending, "C1", "1.2", now))
    database.run_now(send(now))

    assert database.run_now(outgoing(now + MINUTE)) == []
    place = database.read_now(lambda session: outbox.place_of(session, message_id))
    assert place is not None
    assert (place.channel, place.ts, place.delivered_at) == ("C1", "1.2", now)


def test_many_redraws_before_it_is_sent_are_one_message(database: Database, now: datetime) -> None:
    message_id = database.run_now(send(now))
    for _ in range(3):
        database.run_now(lambda session: outbox.redraw(session, message_id, now))

    [sending] = database.run_now(outgoing(now))
    database.run_now(lambda session: outbox.delivered(session, sending, "C1", "1.2", now))

    assert database.run_now(outgoing(now + MINUTE)) == []


def test_a_redraw_of_a_delivered_message_names_the_message_to_edit(database: Database, now: datetime) -> None:
    message_id = database.run_now(send(now))
    [sending] = database.run_now(outgoing(now))
    database.run_now(lambda session: outbox.delivered(session, sending, "C1", "1.2", now))

    database.run_now(lambda session: outbox.redraw(session, message_id, now + MINUTE))

    [again] = database.run_now(outgoing(now + MINUTE))
    assert (again.id, again.channel, again.ts) == (message_id, "C1", "1.2")


def test_a_redraw_sends_nothing_before_it_is_due(database: Database, now: datetime) -> None:
    morning = now + 60 * MINUTE
    message_id = database.run_now(
        lambda session: outbox.send(session, outbox.Letter("d", "C1", "card"), now, morning)
    )

    database.run_now(lambda session: outbox.redraw(session, message_id, now))

    assert database.run_now(outgoing(now)) == []
    assert [sending.id for sending in database.run_now(outgoing(morning))] == [message_id]


def test_a_change_while_it_is_being_sent_is_drawn_after_it(database: Database, now: datetime) -> None:
    message_id = database.run_now(send(now))
    [sending] = database.run_now(outgoing(now))
    database.run_now(lambda session: outbox.redraw(session, message_id, now))

    database.run_now(lambda session: outbox.delivered(session, sending, "C1", "1.2", now))

    [again] = database.run_now(outgoing(now))
    assert again.ts == "1.2"


def test_when_slack_took_it_first_stands(database: Database, now: datetime) -> None:
    message_id = database.run_now(send(now))
    for at in (now, now + MINUTE):
        [sending] = database.run_now(outgoing(at))
        database.run_now(partial(outbox.delivered, sent=sending, channel="C1", ts="1.2", at=at))
        database.run_now(partial(outbox.redraw, message_id=message_id, now=at + MINUTE))

    place = database.read_now(lambda session: outbox.place_of(session, message_id))
    assert place is not None
    assert place.delivered_at == now


def test_what_slack_did_not_take_is_kept_and_counted(database: Database, now: datetime) -> None:
    database.run_now(send(now))
    [sending] = database.run_now(outgoing(now))

    database.run_now(lambda session: outbox.put_off(session, sending, now + MINUTE, "ratelimited"))

    assert database.run_now(outgoing(now)) == []
    assert database.read_now(outbox.oldest_waiting) == now + MINUTE
    assert [again.attempts for again in database.run_now(outgoing(now + MINUTE))] == [2]


def test_what_was_given_up_is_neither_sent_nor_redrawn(database: Database, now: datetime) -> None:
    message_id = database.run_now(send(now))
    [sending] = database.run_now(outgoing(now))

    database.run_now(lambda session: outbox.give_up(session, sending, now, "user_disabled"))

    assert not database.run_now(lambda session: outbox.redraw(session, message_id, now))
    assert database.run_now(outgoing(now + MINUTE)) == []
    assert database.read_now(outbox.oldest_waiting) is None


def test_a_message_is_not_sent_before_its_time(database: Database, now: datetime) -> None:
    later = now + MINUTE
    database.run_now(lambda session: outbox.send(session, Letter("x", "U1", "hello"), now, later))

    assert database.run_now(outgoing(now)) == []
    assert len(database.run_now(outgoing(later))) == 1
