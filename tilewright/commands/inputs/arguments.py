"""Arrays for a function's arguments: random, or from an .npz file."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from tilewright.codegen.program import Shapes, TensorSpec
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.core.signature import ArraySpec
from tilewright.tuning.measure.inputs import random_inputs

PLAIN_KINDS = "fiub"
"""Kinds of numbers in numpy's file format, which lacks bf16 and f8."""


def random_arrays(
    specs: Sequence[ArraySpec], shapes: Shapes, seed: int
) -> list[np.ndarray]:
    """Random arrays of the given shapes."""
    return random_inputs(
        [
            TensorSpec(spec.name, shape, spec.element_type, below=spec.below)
            for spec, shape in zip(specs, shapes, strict=True)
        ],
        seed,
    )


def read_arrays(path: Path, specs: Sequence[ArraySpec]) -> list[np.ndarray]:
    """Read the arrays of an .npz file, by the arguments' names or in their order."""
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
            raise no_argument(str(path), name, specs)
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
        _as_argument(_array(archive, name, path), spec)
        for name, spec in zip(names, specs, strict=True)
    ]


def _array(archive: np.lib.npyio.NpzFile, name: str, path: Path) -> np.ndarray:
    """Unpack one array of the archive."""
    try:
        return archive[name]
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise UserError(
            f"the array '{name}' of {path} cannot be read: {error}",
            remedy="write it again with numpy.savez; an array of objects is not read",
        ) from error
    except MemoryError as error:
        raise UserError(
            f"the array '{name}' of {path} does not fit into memory"
        ) from error


def no_argument(
    where: str, name: str, specs: Sequence[ArraySpec], sizes: Iterable[str] = ()
) -> UserError:
    """The error for a name that is neither an argument nor a size."""
    near = get_close_matches(name, [*(spec.name for spec in specs), *sizes], 1)
    known = ", ".join(map(str, specs)) or "none"
    remedy = f"did you mean '{near[0]}'?" if near else f"the arguments are: {known}"
    named = ", ".join(sizes)
    if named and not near:
        remedy += f"; the sizes are: {named}"
    kind = "argument or size" if named else "argument"
    return UserError(f"{where}: there is no {kind} '{name}'", remedy=remedy)


def _as_argument(array: np.ndarray, spec: ArraySpec) -> np.ndarray:
    """Convert an array for an argument; f32 becomes a type that files lack."""
    if array.dtype == np.float32 and spec.dtype.kind not in PLAIN_KINDS:
        return array.astype(spec.dtype)
    if array.dtype != spec.dtype and spec.kind != "scalar":
        wanted = spec.dtype.name if spec.dtype.kind in PLAIN_KINDS else "float32"
        raise UserError(
            f"argument {spec} was given an array of {array.dtype.name}",
            remedy=f"convert it first: array.astype(numpy.{wanted})",
        )
    # Arrays from a file are read-only, but a program may write its buffers.
    return np.array(array)
