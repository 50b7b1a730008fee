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


def no_options(s: ScheduleBuilder) -> None:
    s.knob("BM", 64)  # pyright: ignore


def a_name_that_is_a_number(s: ScheduleBuilder) -> None:
    s.knob(64, [64])  # pyright: ignore


def nothing_for_a_number(s: ScheduleBuilder) -> None:
    s.require(s.knob("BM", [8]) < None)  # pyright: ignore


def a_handle_for_a_number(s: ScheduleBuilder) -> None:
    s.knob("BM", [s.root])  # pyright: ignore


def no_handle_for_a_loop(s: ScheduleBuilder) -> None:
    s.for_each(None)  # pyright: ignore


def no_handle_for_a_number(s: ScheduleBuilder) -> None:
    s.dim(3, 0)  # pyright: ignore


def an_unknown_verb(s: ScheduleBuilder) -> None:
    s.tiel(s.root, [8])  # pyright: ignore


def a_branch_that_is_no_name(s: ScheduleBuilder) -> None:
    with s.choose("c") as c:
        with c.branch("a b"):
            pass


def an_op_that_is_a_number(s: ScheduleBuilder) -> None:
    s.op(3)  # pyright: ignore


def no_number_of_results(s: ScheduleBuilder) -> None:
    s.op("split_handle", s.root, results="two")  # pyright: ignore


def attributes_in_a_list(s: ScheduleBuilder) -> None:
    s.op("cast", s.root, attributes=["wide"])  # pyright: ignore


def a_kind_that_is_a_number(s: ScheduleBuilder) -> None:
    s.giving(3).match("scf.for")  # pyright: ignore


def no_file(s: ScheduleBuilder) -> None:
    s.import_(None)  # pyright: ignore


def a_label_that_is_a_number(s: ScheduleBuilder) -> None:
    s.require(s.chosen("c") == 3)  # pyright: ignore


def a_rule_without_a_condition(s: ScheduleBuilder) -> None:
    s.decide(True, BM=8)  # pyright: ignore


def a_size_without_a_number(s: ScheduleBuilder) -> None:
    s.size("M", "x", "0")  # pyright: ignore


def a_sum_with_a_handle(s: ScheduleBuilder) -> None:
    mm = s.match("linalg.matmul")
    mm + 1  # pyright: ignore


def a_handle_on_the_right(s: ScheduleBuilder) -> None:
    mm = s.match("linalg.matmul")
    2 * mm  # pyright: ignore


def a_handle_in_a_condition(s: ScheduleBuilder) -> None:
    mm = s.match("linalg.matmul")
    s.require(mm < 3)  # pyright: ignore


def an_item_of_a_handle(s: ScheduleBuilder) -> None:
    mm = s.match("linalg.matmul")
    mm[0]  # pyright: ignore


def two_names_for_one_handle(s: ScheduleBuilder) -> None:
    _a, _b = s.match(["linalg.matmul", "linalg.fill"])  # pyright: ignore


@pytest.mark.parametrize(
    ("mistake", "line", "message"),
    [
        (a_sum_with_a_handle, 2, "'mm' is not a number"),
        (a_handle_on_the_right, 2, "'mm' is not a number"),
        (a_handle_in_a_condition, 2, "'mm' is not a number"),
        (an_item_of_a_handle, 2, "'mm' is one value, and no list"),
        (two_names_for_one_handle, 1, "'match' is one value, and no list"),
        (no_options, 1, "knob: 64 cannot stand here"),
        (a_name_that_is_a_number, 1, "knob: 64 cannot stand here"),
        (nothing_for_a_number, 1, "a value of type NoneType is not a number"),
        (a_handle_for_a_number, 1, "a value of type Handle is not a number"),
        (no_handle_for_a_loop, 1, "for each: expected a handle, found None"),
        (no_handle_for_a_number, 1, "dim: expected a handle, found 3"),
        (an_unknown_verb, 1, "unknown verb 'tiel'"),
        (a_branch_that_is_no_name, 2, "a branch: 'a b' cannot be a name"),
        (an_op_that_is_a_number, 1, "op: 3 cannot stand here"),
        (no_number_of_results, 1, "op: 'two' cannot stand here"),
        (attributes_in_a_list, 1, "attributes: a value of type list cannot stand"),
        (a_kind_that_is_a_number, 1, "giving: 3 cannot stand here"),
        (no_file, 1, "import_: None cannot stand here"),
        (a_label_that_is_a_number, 1, "a label of 'c': 3 cannot stand here"),
        (a_rule_without_a_condition, 1, "decide: True is not a condition"),
        (a_size_without_a_number, 1, "size: '0' is not a dimension"),
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


def test_an_unknown_method_is_an_attribute_error() -> None:
    s = tilewright.schedule("wrong")
    assert not hasattr(s, "tiel")
    with pytest.raises(AttributeError, match="did you mean 'tile'"):
        s.tiel()  # pyright: ignore


def a_table_without_sizes(s: ScheduleBuilder) -> None:
    s.knob("BM", [8, 16])
    s.decide(BM=8)


def an_option_that_is_not_there(s: ScheduleBuilder) -> None:
    s.knob("BM", [8, 16])
    M = s.size("M", "x", 0)
    s.decide(M <= 64, BM=32)
    s.decide(BM=8)


@pytest.mark.parametrize(
    ("mistake", "line", "message"),
    [
        (a_table_without_sizes, 2, "the table has no size"),
        (an_option_that_is_not_there, 3, "'BM' cannot be 32"),
    ],
)
def test_a_mistake_of_a_table_shows_its_line(
    mistake: Callable[[ScheduleBuilder], None], line: int, message: str
) -> None:
    s = tilewright.schedule("wrong")
    mistake(s)
    with pytest.raises(UserError, match=message) as raised:
        s.to_tw()
    place = raised.value.place
    assert place is not None and place.line == mistake.__code__.co_firstlineno + line
