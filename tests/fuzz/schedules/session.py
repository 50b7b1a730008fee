"""One payload under a schedule that grows line by line, checked after every line.

A line is one transform op with its own text, so that a schedule is shrunk by leaving
lines out. A failed check raises a `Finding`.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, Operation, SSAValue

from fuzz.schedules.cases import Case
from fuzz.schedules.checks import Checks, Finding
from tilewright.ir.context import payload_context
from tilewright.ir.errors import CompilerBug, UserError
from tilewright.ir.text import parse_module, to_text
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import prepare

ANY = "!transform.any_op"
SECONDS = 60
"""CPU time that one line may take."""


@dataclass(frozen=True)
class Line:
    """One op of a schedule: its text, the handles it reads and those it makes."""

    text: str
    uses: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()
    sequences: str = ""
    """Named sequences that it calls."""
    is_whole: bool = True
    """Whether it is atomic; a loop over ops may stop half-way."""

    @property
    def verb(self) -> str:
        """The op's name without the dialect."""
        after = self.text.partition(" = ")[2] if self.makes else self.text
        return after.split()[0].removeprefix("transform.")


class _TooLong(BaseException):
    """A line exceeded its time limit."""


_PAYLOAD = payload_context()
_SCHEDULE = schedule_context()
_EMPTY = parse_module("module {}", "none.mlir", _SCHEDULE)


@dataclass
class Session:
    """A payload, its handles by name, and the lines that succeeded."""

    case: Case
    module: ModuleOp = field(init=False)
    lines: list[Line] = field(default_factory=list[Line])
    types: dict[str, str] = field(default_factory=lambda: {"%root": ANY})
    root: str = "%root"
    refusals: int = 0
    is_over: bool = False
    """Set where a line stopped half-way: nothing may follow."""

    def __post_init__(self) -> None:
        self.module = parse_module(self.case.text, "payload.mlir", _PAYLOAD)
        self.checks = Checks(self.case, self.module)
        self.run = prepare(_EMPTY, self.module)
        self._values: dict[str, SSAValue] = {}

    # -- what there is -----------------------------------------------------------

    def ops(self, handle: str) -> tuple[Operation, ...]:
        """The ops that a handle points at."""
        if handle == "%root" and handle not in self._values:
            return (self.module,)
        return self.run.state.payload_ops(self._values[handle])

    def live(self) -> list[str]:
        """The handles to ops that may still be used, except the root."""
        invalid = self.run.state._invalid  # pyright: ignore[reportPrivateUsage]
        return [
            name
            for name, value in self._values.items()
            if value not in invalid and name != self.root and self.ops(name)
        ]

    # -- doing it ----------------------------------------------------------------

    def do(self, line: Line) -> bool:
        """Run a line and check everything; return whether the line applied."""
        block = self._parse(line)
        try:
            with time_limit():
                self.run.run_block(block)
        except UserError as error:
            self.refusals += 1
            left_alone = self.checks.refused(line.verb, error, is_whole=line.is_whole)
            self.is_over = not left_alone
            return False
        except CompilerBug as bug:
            raise Finding("compiler bug", line.verb, str(bug)) from bug
        except _TooLong:
            detail = f"not done after {SECONDS} s of CPU time"
            raise Finding("no end", line.verb, detail) from None
        except Exception as error:
            kind = f"raised {type(error).__name__}"
            raise Finding(kind, line.verb, traceback.format_exc()) from error
        self._take_results(line, block)
        self.lines.append(line)
        for name in self.live():
            self.checks.handles(line.verb, self.ops(name))
        self.checks.changed(line.verb)
        return True

    def _parse(self, line: Line) -> Block:
        """The line in a sequence of its own, which takes the existing handles."""
        arguments = ", ".join(f"{name}: {self.types[name]}" for name in line.uses)
        text = (
            "module attributes {transform.with_named_sequence} {\n"
            f"{line.sequences}transform.named_sequence @line({arguments}) {{\n"
            f"  {line.text}\n  transform.yield\n}}\n}}\n"
        )
        try:
            schedule = parse_module(text, "line.mlir", _SCHEDULE)
        except UserError as error:
            raise Finding("does not parse", line.verb, f"{error}\n{text}") from error
        once = to_text(schedule)
        try:
            again = to_text(parse_module(once, "again.mlir", _SCHEDULE))
        except UserError as error:
            kind = "a line does not parse again"
            raise Finding(kind, line.verb, f"{error}\n{once}") from error
        if once != again:
            raise Finding("a line prints differently", line.verb, f"{once}\n{again}")
        self.run.schedule = schedule
        (entry,) = (
            op
            for op in schedule.ops
            if isinstance(op, NamedSequenceOp) and op.sym_name.data == "line"
        )
        block = entry.body.block
        for name, argument in zip(line.uses, block.args, strict=True):
            if name == "%root" and name not in self._values:
                self.run.state.set_ops(argument, [self.module])
                self._values[name] = argument
            elif (value := self._values[name]) is not argument:
                argument.replace_all_uses_with(value)
        return block

    def _take_results(self, line: Line, block: Block) -> None:
        op = block.first_op
        assert op is not None
        for name, result in zip(line.makes, op.results, strict=True):
            self._values[name] = result
            self.types[name] = str(result.type)


def schedule_text(lines: Sequence[Line]) -> str:
    """The whole schedule, as a file."""
    body = "\n".join(f"  {line.text}" for line in lines)
    sequences = "".join(dict.fromkeys(line.sequences for line in lines))
    return (
        f"module attributes {{transform.with_named_sequence}} {{\n{sequences}"
        f"transform.named_sequence @__transform_main(%root: {ANY} "
        f"{{transform.consumed}}) {{\n{body}\n  transform.yield\n}}\n}}\n"
    )


@contextmanager
def time_limit() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
