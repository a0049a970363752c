"""One signed exchange with the service, over a connection of its own. Nothing is retried here."""

import binascii
import http.client
import json
from dataclasses import dataclass
from datetime import UTC, datetime

from standardwebhooks import Webhook
from standardwebhooks.webhooks import EmptyWebhookSecretError

from bot.client.address import Address
from bot.client.ending import Ending
from pods.exit_codes import ExitCode

TIMEOUT_S = 30.0
ACCEPTED = frozenset({200, 202})
BEHIND_A_PROXY = frozenset({502, 503, 504})
"""What a proxy says while the service behind it is away."""
Json = dict[str, object]


class NoAnswerError(Exception):
    """The service gave no answer that is one of its own.

    `connected`: something was there, so that the request may have arrived. `foreign`: something else than
    the service answered, and not in the way of a proxy that cannot reach it.
    """

    def __init__(self, why: str, *, connected: bool, foreign: bool = False) -> None:
        super().__init__(why)
        self.connected = connected
        self.foreign = foreign


@dataclass(frozen=True)
class Answer:
    """What the service said."""

    status: int
    body: Json
    retry_after: int | None


class Wire:
    """Signs with one agent's secret. Raises Ending(2) if that is no secret."""

    def __init__(self, address: Address) -> None:
        self.address = address
        try:
            self._webhook = Webhook(address.secret)
        except (binascii.Error, EmptyWebhookSecretError, ValueError) as error:
            raise Ending(
                ExitCode.USAGE, "PODKEEPER_AGENT_SECRET is no agent's secret; it looks like whsec_…"
            ) from error

    def get(self, rest: str, request_id: str) -> Answer:
        """Raises NoAnswerError."""
        target = self.address.target(rest)
        return self._exchange("GET", target, None, self._signed(request_id, target))

    def post(self, rest: str, request_id: str, body: str) -> Answer:
        """Raises NoAnswerError."""
        headers = self._signed(request_id, body) | {"content-type": "application/json"}
        return self._exchange("POST", self.address.target(rest), body.encode(), headers)

    def _signed(self, request_id: str, content: str) -> dict[str, str]:
        now = datetime.now(UTC)
        return {
            "webhook-id": request_id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": self._webhook.sign(request_id, now, content),
        }

    def _exchange(self, method: str, target: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        kind = http.client.HTTPSConnection if self.address.tls else http.client.HTTPConnection
        connection = kind(self.address.host, self.address.port, timeout=TIMEOUT_S)
        try:
            connection.connect()
        except OSError as error:
            raise NoAnswerError(_reason(error), connected=False) from error
        try:
            connection.request(method, target, body, headers)
            response = connection.getresponse()
            return _read(response)
        except http.client.RemoteDisconnected as error:
            raise NoAnswerError(_reason(error), connected=True) from error
        except http.client.BadStatusLine as error:
            raise NoAnswerError("it does not speak HTTP", connected=True, foreign=True) from error
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswerError(_reason(error), connected=True) from error
        finally:
            connection.close()


def _read(response: http.client.HTTPResponse) -> Answer:
    status, retry_after = response.status, response.headers.get("retry-after", "")
    try:
        body = json.loads(response.read())
    except ValueError:
        body = None
    # A proxy before the service speaks in pages of its own: that is no word of the service.
    if not isinstance(body, dict) or not (status in ACCEPTED or _is_problem(body)):
        said = f"it answered {status} {response.reason}".strip()
        if elsewhere := response.headers.get("location"):
            said = f"{said}, to {elsewhere}"
        raise NoAnswerError(said, connected=True, foreign=status not in BEHIND_A_PROXY)
    return Answer(status, body, int(retry_after) if retry_after.isdecimal() else None)


def _is_problem(body: Json) -> bool:
    """Others have codes as well, but hardly as words with a title beside them."""
    return isinstance(body.get("code"), str) and isinstance(body.get("title"), str)


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
