"""Mistakes in a schedule built in Python point at the line of Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import tilewright
from support.paths import EXAMPLES
from tilewright import ScheduleBuilder, UserError

PAYLOAD = EXAMPLES / "matmul_relu" / "payload.mlir"


def not_a_handle(s: ScheduleBuilder) -> None:
    s.fuse(s.match("linalg.fill"), 4)  # pyright: ignore


def no_second_argument(s: ScheduleBuilder) -> None:
    s.fuse(s.match("linalg.fill"))  # pyright: ignore


def unknown_option(s: ScheduleBuilder) -> None:
    s.launch(s.root, wraps=4)  # pyright: ignore


def unknown_block(s: ScheduleBuilder) -> None:
    s.tile(s.match("linalg.matmul"), [8], onto=["block.w"])


def a_number_for_a_handle(s: ScheduleBuilder) -> None:
    BM = s.knob("BM", [8, 16])
    s.cse(BM)  # pyright: ignore


def two_kinds_of_options(s: ScheduleBuilder) -> None:
    s.knob("BM", [8, "x"])


def an_unknown_default(s: ScheduleBuilder) -> None:
    s.knob("BM", [8, 16], default=32)


def no_condition(s: ScheduleBuilder) -> None:
    s.require(s.knob("BM", [8, 16]) * 2)  # pyright: ignore


def a_chained_comparison(s: ScheduleBuilder) -> None:
    s.require(8 <= s.knob("BM", [8, 16]) <= 12)


def unknown_op(s: ScheduleBuilder) -> None:
    s.op("structured.splitt", s.root)


def unknown_sequence(s: ScheduleBuilder) -> None:
    s.include("to_vector", s.root)


def a_name_of_a_branch(s: ScheduleBuilder) -> None:
    with s.choose("c") as c:
        with c.branch("a"):
            mm = s.match("linalg.matmul")
    s.cse(mm)


def a_handle_of_another_schedule(s: ScheduleBuilder) -> None:
    s.cse(tilewright.schedule("other").root)


def a_statement_after_yield(s: ScheduleBuilder) -> None:
    with s.choose("c") as c:
        with c.branch("a"):
            s.yield_()
            s.cse(s.root)


def a_value_of_no_kind(s: ScheduleBuilder) -> None:
    s.launch(s.root, warps=object())  # pyright: ignore


def no_list(s: ScheduleBuilder) -> None:
    s.tile(s.root, 8)  # pyright: ignore


@pytest.mark.parametrize(
    ("mistake", "line", "message"),
    [
        (not_a_handle, 1, "fuse: expected a handle, found 4"),
        (no_second_argument, 1, "fuse: missing a required argument: 'into'"),
        (unknown_option, 1, "launch: got an unexpected keyword argument 'wraps'"),
        (unknown_block, 1, "tile: unknown name 'block.w'"),
        (a_number_for_a_handle, 2, "cse: 'BM' is a number, not a handle"),
        (two_kinds_of_options, 1, "the options of knob 'BM' are of different kinds"),
        (an_unknown_default, 1, "the default of knob 'BM', 32, is not among its"),
        (no_condition, 1, "require: this is not a comparison"),
        (a_chained_comparison, 1, "a condition on knobs has no value before"),
        (unknown_op, 1, "unknown verb 'structured.splitt'"),
        (unknown_sequence, 1, "include: no sequence 'to_vector'"),
        (a_name_of_a_branch, 4, "'mm' is local to branch 'a' of choose 'c'"),
        (a_handle_of_another_schedule, 1, "'root' is local to schedule 'other'"),
        (a_statement_after_yield, 4, "the block has ended with 'yield_'"),
        (a_value_of_no_kind, 1, "a value of type object cannot stand here"),
        (no_list, 1, "a value of type int cannot stand here"),
    ],
)
def test_a_wrong_statement_is_refused_at_its_line(
    mistake: Callable[[ScheduleBuilder], None], line: int, message: str
) -> None:
    with pytest.raises(UserError) as raised:
        mistake(tilewright.schedule("wrong"))
    error = raised.value
    assert error.fact.startswith(message)
    assert error.remedy
    first = mistake.__code__.co_firstlineno
    assert error.place is not None and Path(error.place.file) == Path(__file__)
    assert error.place.line == first + line


def test_the_remedy_shows_the_method() -> None:
    with pytest.raises(UserError) as raised:
        not_a_handle(tilewright.schedule("wrong"))
    assert raised.value.remedy == "write: s.fuse(producer_op, into)"


def test_a_mistake_of_the_whole_shows_its_lines() -> None:
    s = tilewright.schedule("twice")
    mm = s.match("linalg.matmul")
    s.tile(mm, [0, 0, 8])
    s.generalize(mm)
    (error,) = s.check().errors
    assert error.fact == "generalize: 'mm' was consumed by 'tile'"
    shown = str(error)
    assert "    s.generalize(mm)\n      ^" in shown
    assert (
        "note: 'mm' was consumed here by 'tile'\n      s.tile(mm, [0, 0, 8])" in shown
    )


def test_a_step_that_does_not_apply_shows_its_line() -> None:
    s = tilewright.schedule("refused")
    func = s.match("func.func")
    s.tile(func, [8])
    with pytest.raises(UserError) as raised:
        s.apply(PAYLOAD)
    place = raised.value.place
    assert place is not None and (place.text or "").strip() == "s.tile(func, [8])"


def test_nothing_is_left_of_a_block_that_raised() -> None:
    s = tilewright.schedule("half")
    with pytest.raises(ZeroDivisionError):
        with s.choose("c") as c:
            with c.branch("a"):
                s.cse(s.root)
                raise ZeroDivisionError
    assert s.to_tw() == "schedule half(root) {\n}\n"


def test_a_schedule_with_an_open_block_is_not_finished() -> None:
    s = tilewright.schedule("open")
    with s.suppress(s.root):
        with pytest.raises(UserError, match="a 'suppress' is still open"):
            s.to_tw()
