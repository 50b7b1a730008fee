"""The memory of a lean launcher: who owns it, in which shape it is made, the arena.

An allocation and its release take about as long as half a launch. Temporaries that
kernels know by address alone are parts of one tensor, the arena. Which temporaries
share memory is decided before (`passes/share_memory.py`). Large ones stay apart, so
that torch's allocator has their memory back early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from tilewright.codegen.launches.plan import (
    Allocate,
    Buffer,
    CallLibrary,
    Copy,
    Fill,
    Launch,
    LaunchPlan,
    Step,
    View,
)
from tilewright.codegen.runtime.lean.orders import Order, Orders, seen
from tilewright.ir.dtypes import byte_width

_LARGEST = 2**22
"""Bytes of a temporary in the arena; kernels that fill more hide the host's time."""
_ALIGNMENT = 512
"""Bytes; that of torch's allocator."""


@dataclass(frozen=True)
class Layout:
    """How a tensor is made: its sizes and strides as texts, and its element type."""

    sizes: tuple[str, ...]
    strides: tuple[str, ...]
    dtype: str

    @staticmethod
    def of(buffer: Buffer, order: Order | None = None) -> Layout:
        """A buffer's; with an order, that of the caller's tensor."""
        if buffer.is_static:
            return Layout.of_numbers(*seen(buffer.static_shape, order), buffer.dtype)
        assert order is None, f"{buffer.name} has open sizes"
        texts = tuple(map(str, buffer.shape))
        return Layout(texts, tuple(strides_of(texts)), buffer.dtype)

    @staticmethod
    def of_numbers(sizes: Sequence[int], strides: Sequence[int], dtype: str) -> Layout:
        """That of known sizes."""
        return Layout(tuple(map(str, sizes)), tuple(map(str, strides)), dtype)


class Memory:
    """The tensors that have the memory of a plan's buffers."""

    def __init__(self, plan: LaunchPlan, orders: Orders | None = None):
        names = (*plan.arguments, *(one.name for one in plan.buffers))
        self.root = {name: name for name in names}
        """For each buffer the one that has its memory: itself unless it is a view.

        A number that is returned is itself, too.
        """
        for step in plan.steps:
            if isinstance(step, View):
                self.root[step.buffer] = self.root[step.of]
        orders = orders or Orders()
        given = dict(zip(plan.arguments, orders.arguments, strict=False))
        self.made = {n.name: Layout.of(n, given.get(n.name)) for n in plan.buffers}
        """How each tensor is made."""
        self._results = dict(zip(plan.results, orders.results, strict=False))
        self.starts: dict[str, int] = {}
        """The first bytes of temporaries in the arena."""
        self.arena_bytes = 0
        allocated = [
            step.buffer
            for step in plan.steps
            if isinstance(step, Allocate) and not step.is_made_by_call
        ]
        taken = self._taken_by_torch(plan)
        for name in allocated:
            self._make_as_taken(name, plan, taken)
        if not plan.streams:
            self._place([name for name in allocated if name not in taken], plan)

    def _taken_by_torch(self, plan: LaunchPlan) -> dict[str, set[str]]:
        """The tensors that libraries take or that are returned, with the buffers."""
        found: dict[str, set[str]] = {}
        for step in plan.steps:
            if not isinstance(step, Launch) or step.stream is not None:
                for name in _buffers(step):
                    found.setdefault(self.root[name], set()).add(name)
        for name in plan.results:
            found.setdefault(self.root[name], set()).add(name)
        return found

    def _make_as_taken(
        self, name: str, plan: LaunchPlan, taken: dict[str, set[str]]
    ) -> None:
        """Make a tensor in the shape that is returned, or in the type that is taken."""
        buffers, own = plan.by_name, plan.by_name[name]
        if not own.is_static:
            return
        size = prod(own.static_shape) * byte_width(own.dtype)
        results = {one for one in plan.results if self.root[one] == name}
        types = {buffers[one].dtype for one in taken.get(name, ())}
        if types and types != {own.dtype} and len(types) == 1:
            (dtype,) = types
            if size % byte_width(dtype) == 0:
                flat = Buffer(name, dtype, (size // byte_width(dtype),))
                self.made[name] = Layout.of(flat)
        elif len(results) == 1:
            result = buffers[results.pop()]
            if result.is_static and types == {own.dtype}:
                self.made[name] = Layout.of(result, self._results.get(result.name))

    def _place(self, names: list[str], plan: LaunchPlan) -> None:
        """Place temporaries in the arena, one behind the other."""
        buffers, end = plan.by_name, 0
        starts: dict[str, int] = {}
        for name in names:
            one = buffers[name]
            size = prod(one.static_shape) * byte_width(one.dtype)
            if one.is_static and size <= _LARGEST:
                starts[name] = end
                # Rounded up, so that the arena can be seen in any type.
                end += -(-size // _ALIGNMENT) * _ALIGNMENT
        if len(starts) > 1:
            self.starts, self.arena_bytes = starts, end

    def last_steps(self, plan: LaunchPlan) -> dict[int, list[str]]:
        """The tensors of the launcher that no step after this one reads."""
        last: dict[str, int] = {}
        for number, step in enumerate(plan.steps):
            for name in _buffers(step):
                root = self.root[name]
                last["_arena" if root in self.starts else root] = number
        kept = {*plan.arguments, *(self.root[name] for name in plan.results)}
        found: dict[int, list[str]] = {}
        for name, number in last.items():
            if name not in kept:
                found.setdefault(number, []).append(name)
        return found


def _buffers(step: Step) -> Iterator[str]:
    """The buffers that a step reads or writes."""
    match step:
        case Launch():
            yield from step.buffers
        case CallLibrary():
            yield from (one.buffer for one in step.operands)
        case Copy():
            yield from (step.source.buffer, step.target.buffer)
        case Fill():
            yield step.buffer
        case _:
            pass


def strides_of(sizes: Sequence[str]) -> Iterator[str]:
    """The strides of a contiguous tensor, as texts."""
    return (_product(sizes[dim + 1 :]) for dim in range(len(sizes)))


def _product(texts: Sequence[str]) -> str:
    if all(text.isdigit() for text in texts):
        return str(prod(map(int, texts)))
    return " * ".join(f"({text})" for text in texts)
