"""The main job, end to end: `make demo`.

One matmul + relu; a schedule that the planner writes; three schedules with the IR
between their steps; a schedule with open choices, tuned, lowered to Triton, checked and
timed, and the winner written back; one kernel for any number of rows. Every part is a
command of the `tilewright` command line, shown before it runs. With a GPU the kernels
are measured; without one, interpreters check the numbers and a cost model ranks the
candidates.
"""

from __future__ import annotations

import os
import sys
import time
from difflib import unified_diff
from pathlib import Path

from rich.console import Console
from rich.syntax import Syntax

from tilewright.cli import app
from tilewright.codegen.targets import detect
from tilewright.commands.terminal.failure import guarded
from tilewright.pipeline import Recorder, apply_schedule, read_payload
from tilewright.schedules.schedule import Schedule

HERE = Path(os.path.relpath(Path(__file__).parent / "matmul_relu"))
OUT = Path("out")
console = Console(highlight=False, soft_wrap=True)


def main() -> None:
    """Run the parts in order."""
    start = time.perf_counter()
    OUT.mkdir(exist_ok=True)
    has_gpu = detect() is not None
    payload = HERE / "payload.mlir"

    heading("1. The payload: what to compute")
    console.print(Syntax(payload.read_text(), "text"))

    heading("2. A first schedule, written by the planner")
    command(f"plan {payload}")
    command(f"run {payload}")

    heading("3. A schedule by hand: how to compute it")
    schedule = HERE / "tile_fuse.tw"
    console.print(Syntax(schedule.read_text(), "text"))
    show_steps(payload, schedule, count=3)
    for name in ("tile", "tile_fuse", "tile_fuse_vectorize"):
        dumps = OUT / name
        command(
            f"opt {payload} -s {HERE / name}.tw --emit triton --verify-each "
            f"--dump {dumps} -o {OUT / name}.py"
        )

    heading("4. The kernel: Triton, as if written by hand")
    source = OUT / "tile_fuse_vectorize.py"
    console.print(Syntax(source.read_text(), "python"))
    for name in ("tile", "tile_fuse", "tile_fuse_vectorize") if has_gpu else ():
        command(f"run {payload} -s {HERE / name}.tw")
    if not has_gpu:
        command(f"run {payload} -s {HERE / 'tile_fuse_vectorize.tw'}")

    heading("5. A schedule with open choices, tuned")
    tuned = HERE / "tuned.tw"
    command(f"space {tuned}")
    trials = 100 if has_gpu else 24
    results = OUT / "results.db"
    best = OUT / "best.tw"
    command(f"tune {payload} -s {tuned} --trials {trials} --db {results} -o {best}")

    heading("6. The winner, a schedule with no choices left")
    console.print(Syntax(best.read_text(), "text"))

    heading("7. Sizes known only when it runs: one kernel for all of them")
    rows = HERE.parent / "any_rows"
    command(f"run {rows / 'payload.mlir'} -s {rows / 'linear.tw'} --size M=0,1,300")
    console.print(
        f"Done in {time.perf_counter() - start:.0f} s"
        + (
            "."
            if has_gpu
            else "; no GPU here, so times are estimates of the cost model."
        )
    )
    console.print(
        f"Look at {OUT}/: the IR after every step, the Triton sources, the results."
    )


def show_steps(payload: Path, schedule: Path, count: int) -> None:
    """Print how the first steps change the IR, each as a diff."""
    module = read_payload(payload)
    recorder = Recorder(module)
    apply_schedule(
        module, Schedule.from_path(schedule), complete=False, observers=[recorder]
    )
    before = recorder.snapshots[0]
    for after in recorder.snapshots[1 : count + 1]:
        old, new = (s.text().splitlines() for s in (before, after))
        lines = [
            line if len(line) < 120 else line[:117] + "..."
            for line in unified_diff(old, new, lineterm="", n=1)
            if not line.startswith(("---", "+++", "@@"))
        ]
        console.rule(f"step {after.title}", align="left", style="dim")
        console.print(Syntax("\n".join(lines), "diff"))
        before = after


def heading(text: str) -> None:
    """A title between the parts."""
    console.print()
    console.rule(f"[bold]{text}")


def command(line: str) -> None:
    """Show a command and run it, here in this process."""
    console.print(f"[bold green]$[/] tilewright {line}")
    app(line.split(), standalone_mode=False)
    console.print()


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    guarded(main)
