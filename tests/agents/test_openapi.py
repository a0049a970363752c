"""The OpenAPI document is true: whatever is sent, signed, the answer is one that it knows."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from requests.auth import AuthBase
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)
from standardwebhooks import Webhook

from bot.agents.openapi import document
from bot.agents.secrets import agent_secret
from storage.database import Database
from tests.agents.house import KEY, House
from tests.agents.serving import served

SIGNER = Webhook(agent_secret(KEY, "scout", 1))
# The signature is put on by hand after a case is made; schemathesis must not make up headers for it.
schema = schemathesis.openapi.from_dict({**document(), "security": []})


class Signing(AuthBase):
    """Signs whatever is about to be sent, as the agent `scout`."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        body = request.body or b""
        text = body.decode(errors="replace") if isinstance(body, bytes) else str(body)
        content = text if request.method == "POST" else request.path_url
        now = datetime.now(UTC)
        request.headers["webhook-id"] = webhook_id = f"msg_{now.timestamp()}"
        request.headers["webhook-timestamp"] = str(int(now.timestamp()))
        request.headers["webhook-signature"] = SIGNER.sign(webhook_id, now, content)
        return request


@pytest.fixture(scope="module")
def service(migrated_sqlite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    file = tmp_path_factory.mktemp("served") / "x.db"
    file.write_bytes(migrated_sqlite.read_bytes())
    database = Database(f"sqlite:///{file}")
    house = House(database, per_minute=100_000)
    house.add()
    house.launched("p1")
    with served(house.app()) as url:
        yield url
    database.close()


@pytest.mark.timeout(240)
@schema.parametrize()
@settings(max_examples=25, suppress_health_check=list(HealthCheck), deadline=None)
def test_every_answer_stands_in_the_document(case, service: str) -> None:
    case.path_parameters["agent"] = "scout"

    response = case.call(base_url=service, auth=Signing())

    case.validate_response(
        response,
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_schema_conformance,
            negative_data_rejection,
        ],
    )
