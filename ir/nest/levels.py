"""The level of a module: how far it is on the way from structured ops to kernels."""

from __future__ import annotations

from typing import Literal, TypeAlias

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.dialects import kernel, scf
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.types import is_tensor, is_vector

Level: TypeAlias = Literal["structured", "tiled", "vector", "buffer", "kernel"]


def level_of(module: ModuleOp) -> Level:
    """The furthest level that a part of the module has reached.

    A payload that is given as buffers is structured until something is vectorized.
    """
    tiled = vectors = tensors = structured = False
    for op in module.walk():
        if isinstance(op, kernel.FuncOp):
            return "kernel"
        tiled |= isinstance(op, scf.ForallOp | scf.ForOp)
        structured |= isinstance(op, StructuredOp | SoftmaxOp)
        for value in (*op.results, *op.operands):
            vectors |= is_vector(value.type)
            tensors |= is_tensor(value.type)
    if vectors:
        return "vector" if tensors or structured else "buffer"
    return "tiled" if tiled else "structured"
