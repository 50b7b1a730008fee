"""What CSE, DCE and LICM may do with ops on vectors and buffers; real MLIR judges."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from xdsl.traits import MemoryEffect

from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import ROOT
from tilewright.ir.context import payload_context
from tilewright.ir.dialects import bufferization, memref, vector
from tilewright.ir.text import parse_module, to_text
from tilewright.transforms.cleanup.apply_cse import eliminate_common
from tilewright.transforms.cleanup.apply_licm import hoist_invariant
from tilewright.transforms.core.rewriter import Rewriter

ARGUMENTS = """%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %i: index, %s: f32,
    %v: vector<8xf32>, %k: vector<8xi1>, %at: vector<8xindex>, %raw: memref<64xi8>"""

READS = {
    "memref.load": "memref.load %m[%i, %i] : memref<?x?xf32>",
    "vector.load": "vector.load %m[%i, %i] : memref<?x?xf32>, vector<8xf32>",
    "vector.transfer_read": (
        "vector.transfer_read %m[%i, %i], %s : memref<?x?xf32>, vector<8xf32>"
    ),
    "vector.maskedload": (
        "vector.maskedload %m[%i, %i], %k, %v "
        ": memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>"
    ),
    "vector.expandload": (
        "vector.expandload %m[%i, %i], %k, %v "
        ": memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>"
    ),
    "vector.gather": (
        "vector.gather %m[%i, %i] [%at], %k, %v : memref<?x?xf32>, vector<8xindex>, "
        "vector<8xi1>, vector<8xf32> into vector<8xf32>"
    ),
    "bufferization.to_tensor": (
        "bufferization.to_tensor %m : memref<?x?xf32> to tensor<?x?xf32>"
    ),
    "vector.mask": (
        "vector.mask %k { vector.transfer_read %m[%i, %i], %s "
        ": memref<?x?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>"
    ),
}
"""Ops that read a buffer."""

ALLOCATIONS = {
    "memref.alloc": "memref.alloc() : memref<4xf32>",
    "memref.alloca": "memref.alloca() : memref<4xf32>",
    "bufferization.clone": (
        "bufferization.clone %m : memref<?x?xf32> to memref<?x?xf32>"
    ),
}
"""Ops that make memory."""

PURE = {
    "transfer of a tensor": (
        "vector.transfer_read %t[%i, %i], %s : tensor<?x?xf32>, vector<8xf32>"
    ),
    "write to a tensor": (
        "vector.transfer_write %v, %t[%i, %i] : vector<8xf32>, tensor<?x?xf32>"
    ),
    "masked reduction": (
        "vector.mask %k { vector.reduction <add>, %v : vector<8xf32> into f32 } "
        ": vector<8xi1> -> f32"
    ),
    "create_mask": "vector.create_mask %i : vector<8xi1>",
    "broadcast": "vector.broadcast %s : f32 to vector<8xf32>",
    "extract": "vector.extract %v[%i] : f32 from vector<8xf32>",
    "step": "vector.step : vector<8xindex>",
    "dim": "memref.dim %m, %i : memref<?x?xf32>",
    "cast": "memref.cast %m : memref<?x?xf32> to memref<4x?xf32>",
    "subview": (
        "memref.subview %m[%i, 0] [1, 4] [1, 1] : memref<?x?xf32> "
        "to memref<4xf32, strided<[1], offset: ?>>"
    ),
    "view": "memref.view %raw[%i][] : memref<64xi8> to memref<4xf32>",
    "reinterpret_cast": (
        "memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] "
        ": memref<?x?xf32> to memref<4xf32>"
    ),
    "assume_alignment": "memref.assume_alignment %m, 16 : memref<?x?xf32>",
    "to_buffer": "bufferization.to_buffer %t : tensor<?x?xf32> to memref<?x?xf32>",
    "materialize": (
        "bufferization.materialize_in_destination %t in %t "
        ": (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>"
    ),
}
"""Ops that compute, and nothing else."""


def module_of(*lines: str) -> str:
    body = "\n      ".join(lines)
    return f"func.func @f({ARGUMENTS}) {{\n      {body}\n      return\n    }}"


def ours(text: str) -> str:
    module = parse_module(text, "test.mlir", payload_context())
    eliminate_common(module, Rewriter())
    return to_text(module)


def counts(text: str) -> Counter[str]:
    """How many ops of each kind a text has."""
    found = re.findall(
        r"\b((?:vector|memref|bufferization)\.[a-z_]+) ?[%(:@s<\[]", text
    )
    return Counter(name for name in found if name != "vector.yield")


@pytest.mark.sampled(12)
@pytest.mark.parametrize("op", [*READS.values(), *ALLOCATIONS.values(), *PURE.values()])
@needs_mlir
def test_what_nobody_uses_goes(op: str) -> None:
    text = module_of(f"%r = {op}")
    assert counts(text)
    assert not counts(ours(text))
    assert not counts(mlir_opt(text, "--cse"))


KEPT = {
    "store": "memref.store %s, %m[%i, %i] : memref<?x?xf32>",
    "vector store": "vector.store %v, %m[%i, %i] : memref<?x?xf32>, vector<8xf32>",
    "write": "vector.transfer_write %v, %m[%i, %i] : vector<8xf32>, memref<?x?xf32>",
    "masked write": (
        "vector.mask %k { vector.transfer_write %v, %m[%i, %i] "
        ": vector<8xf32>, memref<?x?xf32> } : vector<8xi1>"
    ),
    "scatter": (
        "vector.scatter %m[%i, %i] [%at], %k, %v "
        ": memref<?x?xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32>"
    ),
    "compressstore": (
        "vector.compressstore %m[%i, %i], %k, %v "
        ": memref<?x?xf32>, vector<8xi1>, vector<8xf32>"
    ),
    "copy": "memref.copy %m, %m : memref<?x?xf32> to memref<?x?xf32>",
    "dealloc": "memref.dealloc %m : memref<?x?xf32>",
    "materialize": (
        "bufferization.materialize_in_destination %t in writable %m "
        ": (tensor<?x?xf32>, memref<?x?xf32>) -> ()"
    ),
    "print": "vector.print %v : vector<8xf32>",
}


@pytest.mark.parametrize("op", KEPT.values(), ids=KEPT)
@needs_mlir
def test_what_has_an_effect_stays(op: str) -> None:
    text = module_of(op)
    assert counts(ours(text)) == counts(text) == counts(mlir_opt(text, "--cse"))


def twice(op: str, between: str = "") -> str:
    """An op before and after another, its results used by a call each."""
    kind = result_type(op)
    return f"func.func private @use({kind})\n" + module_of(
        f"%a = {op}",
        between,
        f"%b = {op}",
        f"func.call @use(%a) : ({kind}) -> ()",
        f"func.call @use(%b) : ({kind}) -> ()",
    )


def result_type(op: str) -> str:
    module = parse_module(module_of(f"%r = {op}"), "test.mlir", payload_context())
    (function,) = module.ops
    first = function.regions[0].block.first_op
    assert first is not None
    return str(first.results[0].type)


STORE = "memref.store %s, %m[%i, %i] : memref<?x?xf32>"


@pytest.mark.parametrize("op", READS.values(), ids=READS)
@needs_mlir
def test_two_reads_with_a_write_between_stay_two(op: str) -> None:
    text = twice(op, STORE)
    assert counts(ours(text)) == counts(text) == counts(mlir_opt(text, "--cse"))


@pytest.mark.parametrize("op", ALLOCATIONS.values(), ids=ALLOCATIONS)
@needs_mlir
def test_two_allocations_stay_two(op: str) -> None:
    text = twice(op)
    assert counts(ours(text)) == counts(text) == counts(mlir_opt(text, "--cse"))


@pytest.mark.sampled(12)
@pytest.mark.parametrize("op", PURE.values(), ids=PURE)
@needs_mlir
def test_two_computations_become_one(op: str) -> None:
    text = twice(op, STORE)
    judged = counts(mlir_opt(text, "--cse"))
    assert counts(ours(text)) == judged != counts(text)


def test_licm_moves_what_is_pure_and_leaves_reads_behind() -> None:
    # What has a region stays where it is, and so may a dim: its index may be wrong.
    # Materializing in a destination stays too, as it does in real MLIR.
    stays = ("mask ", "materialize_in_destination")
    moved = {name: op for name, op in PURE.items() if not any(s in op for s in stays)}
    del moved["dim"]
    text = module_of(
        "%c0 = arith.constant 0 : index",
        "%c1 = arith.constant 1 : index",
        "scf.for %j = %c0 to %i step %c1 {",
        *(f"%p{number} = {op}" for number, op in enumerate(moved.values())),
        *(f"%r{number} = {op}" for number, op in enumerate(READS.values())),
        f"%x = {ALLOCATIONS['memref.alloc']}",
        STORE,
        "}",
    )
    module = parse_module(text, "test.mlir", payload_context())
    loop = next(op for op in module.walk() if op.name == "scf.for")
    hoist_invariant(loop, Rewriter())
    inside = [op.name for op in loop.regions[0].block.ops]
    assert inside == [*READS, "memref.alloc", "memref.store", "scf.yield"]


def test_every_op_says_what_it_does() -> None:
    for dialect in (vector.Vector, memref.MemRef, bufferization.Bufferization):
        for op in dialect.operations:
            assert any(isinstance(trait, MemoryEffect) for trait in op.traits), op.name


@pytest.mark.parametrize("folder", ["ir", "transforms", "schedules", "codegen"])
def test_ops_of_ours_are_not_matched_by_xdsls_classes(folder: str) -> None:
    """An `isinstance` of xDSL's class would be false, and nobody would notice."""
    root = ROOT / folder
    names = "vector|memref|bufferization"
    pattern = re.compile(
        rf"from xdsl\.dialects(?:\.(?:{names}) import (?P<a>[^\n]*)"
        rf"| import [^\n]*\b(?P<b>{names})\b)"
    )
    for path in root.rglob("*.py"):
        if path.parent.name in ("vector", "memref"):
            continue
        for found in pattern.finditer(path.read_text(encoding="utf-8")):
            given = found.group("a") or found.group("b")
            assert "CombiningKind" in given, f"{path.relative_to(root)}: {found[0]}"
