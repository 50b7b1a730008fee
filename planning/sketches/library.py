"""Products and convolutions that a vendor's library computes, with their tails.

One call computes a whole group where the library has it; else the product, before a
kernel of the element-wise ops that follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.constants import constant_of
from tilewright.codegen.analysis.libraries.call import shape_of
from tilewright.codegen.analysis.libraries.find_call import library_call
from tilewright.codegen.analysis.libraries.products import REMEDY
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
from tilewright.planning.sketches import elementwise
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.writing.lines import Lines

ALIGNED = 16
"""Bytes that divide the rows of the products that libraries compute quickly."""


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The call that computes a whole group; or its product, before a kernel."""
    products = [f for f in group.ops if f.role in (Role.CONTRACTION, Role.WINDOW)]
    rest = [f for f in group.ops if f not in products and f not in group.fills]
    if len(products) != 1 or not all(map(_is_zero, group.fills)):
        return ()
    (product,) = products
    info = _whole_call(analysis, group, product, rest)
    if info is not None:
        found = [LibraryCall(group, target, _library(product), info)]
        padded = _whole_call(analysis, group, product, rest, "cublas_padded")
        if info.alignment < ALIGNED and padded is not None:
            found.append(PaddedCall(group, target, "cublas_padded", padded))
        return found
    return _call_and_kernel(analysis, group, product, rest, target)


def _whole_call(
    analysis: Analysis,
    group: Group,
    product: OpFacts,
    rest: Sequence[OpFacts],
    library: str | None = None,
) -> CallInfo | None:
    """The work of the call that computes a whole group, if a library has one."""
    if not rest:
        return _call(group, product, library=library)
    form = absorbed_product(rest[0].op, lambda value: value.owner)
    is_alone = len(analysis.uses(product)) == 1 and not analysis.escapes(product)
    if form is None or len(rest) > 1 or not is_alone or not group.fills:
        return None
    if rest[0].op.inputs[form.product].owner is not product.op:
        return None
    return _call(group, product, rest[0], form, library)


def _call(
    group: Group,
    product: OpFacts,
    tail: OpFacts | None = None,
    form: ProductTail | None = None,
    library: str | None = None,
) -> CallInfo | None:
    """The work of a library's call for a product, perhaps with its tail."""
    reader = None if tail is None else tail.op
    try:
        library = library or _library(product)
        call = library_call(product.op, library, reader, form)
    except SilenceableFailure:
        return None
    facts = [product] if tail is None else [product, tail]
    shape = _shapes_in(facts)
    return call_info(call, shape, starts_from_zero=bool(group.fills))


def why_no_call(product: OpFacts) -> str | None:
    """Why no library computes a convolution or a product; None if one does."""
    try:
        library_call(product.op, _library(product))
    except SilenceableFailure as error:
        # The product has no attribute to leave off, and no kernel.
        remedy = (error.remedy or "").removesuffix(REMEDY).removesuffix("; or ")
        fact = error.fact.removeprefix(f"'{product.op.name}': ")
        fact = f"it {fact}" if fact.startswith("is ") else fact
        return f"{fact}; {remedy}" if remedy else fact
    return None


def _library(product: OpFacts) -> str:
    return "cudnn" if product.role == Role.WINDOW else "cublas"


def _call_and_kernel(
    analysis: Analysis,
    group: Group,
    product: OpFacts,
    rest: Sequence[OpFacts],
    target: Target,
) -> Sequence[Sketch]:
    """A call for the product and an element-wise kernel for what follows it."""
    follows = rest and all(f.number > product.number for f in rest)
    if not follows or group.also_sinks or not group.fills:
        return ()
    info = _call(group, product)
    if info is None:
        return ()
    after = Group([group.sink])
    for facts in reversed(rest[:-1]):
        uses = [
            (use.reader, use.position)
            for use in analysis.uses(facts)
            if after.has(use.reader)
        ]
        if not uses or after.against_axes(facts, uses):
            return ()
        after.add(facts, uses)
    return [
        LibraryAndKernel(group, target, product, info, kernel)
        for kernel in elementwise.sketches(analysis, after, target)
    ]


def _is_zero(fill: OpFacts) -> bool:
    """Whether an op fills with the number 0."""
    if not isinstance(fill.op, FillOp):
        return False
    number = constant_of(fill.op.inputs[0])
    return number is not None and number.value.data == 0


def _shapes_in(
    ops: Sequence[OpFacts],
) -> Callable[[SSAValue], tuple[int, ...]]:
    """The shapes of the ops' tensors; an open size has the extent of its loop."""
    known: dict[SSAValue, tuple[int, ...]] = {}
    for facts in ops:
        pairs = [(operand.value, operand) for operand in facts.operands]
        pairs += zip(facts.op.results, facts.outputs, strict=True)
        for value, operand in pairs:
            if operand.loops:
                known[value] = tuple(
                    ASSUMED if loop is None else facts.extents[loop]
                    for loop in operand.loops
                )

    def shape(value: SSAValue) -> tuple[int, ...]:
        sizes = shape_of(value)
        extents = known.get(value, (ASSUMED,) * len(sizes))
        return tuple(
            extent if size == DYNAMIC_INDEX else size
            for size, extent in zip(sizes, extents, strict=True)
        )

    return shape


class LibraryCall(Sketch):
    """One call of a library for the whole group."""

    label = "library"
    is_sure = True
    calls_library = True

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


class PaddedCall(LibraryCall):
    """A library's product of copies whose rows are whole 16 bytes.

    Libraries take four times as long, or more, for rows of other lengths.
    """

    label = "padded_library"
    is_sure = False

    def __init__(self, group: Group, target: Target, library: str, info: CallInfo):
        super().__init__(group, target, library, info)
        self.summary = "a call of cublas on copies with rows of whole 16 bytes"


class LibraryAndKernel(Sketch):
    """A call of a library for the product, then a kernel of the element-wise ops."""

    label = "library_and_kernel"
    calls_library = True

    def __init__(
        self,
        group: Group,
        target: Target,
        product: OpFacts,
        info: CallInfo,
        kernel: Sketch,
    ):
        super().__init__(group, target)
        self.product = product
        self.info = info
        self.kernel = kernel
        self.library = _library(product)
        self.summary = f"a call of {self.library}, then {kernel.summary}"

    def knobs(self) -> Sequence[Knob]:
        """Those of the kernel."""
        return self.kernel.knobs()

    def requires(self) -> Sequence[str]:
        """The conditions of the kernel."""
        return self.kernel.requires()

    def is_valid(self, point: Point) -> bool:
        """Whether the kernel's conditions hold."""
        return self.kernel.is_valid(point)

    def points(self) -> Iterator[Point]:
        """The points of the kernel."""
        return self.kernel.points()

    def seconds(self, point: Point) -> float:
        """One after the other."""
        call = call_time(self.info, self.target).seconds
        return call + self.kernel.seconds(point)

    def write(self, lines: Lines) -> None:
        """Hand the product over, and write the kernel of the rest."""
        lines.add(f'library {self.product.name} by "{self.library}"')
        self.kernel.write(lines)
