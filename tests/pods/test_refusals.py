import pytest

from pods.provision.refusals import Refusal, refusal_of

NO_MACHINE = [
    "There are no longer any instances available with the requested specifications. Please refresh.",
    "There are no longer any instances available with the request specifications. Please try again later.",
    "There are no longer any instances available with enough disk space.",
    "create pod: There are no instances currently available.",
    "This machine does not have the resources to deploy your pod. Please try a different machine",
    "could not find any pods with required specifications",
    "SUPPLY_CONSTRAINT",
    "There are not enough free GPUs on the host machine to start this pod.",
]


@pytest.mark.parametrize("text", NO_MACHINE)
def test_every_recorded_wording_of_no_capacity_is_recognised(text: str) -> None:
    assert refusal_of(400, text) is Refusal.NO_CAPACITY


@pytest.mark.parametrize(
    ("status", "text", "refusal"),
    [
        (402, "insufficient balance", Refusal.BALANCE),
        (402, "", Refusal.BALANCE),
        (
            400,
            "... on-demand pod. You need at least $3.59 (current: $3.01, deficit: $0.58).",
            Refusal.BALANCE,
        ),
        (
            400,
            "INSUFFICIENT_BALANCE: Renting this pod would put you over your current spending limit ($80/hr)",
            Refusal.SPENDING_LIMIT,
        ),
        (402, "over your spending limit", Refusal.SPENDING_LIMIT),
        (429, "rate limit exceeded for the minute window", Refusal.NOT_NOW),
        (403, "error code: 1010", Refusal.NOT_NOW),
        (403, "<html><title>Just a moment</title>", Refusal.NOT_NOW),
        (403, "access denied", Refusal.PROVIDER),
        (401, "missing bearer token", Refusal.PROVIDER),
        (404, "resource not found", Refusal.PROVIDER),
        (409, "conflict", Refusal.PROVIDER),
        (422, "$: additional properties 'bogus' not allowed", Refusal.PROVIDER),
        (400, "minCudaVersion and allowedCudaVersions exclude each other", Refusal.PROVIDER),
        (500, "Something went wrong. Please try again later or contact support.", Refusal.UNKNOWN),
        (502, "<html>", Refusal.UNKNOWN),
        (408, "", Refusal.UNKNOWN),
        (200, "null", Refusal.UNKNOWN),
    ],
)
def test_an_answer_to_a_create_is_told_by_status_and_words(status: int, text: str, refusal: Refusal) -> None:
    assert refusal_of(status, text) is refusal


@pytest.mark.parametrize("text", NO_MACHINE)
def test_a_server_error_is_unknown_whatever_it_says(text: str) -> None:
    assert refusal_of(500, text) is Refusal.UNKNOWN
