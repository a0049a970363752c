"""What goes out when a pod is rented, held against RunPod's published document."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gateways.runpod.order import Cloud, NetworkVolumeMount, VolumeDisk

DOCUMENT = "runpod-rest-v2-openapi.json"
VARIANTS = [
    {},
    {"mount": VolumeDisk(20, "/workspace")},
    {"mount": NetworkVolumeMount("vol_1", "/data"), "data_centres": ("EU-RO-1",)},
    {"image": None, "template_id": "30zmvf89kd"},
    {"cloud": Cloud.COMMUNITY, "ports": ("8888/http", "22/tcp"), "env": {"A": 'x"\n{y}'}},
]


@pytest.fixture
def document(shared: Path) -> dict[str, Any]:
    """The published document lies beside the project, not in it."""
    read: dict[str, Any] = json.loads((shared / "specs" / DOCUMENT).read_text())
    return read


@pytest.fixture
def errors_in(document):
    def errors(body: object) -> list[str]:
        schema = {"components": document["components"], "$ref": "#/components/schemas/CreatePodRequest"}
        return [error.message for error in Draft202012Validator(schema).iter_errors(body)]

    return errors


@pytest.mark.parametrize("changes", VARIANTS)
def test_every_order_is_one_that_the_document_allows(order, errors_in, changes):
    assert errors_in(order(**changes).body()) == []


def test_the_document_would_reject_a_key_that_it_does_not_name(order, errors_in):
    assert errors_in(order().body() | {"terminateAfter": "2026-12-01T00:00:00Z"}) != []


@pytest.mark.parametrize("changes", VARIANTS)
def test_no_key_is_sent_that_is_not_meant(order, changes):
    assert set(order(**changes).body()) <= {
        "name",
        "gpu",
        "disk",
        "cloud",
        "startSsh",
        "ports",
        "env",
        "image",
        "templateId",
        "dataCenterIds",
        "mounts",
    }


def test_an_order_names_the_provision_and_the_call_and_the_keys_that_open_the_pod(order):
    body = order(env={"PODKEEPER_CREATE": "forged", "PUBLIC_KEY": "forged", "HF_HOME": "/data"}).body()

    assert body["env"] == {
        "HF_HOME": "/data",
        "PUBLIC_KEY": "ssh-ed25519 AAAA service\nssh-ed25519 BBBB alice",
        "PODKEEPER_PROVISION": "a1b2c3d4",
        "PODKEEPER_CREATE": "token-1",
    }


@pytest.mark.parametrize("ports", [(), ("22/tcp",), ("8888/http", "8888/http")])
def test_ssh_is_always_asked_for_and_no_port_twice(order, ports):
    body = order(ports=ports).body()

    assert body["startSsh"] is True
    assert body["ports"] == list(dict.fromkeys(("22/tcp", *ports)))


def test_no_start_command_is_sent_because_even_an_empty_one_keeps_the_ssh_server_from_starting(order):
    assert "args" not in order().body()


def test_an_order_without_image_and_template_is_none(order):
    with pytest.raises(ValueError, match="image or a template"):
        order(image=None)
