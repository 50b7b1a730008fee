"""`tilewright interpret`: run a payload on numpy, at any level of its lowering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from tilewright.commands.inputs.arguments import PLAIN_KINDS, random_arrays, read_arrays
from tilewright.commands.inputs.files import check_payload
from tilewright.commands.inputs.sizes import given_shapes
from tilewright.commands.terminal.console import console, progress_bar
from tilewright.commands.terminal.diagnostics import warn
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.output_files import writing
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import Options as RunOptions
from tilewright.ir.interpreter import run
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import ArraySpec, signature_of
from tilewright.ir.warnings import payload_warnings
from tilewright.pipeline import read_payload


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    file: Path
    inputs: Path | None = None
    sizes: tuple[str, ...] = ()
    entry: str | None = None
    seed: int = 0
    poison: bool = False
    shuffle: int | None = None
    output: Path | None = None


def interpret(options: Options) -> None:
    """Run a payload on numpy, and print and save the results."""
    check_payload(options.file)
    payload = read_payload(options.file)
    warn(payload_warnings(payload))
    entry = None if options.entry is None else options.entry.removeprefix("@")
    signature = signature_of(find_function(payload, entry))
    if options.inputs is not None and options.sizes:
        raise UsageError(
            "--size cannot be used with --inputs",
            remedy="leave it out: the arrays have their sizes",
        )
    if options.inputs is not None:
        arrays = read_arrays(options.inputs, signature.arguments)
    else:
        runs = given_shapes(payload, signature.arguments, options.sizes)
        if len(runs) > 1:
            raise UsageError(
                f"--size gives {len(runs)} runs, but interpret does one",
                remedy="give each size one value",
            )
        arrays = random_arrays(signature.arguments, runs[0], options.seed)
    with progress_bar(console(stderr=True), "running on numpy") as tell:
        checks = RunOptions(options.poison, options.shuffle, progress=tell)
        results = run(payload, arrays, entry, checks)
    shown = [
        *zip(signature.results, results, strict=True),
        # A function on buffers returns its results in its arguments.
        *(
            (spec, array)
            for spec, array in zip(signature.arguments, arrays, strict=True)
            if spec.kind == "memref"
        ),
    ]
    out = console()
    if not shown:
        out.print(f"@{signature.name} ran; it returns nothing")
    try:
        _show(shown, out)
    except MemoryError as error:
        raise UserError(
            "the results leave no memory to show them",
            remedy="return smaller tensors, or save them: --output FILE",
        ) from error
    if options.output is not None:
        _save(shown, options.output)
        out.print(f"saved to {options.output}")


def _show(results: Sequence[tuple[ArraySpec, np.ndarray]], out: Console) -> None:
    table = Table("", "type", "mean", "std", "min", "max", "not finite", box=None)
    for spec, array in results:
        table.add_row(*_row(spec, array))
    if results:
        out.print(table)
    for spec, array in results:
        plain = array if array.dtype.kind in PLAIN_KINDS else array.astype(np.float32)
        text = np.array2string(
            plain,
            max_line_width=100,
            threshold=64,
            edgeitems=3,
            precision=5,
            separator=", ",
        )
        out.print(f"\n{spec.name} =\n{text}", markup=False)


def _row(spec: ArraySpec, array: np.ndarray) -> list[str]:
    shape = "x".join([*map(str, array.shape), spec.element_type])
    if not array.size:
        return [spec.name, shape, *["-"] * 5]
    wide = array.astype(np.float64)
    finite = wide[np.isfinite(wide)]
    numbers = ["-"] * 4
    if finite.size:
        found = (finite.mean(), finite.std(), finite.min(), finite.max())
        numbers = [f"{number:.6g}" for number in found]
    return [spec.name, shape, *numbers, str(wide.size - finite.size)]


def _save(results: Sequence[tuple[ArraySpec, np.ndarray]], path: Path) -> None:
    saved: dict[str, Any] = {
        spec.name: a if a.dtype.kind in PLAIN_KINDS else a.astype(np.float32)
        for spec, a in results
    }
    with writing(path):
        np.savez(path, **saved)
