"""RunPod's published OpenAPI document, as a judge of requests and answers."""

import json
from collections.abc import Iterator
from typing import Any

from openapi_core import Config, OpenAPI
from openapi_core.testing import MockRequest, MockResponse

from simulator.runpod import Request, Response

HOST = "https://api.runpod.io"


class Document:
    """Says what in a call the document does not allow."""

    def __init__(self, text: dict[str, Any]) -> None:
        self._text = text
        self._openapi = OpenAPI.from_dict(
            text, config=Config(extra_media_type_deserializers={"application/problem+json": json.loads})
        )

    def check(self, request: Request, answer: Response) -> None:
        """Raise for a request or answer that the document does not allow, or a key that it does not name."""
        self.check_request(request)
        self.check_answer(request, answer)

    def check_request(self, request: Request) -> None:
        """Raise for a request that the document does not allow."""
        self._openapi.validate_request(_asked(request))

    def check_answer(self, request: Request, answer: Response) -> None:
        """As `check`, for an answer to a request that was wrong on purpose."""
        data = answer.text if answer.text is not None else json.dumps(answer.body)
        said = MockResponse(
            b"" if answer.status == 204 else data.encode(),
            answer.status,
            dict(answer.headers),
            answer.content_type,
        )
        self._openapi.validate_response(_asked(request), said)
        if answer.body is not None:
            schema = self._schema(request, answer)
            unnamed = list(self.unnamed(schema, answer.body, "$"))
            assert not unnamed, f"the document does not name {unnamed}"

    def unnamed(self, schema: dict[str, Any], value: object, at: str) -> Iterator[str]:
        """The keys in a value that its schema does not name."""
        parts = list(self._parts(schema))
        if isinstance(value, dict):
            named = {name: sub for part in parts for name, sub in part.get("properties", {}).items()}
            free = [part["additionalProperties"] for part in parts if part.get("additionalProperties")]
            for name, inner in value.items():
                if name in named:
                    yield from self.unnamed(named[name], inner, f"{at}.{name}")
                elif not free:
                    yield f"{at}.{name}"
        elif isinstance(value, list):
            for item in (part["items"] for part in parts if "items" in part):
                for number, inner in enumerate(value):
                    yield from self.unnamed(item, inner, f"{at}[{number}]")

    def _parts(self, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if "$ref" in schema:
            yield from self._parts(self._resolve(schema["$ref"]))
            return
        yield schema
        for joined in (*schema.get("allOf", []), *schema.get("anyOf", []), *schema.get("oneOf", [])):
            yield from self._parts(joined)

    def _resolve(self, reference: str) -> dict[str, Any]:
        found: Any = self._text
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]
        assert isinstance(found, dict)
        return found

    def _schema(self, request: Request, answer: Response) -> dict[str, Any]:
        for path, methods in self._text["paths"].items():
            if _fits(path, request.path) and request.method.lower() in methods:
                responses = methods[request.method.lower()]["responses"]
                found = responses.get(str(answer.status), responses["default"])
                found = self._resolve(found["$ref"]) if "$ref" in found else found
                schema = found["content"][answer.content_type]["schema"]
                assert isinstance(schema, dict)
                return schema
        raise AssertionError(f"the document does not name {request.method} {request.path}")


def _asked(request: Request) -> MockRequest:
    data = json.dumps(request.body).encode() if request.body is not None else None
    return MockRequest(
        HOST,
        request.method.lower(),
        request.path,
        args=dict(request.query),
        headers=dict(request.headers),
        data=data,
    )


def _fits(template: str, path: str) -> bool:
    wanted, given = template.split("/"), path.split("/")
    return len(wanted) == len(given) and all(
        w == g or w.startswith("{") for w, g in zip(wanted, given, strict=True)
    )
