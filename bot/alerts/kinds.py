"""The kinds of messages that jobs send by themselves, and the function that draws each."""

from bot.alerts.deeds import end_not_confirmed, ended_by_clock
from bot.alerts.news import limit_exceeded
from bot.alerts.observation import (
    clock_doubtful,
    clock_sound,
    ops_channel_back,
    ops_channel_lost,
    pods_missing,
    pods_seen_again,
    status_texts_lost,
    unanswered,
    witness_back,
    witness_out,
)
from bot.alerts.overruling import overruled
from bot.alerts.states import create_unknown, pod_state, reminder, unfenced
from bot.alerts.switches import switch_set
from jobs.outbox.kinds import Kind, Kinds

ALERTS: Kinds = {
    "pods_missing": Kind(pods_missing),
    "pods_seen_again": Kind(pods_seen_again),
    "witness_out": Kind(witness_out),
    "witness_back": Kind(witness_back),
    "overruled": Kind(overruled),
    "clock_doubtful": Kind(clock_doubtful),
    "clock_sound": Kind(clock_sound),
    "status_texts_lost": Kind(status_texts_lost),
    "ops_channel_lost": Kind(ops_channel_lost),
    "ops_channel_back": Kind(ops_channel_back),
    "limit_exceeded": Kind(limit_exceeded),
    "switch_set": Kind(switch_set),
    "pod_state": Kind(pod_state),
    "reminder": Kind(reminder, falls_back=True),
    "unfenced": Kind(unfenced, falls_back=True),
    "create_unknown": Kind(create_unknown, falls_back=True),
    "end_not_confirmed": Kind(end_not_confirmed, falls_back=True),
    "ended_by_clock": Kind(ended_by_clock, falls_back=True),
    "unanswered": Kind(unanswered),
}
