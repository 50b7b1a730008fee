"""`tilewright check`, `space` and `interpret`: look without compiling."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from tilewright.codegen.program import TensorSpec
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.ir.interpreter.registry import find_function
from tilewright.ir.interpreter.signature import signature_of
from tilewright.ir.text import read_text
from tilewright.pipeline import read_payload
from tilewright.schedules.schedule import Schedule, check_text
from tilewright.tuning.inputs import random_inputs
from tilewright.tuning.read_space import read_space


def check(schedule: Path, file: Path | None) -> None:
    """Check a schedule statically, and that the payload reads, if there is one."""
    errors = check_text(read_text(schedule), str(schedule))
    if errors:
        for error in errors[:-1]:
            print(error, file=sys.stderr)
        raise errors[-1]
    if file is not None:
        read_payload(file)
    found = read_space(Schedule.from_path(schedule).module)
    if found.count_valid() == 0:
        raise found.nothing_valid()
    print(f"{schedule}: ok; {found.count_valid()} valid points")


def space(schedule: Path) -> None:
    """Show a schedule's open choices."""
    console = Console(highlight=False)
    found = read_space(Schedule.from_path(schedule).module)
    console.print(found.describe())


def interpret(
    file: Path, inputs: Path | None, entry: str | None, seed: int, output: Path | None
) -> None:
    """Run a payload on numpy and show or save what comes out."""
    payload = read_payload(file)
    found = signature_of(find_function(payload, entry))
    if inputs is None:
        specs = [TensorSpec(a.name, a.shape, a.element_type) for a in found.arguments]
        arrays = random_inputs(specs, seed)
    else:
        arrays = _read_arrays(inputs, [a.name for a in found.arguments])
    results = run(payload, arrays, entry)
    console = Console(highlight=False)
    table = Table("result", "type", "mean", "std", "min", "max", box=None)
    for spec, array in zip(found.results, results, strict=True):
        wide = array.astype(np.float64)
        numbers = [wide.mean(), wide.std(), wide.min(), wide.max()]
        shape = "x".join([*map(str, spec.shape), spec.element_type])
        table.add_row(spec.name, shape, *(f"{number:.6g}" for number in numbers))
    console.print(table)
    if output is not None:
        # numpy's file format does not know bf16: such results are saved as f32.
        saved = {
            spec.name: a if a.dtype.kind in "fiub" else a.astype(np.float32)
            for spec, a in zip(found.results, results, strict=True)
        }
        np.savez(output, **saved)  # pyright: ignore[reportArgumentType]
        console.print(f"saved to {output}")


def _read_arrays(path: Path, names: list[str]) -> list[np.ndarray]:
    try:
        archive = np.load(path)
    except (OSError, ValueError) as error:
        raise UserError(f"cannot read {path}: {error}") from error
    missing = [name for name in names if name not in archive]
    if missing:
        raise UserError(
            f"{path} has no array {', '.join(missing)}",
            remedy=f"it holds: {', '.join(archive.files) or 'nothing'}",
        )
    return [archive[name] for name in names]
