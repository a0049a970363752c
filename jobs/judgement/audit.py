"""The audit as anybody may ask for it at any time: read only, on the facts of the last look."""

from sqlmodel import Session

from jobs.house import House
from jobs.judgement.judging import judged_now
from jobs.judgement.report import background, report
from pods.ids import PodId
from storage.columns import JsonObject


async def audit(house: House, pod_id: str | None = None) -> JsonObject:
    """The shape of `audit --json`; with a pod's id, of that pod alone."""

    def look(session: Session) -> JsonObject:
        only = None if pod_id is None else PodId(pod_id)
        judgement = judged_now(session, house)
        return report(judgement, background(session, judgement.plan.at), only)

    return await house.db.read(look)
