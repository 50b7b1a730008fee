"""Whether each step keeps the numbers: a run beside the shown one, on numpy.

A payload that takes long is verified at smaller sizes, under the same schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from xdsl.dialects.builtin import ModuleOp

from tilewright.explorer.program.request import ProgramRequest
from tilewright.inspect.verify_each import VerifyEach, WrongResult
from tilewright.ir.errors import Place, UserError
from tilewright.ir.structured.smaller_sizes import with_halved_sizes
from tilewright.ir.text import verify
from tilewright.payload_work import iterations
from tilewright.pipeline import open_run, sizes_of
from tilewright.planning.plain import finish
from tilewright.transforms.core.run import Step
from tilewright.transforms.interpreter import ENTRY

Status: TypeAlias = Literal["same", "rounded", "skipped", "wrong"]

WHOLE_AT_MOST = 1e8
"""Iterations of a payload's ops up to which it is verified at its own sizes: less than
a second a step."""

SMALL_AT_MOST = (2e7, 2e8, 1e9)
"""Iterations of a payload at smaller sizes. A schedule may need larger ones."""


Key: TypeAlias = tuple[str, Place | None]
"""The op and the place of a step."""


@dataclass
class Verified:
    """The outcome of each step, in order; shorter than the run if a step is wrong."""

    keys: list[Key] = field(default_factory=list[Key])
    outcomes: list[tuple[Status, str]] = field(default_factory=list[tuple[Status, str]])
    remark: str = ""
    """At which sizes, or why nothing is verified."""
    wrong: WrongResult | None = None

    def add(self, step: Step, status: Status, text: str) -> None:
        """Note the outcome of a step."""
        self.keys.append((step.name, step.place))
        self.outcomes.append((status, text))

    def of_steps(self, keys: Sequence[Key]) -> list[tuple[Status, str]]:
        """The outcomes for the steps of a page.

        At smaller sizes the default may need other steps; those are passed over.
        """
        remark = f"; {self.remark}" if self.remark else ""
        found: list[tuple[Status, str]] = [("skipped", f"not verified{remark}")]
        found *= len(keys)
        matcher = SequenceMatcher(None, keys, self.keys, autojunk=False)
        for first, other, count in matcher.get_matching_blocks():
            for offset in range(count):
                status, text = self.outcomes[other + offset]
                found[first + offset] = (status, text + remark)
        return found


def verify_steps(request: ProgramRequest, progress: Callable[[str], None]) -> Verified:
    """Run the schedule again, and compare after each step."""
    refusal = ""
    for payload, remark in _candidates(request.payload):
        found = Verified(remark=remark)
        try:
            _run(request, payload, found, progress)
        except WrongResult as error:
            found.wrong = error
            found.add(error.step, "wrong", str(error).splitlines()[-1].strip())
        except UserError as error:
            if not remark:
                return found  # the shown run ends at the same step
            refusal = f"the schedule does not apply at smaller sizes: {error.fact}"
            continue
        return found
    return Verified(remark=f"too large to verify; {refusal}")


def _candidates(payload: ModuleOp) -> Iterator[tuple[ModuleOp, str]]:
    """The payload, or the payload at smaller sizes, with a text that says so."""
    if iterations(payload) <= WHOLE_AT_MOST:
        yield payload, ""
        return
    for limit in SMALL_AT_MOST:
        small = with_halved_sizes(payload, limit)
        if small is not None:
            verify(small)
            yield small, f"at smaller sizes: {sizes_of(small)}"


def _run(
    request: ProgramRequest,
    payload: ModuleOp,
    found: Verified,
    progress: Callable[[str], None],
) -> None:
    verifier = VerifyEach(
        payload, request.seed, lambda what: progress(f"verifying {what}")
    )
    run = open_run(payload, request.schedule, request.point)

    def observe(step: Step, payload: ModuleOp) -> None:
        skipped, rounded = len(verifier.skipped), verifier.rounded
        verifier(step, payload)
        found.add(step, *_outcome(verifier, skipped, rounded))

    run.observers = [observe]
    run.start(request.schedule.entry if request.schedule is not None else ENTRY)
    finish(run)


def _outcome(verifier: VerifyEach, skipped: int, rounded: int) -> tuple[Status, str]:
    """The status of the step that was just verified."""
    if not verifier.questions:
        reasons = "; ".join(each.reason for each in verifier.skipped)
        return "skipped", f"not verified: {reasons}"
    off = verifier.largest
    if verifier.rounded > rounded:
        return "rounded", f"rounded as the format allows; largest difference {off:.2g}"
    text = "the same numbers" if off == 0 else f"largest difference {off:.2g}"
    if len(verifier.skipped) > skipped:
        text += f"; @{verifier.skipped[-1].function} is not verified from here on"
    return "same", text
