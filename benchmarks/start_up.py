"""Start-up time of the commands: CPU seconds of whole processes.

    python benchmarks/start_up.py --runs 5

Each command runs that often over the matmul + relu example, with warm bytecode; the
least CPU time counts, of user and system together, children included. `docs/
architecture.md` names the bars.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = (
    "--help",
    "check tuned.tw",
    "space tuned.tw",
    "opt payload.mlir -s tile_fuse.tw",
)


def cpu_seconds(arguments: list[str]) -> float:
    """The CPU time of one process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "tilewright", *arguments],
        cwd=ROOT / "examples" / "matmul_relu",
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5, help="of each command (5)")
    runs = parser.parse_args().runs
    for command in COMMANDS:
        cpu_seconds(command.split())  # writes the bytecode
        least = min(cpu_seconds(command.split()) for _ in range(runs))
        print(f"{least:5.2f} s  tilewright {command}")


if __name__ == "__main__":
    main()
