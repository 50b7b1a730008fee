"""Combiners of vectors, and functions that reduce one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Combine = Callable[[Any, Any], Any]

FLOATS: dict[str, Combine] = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "minnumf": np.fmin,
    "maxnumf": np.fmax,
    "minimumf": np.minimum,
    "maximumf": np.maximum,
}


def bits(value: Any) -> int:
    return int(value) & 0xFFFFFFFF


def wrapped(value: int) -> np.int32:
    return np.uint32(bits(value)).astype(np.int32)


INTEGERS: dict[str, Combine] = {
    "add": lambda a, b: wrapped(int(a) + int(b)),
    "minsi": min,
    "maxsi": max,
    "minui": lambda a, b: a if bits(a) < bits(b) else b,
    "maxui": lambda a, b: a if bits(a) > bits(b) else b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def shaped(shape: tuple[int, ...], element: str) -> str:
    return f"vector<{'x'.join([*map(str, shape), element])}>" if shape else element


def reduced(kind: str, element: str, dims: list[int], *, masked: bool) -> str:
    shape = (3, 4, 5)
    kept = tuple(size for dim, size in enumerate(shape) if dim not in dims)
    source, acc = shaped(shape, element), shaped(kept, element)
    op = f"vector.multi_reduction <{kind}>, %x, %acc {dims} : {source} to {acc}"
    body = f"vector.mask %m {{ {op} }} : vector<3x4x5xi1> -> {acc}" if masked else op
    return f"""
    func.func @f(%x: {source}, %acc: {acc}, %m: vector<3x4x5xi1>) -> {acc} {{
      %r = {body}
      return %r : {acc}
    }}"""
