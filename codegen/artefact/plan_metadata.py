"""A launch plan as the metadata of an artefact, and its library calls as a file.

Sizes are expressions of Python over the names of sizes: `(M + 127) // 128`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.codegen.launches.launcher_text import LauncherText
from tilewright.codegen.launches.plan import (
    Allocate,
    Buffer,
    CallLibrary,
    Copy,
    Descriptor,
    Dim,
    Extent,
    Fill,
    Index,
    Launch,
    LaunchPlan,
    MakeConstant,
    MakeCounters,
    Number,
    Operand,
    Pointer,
    Record,
    Step,
    View,
    Wait,
)
from tilewright.codegen.program import DYNAMIC, TensorSpec
from tilewright.codegen.source.host_helpers import HOST_HELPERS
from tilewright.codegen.source.python_text import Expression, Name, mapped

Json = dict[str, Any]

_NUMBER_TYPES = {"f32": "fp32", "i64": "i64"}
"""Triton's types of numbers; all others, sizes too, are passed as i32."""


def number_type(number: Number) -> str:
    """Triton's name of a number's type."""
    return _NUMBER_TYPES.get(number.dtype, "i32")


class PlanMetadata:
    """The metadata of a plan: `sizes`, `buffers`, `requirements`, `steps`, `results`.

    `libraries` is the text of a file with a function for each library call.
    """

    def __init__(self, plan: LaunchPlan, arguments: Sequence[TensorSpec]):
        self.plan = plan
        self.sizes: dict[str, tuple[str, int]] = {}
        """The argument and the dimension that each size is read from."""
        self._named: dict[Expression, Name] = {}
        for argument, spec in zip(plan.arguments, arguments, strict=True):
            for dim, size in enumerate(spec.shape):
                if size == DYNAMIC:
                    given = spec.extents[dim] if spec.extents else ""
                    name = given or f"{argument}_{dim}"
                    self._named[Dim(argument, dim)] = Name(name)
                    self.sizes.setdefault(name, (argument, dim))
        for size in plan.sizes:
            self._named[Name(size.name)] = self._named[size.extent]
        buffers = {one.name: self._buffer(one) for one in plan.buffers}
        self.buffers: dict[str, Json] = buffers
        self.requirements = [
            {
                "predicate": need.predicate,
                "left": str(self._extent(need.left)),
                "right": str(self._extent(need.right)),
                "message": need.message,
            }
            for need in plan.requirements
        ]
        self.results = list(plan.results)
        self._calls: list[list[str]] = []
        self._filled: list[Fill] = []
        self._text = LauncherText(plan)
        self.steps = [made for step in plan.steps for made in self._step(step)]
        self.libraries = self._library_text() if self._calls else ""

    def _buffer(self, one: Buffer) -> Json:
        """A buffer; the open extents of an argument are sizes of their own."""
        shape = [self._extent(extent) for extent in one.shape]
        if one.name in self.plan.arguments:
            for dim in range(len(shape)):
                name = self._named.get(Dim(one.name, dim))
                shape[dim] = shape[dim] if name is None else str(name)
        return {"dtype": one.dtype, "shape": shape}

    def _extent(self, extent: Extent) -> int | str:
        if isinstance(extent, int):
            return extent
        text = str(mapped(extent, self._named.get))
        return int(text) if text.isdigit() else text

    def _step(self, step: Step) -> list[Json]:
        match step:
            case Allocate():
                return [{"step": "allocate", "buffer": step.buffer}]
            case MakeConstant():
                return [{"step": "constant", "buffer": step.buffer}]
            case MakeCounters():
                return [{"step": "counters", "buffer": step.buffer}]
            case View():
                return [{"step": "view", "buffer": step.buffer, "of": step.of}]
            case Copy():
                return [self._copy(step)]
            case Launch():
                return [self._launch(step)]
            case Fill():
                self._filled.append(step)
                return []  # A line of the call's function.
            case CallLibrary():
                return [self._call(step)]
            case Record():
                names = {"event": step.event, "stream": step.stream}
                return [{"step": "record", **names}]
            case Wait():
                return [{"step": "wait", "event": step.event, "stream": step.stream}]

    def _copy(self, step: Copy) -> Json:
        ends = {"from": step.source.buffer, "to": step.target.buffer}
        if not step.source.views and not step.target.views:
            return {"step": "copy", **ends}
        windows = {
            "from_window": self._window(step.source),
            "to_window": self._window(step.target),
        }
        return {"step": "copy_window", **ends, **windows}

    def _window(self, operand: Operand) -> list[list[int]]:
        """The range along each dimension of a buffer."""
        buffer = self.plan.by_name[operand.buffer]
        ranges = [[0, size] for size in buffer.static_shape]
        for view in operand.views:
            assert isinstance(view, Index), "a copy is between windows"
            for dim, part in enumerate(view.parts):
                assert isinstance(part, tuple), "a window keeps its dimensions"
                ranges[dim] = list(part) or ranges[dim]
        return ranges

    def _launch(self, step: Launch) -> Json:
        return {
            "step": "launch",
            "kernel": step.kernel,
            "grid": [self._extent(count) for count in step.grid],
            "programs_per_multiprocessor": step.persistent,
            "stream": step.stream or 0,
            "parameters": [self._parameter(one) for one in step.arguments],
        }

    def _parameter(self, one: Pointer | Descriptor | Number) -> Json:
        match one:
            case Pointer():
                return {"kind": "pointer", "buffer": one.buffer}
            case Descriptor():
                extents = None if one.extents is None else list(one.extents)
                block = {"block": list(one.block), "extents": extents}
                return {"kind": "descriptor", "buffer": one.buffer, **block}
            case Number():
                found = {"kind": "number", "type": number_type(one)}
                if one.is_size:
                    return {**found, "value": str(self._extent(one.value))}
                return {**found, "argument": str(one.value)}

    def _call(self, step: CallLibrary) -> Json:
        """A function of the file of library calls."""
        used = list(dict.fromkeys(one.buffer for one in step.operands))
        name = f"call_{len(self._calls)}"
        lines = self._text.call_lines(*self._filled, step)
        self._filled.clear()
        self._calls.append([f"def {name}({', '.join(used)}):", *lines])
        return {"step": "call", "function": name, "buffers": used}

    def _library_text(self) -> str:
        """A file with a function for each call, and the helpers they need."""
        helpers = self._text.helpers
        standard = sorted({i for name in helpers for i in HOST_HELPERS[name].imports})
        head = ['"""The library calls of this program."""', ""]
        head += [f"import {name}" for name in standard]
        head += ["", "import torch"] if standard else ["import torch"]
        sections = ["\n".join(head)]
        sections += [HOST_HELPERS[name].text.rstrip() for name in helpers]
        sections += ["\n".join(lines) for lines in self._calls]
        return "\n\n\n".join(sections) + "\n"
