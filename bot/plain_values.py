"""The settings as the plain values that the other rooms take."""

from bot.settings import Settings
from jobs.house import Answers, OnPod, Schedules
from pods.ceilings import Ceilings
from pods.order import OrderDefaults
from pods.policy import Policy
from pods.provision.decision import Policy as Waits


def policy_of(settings: Settings) -> Policy:
    """What the judgement depends on."""
    return Policy(
        max_gap=settings.max_gap,
        stale_after=settings.stale_after,
        stale_notice=settings.stale_notice,
        fence_notice=settings.fence_notice,
        never_ran_grace=settings.never_ran_grace,
        never_ran_hard_cap=settings.never_ran_hard_cap,
        never_ran_min_observations=settings.never_ran_min_observations,
        never_ran_reaps_kept=settings.never_ran_reaps_kept,
        heartbeat_ttl=settings.heartbeat_ttl,
        claim_settle=settings.claim_settle,
        min_listing_share=settings.min_listing_share,
        max_reaps_per_pass=settings.max_reaps_per_pass,
        max_reaps_per_owner=settings.max_reaps_per_owner,
        max_reaps_per_day=settings.max_reaps_per_day,
        max_reaps_share=settings.max_reaps_share,
        max_reaps_share_floor=settings.max_reaps_share_floor,
        never_ran_max_per_pass=settings.never_ran_max_per_pass,
        never_ran_max_per_day=settings.never_ran_max_per_day,
        agent_ends_per_day=settings.agent_ends_per_day,
        ask_again=settings.ask_again,
    )


def waits_of(settings: Settings) -> Waits:
    """How long a provision waits for what."""
    return Waits(
        ssh_wait=settings.ssh_wait,
        bootstrap_wait=settings.bootstrap_wait,
        preflight_wait=settings.preflight_wait,
        terminate_wait=settings.terminate_wait,
        create_settle=settings.create_settle,
        hard_cap=settings.never_ran_hard_cap,
        max_gap=settings.max_gap,
        poll=settings.provision_poll,
    )


def defaults_of(settings: Settings) -> OrderDefaults:
    """What an order means that does not say."""
    return OrderDefaults(
        image=settings.image,
        gpu=settings.gpu,
        disk_gb=settings.disk_gb,
        repo=settings.repo,
        overlay_venv=settings.overlay_venv,
        longest_lifetime=settings.for_max,
    )


def schedules_of(settings: Settings) -> Schedules:
    """When the clocks run."""
    return Schedules(
        zone=settings.timezone,
        quiet_hours=settings.quiet_hours,
        observe_every=settings.observe_every,
        stale_audit=settings.stale_audit_cron,
        digest=settings.digest_cron,
        unowned=settings.unowned_cron,
    )


def answers_of(settings: Settings) -> Answers:
    """How long questions, yeses and keeps hold."""
    return Answers(
        expires=settings.approval_expires,
        execute_by=settings.approval_execute_by,
        undo=settings.undo,
        keep_max=settings.keep_max,
        terminate_wait=settings.terminate_wait,
    )


def ceilings_of(settings: Settings) -> Ceilings:
    """Dollars per hour."""
    return Ceilings(
        account=settings.max_usd_per_hour,
        per_owner=settings.max_usd_per_hour_per_owner,
        confirm_above=settings.confirm_above_usd_per_hour,
    )


def on_pod_of(settings: Settings) -> OnPod:
    """What runs on the pods that we rent."""
    return OnPod(
        bootstrap_script=settings.bootstrap_script,
        preflight_script=settings.preflight_script,
        preflight_imports=settings.preflight_imports,
        git_token_file=settings.git_token_file,
        account_keys=settings.account_keys,
    )
