"""The torch reference of a large payload, which a device computes in float64.

The numpy interpreter computes the same payload at small sizes. Both must agree there
before the torch function is used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import DYNAMIC, Shapes, TensorSpec
from tilewright.codegen.standalone.reference.function import NoReference
from tilewright.codegen.standalone.reference_source import reference_source
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.ir.structured.equal_extents import Extents
from tilewright.ir.structured.smaller_sizes import with_smaller_sizes
from tilewright.ir.text import verify
from tilewright.numeric_check import CheckCase, make_case
from tilewright.payload_work import reduction_length
from tilewright.pipeline import argument_specs
from tilewright.tuning.measure.device_reference import (
    FUNCTION,
    DeviceReference,
    Witness,
)
from tilewright.tuning.measure.references import with_shapes

_MOST_WORK = 2e9
_MOST_ELEMENTS = 20_000_000
"""Floating-point operations, and elements of arguments and results, up to which numpy
computes the expected results: it takes a second or less."""


def device_reference(payload: ModuleOp, seed: int) -> DeviceReference | None:
    """The torch function of a large payload and its witness; None for others.

    Without small sizes it has no witness: numpy would take minutes instead.
    """
    if not _is_large(payload):
        return None
    return witnessed_reference(payload, seed) or _without_witness(payload)


def small_enough(payload: ModuleOp) -> ModuleOp | None:
    """The payload at small sizes, if numpy computes these in a second or less."""
    small = with_smaller_sizes(payload)
    return None if small is None or _is_large(small) else small


def _without_witness(payload: ModuleOp) -> DeviceReference | None:
    """The torch function of a payload; None if it has buffers, or no torch form."""
    arguments, results = (tuple(specs) for specs in argument_specs(payload))
    kinds = [one.kind for one in signature_of(find_function(payload, None)).arguments]
    if "memref" in kinds:
        return None
    try:
        source = reference_source(payload, FUNCTION)
    except (NoReference, UserError):
        return None
    return DeviceReference(source, arguments, results)


def witnessed_reference(payload: ModuleOp, seed: int) -> DeviceReference | None:
    """The torch function of a payload and its witness.

    None for a payload that has buffers, or no torch form, or no smaller sizes.
    """
    arguments, results = (tuple(specs) for specs in argument_specs(payload))
    kinds = [one.kind for one in signature_of(find_function(payload, None)).arguments]
    small = small_enough(payload)
    if "memref" in kinds or small is None:
        return None
    try:
        verify(small)
        case = make_case(small, seed)
        small_arguments, small_results = argument_specs(small)
        witness = Witness(
            reference_source(small, FUNCTION),
            tuple(small_arguments),
            tuple(small_results),
            tuple(case.expected),
            seed,
            case.reduction,
        )
        source = reference_source(payload, FUNCTION)
    except (NoReference, UserError):
        return None
    return DeviceReference(source, arguments, results, witness)


def open_reference(
    payload: ModuleOp, shapes: Shapes, seed: int, small: CheckCase
) -> DeviceReference | None:
    """The reference of a payload with open sizes, at large `shapes` of its arguments.

    The torch function takes any size, so its witness is the same payload at the sizes
    of `small`. None for sizes that are not large, and for a payload that has buffers,
    or no torch form, or results whose sizes are computed.
    """
    signature = signature_of(find_function(payload, None))
    closed = closed_specs(payload, shapes)
    if closed is None or any(one.kind == "memref" for one in signature.arguments):
        return None
    arguments, results = closed
    if not _is_much(arguments, results, reduction_length(payload, shapes)):
        return None
    assert small.shapes is not None
    small_closed = closed_specs(payload, small.shapes)
    assert small_closed is not None
    try:
        source = reference_source(payload, FUNCTION)
    except (NoReference, UserError):
        return None
    expected = tuple(small.expected)
    witness = Witness(source, *small_closed, expected, small.seed, small.reduction)
    return DeviceReference(source, arguments, results, witness)


def closed_specs(
    payload: ModuleOp, shapes: Shapes
) -> tuple[tuple[TensorSpec, ...], tuple[TensorSpec, ...]] | None:
    """Arguments and results at sizes; None if a result's sizes are not arguments'."""
    arguments, results = argument_specs(payload)
    extents = Extents(payload)
    if extents.block is None or extents.block.last_op is None:
        return None
    found: list[tuple[int, ...]] = []
    for value in extents.block.last_op.operands:
        dims = [
            shapes[dim[0]][dim[1]] if isinstance(dim, tuple) else dim
            for dim in extents.dims(value)
        ]
        known = tuple(dim for dim in dims if dim is not None)
        if len(known) != len(dims):
            return None
        found.append(known)
    return with_shapes(tuple(arguments), shapes), with_shapes(tuple(results), found)


def _is_large(payload: ModuleOp) -> bool:
    arguments, results = argument_specs(payload)
    if any(DYNAMIC in spec.shape for spec in (*arguments, *results)):
        return False
    return _is_much(arguments, results, reduction_length(payload))


def _is_much(
    arguments: Sequence[TensorSpec], results: Sequence[TensorSpec], reduction: int
) -> bool:
    """Whether numpy would take more than a second or so."""
    if not results:
        return False
    elements = sum(math.prod(spec.shape) for spec in (*arguments, *results))
    largest = max(math.prod(spec.shape) for spec in results)
    return 2.0 * reduction * largest > _MOST_WORK or elements > _MOST_ELEMENTS
