"""Checking a program in interpreters, and estimating its time on a target GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich.console import Console
from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import Shapes
from tilewright.codegen.targets import Target
from tilewright.commands.compile_for_target import (
    compile_for,
    fitting_remedy,
    print_misfits,
    print_stats,
)
from tilewright.commands.inputs.interpreter_check import (
    CheckMode,
    InterpreterCheck,
    interpreter_check,
)
from tilewright.commands.inputs.rounding_slack import coarse_check
from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.console import progress_bar
from tilewright.ir.errors import UserError
from tilewright.numeric_check import check_without_gpu
from tilewright.pipeline import Built
from tilewright.tuning.model.cost import ProgramCost, estimate_each
from tilewright.tuning.model.occupancy import prune_program

_CHANGED = 0.01
"""A smaller share of an estimate is not worth a line."""


def run_without_gpu(
    payload: ModuleOp,
    built: Built,
    rebuild: Callable[[ModuleOp], Built],
    runs: Sequence[Shapes],
    titles: Sequence[str],
    seed: int,
    mode: CheckMode,
    target: Target,
    console: Console,
) -> None:
    """Check a program at every run's sizes, compile it for the target and estimate.

    `rebuild` makes the program of another payload under the same schedule and point.
    """
    with progress_bar(output_console(stderr=True), "computing the reference on numpy"):
        check = interpreter_check(payload, built, rebuild, runs, seed, mode)
    if isinstance(check, str):
        console.print(f"no GPU: estimated for {target.name}")
        console.print(f"not checked: {check}", style="yellow", markup=False)
    else:
        console.print(f"no GPU: checked by interpreters, estimated for {target.name}")
        _print_check(check, titles, console)
    shapes = tuple(runs) if any(titles) else ()
    stats = compile_for(built.program, target, console, shapes)
    print_stats(stats, console)
    if (reason := prune_program(built.program, None, target)) is not None:
        raise UserError(
            f"it cannot run on {target.name}: {reason}",
            remedy=fitting_remedy(built.program, target),
        )
    print_misfits(built.program, stats, target, console)
    costs = estimate_each(built.program, None, target)
    compiled = estimate_each(built.program, stats, target)
    for cost, exact, title in zip(costs, compiled, titles, strict=True):
        at = f"at {title}: " if title else ""
        console.print(f"{at}estimated, not measured: {cost.milliseconds:.4f} ms")
        console.print(cost.explain(), style="dim")
        for line in corrections(cost, exact):
            console.print(at + line)


def corrections(cost: ProgramCost, compiled: ProgramCost) -> Iterator[str]:
    """What the compiled kernels change in an estimate, if they change it.

    The estimate itself is that of `plan` and `explain`, which compile nothing.
    """
    if abs(compiled.milliseconds - cost.milliseconds) < _CHANGED * cost.milliseconds:
        return
    yield (
        "with the registers and spills of the compiled kernels: "
        f"{compiled.milliseconds:.4f} ms"
    )
    for before, after in zip(cost.kernels, compiled.kernels, strict=True):
        if abs(after.seconds - before.seconds) >= _CHANGED * before.seconds:
            yield after.explain()


def _print_check(
    check: InterpreterCheck, titles: Sequence[str], console: Console
) -> None:
    """Run a program in an interpreter at the sizes of its cases, and print it."""
    places = [check.remark] if check.remark else [t and f"at {t}" for t in titles]
    for case, place in zip(check.cases, places, strict=True):
        if case.rounding:
            at = f"{place}: " if place else ""
            console.print(f"{at}{case.rounding}", markup=False)
    waiting = output_console(stderr=True)
    with progress_bar(waiting, "running in an interpreter") as tell:
        comparisons, how = check_without_gpu(check.built, check.cases, tell)
    for comparison, place in zip(comparisons, places, strict=True):
        at = f"{place}: " if place else ""
        if not comparison.ok:
            raise UserError(f"{at}the result is wrong in {how}: {comparison.message}")
        console.print(f"{at}correct in {how}: {comparison.message}", markup=False)
    if remark := coarse_check(max(case.slack for case in check.cases)):
        console.print(remark, style="yellow")
