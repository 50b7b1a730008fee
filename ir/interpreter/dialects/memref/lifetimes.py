"""Deallocated memory: using it, or deallocating it again, is an error."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.registry import Interpreter, Value, fail, is_array
from tilewright.ir.interpreter.dialects.memref.memory import owner_of
from tilewright.ir.text import place_of
from tilewright.ir.types import is_buffer


def give_back(interpreter: Interpreter, op: Operation, view: Array) -> None:
    """Record that `op` deallocates a buffer; every later op is checked."""
    freed = interpreter.memo.get(interpreter.module)
    if not isinstance(freed, Freed):
        freed = interpreter.memo[interpreter.module] = Freed()
        interpreter.guard = freed.check
    freed.add(view, op)


class Freed:
    """The memory that a run has deallocated, and the op that did it."""

    def __init__(self) -> None:
        self._by_owner: dict[int, tuple[tuple[int, int], Operation, Any]] = {}

    def add(self, view: Array, op: Operation) -> None:
        """Record that `op` has deallocated the memory of a buffer."""
        owner = owner_of(view)
        key = id(owner)
        # Once nobody can reach the array its number may be given to another one.
        alive = weakref.ref(owner, lambda _: self._by_owner.pop(key, None))
        self._by_owner[key] = (_range(view), op, alive)

    def check(
        self, op: Operation, operands: Sequence[SSAValue], values: Sequence[Value]
    ) -> None:
        """Refuse an op on a deallocated buffer."""
        for operand, value in zip(operands, values, strict=True):
            if not is_buffer(operand.type) or not is_array(value):
                continue
            found = self._by_owner.get(id(owner_of(value)))
            if found is None:
                continue
            (low, high), freed_by, _ = found
            start, stop = _range(value)
            if start < high and low < stop:
                where = place_of(freed_by)
                at = f" at {where}" if where is not None else ""
                fail(op, f"uses memory that was deallocated{at}")


def _range(view: Array) -> tuple[int, int]:
    low, high = np.lib.array_utils.byte_bounds(view)
    return int(low), int(high)
