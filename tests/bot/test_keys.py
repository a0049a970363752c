"""`/pod key`: a person's own SSH public keys."""

import asyncssh
from sqlmodel import select

from storage.inbox import InboxRow
from storage.ssh import keys_of
from tests.bot.talk import Talk
from tests.world import World


def a_key() -> asyncssh.SSHKey:
    return asyncssh.generate_private_key("ssh-ed25519", comment="alice@laptop")


def public(key: asyncssh.SSHKey) -> str:
    return key.export_public_key("openssh").decode().strip()


async def test_a_key_is_added_listed_and_removed(world: World, talk: Talk):
    alice, key = world.slack.people.alice, a_key()

    added = await talk.types(alice, f"/pod key add {public(key)}")
    listed = await talk.types(alice, "/pod key list")
    removed = await talk.types(alice, "/pod key remove 1")

    assert "Added as number 1" in added
    assert key.get_fingerprint() in listed
    assert "Removed number 1" in removed
    assert not await world.house.db.read(lambda session: keys_of(session, alice.id))


async def test_the_same_key_twice_is_one_key(world: World, talk: Talk):
    alice, key = world.slack.people.alice, a_key()
    await talk.types(alice, f"/pod key add {public(key)}")

    assert "on your list already" in await talk.types(alice, f"/pod key add {public(key)}")


async def test_a_malformed_key_is_declined_with_a_right_one(world: World, talk: Talk):
    alice = world.slack.people.alice

    told = await talk.types(alice, "/pod key add ssh-ed25519 AAAA")

    assert "damaged or cut off" in told
    assert not await world.house.db.read(lambda session: keys_of(session, alice.id))


async def test_a_private_key_is_declined_and_kept_nowhere(world: World, talk: Talk):
    alice = world.slack.people.alice
    secret = a_key().export_private_key("openssh").decode().replace("\n", " ")

    told = await talk.types(alice, f"/pod key add {secret}")

    assert "*private* key" in told
    rows = await world.house.db.read(lambda session: session.exec(select(InboxRow)).all())
    assert all(secret[60:120] not in str(row.payload) for row in rows)


async def test_a_number_that_is_none_of_mine_is_declined(world: World, talk: Talk):
    told = await talk.types(world.slack.people.alice, "/pod key remove 7")

    assert "You have no key number 7" in told
