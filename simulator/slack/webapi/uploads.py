"""The two addresses that are no Web API methods: file uploads and response URLs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from aiohttp import web

from simulator.slack.answers import response_url_post
from simulator.slack.jsontypes import parse
from simulator.slack.log import ApiCall
from simulator.slack.office import Office
from simulator.slack.posting import RefusedContentError
from simulator.slack.webapi.server import drop


@dataclass(frozen=True)
class SideDoors:
    office: Office

    async def upload(self, request: web.Request) -> web.StreamResponse:
        """Takes a file's bytes, raw or as a multipart form; the size must be as announced."""
        workspace = self.office.workspace
        file = workspace.files.get(request.match_info["file_id"])
        if self.office.faults.is_down:
            return drop(request)
        if file is None or file.completed:
            return web.Response(status=404, text="no such upload")
        content = await _content(request)
        if len(content) != file.size:
            return web.Response(status=400, text="the size is not the announced one")
        workspace.files[file.id] = replace(file, content=content)
        return web.Response(text=f"OK - {len(content)}")

    async def response_url(self, request: web.Request) -> web.StreamResponse:
        """A POST to a response URL: five uses in thirty minutes."""
        office = self.office
        if office.faults.is_down:
            return drop(request)
        with office.workspace.changes.going_on():
            try:
                body = parse(await request.text() or "{}")
            except ValueError:
                return web.Response(status=400, text="invalid_payload")
            if not isinstance(body, dict):
                return web.Response(status=400, text="invalid_payload")
            call = ApiCall("response_url", body, office.workspace.now())
            office.log.calls.append(call)
            status, text = self._respond(request.match_info["key"], call)
            call.status, call.answer = status, {"ok": status == 200, "error": text}
            return web.Response(status=status, text=text)

    def _respond(self, key: str, call: ApiCall) -> tuple[int, str]:
        planned = self.office.faults.take_response_url()
        if planned is not None:
            return planned, "simulated"
        address = self.office.response_urls.use(key)
        if isinstance(address, str):
            return 404, address
        try:
            response_url_post(self.office, address, call.args)
        except RefusedContentError as refused:
            return 400, refused.code
        return 200, "ok"


async def _content(request: web.Request) -> bytes:
    if not request.content_type.startswith("multipart/"):
        return await request.read()
    form = await request.post()
    for value in form.values():
        if isinstance(value, web.FileField):
            return value.file.read()
    return b""
