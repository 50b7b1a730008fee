"""Arrays for a function's arguments: random ones of given sizes, or from a file."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from tilewright.codegen.program import TensorSpec
from tilewright.commands.failure import UsageError
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.signature import DYNAMIC, ArraySpec
from tilewright.tuning.inputs import random_inputs

PLAIN_KINDS = "fiub"
"""The kinds of numbers that numpy's file format knows; bf16 and f8 it does not."""


def random_arrays(
    specs: Sequence[ArraySpec], sizes: Sequence[str], seed: int
) -> list[np.ndarray]:
    """Random arrays; `sizes` say what the types leave open: `128`, `A=128x64`."""
    sized = _with_sizes(specs, sizes)
    return random_inputs(
        [TensorSpec(spec.name, spec.shape, spec.element_type) for spec in sized], seed
    )


def given_shapes(
    specs: Sequence[ArraySpec], sizes: Sequence[str]
) -> list[tuple[int, ...]]:
    """The shapes of the arguments, with `sizes` for what the types leave open."""
    return [spec.shape for spec in _with_sizes(specs, sizes)]


def read_arrays(path: Path, specs: Sequence[ArraySpec]) -> list[np.ndarray]:
    """The arrays of an .npz file, by the arguments' names or in their order."""
    try:
        archive = np.load(path)
    except FileNotFoundError as error:
        raise UserError(f"no such file: {path}") from error
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise UserError(
            f"{path} is not an .npz file", remedy="write one with numpy.savez"
        ) from error
    if not isinstance(archive, np.lib.npyio.NpzFile):
        raise UserError(
            f"{path} holds one array without a name",
            remedy=f"save by name: numpy.savez(path, {specs[0].name}=...)"
            if specs
            else None,
        )
    names = [f"arr_{position}" for position in range(len(specs))]
    if sorted(archive.files) != sorted(names) or not specs:
        # numpy.savez without names numbers the arrays; else they go by name.
        names = [spec.name for spec in specs]
    for name in archive.files:
        if name not in names:
            raise _no_argument(str(path), name, specs)
    missing = [
        spec
        for spec, name in zip(specs, names, strict=True)
        if name not in archive.files
    ]
    if missing:
        raise UserError(
            f"{path} has no array for {', '.join(map(str, missing))}",
            remedy=f"it holds: {', '.join(archive.files) or 'nothing'}",
        )
    return [
        _as_argument(archive[name], spec)
        for name, spec in zip(names, specs, strict=True)
    ]


def _with_sizes(
    specs: Sequence[ArraySpec], sizes: Sequence[str]
) -> Sequence[ArraySpec]:
    """The specs with `--size` for what they leave open."""
    given: dict[str, tuple[int, ...]] = {}
    everywhere: int | None = None
    for size in sizes:
        name, equals, text = size.rpartition("=")
        try:
            numbers = tuple(int(number) for number in text.split("x"))
        except ValueError:
            numbers = ()
        if not numbers or min(numbers) < 0 or (not equals and len(numbers) != 1):
            raise UsageError(
                f"--size {size}: expected a number or NAME=SIZES",
                remedy="such as --size 128, or --size A=128x64",
            )
        if equals:
            given[name.removeprefix("%")] = numbers
        else:
            everywhere = numbers[0]
    unknown = set(given) - {spec.name for spec in specs}
    if unknown:
        raise _no_argument("--size", min(unknown), specs)
    return [_sized(spec, given.get(spec.name), everywhere) for spec in specs]


def _sized(
    spec: ArraySpec, given: tuple[int, ...] | None, everywhere: int | None
) -> ArraySpec:
    if given is not None:
        fits = len(given) == len(spec.shape) and all(
            size in (DYNAMIC, wanted)
            for size, wanted in zip(spec.shape, given, strict=True)
        )
        if not fits:
            sizes = "x".join(map(str, given))
            raise UsageError(f"--size {spec.name}={sizes} does not fit {spec}")
        return replace(spec, shape=given)
    if DYNAMIC in spec.shape and everywhere is None:
        raise UserError(
            f"the sizes of argument {spec} are known only when it runs",
            remedy=f"give them: --size {spec.name}="
            + "x".join("128" if s == DYNAMIC else str(s) for s in spec.shape)
            + ", or one number for all: --size 128",
        )
    shape = tuple(everywhere if size == DYNAMIC else size for size in spec.shape)
    return replace(spec, shape=shape)


def _no_argument(where: str, name: str, specs: Sequence[ArraySpec]) -> UserError:
    near = get_close_matches(name, [spec.name for spec in specs], 1)
    known = ", ".join(map(str, specs)) or "none"
    remedy = f"did you mean '{near[0]}'?" if near else f"the arguments are: {known}"
    return UserError(f"{where}: there is no argument '{name}'", remedy=remedy)


def _as_argument(array: np.ndarray, spec: ArraySpec) -> np.ndarray:
    """An array for an argument; types that no file can hold come as f32."""
    if array.dtype == np.float32 and spec.dtype.kind not in PLAIN_KINDS:
        return array.astype(spec.dtype)
    if array.dtype != spec.dtype and spec.kind != "scalar":
        wanted = spec.dtype.name if spec.dtype.kind in PLAIN_KINDS else "float32"
        raise UserError(
            f"argument {spec} was given an array of {array.dtype.name}",
            remedy=f"convert it first: array.astype(numpy.{wanted})",
        )
    # What comes from a file is read-only, and a buffer is written to.
    return np.array(array)
