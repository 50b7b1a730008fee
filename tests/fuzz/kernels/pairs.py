"""One payload with one schedule: drawn, lowered, and run at the kernel level.

pair = draw_pair(seed)
made = lowered(pair)            # a program, or the refusal; anything else is a Finding
checked = check_kernel(pair, made)        # numpy on the kernel level, every question
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from xdsl.ir import Operation

from fuzz.kernels.cases import random_kernel_case
from fuzz.kernels.steps import draw_schedule
from fuzz.schedules.cases import Array, Case
from fuzz.schedules.checks import Finding
from fuzz.schedules.drawing import Draw
from fuzz.schedules.session import Line, Session, schedule_text, time_limit
from tilewright.codegen.program import GeneratedProgram
from tilewright.ir.errors import CompilerBug, UserError
from tilewright.ir.interpreter import Options, run
from tilewright.ir.text import parse_module
from tilewright.ir.tolerance import Comparison, compare
from tilewright.payload_work import reduction_length
from tilewright.pipeline import Built, build, parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import prepare

ROUNDED = (
    *("math.", "softmax", "divf", "arith.constant 0.1"),
    *("linalg.exp ", "linalg.log", "linalg.sqrt", "linalg.rsqrt", "linalg.tanh"),
    *("linalg.erf", "linalg.div", "linalg.powf", "linalg.reciprocal"),
)
"""Ops that make results inexact, so that they are compared within tolerances."""

UNDEFINED = ("f8E", "extract", "index")
"""Ops without a defined result for infinities and NaNs."""


@dataclass(frozen=True)
class Pair:
    """A payload and the lines of a schedule for it."""

    seed: int
    case: Case
    lines: tuple[Line, ...]

    @property
    def schedule(self) -> str:
        """The schedule as a file."""
        return schedule_text(self.lines)


@dataclass(frozen=True)
class Question:
    """Arguments, and the results of the payload for them."""

    inputs: Sequence[Array]
    expected: Sequence[Array]
    is_special: bool


_ATTRIBUTE = re.compile(r"'triton\.(\w+)'")


class _Unchecked:
    """Replaces `Checks`: here the kernel is checked, not every step."""

    steps = 0

    def refused(self, verb: str, error: UserError, *, is_whole: bool = True) -> bool:
        return is_whole

    def changed(self, verb: str) -> None:
        pass

    def handles(self, verb: str, ops: Sequence[Operation]) -> None:
        pass


class _Session(Session):
    """A session that runs drawn lines without checks."""

    def __post_init__(self) -> None:
        self.module = parse_payload(self.case.text, "payload.mlir")
        self.checks: Any = _Unchecked()
        self.run = prepare(EMPTY, self.module)
        self._values = {}
        self.tried: list[Line] = []

    def do(self, line: Line) -> bool:
        self.tried = [*self.lines, line]
        return super().do(line)


EMPTY = parse_module("module {}", "none.mlir", schedule_context())


def draw_pair(
    seed: int, draw_case: Callable[[Random], Case] = random_kernel_case
) -> Pair:
    """The pair of a seed; raises a Finding with its lines if a step fails."""
    random = Random(seed)
    case = draw_case(random)
    session = _Session(case)
    try:
        draw_schedule(Draw(session, random))
    except Finding as finding:
        finding.add_note(Pair(seed, case, tuple(session.tried)).schedule)
        raise
    return Pair(seed, case, tuple(session.lines))


def lowered(pair: Pair) -> Built | UserError:
    """The program, or its refusal; any other exception is a Finding."""
    try:
        with time_limit():
            payload = parse_payload(pair.case.text, "payload.mlir")
            schedule = Schedule.from_text(pair.schedule, "schedule.mlir")
            made = build(payload, schedule, shapes=pair.case.questions[:1])
            compile(made.program.text, "program.py", "exec")
    except UserError as error:
        if error.place is None and not any(note.place for note in error.notes):
            raise Finding("a refusal without a place", "lower", str(error)) from error
        return error
    except (CompilerBug, Exception) as error:
        kind = f"raised {type(error).__name__}"
        raise Finding(kind, "lower", traceback.format_exc()) from error
    return made


def settled(pair: Pair) -> tuple[Pair, Built | UserError, list[UserError]]:
    """The pair without launch attributes that are refused, and the refusals.

    Most attributes fit few programs; without them the rest of a schedule is still used.
    """
    refusals: list[UserError] = []
    while True:
        made = lowered(pair)
        if not isinstance(made, UserError):
            return pair, made, refusals
        refusals.append(made)
        words = _ATTRIBUTE.findall(made.fact)
        if "descriptor" in made.fact:
            words.append("descriptors")
        if "cannot be aligned" in made.fact:
            words.append("aligned_rows")
        if "shall join" in made.fact:
            words.append("last_arriver")
        fewer = tuple(
            line
            for line in pair.lines
            if line.verb != "annotate"
            or not any(f'"triton.{word}"' in line.text for word in words)
        )
        if len(fewer) == len(pair.lines):
            return pair, made, refusals
        pair = replace(pair, lines=fewer)


def questions(pair: Pair) -> list[Question]:
    """A question for each set of shapes, and the first with infinities and NaNs."""
    payload = parse_payload(pair.case.text, "payload.mlir")
    case, asked = pair.case, list[Question]()
    for position in range(len(case.questions)):
        inputs = case.inputs(position)
        asked.append(Question(inputs, _expected(payload, inputs), False))
    if not any(word in case.text for word in UNDEFINED) and pair.seed % 2 == 0:
        inputs = [_special(array, pair.seed) for array in case.inputs(0)]
        asked.append(Question(inputs, _expected(payload, inputs), True))
    return asked


def _expected(payload: Any, inputs: Sequence[Array]) -> list[Array]:
    with np.errstate(all="ignore"):
        return run(payload, [array.copy() for array in inputs])


def _special(array: Array, seed: int) -> Array:
    """A few infinities and NaNs, where the type has them."""
    if array.dtype.kind in "iub" or array.size < 2:
        return array
    rng = np.random.default_rng(seed)
    flat = array.reshape(-1).copy()
    for value in (np.nan, np.inf, -np.inf):
        flat[rng.integers(flat.size)] = value
    return flat.reshape(array.shape)


def judge(
    pair: Pair,
    program: GeneratedProgram,
    question: Question,
    results: Sequence[Array],
) -> Comparison | None:
    """A description of wrong results; None if they are right."""
    exact = pair.case.whole_numbers and not any(w in pair.case.text for w in ROUNDED)
    payload = parse_payload(pair.case.text, "payload.mlir")
    precision = program.precision
    slack = 0.0 if pair.case.whole_numbers else _slack(pair.case)
    for spec, got, want in zip(
        program.results, results, question.expected, strict=True
    ):
        held_to = precision if precision and spec.dtype == "f32" else spec.dtype
        outcome = compare(got, want, held_to, reduction_length(payload), slack)
        if exact and precision is None and outcome.ok:
            same = np.array_equal(
                got.astype(np.float64), want.astype(np.float64), equal_nan=True
            )
            if not same:
                text = "within tolerance, but not the very numbers"
                outcome = replace(outcome, ok=False, message=text)
        if not outcome.ok:
            return replace(outcome, message=f"{spec.name}: {outcome.message}")
    return None


def _slack(case: Case) -> float:
    """Extra relative tolerance: functions have small errors, which ops amplify."""
    narrow = {"f16": 2.0**-10, "bf16": 2.0**-7}
    found = [eps for dtype, eps in narrow.items() if dtype in case.text]
    return 8 * max([2.0**-20, *found])


def check_kernel(pair: Pair, made: Built, asked: Sequence[Question]) -> list[Question]:
    """Run the kernel level; return the questions it accepts. Raises a Finding."""
    taken: list[Question] = []
    for question in asked:
        inputs = [array.copy() for array in question.inputs]
        options = Options(poison_uninitialized=True, shuffle_forall_seed=pair.seed)
        try:
            with np.errstate(all="ignore"):
                results = run(made.kernel, inputs, options=options)
        except UserError as error:
            if "known only" in pair.case.text or "?" in pair.case.text:
                continue  # the program refuses these sizes
            raise Finding("the kernel level refuses", "run", str(error)) from error
        except Exception as error:
            kind = f"the kernel level raised {type(error).__name__}"
            raise Finding(kind, "run", traceback.format_exc()) from error
        wrong = judge(pair, made.program, question, results)
        if wrong is not None:
            raise Finding("wrong numbers", "kernel", _told(wrong, question, made))
        for kept, array in zip(question.inputs, inputs, strict=True):
            if kept.tobytes() != array.tobytes():
                raise Finding("argument written", "kernel", made.program.text)
        taken.append(question)
    return taken


def _told(wrong: Comparison, question: Question, made: Built) -> str:
    special = " with inf and NaN" if question.is_special else ""
    shapes = [list(array.shape) for array in question.inputs]
    return f"{wrong.message}{special}; shapes {shapes}\n{made.program.text}"


def check_source(
    pair: Pair, made: Built, question: Question, outcome: list[Array] | str
) -> None:
    """Check the results of Triton's interpreter; raises a Finding."""
    if isinstance(outcome, str):
        last = outcome.strip().splitlines()[-1][:60]
        kind = f"Triton's interpreter: {last}"
        raise Finding(kind, "source", f"{outcome}\n{made.program.text}")
    wrong = judge(pair, made.program, question, outcome)
    if wrong is not None:
        raise Finding("wrong numbers", "source", _told(wrong, question, made))
