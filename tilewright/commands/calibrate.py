"""`tilewright calibrate`: fit the numbers of the cost models to this machine's GPU."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

from rich.table import Table

from tilewright.codegen.targets import Target, detect, device_name, target_named
from tilewright.codegen.targets.calibration import Calibration, numbers
from tilewright.codegen.targets.stored import calibration_path, store_calibration
from tilewright.commands.inputs.programs import wanted_target
from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.console import progress_bar
from tilewright.commands.terminal.failure import UsageError
from tilewright.ir.errors import UserError

_SHOWN = 10
"""The numbers that moved most, and the works that failed, are listed up to here."""


def calibrate(*, show: bool, dry: bool, target: str | None) -> None:
    """Show the numbers, or what would be timed; else measure, fit and keep."""
    if show or dry:
        chosen = wanted_target(target) if target else detect() or target_named("h200")
        _show(chosen) if show else _list(chosen)
        return
    if target is not None:
        raise UsageError(
            "a calibration is measured on this machine's GPU, whatever it is",
            remedy="leave out --target, or add --show or --dry",
        )
    here, name = detect(), device_name()
    if here is None or name is None:
        raise UserError(
            "there is no GPU to measure",
            remedy="--show prints the numbers that are in use, --dry what is timed",
        )
    path = calibration_path(name)
    if path is None:
        raise UserError(
            "the cache folder is off, so a calibration cannot be kept",
            remedy="set TILEWRIGHT_CACHE to a folder, or remove it",
        )
    _measure(here, name, path)


def _show(target: Target) -> None:
    """Every number by its path."""
    console = output_console()
    own = calibration_path(device_name() or "")
    source = str(own) if target.calibrated else "shipped, fitted on an H200"
    console.print(f"{target.name}: {source}", markup=False, highlight=False)
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name, value in numbers(target.calibration).items():
        table.add_row(name, f"{value:g}")
    console.print(table)


def _list(target: Target) -> None:
    """The works, and how many kernels of each are timed."""
    from tilewright.tuning.calibrating.measuring import POINTS
    from tilewright.tuning.calibrating.points import kernel_points, library_points

    console = output_console()
    points = Counter(point.work for point in kernel_points(target, POINTS))
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name, count in points.items():
        table.add_row(name, f"{count} kernels")
    table.add_row("calls of libraries", str(len(library_points())))
    console.print(table)
    console.print(f"{points.total()} kernels would be compiled and timed")


def _measure(target: Target, device: str, path: Path) -> None:
    from tilewright.tuning.calibrating.fitting import fitted
    from tilewright.tuning.calibrating.measuring import measured

    console = output_console()
    with progress_bar(output_console(stderr=True), "calibrating") as tell:

        def report(what: str, done: int, total: int) -> None:
            tell(f"{what}: {done} of {total}")

        found, failed = measured(target, report)
        if not found.kernels:
            raise UserError(
                f"no kernel could be timed on {device}: {failed[0]}",
                remedy="`tilewright doctor` says what works here",
            )
        made = fitted(found, target, target.calibration, report)
    store_calibration(path, device, made, found.to_data())
    timed = len(found.kernels) + len(found.library)
    console.print(f"{device}: {timed} times, kept in {path}", markup=False)
    if failed:
        console.print(f"{len(failed)} could not be timed", style="yellow")
        for line in failed[:_SHOWN]:
            console.print(f"  {line.splitlines()[0]}", markup=False, style="dim")
    _print_moves(target.calibration, made)


def _print_moves(before: Calibration, after: Calibration) -> None:
    """The numbers that differ most."""
    console = output_console()
    old, new = numbers(before), numbers(after)
    moved = sorted(old, key=lambda name: -abs(math.log(new[name] / old[name])))
    table = Table("number", "before", "now", box=None, padding=(0, 2, 0, 0))
    for name in moved[:_SHOWN]:
        table.add_row(name, f"{old[name]:g}", f"{new[name]:g}")
    console.print(table)
