"""Agents, people, keys, pages: small tables with one rule each."""

from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial

from storage import agent, agent_request, page, person, place, ssh
from storage.agent_request import AgentRequest, Note
from storage.database import Database
from storage.page import Page
from storage.person import Person

HOUR = timedelta(hours=1)


def add(database: Database, now: datetime, name: str = "smith") -> agent.Agent | None:
    return database.run_now(lambda session: agent.add_agent(session, name, "U1", "cli", now))


def requested(now: datetime, answer: str = "first") -> AgentRequest:
    return AgentRequest(
        agent="smith",
        id="msg_1",
        type="pod.terminate",
        state="working",
        exit_code=None,
        text=None,
        pod_id="pod1",
        provision_id=None,
        deed_id="d1",
        asked=None,
        answer={"id": answer},
        at=now,
        updated_at=now,
    )


def test_a_new_agent_is_not_confirmed(database: Database, now: datetime) -> None:
    added = add(database, now)

    assert added is not None
    assert (added.owner, added.generation, added.confirmed_at) == ("U1", 1, None)


def test_an_agents_name_is_given_out_once(database: Database, now: datetime) -> None:
    add(database, now)

    assert add(database, now) is None


def test_a_removed_agent_is_unknown_and_its_name_comes_back_with_another_secret(
    database: Database, now: datetime
) -> None:
    add(database, now)
    database.run_now(partial(agent.confirm_agent, name="smith", at=now))
    database.run_now(partial(agent.remove_agent, name="smith", at=now))
    removed = database.read_now(partial(agent.agent, name="smith"))

    again = add(database, now + HOUR)

    assert removed is None
    assert again is not None
    assert (again.generation, again.confirmed_at) == (2, None)


def test_an_agent_is_confirmed_once(database: Database, now: datetime) -> None:
    add(database, now)

    yes = [database.run_now(partial(agent.confirm_agent, name="smith", at=now)) for _ in range(2)]

    assert yes == [True, False]


def test_rotating_makes_a_new_generation(database: Database, now: datetime) -> None:
    add(database, now)

    rotated = database.run_now(partial(agent.rotate_agent, name="smith", at=now + HOUR))

    assert rotated is not None
    assert (rotated.generation, rotated.rotated_at) == (2, now + HOUR)
    assert database.run_now(partial(agent.rotate_agent, name="nobody", at=now)) is None


def test_agents_are_suspended_and_come_back_with_their_owner(database: Database, now: datetime) -> None:
    add(database, now)
    add(database, now, "jones")

    suspended = database.run_now(partial(agent.suspend_agents, owner="U1", at=now))
    while_away = [one.suspended_at for one in database.read_now(partial(agent.agents, owner="U1"))]
    database.run_now(partial(agent.suspend_agents, owner="U1", at=None))

    assert (suspended, while_away) == (2, [now, now])
    assert [one.suspended_at for one in database.read_now(agent.agents)] == [None, None]


def test_a_webhook_id_is_taken_down_once(database: Database, now: datetime) -> None:
    taken = [
        database.run_now(partial(agent_request.accept, request=asdict(request)))
        for request in (requested(now), requested(now + HOUR, "second"))
    ]

    found = database.read_now(lambda session: agent_request.request_of(session, "smith", "msg_1"))
    assert (taken, found) == ([True, False], requested(now))


def test_what_came_of_a_request_is_written_beside_it(database: Database, now: datetime) -> None:
    database.run_now(partial(agent_request.accept, request=asdict(requested(now))))
    database.run_now(
        lambda session: agent_request.update_request(
            session, "smith", "msg_1", now + HOUR, state="done", exit_code=0
        )
    )

    found = database.read_now(lambda session: agent_request.request_of(session, "smith", "msg_1"))

    assert found is not None
    assert (found.state, found.exit_code, found.updated_at) == ("done", 0, now + HOUR)


def test_a_note_is_written_once(database: Database, now: datetime) -> None:
    note = Note("smith", "msg_2", now, "task", "pod1 is not ours")

    written = [database.run_now(partial(agent_request.write_note, note=note)) for _ in range(2)]

    assert written == [True, False]
    assert database.read_now(lambda session: agent_request.note(session, "smith", "msg_2")) == note


def test_words_that_postgresql_cannot_hold_are_written_all_the_same(
    database: Database, now: datetime
) -> None:
    note = Note("smith", "msg_3", now, None, "a\0b\ud800c")

    database.run_now(partial(agent_request.write_note, note=note))

    stored = database.read_now(lambda session: agent_request.note(session, "smith", "msg_3"))
    assert stored is not None
    assert stored.text == "a\ufffdb\ufffdc"


def test_a_key_on_the_list_is_not_added_again(database: Database, now: datetime) -> None:
    keys = [
        database.run_now(
            lambda session: ssh.add_key(session, "U1", "ssh-ed25519 AAAA", "SHA256:x", "mine", now)
        )
        for _ in range(2)
    ]

    assert keys[0] == keys[1]
    assert database.read_now(partial(ssh.keys_of, user_id="U1")) == keys[:1]


def test_a_keys_number_is_not_used_again(database: Database, now: datetime) -> None:
    def add_key(letter: str) -> int:
        return database.run_now(
            lambda session: ssh.add_key(session, "U1", f"ssh-ed25519 {letter}", letter, "", now).n
        )

    numbers = [add_key("a"), add_key("b")]
    removed = [database.run_now(partial(ssh.remove_key, user_id="U1", n=2, at=now)) for _ in range(2)]

    assert (numbers, removed, add_key("c")) == ([1, 2], [True, False], 3)


def test_the_first_host_key_of_a_pod_is_pinned(database: Database, now: datetime) -> None:
    pinned = [
        database.run_now(partial(ssh.pin_host_key, pod_id="pod1", key=key, at=now))
        for key in ("first", "second")
    ]

    assert pinned == ["first", "first"]


def test_people_are_as_they_were_when_last_asked_for(database: Database, now: datetime) -> None:
    alice = Person("U1", "alice", "T1", "Europe/Berlin", False, False, False, False, now)
    gone = Person("U1", "alice", "T1", "Europe/Berlin", True, False, False, False, now + HOUR)

    for seen in (alice, gone):
        database.run_now(partial(person.put_people, people=[seen]))

    assert database.read_now(person.people) == {"U1": gone}
    assert database.read_now(partial(person.person, user_id="U2")) is None


def test_a_bad_place_is_avoided_for_a_while(database: Database, now: datetime) -> None:
    database.run_now(lambda session: place.avoid(session, "H100", "EU-RO-1", now + HOUR, "aaaaaaaa"))

    assert database.read_now(partial(place.bad_places, now=now)) == {("H100", "EU-RO-1")}
    assert database.read_now(partial(place.bad_places, now=now + HOUR)) == set()


def test_a_list_keeps_its_place(database: Database, now: datetime) -> None:
    for position in (0, 10):
        shown = Page("p1", "list", "U1", {"pods": ["pod1"]}, position, now)
        database.run_now(partial(page.put_page, page=shown))

    found = database.read_now(partial(page.page, page_id="p1"))
    assert found is not None
    assert found.position == 10
