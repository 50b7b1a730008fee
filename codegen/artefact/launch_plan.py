"""The launcher of a program as plain data, which the loader of an artefact executes.

Sizes are expressions of Python over the names of sizes: `(M + 127) // 128`. Buffers
have the names that the launcher's source gives them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    MemRefType,
    ModuleOp,
)
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from tilewright.codegen.emit.launcher import LauncherEmitter
from tilewright.codegen.emit.sizes import SIZE_OPS, Sizes
from tilewright.codegen.kernel.modules import kernels_of, launcher_of
from tilewright.codegen.program import DYNAMIC, TensorSpec
from tilewright.codegen.source.host_helpers import HOST_HELPERS
from tilewright.ir.dialects import arith, func, memref
from tilewright.ir.dialects.kernel import (
    CopyWindowOp,
    CountersOp,
    DescriptorType,
    FuncOp,
    LaunchOp,
    LibraryOp,
    RecordOp,
    RequireOp,
    WaitOp,
    shape_of,
)
from tilewright.ir.dialects.memref import CopyOp, groups_of
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.dtypes import element, numpy_dtype

Json = dict[str, Any]

_NUMBER_TYPES = {"f32": "fp32", "i64": "i64"}
"""Triton's types of numbers; all others, sizes too, are passed as i32."""


@dataclass(frozen=True)
class Number:
    """A number that a launch passes to a kernel."""

    type: str
    """Triton's name: i32, i64, fp32."""
    is_size: bool
    """Whether it follows from the shapes of the arguments."""


@dataclass(frozen=True)
class Launch:
    """One launch: what its kernel must be compiled for."""

    kernel: str
    buffers: int
    numbers: tuple[Number, ...]


@dataclass
class LaunchPlan:
    """The steps of a program, and the files that they need."""

    sizes: dict[str, tuple[str, int]] = field(
        default_factory=dict[str, tuple[str, int]]
    )
    """The argument and the dimension that each size is read from."""
    arguments: list[str] = field(default_factory=list[str])
    """The names of the arguments here; they may differ from the payload's."""
    buffers: dict[str, Json] = field(default_factory=dict[str, Json])
    """The dtype and the shape of every buffer, arguments first."""
    requirements: list[Json] = field(default_factory=list[Json])
    steps: list[Json] = field(default_factory=list[Json])
    results: list[str] = field(default_factory=list[str])
    launches: list[Launch] = field(default_factory=list[Launch])
    """The launches, in the order of the steps."""
    constants: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """The bytes of constants, by buffer."""
    libraries: str = ""
    """Python that calls torch's libraries; empty where no step does."""


def launch_plan(module: ModuleOp, arguments: Sequence[TensorSpec]) -> LaunchPlan:
    """The plan of a module at the kernel level."""
    return _Planner(module, arguments).plan()


class _Planner:
    def __init__(self, module: ModuleOp, arguments: Sequence[TensorSpec]):
        self._kernels = kernels_of(module)
        self._globals = {
            op.sym_name.data: op for op in module.ops if isinstance(op, memref.GlobalOp)
        }
        function = launcher_of(module)
        self._emitter = LauncherEmitter(function, self._kernels)
        for op in self._globals.values():
            self._emitter.constant(op)
        self._emitter.emit()
        self._names = dict(self._emitter.names)
        self._block: Block = function.body.block
        self._arguments = arguments
        self._plan = LaunchPlan()
        self._calls: list[list[str]] = []
        self._extents: dict[tuple[SSAValue, int], str] = {}
        for argument, spec in zip(self._block.args, arguments, strict=True):
            self._name_sizes(argument, spec)
        for op in self._block.ops:
            if isinstance(op, memref.DimOp) and isinstance(op.source, BlockArgument):
                self._names[op.result] = self._extents[op.source, _constant(op.index)]
        self._sizes = Sizes(self._block, self._names)

    def plan(self) -> LaunchPlan:
        """The steps of all ops."""
        for argument in self._block.args:
            self._plan.arguments.append(self._names[argument])
            if isinstance(argument.type, MemRefType):
                self._add_buffer(argument)
        for op in self._block.ops:
            self._op(op)
        if self._calls:
            self._plan.libraries = _library_text(self._calls, self._emitter.helpers)
        return self._plan

    def _name_sizes(self, argument: SSAValue, spec: TensorSpec) -> None:
        for dim, size in enumerate(spec.shape):
            if size == DYNAMIC:
                given = spec.extents[dim] if spec.extents else ""
                name = given or f"{self._names[argument]}_{dim}"
                self._extents[argument, dim] = name
                self._plan.sizes.setdefault(name, (self._names[argument], dim))

    def _op(self, op: Operation) -> None:
        steps = self._plan.steps
        match op:
            case memref.AllocOp():
                self._add_buffer(op.memref)
                steps.append({"step": "allocate", "buffer": self._names[op.memref]})
            case memref.GetGlobalOp():
                self._constant(op)
            case CountersOp():
                self._add_buffer(op.buffer)
                steps.append({"step": "counters", "buffer": self._names[op.buffer]})
            case memref.ViewOp() | memref.ExpandShapeOp() | memref.CollapseShapeOp():
                source = op.source if isinstance(op, memref.ViewOp) else op.src
                self._add_buffer(op.result)
                names = {"buffer": self._names[op.result], "of": self._names[source]}
                steps.append({"step": "view", **names})
            case RequireOp():
                self._require(op)
            case CopyOp():
                ends = {"from": self._names[op.source], "to": self._names[op.target]}
                steps.append({"step": "copy", **ends})
            case CopyWindowOp():
                self._copy_window(op)
            case LaunchOp():
                self._launch(op)
            case LibraryOp():
                self._call(op)
            case RecordOp():
                stream = op.stream.value.data
                event = self._emitter.names[op.event]
                steps.append({"step": "record", "event": event, "stream": stream})
            case WaitOp():
                stream, event = op.stream.value.data, self._emitter.names[op.event]
                steps.append({"step": "wait", "event": event, "stream": stream})
            case func.ReturnOp():
                self._plan.results = [self._names[value] for value in op.operands]
            case _ if isinstance(op, (*SIZE_OPS, memref.SubviewOp)):
                pass  # Written where it is used.
            case _:
                raise AssertionError(f"no step for {op.name}")

    def _add_buffer(self, value: SSAValue) -> None:
        entry = {"dtype": element(value.type).name, "shape": self._shape(value)}
        self._plan.buffers[self._names[value]] = entry

    def _shape(self, value: SSAValue) -> list[int | str]:
        """The extents of a buffer: numbers, and expressions of sizes."""
        of = value.type
        assert isinstance(of, MemRefType)
        sizes: list[int | str] = list(of.get_shape())
        if DYNAMIC_INDEX not in sizes:
            return sizes
        match value.owner:
            case memref.AllocOp() as op:
                return _numbers(self._sizes.of_alloc(op))
            case memref.ExpandShapeOp() as op:
                given = iter(op.output_shape)
                return [
                    str(self._sizes.value(next(given)))
                    if size == DYNAMIC_INDEX
                    else size
                    for size in sizes
                ]
            case memref.CollapseShapeOp() as op:
                source = self._shape(op.src)
                groups = groups_of(op.reassociation)
                return [
                    " * ".join(f"({source[dim]})" for dim in group)
                    if size == DYNAMIC_INDEX
                    else size
                    for group, size in zip(groups, sizes, strict=True)
                ]
            case _:
                return [
                    self._extents[value, dim] if size == DYNAMIC_INDEX else size
                    for dim, size in enumerate(sizes)
                ]

    def _constant(self, op: memref.GetGlobalOp) -> None:
        self._add_buffer(op.memref)
        name = self._names[op.memref]
        of = self._globals[op.name_.string_value()]
        value = of.initial_value
        assert isinstance(value, DenseIntOrFPElementsAttr)
        numbers = np.asarray(cast("Sequence[float]", value.get_values()))
        full = np.broadcast_to(numbers, (int(np.prod(of.type.get_shape())),))
        self._plan.constants[name] = full.astype(numpy_dtype(of.type)).tobytes()
        self._plan.steps.append({"step": "constant", "buffer": name})

    def _require(self, op: RequireOp) -> None:
        self._plan.requirements.append(
            {
                "predicate": op.predicate.data,
                "left": str(self._sizes.value(op.lhs)),
                "right": str(self._sizes.value(op.rhs)),
                "message": op.message.data,
            }
        )

    def _copy_window(self, op: CopyWindowOp) -> None:
        windows = [[[part.start, part.stop] for part in one] for one in op.windows()]
        source, target = (self._names[value] for value in op.operands)
        self._plan.steps.append(
            {
                "step": "copy_window",
                "from": source,
                "from_window": windows[0],
                "to": target,
                "to_window": windows[1],
            }
        )

    def _launch(self, op: LaunchOp) -> None:
        kernel = self._kernels[op.kernel.string_value()]
        parameters = self._parameters(op, kernel)
        numbers = tuple(
            Number(one["type"], "value" in one)
            for one in parameters
            if one["kind"] == "number"
        )
        launch = Launch(kernel.sym_name.data, len(op.buffers), numbers)
        self._plan.launches.append(launch)
        counts = [
            str(self._sizes.value(count)) if isinstance(count, SSAValue) else count
            for count in mixed(op.grid, op.counts)
        ]
        self._plan.steps.append(
            {
                "step": "launch",
                "kernel": kernel.sym_name.data,
                "grid": counts,
                "programs_per_multiprocessor": (
                    0 if op.persistent is None else op.persistent.value.data
                ),
                "stream": 0 if op.stream is None else op.stream.value.data,
                "parameters": parameters,
            }
        )

    def _parameters(self, op: LaunchOp, kernel: FuncOp) -> list[Json]:
        found: list[Json] = []
        for buffer, parameter in zip(op.buffers, kernel.body.block.args, strict=False):
            entry: Json = {"kind": "pointer", "buffer": self._names[buffer]}
            if isinstance(parameter.type, DescriptorType):
                entry["kind"] = "descriptor"
                entry["block"] = list(shape_of(parameter.type.block))
                extents = parameter.type.extents
                entry["extents"] = None if extents is None else list(extents)
            found.append(entry)
        for number in op.scalars:
            kind = _NUMBER_TYPES.get(element(number.type).name, "i32")
            entry = {"kind": "number", "type": kind}
            if isinstance(number, BlockArgument):
                entry["argument"] = self._names[number]
            else:
                entry["value"] = str(self._sizes.value(number))
            found.append(entry)
        return found

    def _call(self, op: LibraryOp) -> None:
        """A function of `libraries.py` with the lines of a call."""
        lines = self._emitter.call_lines(op)
        used = {
            self._names[_whole(value)]: None
            for inner in op.walk()
            for value in inner.operands
            if isinstance(value.type, MemRefType) and value in self._names
        }
        name = f"call_{len(self._calls)}"
        head = f"def {name}({', '.join(used)}):"
        self._calls.append([head, *lines])
        step = {"step": "call", "function": name, "buffers": list(used)}
        self._plan.steps.append(step)


def _whole(value: SSAValue) -> SSAValue:
    """The buffer that a library reads, or that it reads a window of."""
    owner = value.owner
    return owner.source if isinstance(owner, memref.SubviewOp) else value


def _library_text(calls: Sequence[Sequence[str]], helpers: Sequence[str]) -> str:
    """A file with a function for each call, and the helpers they need."""
    wanted = [name for name in helpers if f"{name}(" in _joined(calls)]
    standard = sorted({i for name in wanted for i in HOST_HELPERS[name].imports})
    head = ['"""The library calls of this program."""', ""]
    head += [f"import {name}" for name in standard]
    sections = [
        "\n".join([*head, "", "import torch"] if standard else [*head, "import torch"])
    ]
    sections += [HOST_HELPERS[name].text.rstrip() for name in wanted]
    sections += ["\n".join(lines) for lines in calls]
    return "\n\n\n".join(sections) + "\n"


def _joined(calls: Sequence[Sequence[str]]) -> str:
    return "\n".join(line for lines in calls for line in lines)


def _numbers(sizes: Sequence[object]) -> list[int | str]:
    texts = [str(size) for size in sizes]
    return [int(text) if text.isdigit() else text for text in texts]


def _constant(value: SSAValue) -> int:
    owner = value.owner
    assert isinstance(owner, arith.ConstantOp)
    return int(owner.value.value.data)  # pyright: ignore[reportAttributeAccessIssue]
