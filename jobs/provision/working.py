"""The work on the pod: started, asked after, stopped and read over SSH, a fresh connection each time."""

from dataclasses import dataclass

import structlog

from gateways.ssh.results import Ran
from jobs.house import House
from jobs.on_pod.answers import Polled, read_checkout, read_polled, read_started
from jobs.on_pod.programs import (
    LOG_LIMIT,
    Job,
    branch_program,
    default_script,
    poll_program,
    start_program,
    stop_program,
)
from pods.provision.seen import Branch, Remote, RemoteState, Started, Work
from pods.provision.value import Provision
from storage.run_log import LogTail, grown, put_tail, tail
from storage.ssh import host_key

SECONDS = 30.0
"""For one program on the pod."""
SKIP_TO_THE_END = 1024 * 1024
"""Of a log that grows faster than this between two polls only the end is followed."""

NOT_FOUND, NOT_RUNNABLE = 127, 126
"""What a shell says of a command that is not there, or that it cannot run."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Site:
    """A pod on which a provision works."""

    house: House
    provision: Provision
    pod_id: str

    def job(self, run: int) -> Job:
        return Job(self.provision.id, run, self.provision.order, self.house.on_pod.preflight_imports)

    async def start(self, work: Work, run: int) -> Started:
        """Start this run, if it is not under way already."""
        try:
            program = start_program(self.job(run), work, self._script(work), self.token())
        except (OSError, ValueError) as error:
            return await self._cannot_start(work, run, error)
        answer = await self.run(program)
        started, trouble = read_started(answer or "", work, run)
        if trouble:
            _log.warning("a run could not be started on a pod", pod=self.pod_id, why=trouble)
        return started

    async def _cannot_start(self, work: Work, run: int, error: OSError | ValueError) -> Started:
        """The run is over before it began, and its log says why; unless a start may have gone out before."""
        _log.error("a script cannot be sent to a pod", work=work, why=str(error))
        if self.provision.silent_since is not None:
            return Started(work, run, confirmed=False)
        why = f"Podkeeper's own machine cannot send the {work} script: {error}\n"
        key, at = (self.provision.id, run, work.value), self.house.clock.now()
        await self.house.db.run(lambda session: put_tail(session, *key, LogTail(text=why), at))
        rc = NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_RUNNABLE
        return Started(work, run, confirmed=False, rc=rc)

    async def poll(self, work: Work, run: int) -> Remote:
        """How this run stands. What its log has grown by is kept."""
        key = (self.provision.id, run, work.value)
        known = await self.house.db.read(lambda session: tail(session, *key)) or LogTail()
        program = poll_program(self.job(run), work, offset=known.offset)
        answer = await self.run(program, most_output=2 * LOG_LIMIT)
        polled = read_polled(answer or "", work, run, offset=known.offset)
        if polled.remote.state is not RemoteState.UNKNOWN and polled.next_offset > known.offset:
            await self._keep(key, known, polled)
        return polled.remote

    async def _keep(self, key: tuple[str, int, str], known: LogTail, polled: Polled) -> None:
        behind = polled.log_size - polled.next_offset
        offset = polled.log_size - LOG_LIMIT if behind > SKIP_TO_THE_END else polled.next_offset
        now_known = grown(known, self.without_token(polled.log), offset, polled.log_size)
        at = self.house.clock.now()
        await self.house.db.run(lambda session: put_tail(session, *key, now_known, at))

    async def stop(self, work: Work, run: int) -> bool:
        """Stop this run. Whether nothing of it runs any more."""
        answer = await self.run(stop_program(self.job(run), work))
        return answer is not None and answer.strip() in ("stopped", "absent")

    async def branch(self, run: int) -> Branch:
        """What is checked out."""
        answer = await self.run(branch_program(self.job(run), self.token()))
        return Branch(read_checkout(answer or ""))

    async def log(self, work: Work, run: int, offset: int, limit: int) -> Polled:
        """Up to `limit` bytes of a run's log from `offset` on."""
        program = poll_program(self.job(run), work, offset=offset, limit=limit)
        answer = await self.run(program, most_output=limit + LOG_LIMIT)
        return read_polled(answer or "", work, run, offset=offset, limit=limit)

    async def run(self, program: str, *, most_output: int = LOG_LIMIT) -> str | None:
        """What the program printed; None if the pod could not be asked."""
        endpoint = self.provision.endpoint
        if endpoint is None:
            return None
        pinned = await self.house.db.read(lambda session: host_key(session, self.pod_id))
        ran = await self.house.ssh.run(
            endpoint, "sh", pinned=pinned, seconds=SECONDS, stdin=program.encode(), most_output=most_output
        )
        return ran.stdout if isinstance(ran, Ran) else None

    def token(self) -> str:
        """The read-only token for the repository that was ordered; empty if it is none that it is for."""
        repo = self.provision.order.repo or ""
        return self._secret() if repo.startswith("https://") else ""

    def _secret(self) -> str:
        """What the token's file says, read anew each time; empty if there is none."""
        file = self.house.on_pod.git_token_file
        try:
            return file.read_text(encoding="utf-8").strip() if file is not None else ""
        except (OSError, UnicodeDecodeError) as error:
            _log.error("PODKEEPER_GIT_TOKEN_FILE cannot be read; going on without it", why=str(error))
            return ""

    def without_token(self, text: str) -> str:
        """A script may have printed it: it goes no further."""
        token = self._secret()
        return text.replace(token, "(token)") if token else text

    def _script(self, work: Work) -> str:
        on_pod = self.house.on_pod
        file = on_pod.bootstrap_script if work is Work.BOOTSTRAP else on_pod.preflight_script
        return file.read_text(encoding="utf-8") if file is not None else default_script(work)
