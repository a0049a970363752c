"""Settings: the contract's names and defaults, and a sentence for each that cannot be used."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.settings import OUTSIDE_NAMES, Settings, SettingsError, printed, read_settings

REAL_CLOCK_ELSEWHERE = {"SLACK_API_URL": "http://127.0.0.1:1/api/", "PODKEEPER_CLOCK": "1:1@60"}


def read(monkeypatch: pytest.MonkeyPatch, **environment: str) -> Settings:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return read_settings(env_file=None)


def test_an_empty_environment_gives_the_defaults_of_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read(monkeypatch)

    assert settings.database_url == "sqlite:///podkeeper.db"
    assert settings.never_ran_grace == timedelta(minutes=20)
    assert settings.max_usd_per_hour is None


OTHERS = {field.upper(): "other" for field in Settings.model_fields if field not in OUTSIDE_NAMES}


def test_what_others_call_image_log_or_clock_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = read_settings(env_file=None)

    assert read(monkeypatch, **OTHERS) == defaults


def test_what_others_call_image_log_or_clock_in_an_env_file_is_no_setting(tmp_path: Path) -> None:
    env_file = tmp_path / ".env"
    env_file.write_text("".join(f"{name}={value}\n" for name, value in OTHERS.items()))

    assert read_settings(env_file) == read_settings(env_file=None)


@pytest.mark.parametrize("name", ["PODKEEPER_GPU", "podkeeper_gpu", "Podkeeper_Gpu"])
def test_a_setting_is_read_in_whatever_case_it_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    env_file = tmp_path / ".env"
    env_file.write_text(f"{name}=A40\n")

    assert read_settings(env_file).gpu == "A40"
    assert read(monkeypatch, **{name: "H100"}).gpu == "H100"


def test_an_empty_value_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, PODKEEPER_MAX_USD_PER_HOUR="").max_usd_per_hour is None


def test_zero_in_a_limit_means_none_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read(monkeypatch, PODKEEPER_MAX_REAPS_PER_DAY="0", PODKEEPER_MAX_USD_PER_HOUR="0")

    assert (settings.max_reaps_per_day, settings.max_usd_per_hour) == (0, 0)


def test_admins_are_read_as_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, PODKEEPER_ADMINS="U1, U2,").admins == ("U1", "U2")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PODKEEPER_STALE_AFTER", "soon"),
        ("PODKEEPER_MAX_REAPS_PER_PASS", "-1"),
        ("PODKEEPER_MAX_REAPS_SHARE", "20"),
        ("PODKEEPER_TIMEZONE", "Mars/Olympus"),
        ("PODKEEPER_QUIET_HOURS", "9-5"),
        ("PODKEEPER_HTTP_PORT", "http"),
        ("PODKEEPER_LOG", "xml"),
        ("RUNPOD_API_BASE_URL", "api.example"),
        ("PODKEEPER_STALE_AUDIT_CRON", "every day"),
        ("PODKEEPER_OBSERVE_EVERY", "0s"),
        ("PODKEEPER_PROVISION_POLL", "0s"),
        ("PODKEEPER_NEVER_RAN_MIN_OBSERVATIONS", "0"),
        ("PODKEEPER_CONFIRM_ABOVE_USD_PER_HOUR", "inf"),
        ("PODKEEPER_MAX_USD_PER_HOUR", "nan"),
        ("PODKEEPER_REPO", "ftp://example.com/team/repo"),
        ("PODKEEPER_PREFLIGHT_IMPORTS", "torch,os; true"),
    ],
)
def test_a_value_that_cannot_be_read_names_its_setting(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    with pytest.raises(SettingsError, match=name):
        read(monkeypatch, **{name: value})


def test_all_unusable_settings_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError) as caught:
        read(monkeypatch, PODKEEPER_SSH_WAIT="x", PODKEEPER_LOG="xml")

    assert len(str(caught.value).splitlines()) == 2


def test_polls_too_far_apart_to_believe_never_ran_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="at most half of PODKEEPER_MAX_GAP"):
        read(monkeypatch, PODKEEPER_OBSERVE_EVERY="3m", PODKEEPER_MAX_GAP="5m")


@pytest.mark.parametrize("name", ["PODKEEPER_SSH_WAIT", "PODKEEPER_NEVER_RAN_GRACE"])
def test_a_wait_beyond_the_hard_cap_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name}.*PODKEEPER_NEVER_RAN_HARD_CAP"):
        read(monkeypatch, **{name: "61m"})


def test_another_clock_is_refused_beside_a_real_address(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="PODKEEPER_CLOCK"):
        read(monkeypatch, **REAL_CLOCK_ELSEWHERE)


def test_another_clock_is_allowed_where_both_addresses_are_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read(monkeypatch, **REAL_CLOCK_ELSEWHERE, RUNPOD_API_BASE_URL="http://localhost:2")

    assert settings.clock == "1:1@60"


def test_no_secret_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read(
        monkeypatch,
        SLACK_BOT_TOKEN="hidden-1",
        RUNPOD_API_KEY="hidden-2",
        PODKEEPER_AGENT_SECRET="hidden-3",
        DATABASE_URL="postgresql+psycopg://me:hidden-4@localhost/x",
    )

    assert "hidden-" not in repr(dict(printed(settings)))


def test_durations_are_printed_as_people_type_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert dict(printed(read(monkeypatch)))["PODKEEPER_STALE_AFTER"] == "1d"
