"""Buffer level to a generated program, in one call."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp
from xdsl.ir import Block, SSAValue

from tilewright.codegen.analysis.equal_extents import SameExtents
from tilewright.codegen.analysis.indices import Linear, Runtime
from tilewright.codegen.describe import describe, describe_call
from tilewright.codegen.emit.program import emit_program
from tilewright.codegen.lower.function import Lowered, lower
from tilewright.codegen.lower.host_sizes import evaluate
from tilewright.codegen.passes.forward_copies import without_copies
from tilewright.codegen.passes.order_streams import written_memory
from tilewright.codegen.passes.widen_small_floats import without_tiny_arithmetic
from tilewright.codegen.program import (
    DYNAMIC,
    NOMINAL,
    GeneratedProgram,
    Shapes,
    TensorSpec,
    Work,
)
from tilewright.ir.dialects import arith, func, memref
from tilewright.ir.dialects.kernel import FuncOp, LaunchOp, LibraryOp
from tilewright.ir.dtypes import element
from tilewright.ir.launch_attributes import TABLE_VERSION
from tilewright.ir.text import to_text


@dataclass(frozen=True)
class Generated:
    """A program, and the kernel IR it was written from."""

    program: GeneratedProgram
    kernel_module: ModuleOp
    notes: tuple[str, ...]
    """What a reader of the result should know: which tiles stayed pointer accesses."""


def generate(
    module: ModuleOp,
    same: SameExtents = (),
    shapes: Sequence[Shapes] = (),
) -> Generated:
    """Lower a module at the buffer level and write its Triton source.

    `same` has the extents of arguments that must be equal (`equal_extents.py`).
    `shapes` of the arguments serve the description of the work alone, once for each
    list of them: the program takes any, where sizes are known only at run time.
    """
    lowered = lower(without_copies(without_tiny_arithmetic(module)), same)
    launcher = next(op for op in lowered.module.ops if isinstance(op, func.FuncOp))
    block = launcher.body.block
    terminator = block.last_op
    assert isinstance(terminator, func.ReturnOp)
    names = _extent_names(lowered, block)
    emitted = emit_program(lowered.module)
    written = written_memory(block, _kernels(lowered))
    work, *elsewhere = [_work(lowered, block, given) for given in shapes or [None]]
    program = GeneratedProgram(
        text=emitted.text,
        entry=launcher.sym_name.data,
        arguments=tuple(
            replace(_spec(argument, lowered, names), is_written=argument in written)
            for argument in block.args
        ),
        results=tuple(_spec(value, lowered, names) for value in terminator.operands),
        kernels=work.kernels,
        key=kernel_key(lowered.module),
        places=emitted.places,
        calls=work.calls,
        elsewhere=tuple(elsewhere),
    )
    return Generated(program, lowered.module, lowered.notes)


def kernel_key(module: ModuleOp) -> str:
    """A hash of the kernel IR: no locations, no names of values."""
    nameless = module.clone()
    for op in nameless.walk():
        for value in op.results:
            value.name_hint = None
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    argument.name_hint = None
    text = f"launch attributes {TABLE_VERSION}\n{to_text(nameless)}"
    return hashlib.sha256(text.encode()).hexdigest()


def _work(lowered: Lowered, launcher: Block, shapes: Shapes | None) -> Work:
    """What the launches and calls do, for shapes of the arguments or nominal ones."""
    numbers = _Numbers(lowered, shapes)
    kernels = _kernels(lowered)
    return Work(
        tuple(
            describe(
                kernels[op.kernel.string_value()],
                op,
                numbers.tiles(op),
                numbers.scalars(op),
            )
            for op in launcher.ops
            if isinstance(op, LaunchOp)
        ),
        tuple(
            describe_call(op, numbers.shape)
            for op in launcher.ops
            if isinstance(op, LibraryOp)
        ),
    )


def _kernels(lowered: Lowered) -> dict[str, FuncOp]:
    return {op.sym_name.data: op for op in lowered.module.ops if isinstance(op, FuncOp)}


class _Numbers:
    """What sizes known only at run time come to, for given shapes of the arguments."""

    def __init__(self, lowered: Lowered, shapes: Shapes | None):
        self.lowered = lowered
        self.values: dict[Runtime, int] = {}
        for position, argument in enumerate(lowered.function.body.block.args):
            if not isinstance(argument.type, MemRefType):
                self.values[Runtime(argument)] = NOMINAL
                continue
            for dim, size in enumerate(argument.type.get_shape()):
                if size == DYNAMIC:
                    size = NOMINAL if shapes is None else shapes[position][dim]
                self.values[Runtime(argument, dim)] = size

    def shape(self, buffer: SSAValue) -> tuple[int, ...]:
        """The extents of one of the launcher's buffers."""
        assert isinstance(buffer.type, MemRefType)
        shape = buffer.type.get_shape()
        if DYNAMIC not in shape:
            return shape
        forms = self.lowered.sizes[buffer]
        return tuple(evaluate(form, self.values) for form in forms)

    def tiles(self, launch: LaunchOp) -> tuple[int, ...]:
        """Extents of the tile grid."""
        forms = self.lowered.tiles[launch.kernel.string_value()]
        return tuple(evaluate(form, self.values) for form in forms)

    def scalars(self, launch: LaunchOp) -> list[int]:
        """The kernel's numbers; those of the payload count as nominal."""
        arguments: dict[SSAValue, SSAValue] = dict(
            zip(
                launch.parent.args if launch.parent else (),
                self.lowered.function.body.block.args,
                strict=True,
            )
        )
        found: list[int] = []
        for value in launch.scalars:
            owner = value.owner
            if not isinstance(owner, memref.DimOp):
                found.append(NOMINAL)
                continue
            index = owner.index.owner
            assert isinstance(index, arith.ConstantOp)
            assert isinstance(index.value, IntegerAttr)
            key = Runtime(arguments[owner.source], index.value.value.data)
            found.append(self.values[key])
        return found


def _extent_names(lowered: Lowered, launcher: Block) -> dict[Runtime, str]:
    """What the launcher calls each number that the caller brings."""
    names: dict[Runtime, str] = {}
    arguments: dict[SSAValue, SSAValue] = dict(
        zip(launcher.args, lowered.function.body.block.args, strict=True)
    )
    for op in launcher.ops:
        if isinstance(op, memref.DimOp) and op.result.name_hint:
            index = op.index.owner
            assert isinstance(index, arith.ConstantOp)
            assert isinstance(index.value, IntegerAttr)
            key = Runtime(arguments[op.source], index.value.value.data)
            names[key] = op.result.name_hint
    for argument in launcher.args:
        if not isinstance(argument.type, MemRefType):
            continue
        sizes = lowered.sizes[argument]
        for letter, size in zip(_letters(len(sizes)), sizes, strict=True):
            key = _only_number(size)
            if key is not None and key not in names:
                # No kernel takes it; a caller wants to speak of it all the same.
                taken = set(names.values())
                names[key] = next(
                    name
                    for number in range(1, len(taken) + 2)
                    if (name := letter if number == 1 else f"{letter}{number}")
                    not in taken
                )
    return names


def _letters(rank: int) -> str:
    """What the extents of a tensor are called: rows M, columns N, batches B."""
    return "B" * (rank - 2) + "MN"[-rank:] if rank else ""


def _only_number(size: Linear) -> Runtime | None:
    """The number of the caller that a size is."""
    if len(size.terms) != 1 or size.constant or size.terms[0][1] != 1:
        return None
    return size.terms[0][0].runtime


def _spec(value: SSAValue, lowered: Lowered, names: dict[Runtime, str]) -> TensorSpec:
    of = value.type
    name = value.name_hint or "buffer"
    if not isinstance(of, MemRefType):
        return TensorSpec(name, (), element(of).name, is_scalar=True)
    shape = of.get_shape()
    extents: list[str] = []
    for size in lowered.sizes[value]:
        key = _only_number(size)
        extents.append(names.get(key, "") if key is not None else "")
    return TensorSpec(
        name,
        shape,
        element(of).name,
        extents=tuple(extents) if DYNAMIC in shape else (),
    )
