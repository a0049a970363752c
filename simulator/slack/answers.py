"""What the app's own answers do: acknowledgements of commands and forms, and posts to a response URL."""

from __future__ import annotations

from dataclasses import replace

from simulator.slack import posting
from simulator.slack.conversations import Message
from simulator.slack.jsontypes import JsonObject, object_at, objects_at, text_at, true_at
from simulator.slack.limits import MODAL_STACK_MAX
from simulator.slack.office import Office
from simulator.slack.tickets import ResponseUrl
from simulator.slack.users import SLACKBOT
from simulator.slack.viewstate import View
from simulator.slack.webapi.views import push_view, refused, replace_body


def command_answer(office: Office, channel: str, user: str, command: str, answer: JsonObject) -> str | None:
    """Shows what a command's acknowledgement carries. Gives the error that the person sees, if any."""
    if not answer:
        return None
    try:
        message = _content(office, channel, answer)
    except posting.RefusedContentError as refused_content:
        if refused_content.code == "no_text":
            return None
        tell_privately(office, channel, user, command, "invalid_command_response")
        return "invalid_command_response"
    in_channel = text_at(answer, "response_type") == "in_channel"
    posting.post(office, replace(message, only_for=None if in_channel else user))
    return None


def tell_privately(office: Office, channel: str, user: str, command: str, error: str) -> None:
    """Slackbot's line about a command that failed."""
    text = f'{command} failed with the error "{error}"'
    posting.ephemeral(office, channel, user, SLACKBOT, text)


def response_url_post(office: Office, address: ResponseUrl, body: JsonObject) -> None:
    """A POST to a response URL. Raises `RefusedContentError`.

    Without an original message (slash commands) `replace_original` posts anew, as Slack does.
    """
    original = office.workspace.find(address.channel, address.message_ts) if address.message_ts else None
    if true_at(body, "delete_original"):
        if original is not None:
            posting.delete(office, original)
        return
    message = _content(office, address.channel, body)
    if original is not None and true_at(body, "replace_original"):
        new = replace(original, text=message.text, blocks=message.blocks, attachments=message.attachments)
        posting.edit(office, original, new)
        return
    only_for = None if text_at(body, "response_type") == "in_channel" else address.user
    thread = text_at(body, "thread_ts") or address.thread_ts
    posting.post(office, replace(message, only_for=only_for, thread_ts=thread))


def submission_answer(office: Office, view: View, answer: JsonObject) -> str | None:
    """What the acknowledgement of a form does to the modal. Gives the error that the person sees, if any."""
    workspace = office.workspace
    stack = workspace.modals.get(view.user, [])
    match text_at(answer, "response_action"):
        case "" if not answer:
            stack[:] = [each for each in stack if each is not view]
        case "clear":
            stack.clear()
        case "errors":
            return _show_errors(view, object_at(answer, "errors"))
        case "update" | "push" as action:
            body = object_at(answer, "view")
            if refused(body) or (action == "push" and len(stack) >= MODAL_STACK_MAX):
                return "invalid_response"
            if action == "update":
                replace_body(workspace, view, body)
            else:
                push_view(workspace, view.user, body)
        case _:
            return "invalid_response"
    workspace.changes.happened()
    return None


def _show_errors(view: View, errors: JsonObject) -> str | None:
    fields = {text_at(block, "block_id") for block in view.blocks if block.get("type") == "input"}
    if not errors or not set(errors) <= fields:
        return "invalid_response"
    view.errors = {block: str(sentence) for block, sentence in errors.items()}
    return None


def _content(office: Office, channel: str, body: JsonObject) -> Message:
    app = office.workspace.app
    blocks = posting.checked_blocks(office, body.get("blocks"))
    attachments = tuple(objects_at(body, "attachments"))
    text = text_at(body, "text")
    posting.check_content(text, blocks, attachments)
    return Message(
        office.workspace.next_ts(),
        channel,
        app.bot_user_id,
        text,
        blocks,
        attachments,
        bot_id=app.bot_id,
        app_id=app.app_id,
    )
