"""Modules of a given number of ops, to time the IR on: a mix as payloads have it."""

from __future__ import annotations

from collections.abc import Callable

TENSOR = "tensor<64x64xf32>"
MAP = "affine_map<(d0, d1) -> (d0, d1)>"


def module_text(ops: int) -> str:
    """One function of about `ops` ops, in the pretty form.

    Scalars, structured ops with bodies, loops, slices and vectors take turns; a third
    of the scalar ops are computed twice, so that CSE has something to find.
    """
    body: list[str] = []
    tensor, scalar, index = "%t", "%s", "%i"
    count, turn = 0, 0
    while count < ops:
        make = TURNS[turn % len(TURNS)]
        lines, made, tensor, scalar, index = make(turn, tensor, scalar, index)
        body += lines
        count += made
        turn += 1
    return "\n".join(
        [
            f"func.func @f(%t: {TENSOR}, %s: f32, %i: index, %n: index)"
            f" -> ({TENSOR}, f32, index) {{",
            *(f"  {line}" for line in body),
            f"  return {tensor}, {scalar}, {index} : {TENSOR}, f32, index",
            "}",
        ]
    )


Made = tuple[list[str], int, str, str, str]
"""Lines, how many ops they hold, and the tensor, scalar and index to go on with."""


def _scalars(turn: int, tensor: str, scalar: str, index: str) -> Made:
    lines = [
        f"%a{turn} = arith.addf {scalar}, %s : f32",
        f"%b{turn} = arith.mulf %a{turn}, {scalar} : f32",
        f"%c{turn} = arith.mulf %a{turn}, {scalar} : f32",
        f"%d{turn} = math.exp %c{turn} : f32",
        f"%e{turn} = arith.subf %b{turn}, %d{turn} : f32",
    ]
    return lines, len(lines), tensor, f"%e{turn}", index


def _structured(turn: int, tensor: str, scalar: str, index: str) -> Made:
    lines = [
        f"%e{turn} = tensor.empty() : {TENSOR}",
        f"%r{turn} = linalg.generic {{indexing_maps = [{MAP}, {MAP}],"
        f' iterator_types = ["parallel", "parallel"]}}'
        f" ins({tensor} : {TENSOR}) outs(%e{turn} : {TENSOR}) {{",
        "^bb0(%in: f32, %out: f32):",
        f"  %x = arith.mulf %in, {scalar} : f32",
        "  %y = arith.addf %x, %in : f32",
        "  linalg.yield %y : f32",
        f"}} -> {TENSOR}",
    ]
    return lines, 5, f"%r{turn}", scalar, index


def _indices(turn: int, tensor: str, scalar: str, index: str) -> Made:
    lines = [
        f"%k{turn} = arith.constant {turn} : index",
        f"%m{turn} = affine.apply affine_map<(d0)[s0] -> (d0 * 4 + s0)>"
        f"({index})[%k{turn}]",
        f"%j{turn} = arith.addi %m{turn}, {index} : index",
    ]
    return lines, 3, tensor, scalar, f"%j{turn}"


def _loop(turn: int, tensor: str, scalar: str, index: str) -> Made:
    lines = [
        f"%r{turn} = scf.for %q = %i to %n step %n iter_args(%acc = {scalar})"
        " -> (f32) {",
        "  %x = arith.addf %acc, %s : f32",
        "  scf.yield %x : f32",
        "}",
    ]
    return lines, 3, tensor, f"%r{turn}", index


def _slices(turn: int, tensor: str, scalar: str, index: str) -> Made:
    lines = [
        f"%v{turn} = tensor.extract_slice {tensor}[0, {index}] [64, 16] [1, 1]"
        f" : {TENSOR} to tensor<64x16xf32>",
        f"%w{turn} = tensor.insert_slice %v{turn} into {tensor}"
        f"[0, {index}] [64, 16] [1, 1] : tensor<64x16xf32> into {TENSOR}",
    ]
    return lines, 2, f"%w{turn}", scalar, index


def _vectors(turn: int, tensor: str, scalar: str, index: str) -> Made:
    lines = [
        f"%l{turn} = vector.broadcast {scalar} : f32 to vector<16xf32>",
        f"%o{turn} = arith.mulf %l{turn}, %l{turn} : vector<16xf32>",
        f"%p{turn} = vector.reduction <add>, %o{turn} : vector<16xf32> into f32",
    ]
    return lines, 3, tensor, f"%p{turn}", index


TURNS: tuple[Callable[[int, str, str, str], Made], ...] = (
    _scalars,
    _structured,
    _indices,
    _loop,
    _slices,
    _vectors,
)
