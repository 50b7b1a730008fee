"""Whether two programs are the same but for the order of constants and pure ops.

Both go through `mlir-opt-22 --canonicalize --cse`. Then each is written out in a normal
form: an op without effects, or an allocation, is written where it is first needed, and
values are numbered in that order; dead code never appears. The block that contains an
op is part of its line, so code motion in or out of a loop shows. Constants are compared
by value only.
"""

from __future__ import annotations

import difflib

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsTerminator, is_side_effect_free

from support.mlir_opt import mlir_opt_both
from tilewright.ir.context import payload_context
from tilewright.ir.dialects import arith, func, memref, ub
from tilewright.ir.text import parse_module

CLEAN = ("--canonicalize", "--cse", "--canonicalize", "--cse")


def assert_same_program(ours: str, theirs: str, *, clean: bool = True) -> None:
    """Fail with a diff of the normal forms where the programs differ.

    Without `clean`, neither is canonicalized first; tests of clean-ups use this.
    """
    passes = CLEAN if clean else ()
    left, right = map(normal_form, mlir_opt_both(ours, theirs, *passes))
    if left != right:
        diff = difflib.unified_diff(
            right.splitlines(), left.splitlines(), "real MLIR", "ours", lineterm=""
        )
        pytest.fail("the programs differ:\n" + "\n".join(diff))


def normal_form(text: str) -> str:
    """The normal form of every function of a module."""
    module = parse_module(
        text, "compared.mlir", payload_context(reads_unregistered=True)
    )
    assert isinstance(module, ModuleOp)
    return "\n".join(
        line
        for op in module.walk()
        if isinstance(op, func.FuncOp)
        for line in _Writer().function(op)
    )


class _Writer:
    """Writes one function."""

    def __init__(self) -> None:
        self.names: dict[SSAValue, str] = {}
        self.lines: list[str] = []

    def function(self, op: func.FuncOp) -> list[str]:
        self.lines.append(f"func @{op.sym_name.data} {op.function_type}")
        for block in op.body.blocks:
            self.block(block, 1)
        return self.lines

    def block(self, block: Block, depth: int) -> None:
        for arg in block.args:
            self.name(arg)
        types = ", ".join(f"{self.names[arg]}: {arg.type}" for arg in block.args)
        self.line(depth, f"^({types})")
        for op in block.ops:
            if op.has_trait(IsTerminator) or not _stands_anywhere(op):
                self.write(op, depth)

    def write(self, op: Operation, depth: int) -> None:
        """Write an op, after the ops that it needs and that are not written yet."""
        needed = [value for nested in op.walk() for value in nested.operands]
        for value in needed:
            owner = value.owner
            if (
                isinstance(owner, Operation)
                and value not in self.names
                and not op.is_ancestor(owner)
            ):
                self.write(owner, depth)
        operands = ", ".join(self.names[value] for value in op.operands)
        for result in op.results:
            self.name(result)
        results = ", ".join(f"{self.names[r]}: {r.type}" for r in op.results)
        attributes = _sorted({**op.properties, **op.attributes})
        where = "" if _is_constant(op) else f" @{_depth(op)}"
        self.line(depth, f"{results} = {op.name}{where} ({operands}) {attributes}")
        for region in op.regions:
            for block in region.blocks:
                self.block(block, depth + 1)

    def name(self, value: SSAValue) -> None:
        self.names[value] = f"%{len(self.names)}"

    def line(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)


def _stands_anywhere(op: Operation) -> bool:
    """Whether the position of an op among others does not matter."""
    return is_side_effect_free(op) or isinstance(op, memref.AllocOp)


def _is_constant(op: Operation) -> bool:
    return isinstance(op, arith.ConstantOp | ub.PoisonOp)


def _depth(op: Operation) -> int:
    parent = op.parent_op()
    return 0 if parent is None else 1 + _depth(parent)


def _sorted(attributes: dict[str, Attribute]) -> str:
    return "{" + ", ".join(f"{k}: {attributes[k]}" for k in sorted(attributes)) + "}"
