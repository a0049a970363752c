"""The page about settings holds every setting, and only settings that exist."""

import re

from bot.settings import Settings, environment_name
from tests.house.sources import ROOT

PAGE = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
EXISTING = {environment_name(field) for field in Settings.model_fields}


def test_every_setting_is_in_the_page() -> None:
    assert {name for name in EXISTING if f"`{name}`" not in PAGE} == set()


def test_the_page_names_no_setting_that_does_not_exist() -> None:
    named = set(re.findall(r"`((?:PODKEEPER|SLACK|RUNPOD)_[A-Z_]+|DATABASE_URL)`", PAGE))

    assert named - EXISTING == set()
