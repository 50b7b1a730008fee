"""Checking the numbers of a built program without a GPU, in an interpreter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.program import DYNAMIC, GeneratedProgram, Shapes
from tilewright.inspect.verify_rounding import RoundingWatch, slack_after
from tilewright.ir.dialects.func import FuncOp
from tilewright.ir.dtypes import Array, element
from tilewright.ir.errors import CompilerBug, UserError
from tilewright.ir.interpreter import Options
from tilewright.ir.interpreter import run as interpret
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.ir.text import place_of
from tilewright.ir.tolerance import Comparison, compare, tolerances
from tilewright.payload_work import reduction_length
from tilewright.pipeline import Built, argument_specs, reference
from tilewright.transforms.structured.stream.record import RoundsAnew
from tilewright.tuning.measure.inputs import random_inputs

TRITON_TYPES = {"f16", "f32"}
"""Element types that Triton's interpreter checks; ours checks the others."""

TRITON_AT_MOST = 12_000
"""Most tile operations that Triton's interpreter runs, at about half a millisecond
each; beyond that our interpreter runs the kernel IR, in a fifth of the time."""

Progress: TypeAlias = Callable[[str], None]
"""Is called now and then with the progress of a check."""


@dataclass(frozen=True)
class WrittenArgument:
    """A buffer argument, and the values that it must hold afterwards."""

    position: int
    name: str
    dtype: str
    expected: Array


@dataclass(frozen=True)
class CheckCase:
    """Random inputs of a payload, and the expected results."""

    inputs: Sequence[Array]
    expected: Sequence[Array]
    dtypes: Sequence[str]
    reduction: int
    seed: int
    shapes: Shapes | None = None
    """The shapes of the arguments, where types leave sizes open."""
    slack: float = 0.0
    """Error that coarse rounding adds to the tolerance, relative to the results."""
    device_slack: float = 0.0
    """The slack on a device, whose division is not exact."""
    buffers: Sequence[WrittenArgument] = ()
    """Buffer arguments, which a payload may write."""
    anew: Sequence[float] = ()
    """The slack of each result if tensors behind it are rounded at other sizes."""
    rounds_anew: bool = False
    """Whether the program does so."""
    rounding: str = ""
    """What the program rounds on purpose, and the error of that, in words."""

    @property
    def work(self) -> float:
        """The floating-point operations of the payload, roughly."""
        largest = max((array.size for array in self.expected), default=0)
        return 2.0 * self.reduction * largest


def make_case(payload: ModuleOp, seed: int, shapes: Shapes | None = None) -> CheckCase:
    """Draw random inputs and compute the payload's results with the numpy interpreter.

    `shapes` are those of the arguments, needed where types leave sizes open.
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
    return CheckCase(
        inputs,
        expected,
        [spec.dtype for spec in results],
        reduction_length(payload, shapes),
        seed,
        shapes,
        buffers=buffers,
        anew=_rounded_anew(function, [spec.dtype for spec in results]),
    )


def _rounded_anew(function: FuncOp, dtypes: Sequence[str]) -> list[float]:
    """How coarsely the tensors behind each result are rounded."""
    returned = function.body.block.last_op
    assert returned is not None
    found: list[float] = []
    for value, dtype in zip(returned.operands, dtypes, strict=True):
        names = _rounded_to(value) if element(dtype).is_float else ()
        found.append(max((tolerances(name, 1)[0] for name in names), default=0.0))
    return found


def _rounded_to(result: SSAValue) -> set[str]:
    """The float types that elements are rounded to on the way to a result.

    Rounding in the op that makes the result is not on the way.
    """
    found: set[str] = set()
    pending, seen = [(result, True)], {result}
    while pending:
        value, is_last = pending.pop()
        op = value.owner
        if not isinstance(op, Operation):
            continue
        is_view = not op.regions
        for inner in op.walk():
            if inner.name == "arith.truncf" and not is_last:
                found.add(element(inner.results[0].type).name)
            new = [operand for operand in inner.operands if operand not in seen]
            seen.update(new)
            pending += [(operand, is_last and is_view) for operand in new]
    return found


def with_rounding(built: Built, case: CheckCase) -> CheckCase:
    """The case of a program that rounds on purpose (`quantize`).

    The expected results become those of the payload after the step that rounds, whose
    products must stay within the bound of their format
    (`transforms/structured/quantize/rounding.py`). The kernels must compute these
    numbers, within the usual tolerance. A device divides factors by scales to within
    two units in the last place, which may round a factor to a neighbouring number;
    `device_slack` covers one such factor.
    """
    if not case.rounding and rounds_anew(built):
        slack = max([*case.anew, case.device_slack])
        case = replace(case, rounds_anew=True, device_slack=slack)
    if not built.roundings or case.rounding:
        return case
    used = one_step = slack = 0.0
    results: Sequence[Array] = case.expected
    for rounding in built.roundings:
        watch = RoundingWatch(rounding.products)
        inputs = [array.copy() for array in case.inputs]
        results = watch.run(rounding.payload, inputs, None, Options())
        if watch.reason is not None:
            raise CompilerBug(f"step {rounding.index} is wrong: {watch.reason}")
        used, one_step = max(used, watch.used), max(one_step, watch.one_step)
        slack = max(slack, *map(slack_after, rounding.products))
    products = [each for rounding in built.roundings for each in rounding.products]
    formats = ", ".join(dict.fromkeys(str(each.form.type) for each in products))
    count = f"{len(products)} products" if len(products) > 1 else "a product"
    off = max(
        compare(got, want, dtype, case.reduction).relative_error
        for got, want, dtype in zip(results, case.expected, case.dtypes, strict=True)
    )
    return replace(
        case,
        expected=results,
        slack=slack,
        device_slack=max(slack, one_step),
        rounding=(
            f"rounds {count} to {formats} on purpose: off by at most {used:.0%} of "
            f"the format's bound, the results by at most {off:.2g} of their root mean "
            "square; checked against the rounded payload"
        ),
    )


def slack_of_rounding_anew(payload: ModuleOp) -> float:
    """The slack of a program that rounds the tensors of a payload at other sizes."""
    _, results = argument_specs(payload)
    dtypes = [spec.dtype for spec in results]
    return max(_rounded_anew(find_function(payload, None), dtypes), default=0.0)


def rounds_anew(built: Built) -> bool:
    """Whether a step computes rounded elements of a chain from running values."""
    records = [fact for step in built.steps for fact in step.records]
    return any(isinstance(fact, RoundsAnew) for fact in records)


def compare_results(
    case: CheckCase,
    actual: Sequence[Array],
    precision: str | None = None,
    arguments: Sequence[Array] | None = None,
) -> Comparison:
    """Compare every result; the first failure, or else the last comparison.

    `precision` is the type whose tolerance f32 results get, if not their own;
    `arguments` are those of the call, after it.
    """
    outcome: Comparison | None = None
    for buffer in case.buffers if arguments is not None else ():
        assert arguments is not None
        dtype = buffer.dtype
        held_to = precision if precision and dtype == "f32" else dtype
        got = arguments[buffer.position]
        outcome = compare(got, buffer.expected, held_to, case.reduction, case.slack)
        if not outcome.ok:
            message = f"argument '{buffer.name}' afterwards: {outcome.message}"
            return replace(outcome, message=message)
    anew = case.anew if case.rounds_anew else [0.0] * len(actual)
    for got, want, dtype, more in zip(
        actual, case.expected, case.dtypes, anew, strict=True
    ):
        held_to = precision if precision and dtype == "f32" else dtype
        outcome = compare(got, want, held_to, case.reduction, case.slack + more)
        if not outcome.ok:
            break
    assert outcome is not None, "a payload has a result, or writes a buffer"
    return outcome


def check_kernel_ir(
    built: Built, case: CheckCase, progress: Progress | None = None
) -> Comparison:
    """Run the kernel IR in the numpy interpreter, which takes every dtype."""
    case = with_rounding(built, case)
    inputs = [array.copy() for array in case.inputs]
    results = interpret(built.kernel, inputs, options=Options(progress=progress))
    return compare_results(case, results, built.program.precision, inputs)


def check_triton_source(
    built: Built, cases: Sequence[CheckCase], progress: Progress | None = None
) -> list[Comparison]:
    """Run the emitted source in Triton's interpreter, in one process for all cases."""
    from tilewright.codegen.runtime.interpret import Job, interpret_all

    cases = [with_rounding(built, case) for case in cases]
    jobs = [
        Job(built.program, [array.copy() for array in case.inputs]) for case in cases
    ]
    return [
        compare_results(case, results, built.program.precision, job.inputs)
        for case, job, results in zip(
            cases, jobs, interpret_all(jobs, progress=progress), strict=True
        )
    ]


def check_without_gpu(
    built: Built, cases: Sequence[CheckCase], progress: Progress | None = None
) -> tuple[list[Comparison], str]:
    """Check every case in the interpreter that suits the program, and name it."""
    if suits_triton(built.program):
        found = check_triton_source(built, cases, progress)
        return found, "Triton's interpreter"
    found = [check_kernel_ir(built, case, progress) for case in cases]
    how = "the kernel-level numpy interpreter"
    if built.program.uses_gluon:
        how += ", its warps as processes"
    elif _types_of(built.program) <= TRITON_TYPES:
        how += " (there are too many programs for Triton's)"
    return found, how


def suits_triton(program: GeneratedProgram) -> bool:
    """Whether Triton's interpreter is right on a program's types, and quick enough.

    It does not run Gluon.
    """
    is_quick = _tile_operations(program) <= TRITON_AT_MOST
    is_known = _types_of(program) <= TRITON_TYPES and not program.uses_gluon
    return is_quick and is_known


def _types_of(program: GeneratedProgram) -> set[str]:
    return {spec.dtype for spec in (*program.arguments, *program.results)}


def _tile_operations(program: GeneratedProgram) -> int:
    """The number of tiles that are loaded, stored and multiplied."""
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
