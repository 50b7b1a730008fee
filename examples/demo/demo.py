"""The main job, end to end: `make demo`.

Attention with capped scores: a plan, one choice of structure and what it does to the
program, the kernel, a tuning run, and the times beside torch's. With a GPU the kernels
are measured. Without one they are compiled for an H200, an interpreter checks the
numbers, a cost model estimates the times, and the measured times are those of a
recorded run (`h200.json`, `h200.space.xz`).
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

from picture import draw, print_table
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

import tilewright
from tilewright.cli import app
from tilewright.codegen.targets import detect
from tilewright.commands.terminal.failure import guarded

HERE = Path(os.path.relpath(Path(__file__).parent))
PAYLOAD, SCHEDULE = HERE / "payload.mlir", HERE / "softcap.tw"
OUT = Path("out")
WIDTH = 100
"""Columns of the output where it is no terminal; the longest line of a kernel fits."""

console = Console(
    highlight=False,
    soft_wrap=True,
    width=None if sys.stdout.isatty() else WIDTH,
)


def main() -> None:
    """Run the parts in order."""
    start = time.perf_counter()
    OUT.mkdir(exist_ok=True)
    has_gpu = detect() is not None
    show_payload()
    heading("2. A first schedule, written by the planner")
    command(f"plan {PAYLOAD} -o {OUT / 'planned.tw'}")
    show((OUT / "planned.tw").read_text(), "text")
    show_structure(has_gpu)
    show_kernel()
    heading("5. Is it right?")
    command(f"run {PAYLOAD} -s {SCHEDULE}")
    winner = show_tuning(has_gpu)
    show_times(has_gpu, winner)
    show_pages(has_gpu)
    say_next(time.perf_counter() - start, has_gpu)


def show_payload() -> None:
    """The payload: the lines that build it, and its ops with what they store."""
    heading("1. What to compute: attention whose scores are capped, as in Gemma 2")
    lines = (HERE / "payload.py").read_text().splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("from tile"))
    last = next(n for n, line in enumerate(lines) if line.startswith("p.output"))
    show("\n".join(lines[first : last + 1]), "python")
    console.print("\nThe payload is linalg on tensors. Its ops, and what each makes:\n")
    program = tilewright.compile(PAYLOAD, SCHEDULE)
    show(program.steps[0].outline(), "text")
    console.print(
        "\n`scores`, `exponential` and others have 32 x 4096 x 4096 elements: 2.1 GB "
        "each in f32.\nThe schedule decides whether they ever exist."
    )


def show_structure(has_gpu: bool) -> None:
    """One choice of structure: the lines, and the loops before and after."""
    heading("3. One choice of structure, and what it does to the program")
    text = SCHEDULE.read_text()
    streamed = re.search(r"    streamed \{\n(.*?)      launch", text, re.DOTALL)
    assert streamed is not None
    console.print(f"{SCHEDULE} leaves a choice open. `structure = streamed` is this:\n")
    show(streamed[1].rstrip(), "text")
    console.print(
        "\n`tile` makes a program for 64 queries, `fuse_all` moves all ops into it, "
        "`stream` makes one\nloop over the keys and derives the corrections of the "
        "running sums. Nothing in it says attention."
    )
    for name in ("stored", "streamed"):
        program = tilewright.compile(PAYLOAD, SCHEDULE, structure=name)
        console.print(f"\n[bold]structure = {name}[/]")
        show(last_outline(program), "text")
        kernels = len(program.built.program.kernels)
        cost = program.estimate()
        moved = sum(kernel.hbm_bytes for kernel in cost.kernels) / 1e9
        console.print(
            f"  {kernels} kernel{'s' if kernels > 1 else ''}, {moved:.1f} GB through "
            f"memory; estimated {cost.milliseconds:.2f} ms on an H200",
            style="bold",
        )
    console.print(
        f"\nThe IR itself, step by step: tilewright opt {PAYLOAD} -s {SCHEDULE} --diff"
    )


def last_outline(program: tilewright.Program) -> str:
    """The outline of the payload after the schedule's last step that changed loops."""
    outlines = [
        step.outline()
        for step in program.steps
        if step.step is None or "vectorize" not in step.step.name
    ]
    return next(text for text in reversed(outlines) if "batch_matmul" in text)


def show_kernel() -> None:
    """The Triton kernel alone; the file has its launcher and a check too."""
    heading("4. The kernel: Triton, as if written by hand")
    path = OUT / "softcap.py"
    program = tilewright.compile(PAYLOAD, SCHEDULE)
    path.write_text(program.source)
    start = program.source.index("def softcap_attention_kernel")
    end = program.source.index("\n\n\n", start)
    show("@triton.jit\n" + program.source[start:end], "python")
    console.print(f"\nThe whole file, which runs without tilewright: {path}")


def show_tuning(has_gpu: bool) -> Path:
    """Tune the open choices; what each earned. Returns the winner's file."""
    heading("6. Tuning: the open choices, measured")
    results, best = OUT / "results.db", OUT / "best.tw"
    trials = 60 if has_gpu else 4
    command(f"tune {PAYLOAD} -s {SCHEDULE} --trials {trials} --db {results} -o {best}")
    if has_gpu:
        recorded = results
    else:
        recorded = HERE / "h200.space.xz"
        tuning = json.loads((HERE / "h200.json").read_text())["tuning"]
        console.print(
            f"\nEstimates only rank. A recorded run on one NVIDIA H200 measured all "
            f"{tuning['trials']} points in {tuning['seconds']:.0f} s.\nWhat it taught, "
            f"by [bold]tilewright explain {recorded}[/]:\n"
        )
    explained = OUT / "explained.json"
    app(
        ["explain", str(recorded), "--json", "-o", str(explained)],
        standalone_mode=False,
    )
    print_effects(json.loads(explained.read_text()))
    return best


def print_effects(found: dict[str, Any]) -> None:
    """What each choice earned: the best time with each of its options."""
    table = Table(box=None, pad_edge=False)
    for column in ("choice", "winner", "the best with another option"):
        table.add_column(column)
    rows: list[tuple[float, list[str]]] = []
    for choice in found["choices"]:
        others = [
            (option["behind"], option["value"])
            for option in choice["options"]
            if option["value"] != choice["winner"] and option["behind"] is not None
        ]
        if others:
            text = ", ".join(f"{value}: {behind:+.0%}" for behind, value in others)
            row = [choice["name"], str(choice["winner"]), text]
            rows.append((max(others)[0], row))
    rows.sort(key=lambda pair: -pair[0])
    for _, row in rows:
        table.add_row(*row)
    console.print(table)
    most, (name, winner, _) = rows[0]
    console.print(f"\n{name} = {winner} earned most: {most:.0%}.", style="bold")


def show_times(has_gpu: bool, winner: Path) -> None:
    """Before, after and torch: a table, and a picture in a file."""
    heading("7. Before, after, torch")
    if has_gpu:
        from measure import measure

        found = measure(winner, say=lambda line: console.print(line, style="dim"))
    else:
        found = json.loads((HERE / "h200.json").read_text())
        console.print(
            f"Recorded on one {found['device']} ({found['versions']}), contenders in "
            "turn, median of\n15 rounds; there is no GPU here. The command: "
            f"{found['command']}\n"
        )
    print_table(found["ms"], console)
    picture = OUT / "times.svg"
    draw(found["ms"], found["device"], picture)
    console.print(f"\nThe picture: {picture}")


def show_pages(has_gpu: bool) -> None:
    """The same in a browser: the steps of both structures, and the trials."""
    heading("8. See it")
    trials = OUT / "results.db" if has_gpu else HERE / "h200.space.xz"
    for what, page in (
        (f"{PAYLOAD} -s {SCHEDULE}", "streamed.html"),
        (f"{PAYLOAD} -s {SCHEDULE} --set structure=stored", "stored.html"),
        (str(trials), "trials.html"),
    ):
        command(f"view {what} -o {OUT / page} --no-open")
    console.print(
        f"\nOpen {OUT / 'streamed.html'} and step with the arrow keys: the loop nest "
        f"shows what each step moves\nthrough memory. {OUT / 'trials.html'} says why "
        "one structure beats the other."
    )


def say_next(seconds: float, has_gpu: bool) -> None:
    """What to do next."""
    heading("Next")
    console.print(
        f"Done in {seconds:.0f} s. {OUT}/ has the plan, the kernel, the results.\n"
    )
    lines = [
        ("your own payload", "tilewright run payload.mlir"),
        ("edit and see it", f"tilewright serve {PAYLOAD} -s {SCHEDULE}"),
        ("your torch model", 'torch.compile(model, backend="tilewright")'),
        ("change a line", f"tilewright opt {PAYLOAD} -s {SCHEDULE} --diff | less -R"),
        ("the tutorial", "docs/tutorial.md, ten minutes, no GPU"),
    ]
    if not has_gpu:
        lines.append(("measure", "make demo, on a machine with a GPU"))
    for what, how in lines:
        console.print(f"  {what:18} {how}")


def show(text: str, language: str) -> None:
    """A text, indented; a long line is wrapped by the terminal, never cut."""
    indented = "\n".join(f"  {line}" for line in text.rstrip().splitlines())
    console.print(Syntax("", language).highlight(indented), end="")


def heading(text: str) -> None:
    """A title between the parts."""
    console.print()
    console.rule(f"[bold]{text}", align="left")


def command(line: str) -> None:
    """Show a command and run it, here in this process."""
    console.print(f"[bold green]$[/] tilewright {line}")
    app(line.split(), standalone_mode=False)


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    guarded(main)
