"""Which one pod is meant by an id, a NAME, or a name at RunPod. Never guessed."""

from sqlmodel import Session, col, select

from bot.agents.nearby import pods_like
from bot.agents.problems import Code, ProblemError
from storage.ledger import named, record_of_pod
from storage.pod import PodRow, pods_called, snapshot
from storage.provision import ProvisionRow


def pod_meant(session: Session, text: str) -> str:
    """The id of the pod. Raises ProblemError(ambiguous, not_found) with what could have been meant."""
    if session.get(PodRow, text) is not None or record_of_pod(session, text) is not None:
        return text
    live = named(session, text.lower())
    ids = dict.fromkeys([*([live.pod_id] if live and live.pod_id else []), *pods_called(session, text)])
    match list(ids):
        case [one]:
            return one
        case []:
            return _once_called(session, text)
        case several:
            raise ProblemError(
                Code.AMBIGUOUS,
                f"`{text}` fits several pods; say which by its id.",
                matches=[_described(session, pod_id) for pod_id in several],
            )


def _once_called(session: Session, text: str) -> str:
    """The last pod that had this NAME, or this name at RunPod, although it is gone."""
    newest = (
        select(ProvisionRow.pod_id)
        .where(col(ProvisionRow.name) == text.lower(), col(ProvisionRow.pod_id).is_not(None))
        .order_by(col(ProvisionRow.created_at).desc())
    )
    shown = select(PodRow.pod_id).where(PodRow.name == text).order_by(col(PodRow.gone_at).desc())
    pod_id = session.exec(newest).first() or session.exec(shown).first()
    if pod_id is None:
        matches = pods_like(session, text)
        raise ProblemError(Code.NOT_FOUND, f"Nobody ever heard of a pod `{text}`.", matches=matches)
    return pod_id


def _described(session: Session, pod_id: str) -> str:
    seen = snapshot(session, pod_id)
    return f"{pod_id} {seen.name if seen else '(unreadable)'}"
