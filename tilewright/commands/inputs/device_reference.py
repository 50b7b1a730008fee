"""The torch reference of a large payload, which a device computes in float64.

The numpy interpreter computes the same payload at small sizes. Both must agree there
before the torch function is used.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import DYNAMIC
from tilewright.codegen.standalone.reference.function import NoReference
from tilewright.codegen.standalone.reference_source import reference_source
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.ir.structured.smaller_sizes import with_smaller_sizes
from tilewright.ir.text import verify
from tilewright.numeric_check import make_case
from tilewright.pipeline import argument_specs, reduction_length
from tilewright.tuning.measure.device_reference import (
    FUNCTION,
    DeviceReference,
    Witness,
)

_MOST_WORK = 2e9
_MOST_ELEMENTS = 20_000_000
"""Floating-point operations, and elements of arguments and results, up to which numpy
computes the expected results: it takes a second or less."""


def device_reference(payload: ModuleOp, seed: int) -> DeviceReference | None:
    """The torch function of a large payload and its witness; None for others."""
    return witnessed_reference(payload, seed) if _is_large(payload) else None


def witnessed_reference(payload: ModuleOp, seed: int) -> DeviceReference | None:
    """The torch function of a payload and its witness.

    None for a payload that has buffers, or no torch form, or no smaller sizes.
    """
    arguments, results = (tuple(specs) for specs in argument_specs(payload))
    kinds = [one.kind for one in signature_of(find_function(payload, None)).arguments]
    small = with_smaller_sizes(payload)
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


def _is_large(payload: ModuleOp) -> bool:
    arguments, results = argument_specs(payload)
    shapes = [spec.shape for spec in (*arguments, *results)]
    if not results or any(DYNAMIC in shape for shape in shapes):
        return False
    largest = max(math.prod(spec.shape) for spec in results)
    work = 2.0 * reduction_length(payload) * largest
    return work > _MOST_WORK or sum(map(math.prod, shapes)) > _MOST_ELEMENTS
