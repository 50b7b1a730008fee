"""Run a schedule, written as upstream MLIR, over a payload; watch every step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from support.mlir_opt import mlir_opt, mlir_opt_each
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import Options, run
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.ir.text import parse_module, to_text
from tilewright.ir.tolerance import compare
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import Step, run_schedule

OP = "!transform.any_op"
NUMPY = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}

TO_VECTORS = """
transform.named_sequence @to_vectors(%f: !transform.any_op {transform.readonly}) {
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_masked_transfers
    transform.apply_patterns.vector.reduction_to_contract
    transform.apply_patterns.vector.transfer_permutation_patterns
    transform.apply_patterns.vector.fold_arith_extension
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %f : !transform.any_op
  %l = transform.structured.match ops{["scf.for"]} in %f : (!transform.any_op) -> !transform.any_op
  transform.apply_licm to %l : !transform.any_op
  transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
  transform.apply_patterns to %f { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.apply_cse to %f : !transform.any_op
  transform.yield
}
"""  # noqa: E501

BUFFERIZE = (
    "%buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} "
    "%root {bufferize_function_boundaries = true, allow_return_allocs_from_loops = "
    f"true}} : ({OP}) -> {OP}"
)


def match(handle: str, op: str, root: str = "%root") -> str:
    """`%handle = structured.match ops{["op"]} in %root`."""
    return (
        f'{handle} = transform.structured.match ops{{["{op}"]}} in {root} '
        f": ({OP}) -> {OP}"
    )


def forall(results: str, target: str, sizes: str, mapping: str | None = None) -> str:
    """`tile_using_forall` with sizes written as numbers."""
    placed = f" (mapping = [{mapping}])" if mapping is not None else ""
    return (
        f"{results} = transform.structured.tile_using_forall {target} "
        f"tile_sizes [{sizes}]{placed} : ({OP}) -> ({OP}, {OP})"
    )


def for_loops(results: str, target: str, sizes: str, extra: str = "") -> str:
    """`tile_using_for` with sizes written as numbers."""
    types = ", ".join([OP] * len(results.split(",")))
    return (
        f"{results} = transform.structured.tile_using_for {target} "
        f"tile_sizes [{sizes}] {extra}: ({OP}) -> ({types})"
    )


def fuse(results: str, producer: str, loop: str) -> str:
    """`fuse_into_containing_op`."""
    return (
        f"{results} = transform.structured.fuse_into_containing_op {producer} into "
        f"{loop} : ({OP}, {OP}) -> ({OP}, {OP})"
    )


def vectorize(target: str, sizes: str | None = None) -> str:
    """`vectorize`, with sizes or without."""
    given = f" vector_sizes [{sizes}]" if sizes is not None else ""
    return f"transform.structured.vectorize {target}{given} : {OP}"


def patterns(*groups: str, to: str = "%root") -> str:
    """`apply_patterns` with the groups of these names."""
    body = " ".join(f"transform.apply_patterns.{group}" for group in groups)
    return f"transform.apply_patterns to {to} {{ {body} }} : {OP}"


def on(verb: str, target: str = "%root") -> str:
    """An op without results on one handle: `transform.verb to %target`."""
    word = "" if verb.startswith(("loop.", "structured.")) else "to "
    return f"transform.{verb} {word}{target} : {OP}"


def include(name: str, handle: str) -> str:
    """`include @name` on one handle."""
    return f"transform.include @{name} failures(propagate) ({handle}) : ({OP}) -> ()"


def schedule_of(*body: str, sequences: str = "") -> str:
    """A schedule: named sequences, then @__transform_main with these ops."""
    lines = "\n".join(f"  {line}" for line in body)
    return (
        f"{sequences}"
        f"transform.named_sequence @__transform_main"
        f"(%root: {OP} {{transform.consumed}}) {{\n{lines}\n  transform.yield\n}}\n"
    )


@dataclass(frozen=True)
class Dump:
    """The payload after one step."""

    step: str
    module: ModuleOp

    @property
    def text(self) -> str:
        return to_text(self.module)


@dataclass
class Ran:
    """A payload before and after a schedule, and after each of its steps."""

    before: ModuleOp
    module: ModuleOp
    dumps: list[Dump]

    @property
    def text(self) -> str:
        return to_text(self.module)


def parse_payload(text: str, name: str = "payload.mlir") -> ModuleOp:
    return parse_module(text, name, payload_context())


def parse_schedule(text: str, name: str = "schedule.mlir") -> ModuleOp:
    whole = f"module attributes {{transform.with_named_sequence}} {{\n{text}}}\n"
    return parse_module(whole, name, schedule_context())


def transform(payload: str, schedule: str) -> Ran:
    """Run a schedule by our interpreter."""
    before = parse_payload(payload)
    module = before.clone()
    dumps: list[Dump] = []

    def watch(step: Step, after: ModuleOp) -> None:
        dumps.append(Dump(f"{step.index} {step.name}", after.clone()))

    run_schedule(parse_schedule(schedule), module, observers=[watch])
    return Ran(before, module, dumps)


def refusal(payload: str, schedule: str) -> UserError:
    """The error of a schedule; checks that the refused step changed nothing."""
    module = parse_payload(payload)
    kept = [to_text(module)]

    def watch(step: Step, after: ModuleOp) -> None:
        kept.append(to_text(after))

    with pytest.raises(UserError) as caught:
        run_schedule(parse_schedule(schedule), module, observers=[watch])
    assert to_text(module) == kept[-1], "a refused step changed the payload"
    return caught.value


RUN = ("--transform-interpreter", "--test-transform-dialect-erase-schedule")


def in_one_module(payload: str, schedule: str) -> str:
    """Payload and schedule in one module, as real MLIR expects them."""
    return (
        f"module attributes {{transform.with_named_sequence}} {{\n{schedule}{payload}}}"
    )


def by_real_mlir(payload: str, schedule: str) -> str:
    """The result of `mlir-opt-22` for the same schedule and payload."""
    return mlir_opt(in_one_module(payload, schedule), *RUN)


def each_by_real_mlir(payloads: Sequence[str], schedule: str) -> list[str]:
    """The same for several payloads, in one process."""
    texts = [in_one_module(payload, schedule) for payload in payloads]
    answers = mlir_opt_each(texts, *RUN)
    return [
        mlir_opt(text, *RUN) if answer is None else answer
        for text, answer in zip(texts, answers, strict=True)
    ]


def inputs_of(module: ModuleOp, seed: int = 3) -> list[Any]:
    """Random arguments for the module's function."""
    rng = np.random.default_rng(seed)
    signature = signature_of(find_function(module, None))
    return [
        rng.standard_normal(spec.shape).astype(spec.dtype)
        if spec.element_type.startswith(("f", "bf"))
        else rng.integers(
            *((-4, 5) if spec.below is None else (0, spec.below)), spec.shape
        ).astype(spec.dtype)
        for spec in signature.arguments
    ]


def evaluate(module: ModuleOp, inputs: Sequence[Any], shuffle: int | None = 5) -> Any:
    """The results; unwritten memory reads as NaN, and tiles run in a random order.

    Checks that the arguments are unchanged: no schedule may write to them.
    """
    given = [np.array(value) for value in inputs]
    options = Options(poison_uninitialized=True, shuffle_forall_seed=shuffle)
    results = run(module, given, options=options)
    for kept, value in zip(inputs, given, strict=True):
        same = np.asarray(kept).tobytes() == value.tobytes()  # NaN is itself, too
        assert same, "an argument was written to"
    return results


def assert_same_numbers(ran: Ran, *, reduction: int = 1, each: bool = True) -> None:
    """Check that the payload computes the same after each step of the schedule."""
    inputs = inputs_of(ran.before)
    expected = evaluate(ran.before, inputs, shuffle=None)
    results = signature_of(find_function(ran.before, None)).results
    stages = ran.dumps if each else []
    if not stages or stages[-1].text != ran.text:
        stages = [*stages, Dump("the end", ran.module)]
    for stage in stages:
        step, actual = stage.step, evaluate(stage.module, inputs)
        assert len(actual) == len(expected)
        for spec, got, want in zip(results, actual, expected, strict=True):
            outcome = compare(got, want, spec.element_type, reduction)
            assert outcome.ok, f"after {step}: {outcome.message}"
