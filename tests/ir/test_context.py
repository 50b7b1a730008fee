"""What the context offers, the interpreter runs; what is missing is said to be."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt_knows, needs_mlir
from tilewright.ir.context import payload_context
from tilewright.ir.dialects.unsupported import unsupported_ops
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import TABLES
from tilewright.ir.parsing.failures.op_names import RENAMED
from tilewright.ir.text import parse_module

RUN_BY_OTHERS = {
    "builtin.module": "holds functions",
    "func.func": "is called",
    "kernel.func": "is called",
    "memref.extract_aligned_pointer_as_index": "an address means nothing on numpy",
    "memref.global": "is what memref.get_global reads",
    "scf.forall.in_parallel": "runs the inserts in it",
    "tensor.parallel_insert_slice": "is run by scf.forall.in_parallel",
    "warps.partition": "is run by warps.specialize",
}
"""Ops without numpy semantics of their own, and why."""


def test_every_op_of_the_context_can_be_run() -> None:
    classes = {cls for table in TABLES for cls in table}
    names = {cls.name for cls in classes if "name" in cls.__dict__}
    missing = [
        op.name
        for op in payload_context().all_ops()
        if op.name not in names
        and op.name not in RUN_BY_OTHERS
        and not classes.intersection(op.__mro__)
    ]
    assert not missing


def test_what_is_missing_or_old_is_not_offered() -> None:
    context = payload_context()
    offered = [
        name for name in {*unsupported_ops(), *RENAMED} if context.get_optional_op(name)
    ]
    assert not offered


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "linalg.winograd_filter_transform",
            "the op 'linalg.winograd_filter_transform' is not supported yet",
        ),
        ("scf.while", "is not supported yet; a loop of known length is scf.for"),
        (
            "affine.dma_wait",
            "is not supported yet; lower it first: mlir-opt --lower-affine",
        ),
        ("tensor.pack", "it is linalg.pack today"),
        ("linalg.elemwise_unary", "write: linalg.exp ins("),
        ("vector.splat", "it is vector.broadcast today"),
        ("bufferization.to_memref", "it is bufferization.to_buffer today"),
        ("arith.maxf", "it is arith.maximumf, or arith.maxnumf"),
        ("std.constant", "there is no dialect 'std' any more; did you mean 'arith.con"),
        ("std.dim", "did you mean 'memref.dim' or 'tensor.dim'?"),
        ("tosa.matmul", "the dialect 'tosa' is not supported; lower it to linalg"),
        ("cf.br", "the dialect 'cf' is not supported; a payload has structured"),
        ("linalg.matmull", "there is no op 'linalg.matmull'; did you mean 'linalg.mat"),
        ("arit.addf", "there is no op 'arit.addf'; did you mean 'arith.addf'?"),
        ("nothing.like_it", "there is no dialect 'nothing'; there are: affine, arith"),
    ],
)
def test_unknown_ops(name: str, message: str) -> None:
    text = f'func.func @f() {{\n  "{name}"() : () -> ()\n  return\n}}'
    with pytest.raises(UserError) as caught:
        parse_module(text, "unknown.mlir", payload_context())
    assert str(caught.value).startswith("unknown.mlir:2:3: error: ")
    assert message in str(caught.value)


@needs_mlir
def test_real_mlir_has_what_is_missing_and_lacks_what_is_old() -> None:
    theirs = sorted(unsupported_ops() - {"builtin.unregistered"})
    assert mlir_opt_knows(theirs) == theirs
    assert not mlir_opt_knows(sorted(name for name in RENAMED if "." in name))
