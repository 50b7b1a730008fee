"""Run the payload of a small script before and after its schedule, and compare."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, ShapedType
from xdsl.ir import Attribute

from support.transforms.small_scripts import Small
from tilewright.ir.dtypes import element
from tilewright.ir.interpreter import run
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.text import parse_module
from tilewright.ir.types import is_buffer
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import run_schedule

OPEN = 12
"""The extent of dimensions that are not known; a multiple of most tiles."""
INDEX = 2
"""The value of arguments of type index."""


def assert_same_ends(script: Small) -> None:
    """Check that results, and buffers that are passed in, are the same to the bit."""
    both = parse_module(script.text, "small.mlir", schedule_context())
    payload, schedule = Schedule.split(both)
    assert schedule is not None
    kinds = find_function(payload, None).function_type.inputs.data
    rng = np.random.default_rng(7)
    inputs = [_argument(kind, rng) for kind in kinds]
    before = [np.array(value) for value in inputs]
    expected = run(payload, before)
    run_schedule(schedule.module, payload)
    after = [np.array(value) for value in inputs]
    actual = run(payload, after)
    for got, want in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(got, want)
    # A tensor that is declared writable may be written.
    for kind, got, want in zip(kinds, after, before, strict=True):
        if is_buffer(kind):
            np.testing.assert_array_equal(got, want)


def _argument(kind: Attribute, rng: np.random.Generator) -> Any:
    if isinstance(kind, IndexType):
        return INDEX
    shape = (
        [OPEN if size == DYNAMIC_INDEX else size for size in kind.get_shape()]
        if isinstance(kind, ShapedType)
        else ()
    )
    return rng.integers(0, 2, shape).astype(element(kind).numpy)
