"""Products and convolutions that a vendor's library computes, with their tails."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.constants import constant_of
from tilewright.codegen.analysis.libraries.call import shape_of
from tilewright.codegen.analysis.libraries.find_call import library_call
from tilewright.codegen.describe.call_work import call_info
from tilewright.codegen.program import CallInfo
from tilewright.codegen.targets import Target
from tilewright.ir.dialects.linalg import FillOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.structured.product_tails import ProductTail, absorbed_product
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import ASSUMED, OpFacts, Role
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.library import call_time
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.writing.lines import Lines


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The call that computes a whole group, if a library has one."""
    products = [f for f in group.ops if f.role in (Role.CONTRACTION, Role.WINDOW)]
    rest = [f for f in group.ops if f not in products and f not in group.fills]
    if len(products) != 1 or len(rest) > 1 or not all(map(_is_zero, group.fills)):
        return ()
    (product,) = products
    form: ProductTail | None = None
    if rest:
        form = absorbed_product(rest[0].op, lambda value: value.owner)
        is_alone = len(analysis.uses(product)) == 1 and not analysis.escapes(product)
        made = None if form is None else rest[0].op.inputs[form.product].owner
        if made is not product.op or not is_alone or not group.fills:
            return ()
    library = "cudnn" if product.role == Role.WINDOW else "cublas"
    tail = rest[0].op if rest else None
    try:
        call = library_call(product.op, library, tail, form)
    except SilenceableFailure:
        return ()
    info = call_info(call, _assumed_shape, starts_from_zero=bool(group.fills))
    return [LibraryCall(group, target, library, info)]


def _is_zero(fill: OpFacts) -> bool:
    """Whether an op fills with the number 0."""
    if not isinstance(fill.op, FillOp):
        return False
    number = constant_of(fill.op.inputs[0])
    return number is not None and number.value.data == 0


def _assumed_shape(value: SSAValue) -> tuple[int, ...]:
    """The extents of a tensor; open ones as the planner assumes them."""
    return tuple(ASSUMED if size == DYNAMIC_INDEX else size for size in shape_of(value))


class LibraryCall(Sketch):
    """One call of a library for the whole group."""

    label = "library"

    def __init__(self, group: Group, target: Target, library: str, info: CallInfo):
        super().__init__(group, target)
        self.library = library
        self.info = info
        self.summary = f"one call of {library}"

    def knobs(self) -> Sequence[Knob]:
        """None: the library decides."""
        return ()

    def seconds(self, point: Point) -> float:
        """The library's time for a product of this shape."""
        return call_time(self.info, self.target).seconds

    def write(self, lines: Lines) -> None:
        """Hand the last op over; the product and its fill go with it."""
        lines.add(f'library {self.group.sink.name} by "{self.library}"')
