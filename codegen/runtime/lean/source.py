"""The source of a lean launcher, written from a launch plan.

The launcher of a file:
    out = torch.empty(8, 64, dtype=torch.float32, device=x.device)
    f_kernel[(8,)](x, out, N=64, num_warps=4, num_stages=1)
    return out

The lean one:
    if (_at_x := x.data_ptr()) & 15 or _is_watched():
        return _checked(x)
    _queue = _stream_here(0)
    out = _empty((8, 64), (64, 1), torch.float32)
    _at_out = out.data_ptr()
    if (_known := _site0.get(())) is None:
        _site0.launch((), (8,), (x, out), dict(N=64, num_warps=4, num_stages=1))
    else:
        _known[0](8, 1, 1, _queue, *_known[1], (_at_x, _at_out, 64))
    return out

Kernels take addresses, so views that only they read are not made; a library needs a
tensor, which torch makes in one call from its sizes, strides and offset. A launch with
tensor descriptors looks up its arguments by the addresses, with the descriptors already
encoded:

    if (_given := _site1.get((_at_x, _at_out))) is None:
        _site1.describe((_at_x, _at_out), (), (8,), (_descriptor(x, (8, 64)), out),
                        dict(N=64, num_warps=4, num_stages=1), _queue)
    else:
        _given[0](8, 1, 1, _queue, *_given[1])

Launches on other streams are left to Triton.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import prod
from typing import TYPE_CHECKING

from tilewright.codegen.launches.launcher_text import Around, LauncherText
from tilewright.codegen.launches.plan import (
    Allocate,
    Buffer,
    CallLibrary,
    Descriptor,
    Launch,
    LaunchPlan,
    MakeConstant,
    MakeCounters,
    Method,
    Number,
    Operand,
    Step,
)
from tilewright.codegen.runtime.lean.memory import Layout, Memory, strides_of
from tilewright.codegen.runtime.lean.orders import Order, Orders, seen
from tilewright.codegen.source.python_text import Name
from tilewright.codegen.source.torch_types import TORCH_TYPES
from tilewright.ir.dtypes import byte_width, element

if TYPE_CHECKING:
    import torch

_LOW_BITS = 15
"""The bits of an address that Triton's specialization wants to be zero."""
_ARENA = "_arena"
_BYTES = "torch.int8"
_MAKES = (Allocate, MakeConstant, MakeCounters)


class LeanText(LauncherText):
    """Writes a lean launcher; `sites` has the kernel of each launch in it."""

    def __init__(
        self,
        plan: LaunchPlan,
        device: int,
        *,
        packs_arguments: bool,
        around: Around | None = None,
        orders: Orders | None = None,
    ):
        """Triton 3.7 takes the arguments of a kernel as a tuple, 3.6 one by one.

        `orders` are those of the caller's tensors.
        """
        super().__init__(plan, around)
        self.sites: dict[str, str] = {}
        self._orders = orders or Orders()
        self._memory = Memory(plan, self._orders)
        self._device = device
        self._packs = packs_arguments
        direct = (launch for launch in plan.launches if launch.stream is None)
        self._addressed = {
            self._memory.root[name] for launch in direct for name in launch.buffers
        }

    def text(self) -> str:
        """The function."""
        plan, memory = self.plan, self._memory
        last = memory.last_steps(plan) if not plan.streams else {}
        self.begin()
        if memory.starts:
            self._text(f"{_ARENA} = _empty(({memory.arena_bytes},), (1,), {_BYTES})")
            self._text(f"_at_{_ARENA} = {_ARENA}.data_ptr()")
        for number, step in enumerate(plan.steps):
            self.step(step)
            self._address(step)
            if dead := last.get(number):
                self._text(f"del {', '.join(dead)}")
        numbers = dict(plan.numbers)
        results = (
            name if name in numbers else self._result(name, order)
            for name, order in zip_longest(plan.results, self._orders.results)
        )
        self._text(f"return {', '.join(results)}".rstrip())
        return "\n".join([*self._head(), *self.lines]) + "\n"

    def _head(self) -> list[str]:
        """The `def`, and a call with checks for tensors that are not aligned."""
        given = ", ".join(self.plan.arguments)
        roots = {
            self._memory.root[n] for one in self.plan.launches for n in one.buffers
        }
        read = [
            f"(_at_{name} := {name}.data_ptr())"
            for name in self.plan.arguments
            if name in roots
        ]
        # Reads every address, whatever the first of them is.
        misplaced = f"({' | '.join(read)}) & {_LOW_BITS} or " if read else ""
        lines = [f"def {self.plan.entry}({given}):"]
        lines.append(f"    if {misplaced}_is_watched():")
        lines.append(f"        return _checked({given})")
        if self.sites:
            lines.append(f"    _queue = _stream_here({self._device})")
        return lines

    def allocate(self, buffer: Buffer) -> None:
        """An allocation of sizes and strides; nothing for a place in the arena."""
        if buffer.name not in self._memory.starts:
            made = self._memory.made[buffer.name]
            layout = f"{_tuple(made.sizes)}, {_tuple(made.strides)}"
            self._text(f"{buffer.name} = _empty({layout}, {TORCH_TYPES[made.dtype]})")

    def view(self, buffer: Buffer, of: Buffer) -> None:
        """Nothing: a view is made where a library takes it."""

    def _address(self, step: Step) -> None:
        """The address of a new tensor, if a kernel takes it."""
        name = step.output.buffer if isinstance(step, CallLibrary) else ""
        if isinstance(step, CallLibrary) and not step.returns:
            return
        if isinstance(step, _MAKES):
            name = step.buffer
        is_late = isinstance(step, Allocate) and step.is_made_by_call
        if name not in self._addressed or is_late:
            return
        start = self._memory.starts.get(name)
        at = f"{name}.data_ptr()" if start is None else f"_at_{_ARENA} + {start}"
        self._text(f"_at_{name} = {at}")

    def operand(self, of: Operand) -> Operand:
        """A view of a tensor as one call of torch, if its sizes are known."""
        buffer, memory = self.buffers[of.buffer], self._memory
        root = memory.root[of.buffer]
        if not buffer.is_static:
            if root == of.buffer:
                return of
            sizes = ", ".join(map(str, buffer.shape))
            return Operand(f"{root}.view({sizes})", of.views)
        like = _layout(buffer, of)
        sizes, strides = tuple(like.shape), like.stride()
        start = int(like.storage_offset())
        return Operand(self._seen(buffer, sizes, strides, start))

    def _result(self, name: str, order: Order | None) -> str:
        """A result as the caller sees it."""
        buffer = self.buffers[name]
        if order is None:
            return str(self.operand(Operand(name)))
        return self._seen(buffer, *seen(buffer.static_shape, order), 0)

    def _seen(
        self, buffer: Buffer, sizes: Sequence[int], strides: Sequence[int], start: int
    ) -> str:
        """The memory of a buffer as a tensor with these sizes and strides."""
        memory = self._memory
        base = root = memory.root[buffer.name]
        made, dtype = memory.made[root], TORCH_TYPES[buffer.dtype]
        if root in memory.starts:
            base = f"{_ARENA}.view({dtype})"
            start += memory.starts[root] // byte_width(buffer.dtype)
        elif made.dtype != buffer.dtype:
            base = f"{self._flat(root)}.view({dtype})"
        elif not start and made == Layout.of_numbers(sizes, strides, buffer.dtype):
            return base
        return f"_view({base}, {tuple(sizes)}, {tuple(strides)}, {start})"

    def _flat(self, name: str) -> str:
        """A tensor in the order of its memory, so that it can be seen in any type."""
        made = self._memory.made[name]
        if made.strides == tuple(strides_of(made.sizes)):
            return name
        return f"_view({name}, ({prod(map(int, made.sizes))},), (1,), 0)"

    def launch(self, step: Launch) -> None:
        """Write a launch of a compiled kernel by addresses."""
        if step.stream is not None:
            super().launch(step)
            return
        indent = ""
        if step.not_empty:
            sizes = (f"{size} > 0" for size in step.not_empty)
            self._text(f"if {' and '.join(sizes)}:")
            indent = "    "
        for line in self._launch_lines(step):
            self._text(f"{indent}{line}")

    def _launch_lines(self, step: Launch) -> list[str]:
        lines: list[str] = []
        passed: list[str] = []
        values: list[str] = []
        classes: list[str] = []
        described: dict[str, None] = {}
        for one in step.arguments:
            if not isinstance(one, Number):
                passed.append(f"_at_{self._memory.root[one.buffer]}")
                values.append(self.argument(one))
                if isinstance(one, Descriptor):
                    described |= dict.fromkeys(_open(self.buffers[one.buffer]))
                continue
            name = self.argument(one)
            if not isinstance(one.value, int | Name) or one.dtype == "i1":
                lines.append(f"_number{len(lines)} = {name}")
                name = f"_number{len(lines) - 1}"
            if not isinstance(one.value, int) and not element(one.dtype).is_float:
                tests = ("{0} == 1", "{0} % 16 == 0", "{0} < {1}")
                classes += [test.format(name, 2**31) for test in tests]
            passed.append(name)
            values.append(name)
        site = f"_site{len(self.sites)}"
        self.sites[site] = step.kernel
        grid = [str(count) for count in self.grid(step).values]
        three = ", ".join([*grid, "1", "1"][:3])
        options = ", ".join(f"{name}={value}" for name, value in step.options)
        key, call = (
            _tuple(classes),
            f"{_tuple(grid)}, {_tuple(values)}, dict({options})",
        )
        if any(isinstance(one, Descriptor) for one in step.arguments):
            all_of_it = _tuple(list(dict.fromkeys([*passed, *described])))
            return [
                *lines,
                f"if (_given := {site}.get({all_of_it})) is None:",
                f"    {site}.describe({all_of_it}, {key}, {call}, _queue)",
                "else:",
                f"    _given[0]({three}, _queue, *_given[1])",
            ]
        passed += [str(value) for _, value in step.constants]
        last = _tuple(passed) if self._packs else ", ".join(passed)
        return [
            *lines,
            f"if (_known := {site}.get({key})) is None:",
            f"    {site}.launch({key}, {call})",
            "else:",
            f"    _known[0]({three}, _queue, *_known[1], {last})",
        ]


def _layout(buffer: Buffer, of: Operand) -> torch.Tensor:
    """A view of a buffer without storage, which has its sizes, strides and offset."""
    import torch
    from torch._subclasses.fake_tensor import unset_fake_temporarily

    with unset_fake_temporarily():
        like = torch.empty(buffer.static_shape, device="meta")
        for view in of.views:
            if not isinstance(view, Method):
                like = like[view.slices]
            elif view.arguments is None:
                like = getattr(like, view.name)
            else:
                like = getattr(like, view.name)(*view.arguments)
    return like


def _open(buffer: Buffer) -> list[str]:
    """What a descriptor of a tensor depends on besides its address."""
    return [str(extent) for extent in buffer.shape if not isinstance(extent, int)]


def _tuple(texts: Sequence[str]) -> str:
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
