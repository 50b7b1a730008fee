"""`--verify-each`: run the payload before and after every step, and compare results.

A step must not change the results of a function. A step that does is a bug in the
compiler: the error names the step and its place, and a folder has the files that
reproduce it. A step that rounds on purpose (`quantize`) may be off by the error of its
format; later steps are compared with its results.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import TensorSpec
from tilewright.inspect.verify_rounding import RoundingWatch, Run, slack_after
from tilewright.ir.dialects import func
from tilewright.ir.dtypes import Array
from tilewright.ir.errors import CompilerBug, Place, UserError
from tilewright.ir.interpreter import Options
from tilewright.ir.interpreter import run as interpret
from tilewright.ir.interpreter.core.signature import ArraySpec, signature_of
from tilewright.ir.interpreter.pick_sizes import pick_sizes
from tilewright.ir.text import place_of, to_text
from tilewright.ir.tolerance import absolute_tolerance, compare, tolerances
from tilewright.payload_work import reduction_length
from tilewright.transforms.core.run import Step
from tilewright.transforms.structured.quantize.rounding import (
    RoundedProduct,
    rounded_products,
)
from tilewright.tuning.measure.inputs import random_inputs


@dataclass(frozen=True)
class Skipped:
    """A function whose results are not compared, and the reason."""

    function: str
    reason: str
    place: Place | None


@dataclass(frozen=True)
class Question:
    """A function of the payload, inputs for it, and its results for them."""

    name: str
    inputs: Sequence[Array]
    expected: Sequence[Array]
    """Its results, then its buffers as they are after the run."""
    outputs: Sequence[ArraySpec]
    buffers: Sequence[int]
    """The positions of its buffers among the inputs."""
    reduction: int
    poison: bool
    """Whether the function reads only memory that it wrote; then steps must, too."""
    slack: float = 0.0
    """Tolerance beyond the usual one, if computed numbers are rounded on purpose."""


class WrongResult(CompilerBug):
    """A step changed the results of a function."""

    def __init__(self, step: Step, question: Question, reason: str):
        where = f"{step.place}: " if step.place is not None else ""
        lines = [
            f"{where}error: step {step.index} ({step.name}) changed what "
            f"@{question.name} computes"
        ]
        if step.place is not None and (excerpt := step.place.excerpt()):
            lines.append(excerpt)
        elif step.place is None:
            lines.append("  (a step of the default, which finishes a schedule)")
        lines.append(f"  {reason}")
        super().__init__("\n".join(lines))
        self.step = step
        self.question = question


@dataclass
class VerifyEach:
    """An observer that runs the IR after every step and compares its results."""

    payload: ModuleOp
    seed: int = 0
    progress: Callable[[str], None] | None = None
    """Called with a line on progress."""
    checked: int = 0
    """The number of steps whose results are right."""
    rounded: int = 0
    """The number of these steps that round on purpose."""
    largest: float = 0.0
    """The largest difference of a result after the last step, as a share of the root
    mean square of the expected results."""
    seconds: float = 0.0
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    questions: list[Question] = field(default_factory=list[Question], init=False)
    before: ModuleOp = field(init=False)
    """The payload before the current step."""
    _exact: list[tuple[int, list[Question]]] = field(
        default_factory=list[tuple[int, list[Question]]], init=False
    )
    """The questions before each step that rounds, in case it is rolled back."""

    def __post_init__(self) -> None:
        """Compute the results of every function of the payload."""
        start = time.perf_counter()
        self.before = self.payload.clone()
        for function in functions_of(self.payload):
            self._tell(f"@{function.sym_name.data} as it is given")
            answer = ask(self.payload, function, self.seed)
            if isinstance(answer, Question):
                self.questions.append(answer)
            else:
                self.skipped.append(answer)
        self.seconds += time.perf_counter() - start

    def __call__(self, step: Step, payload: ModuleOp) -> None:
        """Run and compare; a step that changed a result raises `WrongResult`."""
        start = time.perf_counter()
        self._tell(f"step {step.index} {step.name}")
        if step.undone_after is not None:
            while self._exact and self._exact[-1][0] > step.undone_after:
                _, self.questions = self._exact.pop()
        self.largest = 0.0
        rounded = rounded_products(step)
        if rounded:
            self._exact.append((step.index, list(self.questions)))
        for question in list(self.questions):
            if (changed := _changed_signature(question, payload)) is not None:
                self.questions.remove(question)
                self.skipped.append(Skipped(question.name, changed, step.place))
            elif rounded:
                self._rebase(question, step, rounded, payload)
            else:
                self._check(question, step, payload)
        self.before = payload.clone()
        self.checked += 1
        self.rounded += bool(rounded)
        self.seconds += time.perf_counter() - start

    def _check(self, question: Question, step: Step, payload: ModuleOp) -> None:
        """Check a step that must not change the results."""
        answers = _answers_again(question, payload, step.index)
        reason = answers if isinstance(answers, str) else difference(question, answers)
        if reason is not None:
            raise WrongResult(step, question, reason)
        assert not isinstance(answers, str)
        self.largest = max(self.largest, _largest(question, answers))

    def _rebase(
        self,
        question: Question,
        step: Step,
        rounded: Sequence[RoundedProduct],
        payload: ModuleOp,
    ) -> None:
        """Check a step that rounds; its results are expected from now on."""
        watch = RoundingWatch(rounded)
        answers = _answers_again(question, payload, step.index, watch.run)
        if isinstance(answers, str):
            raise WrongResult(step, question, answers)
        self.largest = max(self.largest, _largest(question, answers))
        reason = watch.reason
        if not watch.looked_at:  # it is in another function
            reason = difference(question, answers)
        if reason is not None:
            raise WrongResult(step, question, reason)
        if watch.looked_at:
            self.questions[self.questions.index(question)] = replace(
                question,
                expected=answers,
                slack=max(question.slack, *map(slack_after, rounded)),
            )

    def _tell(self, what: str) -> None:
        if self.progress is not None:
            self.progress(what)


def functions_of(payload: ModuleOp) -> Iterator[func.FuncOp]:
    """The functions that have a body."""
    for op in payload.ops:
        if isinstance(op, func.FuncOp) and op.body.blocks:
            yield op


def ask(payload: ModuleOp, function: func.FuncOp, seed: int) -> Question | Skipped:
    """The results of a function for random inputs, or why there are none."""
    name = function.sym_name.data
    reason, place = "it takes no sizes that fit", place_of(function)
    try:
        signature = signature_of(function)
        for picked in pick_sizes(function):
            inputs = random_inputs(
                [
                    TensorSpec(spec.name, shape, spec.element_type, below=spec.below)
                    for spec, shape in zip(
                        signature.arguments, picked.shapes, strict=True
                    )
                ],
                seed,
            )
            for position, number in picked.numbers.items():
                inputs[position] = np.asarray(number)
            try:
                return _ask(payload, function, inputs)
            except UserError as error:
                reason, place = error.fact, error.place
            except Exception as error:  # limits of the interpreter must not end the run
                reason = f"{type(error).__name__}: {error}"
    except UserError as error:
        reason, place = error.fact, error.place or place
    return Skipped(name, reason, place)


def _ask(payload: ModuleOp, function: func.FuncOp, inputs: Sequence[Array]) -> Question:
    name = function.sym_name.data
    signature = signature_of(function)
    arguments = enumerate(signature.arguments)
    buffers = [position for position, spec in arguments if spec.kind == "memref"]
    expected, poisoned = (
        answers_of(payload, name, inputs, buffers, Options(poison_uninitialized=poison))
        for poison in (False, True)
    )
    return Question(
        name,
        inputs,
        expected,
        [*signature.results, *(signature.arguments[p] for p in buffers)],
        buffers,
        reduction_length(function),
        all(
            np.array_equal(a.astype(np.float64), b.astype(np.float64), equal_nan=True)
            for a, b in zip(expected, poisoned, strict=True)
        ),
    )


def answers_of(
    payload: ModuleOp,
    name: str,
    inputs: Sequence[Array],
    buffers: Sequence[int],
    options: Options,
    run: Run = interpret,
) -> list[Array]:
    """A function's results, then its buffers; the inputs stay as they are."""
    given = [np.array(array) for array in inputs]
    results = run(payload, given, name, options)
    return [*results, *(given[position] for position in buffers)]


def _answers_again(
    question: Question, payload: ModuleOp, shuffle: int, run: Run = interpret
) -> list[Array] | str:
    """The current results of a function, or why there are none."""
    # In random order, to reveal iterations of a forall that are not independent.
    options = Options(question.poison, shuffle_forall_seed=shuffle)
    try:
        return answers_of(
            payload, question.name, question.inputs, question.buffers, options, run
        )
    except Exception as error:
        # It ran before the step, so the step is at fault.
        shown = error.fact if isinstance(error, UserError) else repr(error)
        return f"it no longer runs: {shown}"


def difference(question: Question, answers: Sequence[Array]) -> str | None:
    """A description of the first unexpected result."""
    reduction, slack = question.reduction, question.slack
    for spec, got, want in zip(
        question.outputs, answers, question.expected, strict=True
    ):
        dtype = spec.element_type
        if not compare(got, want, dtype, reduction, slack).ok:
            shown = first_difference(got, want, dtype, reduction, slack)
            return f"{spec.name}: {shown}"
    return None


def _largest(question: Question, answers: Sequence[Array]) -> float:
    """The largest difference, relative to the size of the results."""
    return max(
        (
            compare(got, want, spec.element_type, question.reduction).relative_error
            for spec, got, want in zip(
                question.outputs, answers, question.expected, strict=True
            )
        ),
        default=0.0,
    )


def first_difference(
    got: Array, want: Array, dtype: str, reduction: int, slack: float = 0.0
) -> str:
    """The first wrong element: its index, its value and the expected value."""
    if got.shape != want.shape:
        return f"its shape is {list(got.shape)}, expected {list(want.shape)}"
    relative, _ = tolerances(dtype, reduction, slack)
    absolute = absolute_tolerance(want, dtype, reduction, slack)
    have, need = got.astype(np.float64), want.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(have - need) <= absolute + relative * np.abs(need)
    same = (have == need) | (np.isnan(have) & np.isnan(need))
    off = ~(same | near)
    first = tuple(int(i) for i in np.argwhere(off)[0])
    return (
        f"{int(off.sum())} of {off.size} elements differ; the first at "
        f"{list(first)}: got {got[first]}, expected {want[first]}"
    )


def _changed_signature(question: Question, payload: ModuleOp) -> str | None:
    """Why a function can no longer be compared, which is not an error; or None."""
    for function in functions_of(payload):
        if function.sym_name.data != question.name:
            continue
        types = function.function_type
        if len(types.inputs) != len(question.inputs):
            return f"from here on it takes {len(types.inputs)} arguments"
        results = len(question.outputs) - len(question.buffers)
        if len(types.outputs) != results:
            return f"from here on it gives {len(types.outputs)} results"
        return None
    return "from here on it is gone"


def write_reproducer(wrong: WrongResult, verifier: VerifyEach, schedule: str) -> Path:
    """Write a folder with the files that reproduce a wrong step."""
    before = to_text(verifier.before)
    digest = hashlib.sha256((before + schedule).encode()).hexdigest()[:10]
    folder = Path(f"tilewright-wrong-{digest}")
    folder.mkdir(exist_ok=True)
    index = wrong.step.index
    texts = {
        "payload.mlir": to_text(verifier.payload),
        "schedule.mlir": schedule,
        "before.mlir": before,
        "README.txt": (
            f"{wrong}\n\nTo see it again:\n\n"
            f"    tilewright opt payload.mlir -s schedule.mlir --verify-each "
            f"--seed {verifier.seed}\n"
            f"    tilewright opt payload.mlir -s schedule.mlir --diff "
            f"--stop-after {index}\n\n"
            "before.mlir is the payload before the step; inputs.npz has the inputs of "
            f"@{wrong.question.name} and what it must give for them.\n"
        ),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    arrays = {
        **{f"input{i}": array for i, array in enumerate(wrong.question.inputs)},
        **{f"expected{i}": array for i, array in enumerate(wrong.question.expected)},
    }
    # numpy's file format does not support bf16: such arrays are saved as f32.
    plain = {
        name: a if a.dtype.kind in "fiub" else a.astype(np.float32)
        for name, a in arrays.items()
    }
    np.savez(folder / "inputs.npz", **plain)  # pyright: ignore[reportArgumentType]
    return folder
