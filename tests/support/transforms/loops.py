"""Loops to transform, their results, and comparisons with real MLIR."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from support.mlir_opt import mlir_opt
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    by_real_mlir,
    parse_payload,
    parse_schedule,
    schedule_of,
    transform,
)
from tilewright.ir.interpreter import Options, run
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.ir.text import parse_module, to_text
from tilewright.transforms.dialect import schedule_context

FOR = '!transform.op<"scf.for">'
LOOPS = f'%l = transform.structured.match ops{{["scf.for"]}} in %root : ({OP}) -> {FOR}'
LENGTH = 40
"""How many elements the arguments have: no loop of the tests reads past it."""

Bound = int | str


def outer(handle: str = "%l", kind: str = FOR, op: str = "scf.for") -> str:
    """A handle to the ops that carry the attribute `outer`."""
    return (
        f'{handle} = transform.structured.match ops{{["{op}"]}} attributes {{outer}} '
        f"in %root : ({OP}) -> {kind}"
    )


def constants(*bounds: Bound) -> tuple[str, list[str]]:
    """Constants for bounds that are numbers, and the name of each bound."""
    lines: list[str] = []
    names: list[str] = []
    for bound in bounds:
        if isinstance(bound, str):
            names.append(bound)
            continue
        names.append(f"%b{len(names)}")
        lines.append(f"  {names[-1]} = arith.constant {bound} : index")
    return "\n".join(lines), names


def summing(lower: Bound, upper: Bound, step: Bound) -> str:
    """A loop of two results in which order, index and carried values all matter."""
    lines, (low, high, by) = constants(lower, upper, step)
    return f"""\
func.func @f(%n: index, %s: index, %t: tensor<{LENGTH}xf32>, %z: f32) -> (f32, f32) {{
{lines}
  %half = arith.constant 0.5 : f32
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %i = {low} to {high} step {by} iter_args(%x = %z, %y = %half) -> (f32, f32) {{
    %k = arith.addi %i, %c8 : index
    %v = tensor.extract %t[%k] : tensor<{LENGTH}xf32>
    %p = arith.mulf %x, %half : f32
    %q = arith.addf %p, %v : f32
    %w = arith.subf %q, %y : f32
    scf.yield %q, %w : f32, f32
  }} {{outer}}
  return %r#0, %r#1 : f32, f32
}}
"""  # noqa: E501


def storing(lower: Bound, upper: Bound, step: Bound) -> str:
    """A loop that carries nothing and writes a buffer."""
    lines, (low, high, by) = constants(lower, upper, step)
    return f"""\
func.func @f(%n: index, %s: index,
             %t: memref<{LENGTH}xf32>, %u: memref<{LENGTH}xf32>) {{
{lines}
  %c8 = arith.constant 8 : index
  scf.for %i = {low} to {high} step {by} {{
    %k = arith.addi %i, %c8 : index
    %v = memref.load %t[%k] : memref<{LENGTH}xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %u[%k] : memref<{LENGTH}xf32>
  }} {{outer}}
  return
}}
"""


def results_of(module: ModuleOp, inputs: Sequence[Any]) -> list[Any]:
    """The results, then the buffers as they are afterwards."""
    given = [np.array(value) for value in inputs]
    options = Options(poison_uninitialized=True, shuffle_forall_seed=5)
    return [*run(module, given, options=options), *given]


def inputs_for(module: ModuleOp, n: int, s: int) -> list[Any]:
    """Arguments: `n` and `s` in turn for indices, random numbers elsewhere."""
    rng = np.random.default_rng(7)
    sizes = cycle((n, s))
    values: list[Any] = []
    for spec in signature_of(find_function(module, None)).arguments:
        if spec.element_type == "index":
            values.append(np.int64(next(sizes)))
        else:
            values.append(rng.standard_normal(spec.shape).astype(spec.dtype))
    return values


SIZES = [(0, 1), (1, 1), (2, 3), (5, 2), (7, 3), (12, 4)]
"""Values for `n` and `s`."""


def assert_equal_results(
    before: str, after: str, sizes: Iterable[tuple[int, int]] = SIZES
) -> None:
    """Check that both programs give the same bits: loop transforms do not round."""
    old, new = parse_payload(before), parse_payload(after)
    for n, s in sizes:
        inputs = inputs_for(old, n, s)
        wanted, got = results_of(old, inputs), results_of(new, inputs)
        for want, value in zip(wanted, got, strict=True):
            np.testing.assert_array_equal(value, want, f"n = {n}, s = {s}")


def transformed(payload: str, *steps: str) -> str:
    """The payload after its schedule; checked to compute the same."""
    after = transform(payload, schedule_of(*steps)).text
    assert_equal_results(payload, after)
    return after


def as_upstream(payload: str, *steps: str, then: Sequence[str] = ()) -> str:
    """As `transformed`, and checked to be the same program as real MLIR's."""
    ours = transformed(payload, *steps)
    theirs = by_real_mlir(payload, schedule_of(*steps))
    assert_same_program(ours, mlir_opt(theirs, *then) if then else theirs)
    return ours


def assert_round_trips(*steps: str, upstream: bool = True) -> None:
    """Check that ops round-trip, that real MLIR reads them, and we its generic form."""
    text = to_text(parse_schedule(schedule_of(*steps)))
    assert to_text(parse_module(text, "again.mlir", schedule_context())) == text
    if upstream:
        generic = mlir_opt(text, "--mlir-print-op-generic")
        pretty = mlir_opt(generic)
        again = to_text(parse_module(generic, "generic.mlir", schedule_context()))
        assert mlir_opt(again) == pretty == mlir_opt(text)
