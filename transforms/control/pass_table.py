"""The passes that `apply_registered_pass` knows: what each does, and its options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.dialects.builtin import BoolAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation
from xdsl.traits import IsolatedFromAbove, SymbolTable
from xdsl.utils.hints import isa

from tilewright.ir.dialects import scf, tensor
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp
from tilewright.transforms.bufferization.empty_tensor_to_alloc_tensor import to_alloc
from tilewright.transforms.cleanup.apply_cse import eliminate_common
from tilewright.transforms.cleanup.apply_licm import hoist_invariant
from tilewright.transforms.cleanup.driver import apply_greedily
from tilewright.transforms.cleanup.groups import patterns_of
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.loop.forall_to_for import replace_forall
from tilewright.transforms.loop.hoist_loop_invariant_subsets import hoist_subsets
from tilewright.transforms.structured.destinations.eliminate_empty_tensors import (
    eliminate,
)

Flaw = str | None
"""Says why a pass cannot run on an op, or None."""


@dataclass(frozen=True)
class Option:
    """An option that changes nothing here, and the values it may have."""

    accepts: Callable[[Attribute], bool]
    values: str


@dataclass(frozen=True)
class RegisteredPass:
    """A pass: its function, its options, and when it cannot run."""

    run: Callable[[Operation, Rewriter], object]
    flaw: Callable[[Operation], Flaw] = lambda op: None
    options: dict[str, Option] = field(default_factory=dict[str, Option])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    """Options that upstream has and this compiler cannot honour, with the reason."""


def _canonicalize(root: Operation, rewriter: Rewriter) -> None:
    apply_greedily(root, patterns_of(["canonicalization"]), rewriter)


def _loops_inside_out(root: Operation) -> list[scf.ForOp | ForallOp]:
    found = [op for op in root.walk() if isinstance(op, scf.ForOp | ForallOp)]
    return found[::-1]  # a walk visits a loop before the loops inside it


def _licm(root: Operation, rewriter: Rewriter) -> None:
    for loop in _loops_inside_out(root):
        hoist_invariant(loop, rewriter)


def _hoist_subsets(root: Operation, rewriter: Rewriter) -> None:
    for loop in _loops_inside_out(root):
        if isinstance(loop, scf.ForOp):
            hoist_subsets(loop, rewriter)


def _eliminate_empty_tensors(root: Operation, rewriter: Rewriter) -> None:
    for op in list(root.walk()):
        if isinstance(op, tensor.InsertSliceOp | ParallelInsertSliceOp):
            eliminate(op, rewriter)


def _empty_tensors_to_alloc(root: Operation, rewriter: Rewriter) -> None:
    for op in list(root.walk()):
        if isinstance(op, tensor.EmptyOp):
            to_alloc(op, rewriter)


def _forall_to_for(root: Operation, rewriter: Rewriter) -> None:
    for loop in _loops_inside_out(root):
        if isinstance(loop, ForallOp):
            replace_forall(loop, rewriter)


def _has_shared_outputs(root: Operation) -> Flaw:
    if any(isinstance(op, ForallOp) and op.outputs for op in root.walk()):
        return "a forall has shared outputs; bufferize first"
    return None


def _symbol_dce(root: Operation, rewriter: Rewriter) -> None:
    """Erase private functions that no public function reaches."""
    inside = [op for block in root.regions[0].blocks for op in block.ops]
    private = {_symbol_name(op): op for op in inside if _is_private(op)}
    pending = [op for op in inside if op not in private.values()]
    while pending:
        for name in _symbols_used(pending.pop()):
            if (used := private.pop(name, None)) is not None:
                pending.append(used)
    for op in private.values():
        rewriter.erase(op)


def _symbols_used(op: Operation) -> set[str]:
    return {
        attribute.root_reference.data
        for nested in op.walk()
        for attribute in (*nested.properties.values(), *nested.attributes.values())
        if isinstance(attribute, SymbolRefAttr)
    }


def _symbol_name(op: Operation) -> str:
    name = op.properties.get("sym_name")
    return name.data if isinstance(name, StringAttr) else ""


def _is_private(op: Operation) -> bool:
    visibility = op.properties.get("sym_visibility")
    return isinstance(visibility, StringAttr) and visibility.data == "private"


def _is_no_symbol_table(root: Operation) -> Flaw:
    if root.has_trait(SymbolTable):
        return None
    return f"'{root.name}' does not define a symbol table; match builtin.module"


def is_isolated(root: Operation) -> bool:
    """Whether a pass may run on an op at all, as upstream has it."""
    return root.has_trait(IsolatedFromAbove)


_FLAG = Option(lambda value: isa(value, BoolAttr), "true or false")
_SIMPLIFY = Option(
    lambda value: (
        isinstance(value, StringAttr)
        and value.data in ("disabled", "normal", "aggressive")
    ),
    "disabled, normal or aggressive",
)
_NO_LABELS = "patterns have no labels here"
_UNTIL_REST = "patterns are applied until none of them acts"

PASSES: dict[str, RegisteredPass] = {
    "canonicalize": RegisteredPass(
        _canonicalize,
        options={
            "region-simplify": _SIMPLIFY,
            "test-convergence": _FLAG,
            "top-down": _FLAG,
        },
        refused={
            "disable-patterns": _NO_LABELS,
            "enable-patterns": _NO_LABELS,
            "max-iterations": _UNTIL_REST,
            "max-num-rewrites": _UNTIL_REST,
        },
    ),
    "cse": RegisteredPass(eliminate_common),
    "eliminate-empty-tensors": RegisteredPass(_eliminate_empty_tensors),
    "empty-tensor-to-alloc-tensor": RegisteredPass(_empty_tensors_to_alloc),
    "loop-invariant-code-motion": RegisteredPass(_licm),
    "loop-invariant-subset-hoisting": RegisteredPass(_hoist_subsets),
    "scf-forall-to-for": RegisteredPass(_forall_to_for, _has_shared_outputs),
    "symbol-dce": RegisteredPass(_symbol_dce, _is_no_symbol_table),
}

INSTEAD = {
    "convert-linalg-to-loops": "transform.structured.convert_to_loops",
    "linalg-fold-unit-extent-dims": (
        "transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes"
    ),
    "linalg-generalize-named-ops": "transform.structured.generalize",
    "linalg-specialize-generic-ops": "transform.structured.specialize",
    "one-shot-bufferize": "transform.bufferization.one_shot_bufferize",
    "scf-for-loop-peeling": "transform.loop.peel",
    "scf-forall-to-parallel": "transform.loop.forall_to_parallel",
}
"""Passes whose work a transform op does here."""
