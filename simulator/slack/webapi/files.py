"""files.*: the upload in three steps, and what is known of a file."""

from __future__ import annotations

import mimetypes
from dataclasses import replace

from simulator.slack import posting
from simulator.slack.conversations import Message, StoredFile
from simulator.slack.jsontypes import JsonObject, text_at
from simulator.slack.webapi.call import ApiError, Call
from simulator.slack.webapi.places import postable


def get_upload_url(call: Call) -> JsonObject:
    name = call.required("filename")
    try:
        size = int(call.required("length"))
    except ValueError:
        raise ApiError("invalid_arguments") from None
    if size <= 0:
        raise ApiError("file_upload_size_restricted")
    workspace = call.office.workspace
    mimetype = mimetypes.guess_type(name)[0] or "application/octet-stream"
    file = StoredFile(workspace.new_id("F"), name, name, size, None, mimetype, call.text("alt_txt"))
    workspace.files[file.id] = file
    return {"upload_url": f"{call.office.base_url}/upload/{file.id}", "file_id": file.id}


def complete_upload(call: Call) -> JsonObject:
    workspace = call.office.workspace
    given = [(text_at(item, "id"), text_at(item, "title")) for item in call.json_objects("files")]
    if not given:
        raise ApiError("invalid_arguments")
    for ident, _ in given:
        file = workspace.files.get(ident)
        if file is None or file.content is None:
            raise ApiError("file_not_found")
    wanted = call.text("channel_id") or call.text("channels").split(",")[0]
    channel = postable(call, workspace.channels.get(wanted)) if wanted else None
    for ident, title in given:
        file = workspace.files[ident]
        places = (channel.id,) if channel is not None else ()
        workspace.files[ident] = replace(file, title=title or file.name, channels=places, completed=True)
    if channel is not None:
        app = workspace.app
        message = Message(
            workspace.next_ts(),
            channel.id,
            app.bot_user_id,
            call.text("initial_comment"),
            thread_ts=call.text("thread_ts") or None,
            bot_id=app.bot_id,
            app_id=app.app_id,
            files=tuple(ident for ident, _ in given),
            subtype="file_share",
        )
        posting.post(call.office, message)
    return {"files": [workspace.file_json(workspace.files[ident]) for ident, _ in given]}


def info(call: Call) -> JsonObject:
    file = call.office.workspace.files.get(call.required("file"))
    if file is None or not file.completed:
        raise ApiError("file_not_found")
    return {"file": call.office.workspace.file_json(file)}
