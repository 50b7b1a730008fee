"""The ops of a function that a library call replaces.

    linalg.fill ins(%zero) outs(%p)
    linalg.matmul ins(%a, %b) outs(%p)                 one call: torch.addmm
    linalg.generic ins(%p, %bias) outs(%out)

The call stands where its last op stood. A product has no other reader: it would have to
be computed twice. What the call reads must not change between the product and the call.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.elements.reshapes import base_of, without_casts
from tilewright.codegen.analysis.libraries.call import LibraryCall
from tilewright.codegen.analysis.libraries.find_call import library_call
from tilewright.codegen.analysis.libraries.matmuls import REMEDY
from tilewright.codegen.analysis.op_effects import effects_of
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import memref
from tilewright.ir.dialects.linalg import FillOp, SoftmaxOp, StructuredOp
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.launch_attributes.table import ONLY_CALLED
from tilewright.ir.launch_attributes.values import library_of
from tilewright.ir.structured.convolutions import Convolution
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.matmul_tails import absorbed_matmul


@dataclass(frozen=True)
class LibraryGroup:
    """The ops that one call computes."""

    op: StructuredOp | SoftmaxOp
    """The op that is handed to the library; the call stands in its place."""
    library: str
    call: LibraryCall | Convolution
    fill: FillOp | None = None
    """The fill that the product starts from."""
    product: StructuredOp | None = None
    """The product that `op` reads, if `op` is the tail of one."""
    needs_output: bool = False
    """Whether the call reads the buffer that it would write, and needs another."""


@dataclass
class LibraryGroups:
    """The calls of a function, by the op in whose place they stand."""

    groups: dict[Operation, LibraryGroup] = field(
        default_factory=dict[Operation, LibraryGroup]
    )
    absorbed: set[Operation] = field(default_factory=set[Operation])
    """Ops that are computed by a call in another place."""


def library_groups(block: Block) -> LibraryGroups:
    """The library calls of a function at the buffer level, or a refusal."""
    marked = [op for op in block.ops if library_of(op) is not None]
    found = LibraryGroups()
    if not marked:
        return found
    finder = _Finder(block, found)
    tails = [op for op in marked if isinstance(op, StructuredOp) and _is_tail(op)]
    for op in tails:
        finder.add_tail(op)
    for op in marked:
        is_open = op not in found.groups and op not in found.absorbed
        if is_open and isinstance(op, StructuredOp | SoftmaxOp):
            finder.add(op)
    finder.absorb_fills()
    return found


def _is_tail(op: StructuredOp) -> bool:
    return not isinstance(op, FillOp) and not nest_of(op).reduced


class _Finder:
    def __init__(self, block: Block, found: LibraryGroups):
        self.found = found
        self.effects = [effects_of(op) for op in block.ops]
        self.places = {each.op: place for place, each in enumerate(self.effects)}
        self.starts: dict[FillOp, set[Operation]] = {}
        """The products and copies that start from a fill."""

    def add(self, op: StructuredOp | SoftmaxOp) -> None:
        """A call for one op, with the fill of its output."""
        library = library_of(op)
        assert library is not None
        call = library_call(op, library)
        fill = self.start(op) if isinstance(op, StructuredOp) else None
        if isinstance(call, LibraryCall) and call.function == "padded_mm":
            self.check_zero(op, fill)
        self.found.groups[op] = LibraryGroup(op, library, call, fill)

    def add_tail(self, tail: StructuredOp) -> None:
        """A call for a product and the op that reads it."""
        library = library_of(tail)
        assert library is not None
        form = absorbed_matmul(tail, lambda value: self.writer(value, tail))
        if form is None:
            refuse(
                tail,
                "is no product of matrices, and not a number times a product plus a "
                "tensor either: no library has it",
                REMEDY,
            )
        product = self.writer(tail.inputs[form.matmul], tail)
        assert isinstance(product, StructuredOp)
        call = library_call(product, library, tail, form)
        self.check_readers(product, tail)
        self.check_operands(product, tail)
        fill = self.start(product)
        self.check_zero(product, fill)
        needs_output = self.needs_output(call, tail)
        self.found.absorbed.add(product)
        self.found.groups[tail] = LibraryGroup(
            tail, library, call, fill, product, needs_output
        )

    def check_zero(self, product: Operation, fill: FillOp | None) -> None:
        """Refuse a product that is added to something else than 0."""
        start = None if fill is None else constant_of(fill.inputs[0])
        if start is None or start.value.data != 0:
            refuse(product, "does not start from 0, as a library's does", REMEDY)

    def writer(self, value: SSAValue, before: Operation) -> Operation | None:
        """The last op that writes a buffer; None if it writes only a part of it."""
        value = without_casts(value)
        for each in reversed(self.effects[: self.places[before]]):
            if value in each.writes:
                return each.op if value in each.kills else None
        return None

    def start(self, product: StructuredOp) -> FillOp | None:
        """The fill that a product starts from, perhaps by way of a copy."""
        writer = self.writer(product.outputs[0], product)
        between: Operation = product
        if isinstance(writer, CopyOp) and self.is_private(writer, product):
            between, writer = writer, self.writer(writer.source, writer)
        if not isinstance(writer, FillOp):
            return None
        self.starts.setdefault(writer, set()).add(between)
        if between is not product:
            self.found.absorbed.add(between)
        return writer

    def is_private(self, copy: CopyOp, product: StructuredOp) -> bool:
        """Whether nothing but the product reads a copy."""
        target = without_casts(copy.target)
        first, last = self.places[copy], self.places[product]
        return target in self.effects[first].kills and not any(
            target in each.reads for each in self.effects[first + 1 : last]
        )

    def absorb_fills(self) -> None:
        """Drop the fills that nothing but library calls start from."""
        for fill, starting in self.starts.items():
            if all(op in starting for op in self.readers(fill, fill.outputs[0])):
                self.found.absorbed.add(fill)

    def readers(self, op: Operation, value: SSAValue) -> Iterator[Operation]:
        """The ops that read what an op writes, until something else is there."""
        value = without_casts(value)
        for each in self.effects[self.places[op] + 1 :]:
            if value in each.reads:
                yield each.op
            if value in each.kills:
                return

    def check_readers(self, product: StructuredOp, tail: StructuredOp) -> None:
        """Refuse a product that another op reads."""
        if ONLY_CALLED in product.attributes:
            return
        for reader in self.readers(product, product.outputs[0]):
            if reader is not tail:
                refuse(
                    tail,
                    f"'{reader.name}' reads the product too, which is not stored if a "
                    "library computes this op together with it",
                    "hand the product alone to the library",
                )

    def check_operands(self, product: StructuredOp, tail: StructuredOp) -> None:
        """Refuse a product whose operands are overwritten before its tail."""
        first, last = self.places[product], self.places[tail]
        read = self.effects[first].reads - self.effects[first].writes
        for each in self.effects[first + 1 : last]:
            if each.writes & read:
                refuse(
                    tail,
                    f"'{each.op.name}' overwrites an operand of the product before "
                    "this op runs",
                    REMEDY,
                )

    def needs_output(self, call: LibraryCall | Convolution, tail: StructuredOp) -> bool:
        """Whether the call would write what it reads."""
        output = base_of(tail.outputs[0])
        if isinstance(call, Convolution):
            read = {base_of(call.image.value), base_of(call.filter.value)}
        else:
            reading = [view for view in call.buffers if view != call.added]
            if call.added is not None and call.added.dims != call.output.dims:
                reading.append(call.added)
            read = {base_of(view.value) for view in reading}
        if output not in read:
            return False
        own = without_casts(tail.outputs[0])
        if own is not output or not isinstance(output.owner, memref.AllocOp):
            refuse(tail, "overwrites an operand of the product", REMEDY)
        return True
