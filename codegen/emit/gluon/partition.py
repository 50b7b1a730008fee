"""One partition of a kernel: a function of the file."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from tilewright.codegen.emit.expressions.table import write
from tilewright.codegen.emit.expressions.written import (
    Written,
    extents,
    full,
    triton_type,
)
from tilewright.codegen.emit.gluon.layouts import WHOLE, LayoutNames, definition, line
from tilewright.codegen.emit.kernel import KernelEmitter
from tilewright.codegen.source.gluon_names import in_gluon
from tilewright.codegen.source.python_text import (
    Call,
    Expression,
    Group,
    Literal,
    Name,
    Suffix,
    explode,
    lay_out,
)
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    FullOp,
    FuncOp,
    HalvesOp,
    named_sizes,
    shape_of,
)
from tilewright.ir.dialects.warps import (
    ArriveOp,
    ConvertOp,
    CopyInOp,
    CopyOutOp,
    DotOp,
    DotWaitOp,
    ExpectOp,
    FenceOp,
    PartitionOp,
    PartOp,
    PinOp,
    ReadOp,
    ReshapeOp,
    SlotOp,
    StoreWaitOp,
    SyncOp,
    TransposeOp,
    WaitOp,
    WriteOp,
)

PART = "PART"


class PartitionEmitter(KernelEmitter):
    """Writes the function of one partition."""

    def __init__(
        self, func: FuncOp, partition: PartitionOp, names: dict[SSAValue, str]
    ):
        super().__init__(func, partition.body.block)
        self.partition = partition
        self.outside = [value for value in names if _reads(partition, value)]
        for value in self.outside:
            self._variables.assign(value, self._names.fresh(names[value]))
        self._layouts = LayoutNames()
        self._lines.translate = in_gluon
        ops = list(partition.body.walk())
        read = {name for op in ops for name, _ in named_sizes(op)}
        has_part = any(isinstance(op, PartOp) for op in ops)
        self.constants = [PART] if has_part else []
        self.constants += [name for name in func.sizes if name in read]

    def body(self) -> list[str]:
        """The lines of the function, without its first."""
        self._block(self.partition.body.block)
        head: list[str] = []
        if self._layouts.has_lines:
            made = line(self.partition.warps.value.data)
            head += lay_out(f"{WHOLE}: gl.constexpr = ", made, "", 4)
        for name, layout in self._layouts.used.items():
            head += lay_out(f"{name}: gl.constexpr = ", definition(layout), "", 4)
        return [*head, *self._lines.lines]

    def function(self, name: str) -> list[str]:
        """The lines of the function."""
        body = self.body()
        parameters = [self._variables[value] for value in self.outside]
        parameters += [f"{size}: gl.constexpr" for size in self.constants]
        return ["@gluon.jit", *explode(f"def {name}(", parameters, "):", 0), *body]

    def _op(self, op: Operation) -> None:
        match op:
            case FullOp() | ArangeOp():
                made = write(self, op)
                assert isinstance(made.text, Call)
                layout = ("layout", self._layouts.expression(op.layout))
                call = Call(
                    made.text.function,
                    made.text.arguments,
                    (*made.text.keywords, layout),
                )
                self._bind(op, Written(call, made.shape))
            case PartOp():
                self._variables.keep_inline(op.result, Written(Name(PART), (), True))
            case SlotOp() | ReshapeOp() | TransposeOp():
                self._variables.keep_inline(op.result, Written(self._view(op), ()))
            case ConvertOp():
                self._bind(op, self._converted(op))
            case HalvesOp():
                self._split(op)
            case PinOp():
                call = Call("_pin", (self.get(op.source).text,))
                self._statement(op, [op.result], call)
            case ReadOp():
                layout = self._layouts.expression(op.layout)
                text = Call(f"{self.get(op.view).text}.load", (layout,))
                self._statement(op, [op.result], text)
            case DotOp():
                self._statement(op, [op.result], self._dot(op))
            case DotWaitOp():
                values = Group(tuple(self.get(v).text for v in op.values), "()")
                pending = Literal(str(op.pending.value.data))
                call = Call("warpgroup_mma_wait", (pending,), (("deps", values),))
                self._statement(op, op.results_, call)
            case _ if (text := self._effect(op)) is not None:
                self._lines.line("", text)
            case _:
                super()._op(op)

    def _effect(self, op: Operation) -> Expression | None:
        """An op without results."""
        match op:
            case WaitOp():
                barrier = self._at(op.barriers, op.slot)
                return Call("mbarrier.wait", (barrier, self.get(op.parity).text))
            case ExpectOp():
                size = Literal(str(op.bytes.value.data))
                return Call("mbarrier.expect", (self._at(op.barriers, op.slot), size))
            case ArriveOp():
                keywords: list[tuple[str, Expression]] = [("count", Literal("1"))]
                if op.condition is not None:
                    keywords.append(("pred", self.get(op.condition).text))
                barrier = self._at(op.barriers, op.slot)
                return Call("mbarrier.arrive", (barrier,), tuple(keywords))
            case CopyInOp():
                return Call(
                    "tma.async_copy_global_to_shared",
                    (
                        self.get(op.descriptor).text,
                        self._offsets(op.offsets),
                        self._at(op.barriers, op.slot),
                        self.get(op.view).text,
                    ),
                )
            case CopyOutOp():
                return Call(
                    "tma.async_copy_shared_to_global",
                    (
                        self.get(op.descriptor).text,
                        self._offsets(op.offsets),
                        self.get(op.view).text,
                    ),
                )
            case StoreWaitOp():
                return Call("tma.store_wait", (Literal(str(op.pending.value.data)),))
            case WriteOp():
                target = self.get(op.view).text
                return Call(f"{target}.store", (full(self, op.value),))
            case FenceOp():
                return Call("fence_async_shared", ())
            case SyncOp():
                return Call("_sync", ())
            case _:
                return None

    def _at(self, of: SSAValue, slot: SSAValue) -> Expression:
        """A slot of a ring, or its barrier."""
        return Call(f"{self.get(of).text}.index", (self.get(slot).text,))

    def _offsets(self, offsets: Sequence[SSAValue]) -> Group:
        return Group(tuple(self.get(offset).text for offset in offsets))

    def _view(self, op: SlotOp | ReshapeOp | TransposeOp) -> Expression:
        if isinstance(op, SlotOp):
            return self._at(op.ring, op.slot)
        source = self.get(op.source).text
        if isinstance(op, ReshapeOp):
            shape = list(shape_of(op.result.type.tile))
            return Suffix(source, f".reshape({shape})")
        order = tuple(int(dim) for dim in op.order.get_values())
        return Suffix(source, f".permute({order})")

    def _split(self, op: HalvesOp) -> None:
        """Halves in the layout of a product of half the columns; no lane moves."""
        rows, columns = shape_of(op.left.type)
        cut = Call("gl.reshape", (full(self, op.source), _numbers((rows, 2, columns))))
        turned = Call("gl.permute", (cut, _numbers((0, 2, 1))))
        names = [self._names.fresh(half.name_hint or "half") for half in op.results]
        self._lines.line(f"{', '.join(names)} = ", Call("gl.split", (turned,)))
        layout = self._layouts.expression(op.layout)
        for half, name in zip(op.results, names, strict=True):
            call = Call("gl.convert_layout", (Name(name), layout))
            self._lines.assign(name, call)
            self._variables.assign(half, name)

    def _converted(self, op: ConvertOp) -> Written:
        source = self.get(op.source)
        layout = self._layouts.expression(op.layout)
        return Written(Call("gl.convert_layout", (source.text, layout)), source.shape)

    def _dot(self, op: DotOp) -> Expression:
        operands = [self.get(op.lhs).text, self.get(op.rhs).text]
        keywords: list[tuple[str, Expression]] = [("is_async", Name("True"))]
        if op.acc is not None:
            operands.append(full(self, op.acc))
        else:
            of = op.result.type
            layout = self._layouts.expression(op.layout)
            zeros = (extents(None, of), triton_type(of), layout)
            operands.append(Call("gl.zeros", zeros))
            keywords.insert(0, ("use_acc", Name("False")))
        return Call("warpgroup_mma", tuple(operands), tuple(keywords))

    def _start(self, value: SSAValue) -> Expression:
        """A number starts a loop as it is."""
        written = self.get(value)
        return written.text if not shape_of(value.type) else full(self, value)

    def _statement(
        self, op: Operation, results: Sequence[SSAValue], text: Expression
    ) -> None:
        """A line of its own: what runs by itself keeps its place."""
        names = [self._variables.name_for(op, result) for result in results]
        if len(names) == 1:
            self._lines.assign(names[0], text)
        else:
            self._lines.line(f"{', '.join(names)} = ", text)
        for result, name in zip(results, names, strict=True):
            self._variables.assign(result, name)


def _numbers(values: Sequence[int]) -> Group:
    return Group(tuple(Literal(str(value)) for value in values), "()")


def _reads(partition: PartitionOp, value: SSAValue) -> bool:
    return any(partition.is_ancestor(use.operation) for use in value.uses)
