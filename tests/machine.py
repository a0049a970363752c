"""What the machine under the tests may lack: a skip with the reason for a newcomer, a failure in CI."""

import os
from typing import NoReturn

import pytest


def missing(what: str, required_by: str) -> NoReturn:
    """Skip the test for want of something, or fail it where the variable `required_by` is set."""
    if os.environ.get(required_by):
        pytest.fail(f"{required_by} is set: {what}")
    pytest.skip(f"{what} ({required_by}=1 makes this a failure)")
