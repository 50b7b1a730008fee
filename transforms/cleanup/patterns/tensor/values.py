"""Patterns on elements of tensors: extract, insert, splat, generate."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator, is_side_effect_free

from tilewright.ir.dense_constants import dense_of
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.build import owner_named, remade
from tilewright.transforms.cleanup.constants import (
    attribute_of,
    become,
    element,
    filled,
    splat_element,
    uniform,
)
from tilewright.transforms.cleanup.driver import fold_on, pattern_on
from tilewright.transforms.cleanup.shapes import (
    casted,
    constant_extents,
    shape_of,
    with_shape,
)
from tilewright.transforms.core.rewriter import Rewriter


def _position(op: Operation, shape: tuple[int, ...]) -> int | None:
    """The row-major position of an element, if its indices are constants."""
    at = 0
    for index, extent in zip(op.operands[1:], shape, strict=True):
        number = constant_int(index)
        if number is None or not 0 <= number < extent:
            return None
        at = at * extent + number
    return at


@fold_on("tensor.extract")
def element_of_constant(op: Operation, rewriter: Rewriter) -> None:
    """Replace an element of a constant, or of a tensor made from elements."""
    source = op.operands[0]
    attr = attribute_of(source)
    if isinstance(attr, DenseIntOrFPElementsAttr):
        if (same := splat_element(attr)) is not None:
            become(op, same, rewriter)
        elif (at := _position(op, shape_of(source))) is not None:
            number: Any = attr.get_values()[at]
            become(op, element(number, attr.get_element_type()), rewriter)
    elif (made := owner_named(source, "tensor.from_elements")) is not None:
        at = _position(op, shape_of(source))
        if at is not None:
            rewriter.replace(op, [made.operands[at]])


@pattern_on("tensor.extract")
def element_of_cast(op: Operation, rewriter: Rewriter) -> None:
    """Read an element before the cast."""
    cast = owner_named(op.operands[0], "tensor.cast")
    if cast is not None:
        rewriter.replace_with(op, remade(op, [cast.operands[0], *op.operands[1:]]))


@fold_on("tensor.from_elements")
def constant_elements(op: Operation, rewriter: Rewriter) -> None:
    """Make a tensor of constant elements a constant."""
    found = [uniform(operand) for operand in op.operands]
    numbers = [number for number in found if number is not None]
    if not found or len(numbers) != len(found):
        return
    become(op, dense_of(tensor_type(op.results[0]), numbers), rewriter)


@fold_on("tensor.splat")
def constant_splat(op: Operation, rewriter: Rewriter) -> None:
    """Make a splat of a constant a constant."""
    number, kind = uniform(op.operands[0]), tensor_type(op.results[0])
    if number is not None and kind.has_static_shape():
        become(op, filled(number, kind), rewriter)


@fold_on("tensor.insert")
def insert_what_is_there(op: Operation, rewriter: Rewriter) -> None:
    """Drop an insertion of a constant into a tensor of that constant."""
    number = uniform(op.operands[0])
    if number is not None and isinstance(
        attribute_of(op.operands[1]), DenseIntOrFPElementsAttr
    ):
        if uniform(op.operands[1]) == number:
            rewriter.replace(op, [op.operands[1]])


@pattern_on("tensor.generate")
def generate_of_constants(op: Operation, rewriter: Rewriter) -> None:
    """Make constant extents part of the type."""
    result = op.results[0]
    shape, kept = constant_extents(shape_of(result), op.operands)
    if len(kept) == len(op.operands):
        return
    new = type(op).create(
        operands=kept,
        result_types=[with_shape(tensor_type(result), shape)],
        regions=[op.detach_region(0)],
    )
    rewriter.replace_with(op, *casted(new, result.type))


@pattern_on("tensor.extract")
def element_of_generated(op: Operation, rewriter: Rewriter) -> None:
    """Replace an element of a generated tensor by the body that computes it."""
    generate = owner_named(op.operands[0], "tensor.generate")
    if generate is None or not is_side_effect_free(generate):
        return
    block = generate.regions[0].block
    copies: dict[SSAValue, SSAValue] = dict(
        zip(block.args, op.operands[1:], strict=True)
    )
    for inner in block.ops:
        if inner.has_trait(IsTerminator):
            value = inner.operands[0]
            rewriter.replace(op, [copies.get(value, value)])
            return
        rewriter.insert_before(op, inner.clone(value_mapper=copies))


PATTERNS = (
    element_of_constant,
    element_of_cast,
    constant_elements,
    constant_splat,
    insert_what_is_there,
    generate_of_constants,
    element_of_generated,
)
