"""Chains of reductions, with `stream` and without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from support.transforms.schedules import evaluate, inputs_of
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.text import to_text
from tilewright.payloads import Payload
from tilewright.pipeline import apply_schedule, parse_payload
from tilewright.schedules.schedule import Schedule


def chain_of(function: Callable[..., Any], **shapes: Any) -> str:
    """A payload of a function; a shape is of f32, or comes with its element type."""
    payload = Payload("chain")
    inputs = []
    for name, given in shapes.items():
        is_typed = isinstance(given[0], tuple)
        shape, dtype = given if is_typed else (given, "f32")
        inputs.append(payload.input(name, shape, dtype))
    made = function(*inputs)
    for output in made if isinstance(made, tuple) else (made,):
        payload.output(output)
    return payload.text()


def streamed(
    payload: str,
    *,
    by: int | None = None,
    into: int | None = None,
    targets: int = -1,
    along: int | None = None,
) -> str:
    """A payload whose last reductions (-1: one, -2: two) are streamed.

    By tiles of a size in a loop, or into a number of parallel chunks.
    """
    module = parse_payload(payload)
    ops = [op for op in module.walk() if isinstance(op, StructuredOp)]
    reductions = [number for number, op in enumerate(ops) if nest_of(op).reduced]
    where = "" if along is None else f" along {along}"
    verb = f"stream last by {by}" if into is None else f"split_stream last into {into}"
    schedule = f"""schedule s(root) {{
  ops = match implementing [LinalgOp] in root
  last = pick ops at {reductions[targets:]}
  last, more = {verb}{where}
}}"""
    made = apply_schedule(
        module, Schedule.from_text(schedule, "s.tw"), {}, complete=False
    )
    return to_text(made.payload)


def plain_and_streamed(
    payload: str,
    *,
    by: int | None = None,
    into: int | None = None,
    targets: int = -1,
    inputs: Sequence[Any] | None = None,
) -> list[tuple[Any, Any]]:
    """The results of a payload, computed plainly and with `stream`, as f64."""
    module = parse_payload(payload)
    given = inputs_of(module) if inputs is None else inputs
    changed = parse_payload(streamed(payload, by=by, into=into, targets=targets))
    with np.errstate(all="ignore"):
        plain, ours = evaluate(module, given), evaluate(changed, given)
    return [
        (np.asarray(one, np.float64), np.asarray(other, np.float64))
        for one, other in zip(plain, ours, strict=True)
    ]
