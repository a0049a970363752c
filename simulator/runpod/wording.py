"""How RunPod writes times and its one line of free text about a pod's last change, in every recorded way."""

from datetime import datetime, timedelta, timezone

from simulator.runpod.plan import DateStyle, StatusTextStyle
from simulator.runpod.pod import Pod
from simulator.runpod.truth import Transition

_EASTERN = timezone(timedelta(hours=-4))
_VERBS = {
    "created": "Rented by User",
    "started": "Rented by User",
    "restarted": "Rented by User",
    "outbid": "Outbid",
    "balance": "Exited by RunPod",
    "exited": "Exited by Runpod",
    "error": "Exited by Runpod",
}


def date(moment: datetime, style: DateStyle) -> object:
    """A time as the API shows it; `missing` is for the caller to leave out."""
    match style:
        case "rfc3339":
            return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
        case "fraction":
            return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        case "go":
            return moment.strftime("%Y-%m-%d %H:%M:%S.%f")[:-3].rstrip("0") + " +0000 UTC"
        case "future":
            return (moment + timedelta(days=400)).strftime("%Y-%m-%dT%H:%M:%SZ")
        case "garbage":
            return "yesterday, I think"
        case "null" | "missing":
            return None


def last_status_change(pod: Pod) -> str | None:
    """`lastStatusChange` of the GraphQL API: a verb and a date in the style of the pod's plan."""
    if pod.plan.status_text_is is not None:
        return pod.plan.status_text_is
    change = pod.last(
        "created", "started", "restarted", "stopped", "exited", "outbid", "balance", "error",
        "terminate_asked", "ended",
    )  # fmt: skip
    if change is None:
        return None
    if change.what == "balance" and pod.plan.status_text == "utc":
        return "Exited by RunPod: Insufficient balance"
    return status_text(_verb(change), change.at, pod.plan.status_text, rented_at=pod.created_at)


def status_text(verb: str, at: datetime, style: StatusTextStyle, *, rented_at: datetime) -> str | None:
    """One recorded way of writing a verb and a time."""
    match style:
        case "utc":
            return f"{verb}: {at:%a %b %d %Y %H:%M:%S} GMT+0000 (Coordinated Universal Time)"
        case "offset":
            return f"{verb}: {at.astimezone(_EASTERN):%a %b %d %Y %H:%M:%S} GMT-0400 (Eastern Daylight Time)"
        case "no_parenthesis":
            return f"{verb}: {at:%a %b %d %Y %H:%M:%S} GMT+0000"
        case "date_only":
            return f"{verb}: {at:%a %b %d %Y}"
        case "no_date":
            return f"{verb}: Insufficient balance"
        case "iso":
            return f"{verb}: {at:%Y-%m-%d %H:%M:%S} UTC"
        case "other_case":
            return f"{verb.title().replace('By', 'by')}: {at:%a %b %d %Y %H:%M:%S} GMT+0000"
        case "contradicting":
            return f"Rented by User: {at:%a %b %d %Y %H:%M:%S} GMT+0000 (Coordinated Universal Time)"
        case "before_start":
            return f"{verb}: {rented_at - timedelta(days=2):%a %b %d %Y %H:%M:%S} GMT+0000"
        case "null":
            return None


def _verb(change: Transition) -> str:
    if change.what in ("terminate_asked", "ended"):
        return "Terminated by RunPod" if change.by == "provider" else "Terminated by user"
    return _VERBS.get(change.what, "Exited by user")
