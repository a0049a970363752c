"""A pod's home folder on this machine, and the programs run in it by a real shell."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jobs.on_pod.answers import Polled, read_checkout, read_polled, read_started
from jobs.on_pod.programs import LOG_LIMIT, Job, branch_program, poll_program, start_program, stop_program
from pods.order import Order
from pods.provision.seen import RemoteState, Work
from pods.provision.value import Checkout

ENOUGH_SECONDS = 50.0
ORDER = Order(name="train", gpus=("NVIDIA H100",), count=2)


@dataclass
class Home:
    """The home of the user who logs in. Its runs are real processes."""

    path: Path
    order: Order = ORDER
    run: int = 1
    search_path: str = os.environ["PATH"]
    shell: tuple[str, ...] = ("sh",)

    @property
    def job(self) -> Job:
        return Job("ab12cd34", self.run, self.order)

    @property
    def folder(self) -> Path:
        return self.path / "podkeeper" / "ab12cd34" / str(self.run)

    def send(self, program: str) -> str:
        """Runs a program as it arrives over SSH: on the standard input of a shell."""
        done = subprocess.run(
            self.shell,
            input=program.encode(),
            capture_output=True,
            env={"HOME": str(self.path), "PATH": self.search_path, "LANG": "C.UTF-8"},
            cwd=self.path,
            timeout=ENOUGH_SECONDS,
            check=False,
        )
        return done.stdout.decode("utf-8", "replace")

    def start(self, script: str, work: Work = Work.BOOTSTRAP, token: str = "") -> str:
        answer = self.send(start_program(self.job, work, script, token))
        assert answer.count("\n") == 1, answer
        return answer.strip()

    def confirmed(self, script: str) -> bool:
        started, _ = read_started(self.start(script), Work.BOOTSTRAP, self.run)
        return started.confirmed

    def poll(self, work: Work = Work.BOOTSTRAP, offset: int = 0, limit: int = LOG_LIMIT) -> Polled:
        answer = self.send(poll_program(self.job, work, offset=offset, limit=limit))
        return read_polled(answer, work, self.run, offset=offset, limit=limit)

    def stop(self) -> str:
        return self.send(stop_program(self.job, Work.BOOTSTRAP, grace=1)).strip()

    def checkout(self, token: str = "") -> Checkout | None:
        return read_checkout(self.send(branch_program(self.job, token)))

    def until(self, true: Callable[[], bool]) -> None:
        """Waits for another process; the only clock here is the machine's own."""
        end = time.monotonic() + ENOUGH_SECONDS
        while not true():
            assert time.monotonic() < end, "it took too long"
            time.sleep(0.02)

    def ended(self, work: Work = Work.BOOTSTRAP) -> Polled:
        """The run when it has ended, in whatever way."""
        self.until(lambda: self.poll(work).remote.state is not RemoteState.RUNNING)
        return self.poll(work)

    def carried_out(self, script: str, work: Work = Work.BOOTSTRAP) -> tuple[int | None, str]:
        """Starts a script, waits for its end: its exit status and its log."""
        assert self.start(script, work) == "started"
        polled = self.ended(work)
        return polled.remote.rc, polled.log

    @property
    def runner(self) -> int:
        """The process number of the bootstrap's runner."""
        claimed = self.folder / "bootstrap.claim" / "pid"
        self.until(lambda: claimed.exists() and claimed.read_text().strip() != "")
        return int(claimed.read_text())

    def kill_runner(self) -> None:
        os.killpg(self.runner, signal.SIGKILL)
