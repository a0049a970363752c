"""How long an agent waits before the client does anything: a whole process, beside one of bare Python."""

import os
import subprocess
import sys
import tempfile
import time

RUNS = 15
NOBODY = {
    "PODKEEPER_URL": "http://127.0.0.1:1",
    "PODKEEPER_AGENT": "bench",
    "PODKEEPER_AGENT_SECRET": "whsec_abcd",
}
CLIENT = "from bot.cli import main; main()"


def run() -> str:
    """`BENCH client_start <ms>`: median, start to exit 75 at a closed port; target ≤ 300."""
    client, bare = _median_ms(CLIENT, "watch", "x"), _median_ms("pass")
    return f"BENCH client_start {client:.0f} ms (bare python {bare:.0f} ms, target <= 300 ms)"


def _median_ms(code: str, *words: str) -> float:
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(RUNS):
            begin = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", code, *words],
                env={**os.environ, **NOBODY, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
                cwd=folder,
                capture_output=True,
                check=False,
            )
            times.append((time.perf_counter() - begin) * 1000)
    return sorted(times)[RUNS // 2]
