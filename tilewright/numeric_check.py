"""Checking a built program's numbers without a GPU, and saying how it was done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import DYNAMIC, GeneratedProgram, Shapes
from tilewright.inspect.verify_rounding import RoundingWatch, slack_after
from tilewright.ir.dtypes import Array
from tilewright.ir.errors import CompilerBug, UserError
from tilewright.ir.interpreter import Options
from tilewright.ir.interpreter import run as interpret
from tilewright.ir.interpreter.registry import find_function
from tilewright.ir.interpreter.signature import signature_of
from tilewright.ir.text import place_of
from tilewright.ir.tolerance import Comparison, compare
from tilewright.pipeline import Built, argument_specs, reduction_length, reference
from tilewright.tuning.measure.inputs import random_inputs

TRITON_TYPES = {"f16", "f32"}
"""Element types that are checked in Triton's interpreter; others one level up."""

TRITON_AT_MOST = 12_000
"""Operations on tiles that Triton's interpreter is asked for, at about half a
millisecond each; beyond that the kernel level is run, at a fifth of the time."""

Progress: TypeAlias = Callable[[str], None]
"""Told now and then how far a check is."""


@dataclass(frozen=True)
class WrittenArgument:
    """A buffer that a payload takes, and what it must hold afterwards."""

    position: int
    name: str
    dtype: str
    expected: Array


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
    slack: float = 0.0
    """What results may be off beyond the usual, over their size."""
    device_slack: float = 0.0
    """The same on a device, whose division is not exact."""
    buffers: Sequence[WrittenArgument] = ()
    """Arguments that are buffers: a payload may write them beside its results."""
    rounding: str = ""
    """What the program rounds on purpose, and how far off that is, in words."""

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
    function = find_function(payload, None)
    kinds = [argument.kind for argument in signature_of(function).arguments]
    if not results and "memref" not in kinds:
        raise UserError(
            f"@{function.sym_name.data} returns nothing that could be compared",
            place_of(function),
            "return the tensors that it computes, or take a buffer to write them to",
        )
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
    after = [array.copy() for array in inputs]
    expected = reference(payload, after)
    buffers = [
        WrittenArgument(at, arguments[at].name, arguments[at].dtype, after[at])
        for at, kind in enumerate(kinds)
        if kind == "memref"
    ]
    return Question(
        inputs,
        expected,
        [spec.dtype for spec in results],
        reduction_length(payload, shapes),
        seed,
        shapes,
        buffers=buffers,
    )


def rounded(built: Built, question: Question) -> Question:
    """What a program must give that rounds on purpose (`quantize`).

    The payload after the step that rounds is asked, and its products are held to the
    bound of their format (`transforms/structured/quantize/rounding.py`). The kernels
    must give these very numbers, within the usual tolerance: they still have to be
    right. A device divides factors by scales to within two units in the last place,
    which may round a factor to the number beside. `device_slack` covers one factor.
    """
    if not built.roundings or question.rounding:
        return question
    used = one_step = slack = 0.0
    results: Sequence[Array] = question.expected
    for rounding in built.roundings:
        watch = RoundingWatch(rounding.products)
        inputs = [array.copy() for array in question.inputs]
        results = watch.run(rounding.payload, inputs, None, Options())
        if watch.reason is not None:
            raise CompilerBug(f"step {rounding.index} is wrong: {watch.reason}")
        used, one_step = max(used, watch.used), max(one_step, watch.one_step)
        slack = max(slack, *map(slack_after, rounding.products))
    products = [each for rounding in built.roundings for each in rounding.products]
    formats = ", ".join(dict.fromkeys(str(each.form.type) for each in products))
    count = f"{len(products)} products" if len(products) > 1 else "a product"
    off = max(
        compare(got, want, dtype, question.reduction).relative_error
        for got, want, dtype in zip(
            results, question.expected, question.dtypes, strict=True
        )
    )
    return replace(
        question,
        expected=results,
        slack=slack,
        device_slack=max(slack, one_step),
        rounding=(
            f"rounds {count} to {formats} on purpose: off by at most {used:.0%} of "
            f"the format's bound, the results by at most {off:.2g} of their root mean "
            "square; checked against the rounded payload"
        ),
    )


def judge(
    question: Question,
    actual: Sequence[Array],
    precision: str | None = None,
    arguments: Sequence[Array] | None = None,
) -> Comparison:
    """Compare every result; the first that is off, or the last that is fine.

    `precision` is what f32 results are held to, if not to their own type; `arguments`
    are those of the call, as it left them.
    """
    outcome: Comparison | None = None
    for buffer in question.buffers if arguments is not None else ():
        assert arguments is not None
        dtype = buffer.dtype
        held_to = precision if precision and dtype == "f32" else dtype
        got = arguments[buffer.position]
        outcome = compare(
            got, buffer.expected, held_to, question.reduction, question.slack
        )
        if not outcome.ok:
            message = f"argument '{buffer.name}' afterwards: {outcome.message}"
            return replace(outcome, message=message)
    for got, want, dtype in zip(
        actual, question.expected, question.dtypes, strict=True
    ):
        held_to = precision if precision and dtype == "f32" else dtype
        outcome = compare(got, want, held_to, question.reduction, question.slack)
        if not outcome.ok:
            break
    assert outcome is not None, "a payload has a result, or writes a buffer"
    return outcome


def check_kernel_ir(
    built: Built, question: Question, progress: Progress | None = None
) -> Comparison:
    """Run the kernel level on numpy: any dtype, and quick."""
    question = rounded(built, question)
    inputs = [array.copy() for array in question.inputs]
    results = interpret(built.kernel, inputs, options=Options(progress=progress))
    return judge(question, results, built.program.precision, inputs)


def check_triton_source(
    built: Built, questions: Sequence[Question], progress: Progress | None = None
) -> list[Comparison]:
    """Run the emitted source in Triton's interpreter; one process for all questions."""
    from tilewright.codegen.runtime.interpret import Job, interpret_all

    questions = [rounded(built, question) for question in questions]
    jobs = [
        Job(built.program, [array.copy() for array in question.inputs])
        for question in questions
    ]
    return [
        judge(question, results, built.program.precision, job.inputs)
        for question, job, results in zip(
            questions, jobs, interpret_all(jobs, progress=progress), strict=True
        )
    ]


def check_without_gpu(
    built: Built, questions: Sequence[Question], progress: Progress | None = None
) -> tuple[list[Comparison], str]:
    """The best check there is here, of each question, and what it was."""
    program = built.program
    dtypes = {spec.dtype for spec in (*program.arguments, *program.results)}
    is_quick = _tile_operations(program) <= TRITON_AT_MOST
    if dtypes <= TRITON_TYPES and is_quick:
        found = check_triton_source(built, questions, progress)
        return found, "Triton's interpreter"
    found = [check_kernel_ir(built, question, progress) for question in questions]
    how = "the kernel-level numpy interpreter"
    if dtypes <= TRITON_TYPES:
        how += " (there are too many programs for Triton's)"
    return found, how


def _tile_operations(program: GeneratedProgram) -> int:
    """How many tiles are loaded, stored and multiplied in all: what takes the time."""
    return sum(
        kernel.programs
        * (
            1
            + sum(access.count for access in kernel.accesses)
            + sum(dot.count for dot in kernel.dots)
        )
        for work in program.works
        for kernel in work.kernels
    )
