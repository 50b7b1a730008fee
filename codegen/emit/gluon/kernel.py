"""A kernel whose warps have roles: shared memory, barriers, and its partitions."""

from __future__ import annotations

from xdsl.ir import SSAValue

from tilewright.codegen.emit.expressions.written import TRITON_TYPES
from tilewright.codegen.emit.gluon.partition import PART, PartitionEmitter
from tilewright.codegen.emit.source_lines import SourceLines
from tilewright.codegen.refusal import refuse
from tilewright.codegen.source.gluon_names import NotInGluonError, helper_in_gluon
from tilewright.codegen.source.names import Names
from tilewright.codegen.source.python_text import (
    Call,
    Expression,
    Group,
    Literal,
    Name,
    explode,
)
from tilewright.ir.dialects.kernel import FuncOp, element_of, is_number, shape_of
from tilewright.ir.dialects.warps import (
    BarriersOp,
    CopyInOp,
    CopyOutOp,
    PartitionOp,
    RingOp,
    SlotOp,
    SpecializeOp,
)
from tilewright.ir.dtypes import element
from tilewright.ir.errors import Place
from tilewright.ir.text import place_of


def is_specialized(func: FuncOp) -> bool:
    """Whether the warps of a kernel have roles."""
    return any(isinstance(op, SpecializeOp) for op in func.body.block.ops)


class GluonEmitter:
    """Writes one kernel and the functions of its partitions."""

    def __init__(self, func: FuncOp):
        self.func = func
        self.helpers: list[str] = []
        """The texts of functions beside the kernel."""
        self.places: list[tuple[int, Place]] = []
        self.around: dict[int, Place] = {}
        self._names = Names({*func.sizes, func.sym_name.data})
        self._outside: dict[SSAValue, str] = {}
        self._lines = SourceLines()

    def emit(self) -> list[str]:
        """The lines of the functions and of the kernel."""
        block = self.func.body.block
        named = [*block.args, *(op.results[0] for op in block.ops if op.results)]
        for value in named:
            self._outside[value] = self._names.fresh(value.name_hint or "buffer")
        special = next(op for op in block.ops if isinstance(op, SpecializeOp))
        functions: dict[str, list[str]] = {}
        calls: list[Expression] = []
        for partition in special.partitions:
            emitter = PartitionEmitter(self.func, partition, self._outside)
            name = self._function_name(partition)
            try:
                lines = emitter.function(name)
            except NotInGluonError as error:
                refuse(partition, f"specialize: Gluon has no '{error}'")
            for helper in emitter.helpers:
                self._need(helper, partition)
            assert functions.setdefault(name, lines) == lines
            calls.append(self._call(name, partition, emitter))
        for op in block.ops:
            if isinstance(op, RingOp):
                self._ring(op)
        barriers = [op for op in block.ops if isinstance(op, BarriersOp)]
        for op in barriers:
            self._barriers(op)
        self._lines.line("", Call("fence_async_shared", ()))
        self._specialize(special, calls)
        return [*self._joined(functions), *self._kernel()]

    def _need(self, helper: str, partition: PartitionOp) -> None:
        """Ask for a helper function in Gluon."""
        text = helper_in_gluon(helper)
        if text is None:
            refuse(partition, f"specialize: '{helper}' is not written in Gluon")
        if text not in self.helpers:
            self.helpers.append(text)

    def _kernel(self) -> list[str]:
        parameters: list[str] = []
        for argument in self.func.body.block.args:
            of = argument.type
            kind = ""
            if is_number(of):
                kind = f": gl.{TRITON_TYPES[element(of).name].removeprefix('tl.')}"
            parameters.append(self._outside[argument] + kind)
        parameters += [f"{name}: gl.constexpr" for name in self.func.sizes]
        head = explode(f"def {self.func.sym_name.data}(", parameters, "):", 0)
        return ["@gluon.jit", *head, *self._lines.lines]

    @staticmethod
    def _joined(functions: dict[str, list[str]]) -> list[str]:
        joined: list[str] = []
        for lines in functions.values():
            joined += [*lines[:-1], lines[-1]] if lines[-1] else lines[:-1]
            joined += ["", ""]
        return joined

    def _function_name(self, partition: PartitionOp) -> str:
        """Partitions that share the rows share a function."""
        label = partition.label.data
        if partition.part is not None:
            label = label.rpartition("_")[0]
        return f"{self.func.sym_name.data}_{label}"

    def _call(
        self, name: str, partition: PartitionOp, emitter: PartitionEmitter
    ) -> Expression:
        given: list[Expression] = [Name(self._outside[v]) for v in emitter.outside]
        for constant in emitter.constants:
            is_part = constant == PART and partition.part is not None
            text = str(partition.part.value.data) if is_part else constant  # pyright: ignore
            given.append(Literal(text))
        return Group((Name(name), Group(tuple(given), "()")), "()")

    def _ring(self, op: RingOp) -> None:
        of = op.result.type
        shape = [of.slots.value.data, *shape_of(of.tile)]
        kind = TRITON_TYPES[element(element_of(of.tile)).name].replace("tl.", "gl.")
        sizes = Group(tuple(Literal(str(size)) for size in shape))
        layout = Name(f"{self._outside[_descriptor(op)]}.layout")
        made = Call("gl.allocate_shared_memory", (Name(kind), sizes, layout))
        self._lines.line(f"{self._outside[op.result]} = ", made)

    def _barriers(self, op: BarriersOp) -> None:
        name, slots = self._outside[op.result], op.result.type.slots.value.data
        shape = Group((Literal(str(slots)), Literal("1")))
        layout = Call("mbarrier.MBarrierLayout", ())
        made = Call("gl.allocate_shared_memory", (Name("gl.int64"), shape, layout))
        self._lines.line(f"{name} = ", made)
        self._lines.text(f"for slot in gl.static_range({slots}):")
        count = op.arrivals.value.data
        self._lines.text(f"    mbarrier.init({name}.index(slot), count={count})")

    def _specialize(self, op: SpecializeOp, calls: list[Expression]) -> None:
        """The first partition has the warps of the launch, the others their own."""
        workers = op.partitions[1:]
        warps = [Literal(str(p.warps.value.data)) for p in workers]
        registers = [Literal(str(p.registers.value.data)) for p in workers]
        arguments = (Group(tuple(calls)), Group(tuple(warps)), Group(tuple(registers)))
        self._lines.comment_place(op)
        self._lines.line("", Call("gl.warp_specialize", arguments))
        if (place := place_of(op)) is not None:
            self.places = [(1, place)]


def _descriptor(op: RingOp) -> SSAValue:
    """The descriptor through which the tiles of a ring are copied."""
    for use in op.result.uses:
        slot = use.operation
        assert isinstance(slot, SlotOp)
        for reader in slot.result.uses:
            if isinstance(reader.operation, CopyInOp | CopyOutOp):
                return reader.operation.descriptor
    raise AssertionError("a ring that nothing is copied to or from")
