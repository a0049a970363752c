"""A service that answers what the test tells it to, over a real socket, and checks every signature."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook

from bot.agents.secrets import agent_secret

SECRET = agent_secret(bytes(32), "scout", 1)


@dataclass(frozen=True)
class Asked:
    """One request that came in, its signature checked."""

    method: str
    target: str
    webhook_id: str
    body: dict[str, object] | None


@dataclass(frozen=True)
class Reply:
    """What is answered. `hang_up` closes the connection without an answer."""

    status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    hang_up: bool = False


Script = Callable[[Asked], Reply]
Run = Callable[..., tuple[int, str, str]]
"""`podkeeper WORDS` against a script: the exit code, stdout and stderr."""


@dataclass
class Scripted:
    """The running service and what it was asked."""

    url: str
    asked: list[Asked]

    def environment(self) -> dict[str, str]:
        return {"PODKEEPER_URL": self.url, "PODKEEPER_AGENT": "scout", "PODKEEPER_AGENT_SECRET": SECRET}


def problem(status: int, code: str, **more: object) -> Reply:
    return Reply(
        status, {"status": status, "code": code, "title": code, "detail": f"Because: {code}.", **more}
    )


@contextmanager
def serving(script: Script) -> Iterator[Scripted]:
    """Serve on loopback until the block is left."""
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(self.path)

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["content-length"])).decode())

        def _answer(self, content: str) -> None:
            Webhook(SECRET).verify(content, dict(self.headers.items()), json_parse=False)
            body = json.loads(content) if self.command == "POST" else None
            request = Asked(self.command, self.path, self.headers["webhook-id"], body)
            asked.append(request)
            reply = script(request)
            if reply.hang_up:
                return
            payload = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name that the base class gives
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield Scripted(f"http://127.0.0.1:{server.server_port}", asked)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def always(reply: Reply) -> Script:
    return lambda _: reply


def noting(asked: list[Asked], script: Script) -> Script:
    """Answer as the script does, and keep what was asked."""

    def answer(each: Asked) -> Reply:
        asked.append(each)
        return script(each)

    return answer


def in_turn(*replies: Reply) -> Script:
    left = list(replies)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def by_target(posted: Reply, **looks: Reply) -> Script:
    """Events get one answer, looks theirs by the word after the agent's name."""

    def answer(asked: Asked) -> Reply:
        if asked.method == "POST":
            return posted
        return looks[asked.target.split("/")[3].split("?")[0]]

    return answer
