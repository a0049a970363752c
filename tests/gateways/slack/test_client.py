"""What reaches people through Slack, and what is told when it does not."""

import pytest

from gateways.slack.client import connected
from gateways.slack.errors import (
    AnswerLost,
    SlackAuth,
    SlackRateLimited,
    SlackRejected,
    SlackUnreachable,
    Undeliverable,
)

SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "*as blocks*"}}
TOO_LONG = {"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3001}}
MODAL = {
    "type": "modal",
    "title": {"type": "plain_text", "text": "Pod"},
    "blocks": [{"type": "section", "text": {"type": "plain_text", "text": "first view"}}],
}


def with_text(text: str) -> dict[str, object]:
    return {**MODAL, "blocks": [{"type": "section", "text": {"type": "plain_text", "text": text}}]}


async def test_a_message_reaches_the_channel_and_its_thread(workspace, slack, general):
    posted = await slack.post(general, "hello", dedupe="m1")
    await slack.post(general, "a reply", dedupe="m2", thread_ts=posted.ts)

    [first, reply] = workspace.people.alice.messages("#general")
    assert (first.text, first.ts, first.channel) == ("hello", posted.ts, general)
    assert reply.thread_ts == posted.ts


async def test_a_message_is_found_by_its_name(slack, general):
    await slack.post(general, "another", dedupe="m1")
    posted = await slack.post(general, "hello", dedupe="m2")
    await slack.post(general, "a third", dedupe="m3")

    assert await slack.find(general, "m2") == posted
    assert await slack.find(general, "never sent") is None


async def test_a_reply_is_found_in_its_thread(slack, general):
    head = await slack.post(general, "hello", dedupe="m1")
    reply = await slack.post(general, "a reply", dedupe="m2", thread_ts=head.ts)

    assert await slack.find(general, "m2", thread_ts=head.ts) == reply
    assert await slack.find(general, "m2") is None


async def test_a_reply_is_found_at_the_end_of_a_long_thread(slack, general):
    head = await slack.post(general, "hello", dedupe="m0")
    for number in range(1, 110):
        await slack.post(general, "and so on", dedupe=f"m{number}", thread_ts=head.ts)
    last = await slack.post(general, "at last", dedupe="last", thread_ts=head.ts)

    assert await slack.find(general, "last", thread_ts=head.ts) == last


async def test_people_do_not_see_the_name(workspace, slack, general):
    await slack.post(general, "hello", dedupe="the-name")

    assert "the-name" not in str(workspace.log.calls_of("chat.postMessage")[0].args)


async def test_a_message_is_written_anew_with_and_without_blocks(workspace, slack, general):
    posted = await slack.post(general, "before", blocks=[SECTION], dedupe="m1")

    await slack.update(general, posted.ts, "after")

    [message] = workspace.people.alice.messages("#general")
    assert (message.text, message.blocks) == ("after", ())


async def test_a_private_answer_is_seen_by_one_person(workspace, slack, general):
    await slack.ephemeral(general, workspace.people.alice.id, "for you")

    await workspace.people.alice.sees("for you")
    await workspace.people.bob.sees_not("for you")


async def test_a_response_reaches_whoever_asked_and_nobody_else(workspace, slack, general):
    url = workspace.office.response_urls.issue(general, workspace.people.alice.id)

    await slack.respond(url, "done", blocks=[SECTION])

    await workspace.people.alice.sees("as blocks")
    await workspace.people.bob.sees_not("as blocks")


async def test_a_direct_message_is_opened_and_read(workspace, slack):
    channel = await slack.open_dm(workspace.people.bob.id)
    await slack.post(channel, "psst", dedupe="m1")

    await workspace.people.bob.sees("psst", in_="dm")


async def test_a_file_arrives_with_its_comment(workspace, slack, general):
    await slack.upload(general, "log.txt", b"line\n", comment="the whole log")

    seen = await workspace.people.alice.sees("the whole log")
    [file] = seen.files
    assert workspace.workspace.files[file].name == "log.txt"


async def test_a_modal_is_opened_and_changed(workspace, slack):
    trigger = workspace.office.triggers.issue(workspace.people.alice.id)

    view_id = await slack.open_view(trigger, MODAL)
    await slack.update_view(view_id, with_text("second view"))

    await workspace.people.alice.sees("second view", in_="modal")


async def test_a_home_is_shown(workspace, slack):
    home = {"type": "home", "blocks": MODAL["blocks"]}

    await slack.publish_home(workspace.people.alice.id, home)

    await workspace.people.alice.sees("first view", in_="home")


async def test_a_channel_tells_whether_the_bot_is_in_it(workspace, slack, general):
    inside = await slack.channel(general)
    outside = await slack.channel(workspace.channel("#random").id)
    old = await slack.channel(workspace.channel("#old").id)

    assert (inside.name, inside.bot_is_member, inside.archived) == ("general", True, False)
    assert not outside.bot_is_member
    assert old.archived


async def test_the_token_tells_whose_it_is_and_what_it_may_do(workspace, slack):
    identity = await slack.who()

    assert (identity.team_id, identity.bot_user_id) == (workspace.bot.team_id, workspace.bot.bot_user_id)
    assert "chat:write" in identity.scopes


@pytest.mark.parametrize("call", ["post", "update", "ephemeral"])
async def test_blocks_that_slack_rejects_are_left_out_and_the_text_goes_alone(
    workspace, slack, general, call
):
    alice = workspace.people.alice
    before = await slack.post(general, "before", dedupe="m0")

    if call == "post":
        assert (await slack.post(general, "the text", blocks=[TOO_LONG], dedupe="m1")).text_only
    elif call == "update":
        assert (await slack.update(general, before.ts, "the text", blocks=[TOO_LONG])).text_only
    else:
        await slack.ephemeral(general, alice.id, "the text", blocks=[TOO_LONG])

    await alice.sees("the text")


async def test_a_response_whose_blocks_are_rejected_goes_as_text(workspace, slack, general):
    url = workspace.office.response_urls.issue(general, workspace.people.alice.id)

    await slack.respond(url, "the text", blocks=[TOO_LONG])

    await workspace.people.alice.sees("the text")


async def test_a_text_that_is_too_long_for_an_update_is_shortened_with_notice(workspace, slack, general):
    posted = await slack.post(general, "before", dedupe="m1")

    await slack.update(general, posted.ts, "x" * 5000)

    [message] = workspace.people.alice.messages("#general")
    assert message.text.endswith("… (shortened)")
    assert len(message.text) == 4000


async def test_what_slack_rejects_for_another_reason_says_why(workspace, slack):
    trigger = workspace.office.triggers.issue(workspace.people.alice.id)
    await slack.open_view(trigger, MODAL)

    with pytest.raises(SlackRejected) as caught:
        await slack.open_view(trigger, MODAL)

    assert caught.value.reason == "exchanged_trigger_id"


async def test_a_view_that_is_too_large_names_what_is_wrong(workspace, slack):
    trigger = workspace.office.triggers.issue(workspace.people.alice.id)

    with pytest.raises(SlackRejected) as caught:
        await slack.open_view(trigger, with_text("x" * 3001))

    assert any("3001" in detail for detail in caught.value.details)


@pytest.mark.parametrize(
    ("place", "reason"),
    [("#old", "is_archived"), ("#secret", "channel_not_found"), ("#random", "not_in_channel")],
)
async def test_a_place_that_cannot_be_posted_to_says_why(workspace, slack, place, reason):
    with pytest.raises(Undeliverable) as caught:
        await slack.post(workspace.channel(place).id, "hello", dedupe="m1")

    assert caught.value.reason == reason


async def test_a_person_who_left_cannot_be_written_to(workspace, slack):
    with pytest.raises(Undeliverable) as caught:
        await slack.open_dm(workspace.people.dee.id)

    assert caught.value.reason == "user_disabled"


@pytest.mark.parametrize("code", ["messages_tab_disabled", "user_not_in_channel", "cant_update_message"])
async def test_other_undeliverable_messages_say_why(workspace, slack, general, code):
    workspace.faults.error("chat.postMessage", code)

    with pytest.raises(Undeliverable) as caught:
        await slack.post(general, "hello", dedupe="m1")

    assert caught.value.reason == code


async def test_a_pause_that_slack_asks_for_is_told_and_nothing_is_sent_again(workspace, slack, general):
    workspace.faults.rate_limit("chat.postMessage", retry_after=17)

    with pytest.raises(SlackRateLimited) as caught:
        await slack.post(general, "hello", dedupe="m1")

    assert caught.value.retry_after.total_seconds() == 17
    assert len(workspace.log.calls_of("chat.postMessage")) == 1


async def test_a_message_whose_answer_is_lost_is_not_posted_twice(workspace, slack, general):
    workspace.faults.lose_answer("chat.postMessage")

    with pytest.raises(AnswerLost):
        await slack.post(general, "hello", dedupe="m1")

    assert len(workspace.people.alice.messages("#general")) == 1


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_a_server_error_of_slack_is_an_unknown_answer(workspace, slack, general, status):
    workspace.faults.http("chat.postMessage", status=status)

    with pytest.raises(AnswerLost):
        await slack.post(general, "hello", dedupe="m1")


@pytest.mark.parametrize("code", ["internal_error", "fatal_error"])
async def test_an_error_at_slacks_own_end_is_an_unknown_answer(workspace, slack, general, code):
    workspace.faults.error("chat.postMessage", code)

    with pytest.raises(AnswerLost):
        await slack.post(general, "hello", dedupe="m1")


async def test_a_slack_that_is_not_there_has_taken_nothing(unused_tcp_port):
    async with connected("xoxb-secret", f"http://127.0.0.1:{unused_tcp_port}/api/") as slack:
        with pytest.raises(SlackUnreachable) as caught:
            await slack.post("C1", "hello", dedupe="m1")

    assert "xoxb-secret" not in str(caught.value)


async def test_a_wrong_token_is_told_apart(workspace, general):
    async with connected("xoxb-wrong", workspace.api_url) as slack:
        with pytest.raises(SlackAuth, match="SLACK_BOT_TOKEN"):
            await slack.post(general, "hello", dedupe="m1")


async def test_the_address_works_with_and_without_its_last_slash(workspace):
    async with connected(workspace.bot_token, workspace.api_url.rstrip("/")) as slack:
        assert (await slack.who()).team_id == workspace.bot.team_id


async def test_a_response_url_is_good_for_five_answers(workspace, slack, general):
    url = workspace.office.response_urls.issue(general, workspace.people.alice.id)
    for number in range(5):
        await slack.respond(url, f"answer {number}")

    with pytest.raises(Undeliverable) as caught:
        await slack.respond(url, "one too many")

    assert caught.value.reason == "used_url"


@pytest.mark.parametrize(
    ("status", "error"), [(404, Undeliverable), (500, AnswerLost), (429, SlackRateLimited)]
)
async def test_a_response_url_that_fails_says_how(workspace, slack, general, status, error):
    url = workspace.office.response_urls.issue(general, workspace.people.alice.id)
    workspace.faults.response_url(status)

    with pytest.raises(error):
        await slack.respond(url, "hello")
