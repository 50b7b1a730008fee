"""Checking a built program's numbers without a GPU, and saying how it was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import DYNAMIC, Shapes
from tilewright.ir.dtypes import Array
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run as interpret
from tilewright.ir.tolerance import Comparison, compare
from tilewright.pipeline import Built, argument_specs, reduction_length, reference
from tilewright.tuning.inputs import random_inputs

TRITON_TYPES = {"f16", "f32"}
"""Element types that are checked in Triton's interpreter; others one level up."""


@dataclass(frozen=True)
class Question:
    """Random inputs for a payload, and the results it gives for them."""

    inputs: Sequence[Array]
    expected: Sequence[Array]
    dtypes: Sequence[str]
    reduction: int
    seed: int
    shapes: Shapes | None = None
    """Of the arguments, where types leave sizes open."""

    @property
    def work(self) -> float:
        """Roughly the floating-point operations of the payload."""
        largest = max((array.size for array in self.expected), default=0)
        return 2.0 * self.reduction * largest


def ask(payload: ModuleOp, seed: int, shapes: Shapes | None = None) -> Question:
    """Random inputs, and the payload's own results by the numpy interpreter.

    `shapes` of the arguments are needed where types leave sizes open.
    """
    arguments, results = argument_specs(payload)
    if shapes is not None:
        arguments = [
            replace(spec, shape=tuple(shape))
            for spec, shape in zip(arguments, shapes, strict=True)
        ]
    for spec in arguments:
        if DYNAMIC in spec.shape:
            raise UserError(
                f"the sizes of argument '{spec.name}' are known only when it runs",
                remedy="give them, or give the payload static shapes",
            )
    inputs = random_inputs(arguments, seed)
    return Question(
        inputs,
        reference(payload, inputs),
        [spec.dtype for spec in results],
        reduction_length(payload, shapes),
        seed,
        shapes,
    )


def judge(
    question: Question, actual: Sequence[Array], precision: str | None = None
) -> Comparison:
    """Compare every result; the first that is off, or the last that is fine.

    `precision` is what f32 results are held to, if not to their own type.
    """
    outcome: Comparison | None = None
    for got, want, dtype in zip(
        actual, question.expected, question.dtypes, strict=True
    ):
        held_to = precision if precision and dtype == "f32" else dtype
        outcome = compare(got, want, held_to, question.reduction)
        if not outcome.ok:
            break
    assert outcome is not None, "a payload has at least one result"
    return outcome


def check_kernel_ir(built: Built, question: Question) -> Comparison:
    """Run the kernel level on numpy: any dtype, and quick."""
    inputs = [array.copy() for array in question.inputs]
    return judge(question, interpret(built.kernel, inputs), built.program.precision)


def check_triton_source(
    built: Built, questions: Sequence[Question]
) -> list[Comparison]:
    """Run the emitted source in Triton's interpreter; one process for all questions."""
    from tilewright.codegen.interpret import Job, interpret_all

    jobs = [Job(built.program, question.inputs) for question in questions]
    return [
        judge(question, results, built.program.precision)
        for question, results in zip(questions, interpret_all(jobs), strict=True)
    ]


def check_without_gpu(
    built: Built, questions: Sequence[Question]
) -> tuple[list[Comparison], str]:
    """The best check there is here, of each question, and what it was."""
    dtypes = {spec.dtype for spec in (*built.program.arguments, *built.program.results)}
    if dtypes <= TRITON_TYPES:
        return check_triton_source(built, questions), "Triton's interpreter"
    found = [check_kernel_ir(built, question) for question in questions]
    return found, "the kernel-level numpy interpreter"
