"""Numbers computed from knobs, and requirements that name a choice."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.ir.text import parse_module
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import run_schedule
from tilewright.tuning.space.read import read_space

SCHEDULE = """schedule s(root) {
  mm = match "linalg.matmul" in root
  tail = match "linalg.generic" in root
  BM = knob [32, 48, 63]
  BN = knob [32, 64]
  BK = BM / 2
  H = min(BK, cdiv(BN, 3)) * 2 - 1
  require tail == fused or BM <= 32
  require BK != H
  t, l = tile mm by [0, 0, BM / 2]
  launch root warps = ite(tail == fused, 4, 8)
  choose tail {
    fused {
      S = knob [1, 2]
      require S < BM
    }
    separate { }
  }
}
"""


def schedule(body: str) -> Schedule:
    return Schedule.from_text(f"schedule s(root) {{\n{body}\n}}\n")


def test_it_is_written_as_it_was_read_and_through_mlir() -> None:
    read = Schedule.from_text(SCHEDULE)
    assert read.to_tw() == SCHEDULE
    again = Schedule.from_text(read.to_mlir(resolved=False), "s.mlir")
    assert again.to_tw() == SCHEDULE


@needs_mlir
def test_a_point_leaves_plain_constants_that_upstream_reads() -> None:
    bound = Schedule.from_text(SCHEDULE).with_point(
        {"BM": 32, "BN": 64, "tail": "fused", "S": 1}
    )
    written = bound.to_tw()
    for line in ("BK = 16", "H = 31", "size = 16", "launch root warps = 4"):
        assert f"  {line}\n" in written
    assert "require" not in written and "choose" not in written
    text = bound.to_mlir()
    assert "smt" not in text and "tilewright.selected_region" not in text
    assert "tile_sizes [0, 0, %size]" in text
    mlir_opt(text)


@needs_mlir
def test_the_open_form_is_upstreams() -> None:
    read = schedule("BM = knob [32, 64]\nBK = max(BM / 2, 20) % 7\nprint root")
    text = read.to_mlir(resolved=False)
    assert "transform.smt.constrain_params" in text and "smt.yield" in text
    mlir_opt(text)


def test_the_space_knows_computed_numbers_and_choices() -> None:
    space = read_space(Schedule.from_text(SCHEDULE).module)
    points = list(space.points())
    assert {point["BM"] for point in points} == {32, 48}
    assert all(p["tail"] == "fused" for p in points if p["BM"] == 48)
    assert space.why_not({"BM": 63, "BN": 32, "tail": "fused", "S": 1}) == (
        "constraint not satisfied: BM % 2 == 0"
    )
    assert "tail == fused or BM <= 32" in space.describe()


def test_a_choice_may_be_required_before_it_is_made_and_is_not_where_it_is_closed() -> (
    None
):
    read = schedule(
        "A = knob [1, 2]\n"
        "require inner == x or A == 1\n"
        "choose outer { l { choose inner { x { } y { } } } r { } }"
    )
    points = list(read_space(read.module).points())
    assert {"A": 2, "outer": "r"} in points
    assert {"A": 2, "outer": "l", "inner": "y"} not in points
    assert len(points) == 3 + 2
    # The run judges as the space does.
    payload = parse_module("builtin.module { }", "p.mlir", schedule_context())
    run_schedule(read.with_point({"A": 2, "outer": "r"}).module, payload.clone())
    with pytest.raises(SilenceableFailure, match="does not hold for inner = y, A = 2"):
        point = {"A": 2, "outer": "l", "inner": "y"}
        run_schedule(read.with_point(point).module, payload.clone())


def test_a_division_that_leaves_something_over_refuses_the_point() -> None:
    read = schedule("BM = knob [3, 4]\nBK = (BM + 1) / 4\nprint root")
    payload = parse_module("builtin.module { }", "p.mlir", schedule_context())
    run_schedule(read.with_point({"BM": 3}).module, payload.clone())
    with pytest.raises(
        SilenceableFailure, match=r"\(BM \+ 1\) / 4 is not a whole number for BM = 4"
    ):
        run_schedule(read.with_point({"BM": 4}).module, payload.clone())


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 3 - 2", 5),
        ("-7 + 2", -5),
        ("- (3 - 5)", 2),
        ("floordiv(7, 2)", 3),
        ("cdiv(7, 2)", 4),
        ("7 % 4 * 2", 6),
        ("min(3, 4) + max(3, 4)", 7),
        ("ite(1 < 2, 8, 9)", 8),
        ("64 / 2 / 4", 8),
        ("abs(3 - 9)", 6),
        ("5-2", 3),
    ],
)
def test_constants_are_folded(expression: str, value: int) -> None:
    written = schedule(f'X = {expression}\nannotate root "x" = X').to_tw()
    assert f"X = {value}\n" in written


def test_side_by_side_arguments_and_subtractions_are_told_apart() -> None:
    read = schedule(
        'g = match "linalg.generic" in root\nU = knob [4, 8]\n'
        "g = split g after U / 2 along 0\ng = split g after U - 2 along 0\n"
        "g = split g after U-3 along 0\ng = split g after 4 along -1"
    )
    written = read.to_tw()
    assert "split g after U / 2 along 0" in written
    assert written.count("after U - ") == 2
    assert "split g after 4 along -1" in written


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "require tail == fusd\nchoose tail { fused { } other { } }",
            "3:17: error: require: 'tail' has no branch 'fusd'; did you mean 'fused'",
        ),
        (
            "require tail == 3\nchoose tail { fused { } other { } }",
            "'tail' is compared with a branch; its branches are fused, other",
        ),
        (
            "require tail < 3\nchoose tail { fused { } other { } }",
            "'tail' is a choice, not a number; compare it with a branch",
        ),
        ("require tial == 3\nchoose tail { a { } b { } }", "did you mean 'tail'"),
        ("X = 7 / 2", "X: 7 / 2 is not a whole number; use floordiv"),
        ("X = 7 / 0", "X: 7 / 0 is not a whole number"),
        ("X = 9223372036854775807 + 1", "does not fit in 64 bits"),
        ("X = root + 1", "X: 'root' is a handle, not a number"),
        ("X = (1 < 2)", "X: this is not a number"),
        ("X = min(1)", "no function 'min' with 1 argument"),
        ("X = 18446744073709551616", "does not fit in 64 bits"),
        ("X = " + "9" * 5000, "does not fit in 64 bits"),
        ("X = 1.0e999", "is not finite"),
        ("require " + "(" * 2000 + "1" + ")" * 2000 + " < 2", "nested more than"),
        ("choose c { a { " * 500 + "} }" * 500, "nested more than"),
        (
            "t, l = structured.tile_using_for root sizes = [-9223372036854775808]",
            "is not a size",
        ),
    ],
)
def test_mistakes_are_located(body: str, message: str) -> None:
    with pytest.raises(UserError) as error:
        schedule("\n" + body)
    assert message in str(error.value)
    assert error.value.place is not None


@pytest.mark.sampled(8)
@pytest.mark.parametrize("joined", [" + ", " * ", " and "])
def test_long_expressions_are_no_deeper_than_short_ones(joined: str) -> None:
    term = "A < 9" if joined == " and " else "A"
    end = "" if joined == " and " else " <= 3000"
    body = f"A = knob [1, 2]\nrequire {joined.join([term] * 2000)}{end}"
    read = schedule(body)
    assert read_space(read.module).count_valid() == (1 if joined != " and " else 2)
    assert read.to_mlir(resolved=False)


def test_many_signs_in_a_row() -> None:
    read = schedule(f"A = knob [1, 2]\nrequire {'not ' * 2000} A == {'- ' * 2000} 1")
    assert read_space(read.module).first() == {"A": 1}


def _doubling(count: int, last: str) -> str:
    parts = [
        f"sequence q{i}(f) {{\n include q{i + 1}(f)\n include q{i + 1}(f)\n}}"
        for i in range(count)
    ]
    parts.append(f"sequence q{count}(f) {{\n{last}\n}}")
    parts.append("schedule s(root) { include q0(root) }")
    return "\n".join(parts)


@pytest.mark.parametrize(
    "last",
    [
        "A = knob [1, 2]",
        'A = knob [1, 2]\nm = match "linalg.fill" in f\nx, y = tile m by [A]',
    ],
)
def test_sequences_that_include_each_other_twice_are_read_once(last: str) -> None:
    space = read_space(Schedule.from_text(_doubling(24, last)).module)
    assert space.count_valid() == 2 and len(space.items) == 1


def test_branches_that_include_the_same_are_one() -> None:
    parts = [
        f"sequence q{i}(f) {{\n choose c{i} {{ a {{ include q{i + 1}(f) }} "
        f"b {{ include q{i + 1}(f) }} }}\n}}"
        for i in range(24)
    ]
    text = "\n".join([*parts, "sequence q24(f) { A = knob [1, 2, 3] }"])
    text += "\nschedule s(root) { include q0(root) }"
    assert read_space(Schedule.from_text(text).module).count_valid() == 3 << 24


def test_sequences_in_a_circle_are_an_error_with_a_place() -> None:
    text = "sequence a(f) { include b(f) }\nsequence b(f) { include a(f) }\n"
    with pytest.raises(UserError, match="includes itself") as error:
        Schedule.from_text(text + "schedule s(root) { include a(root) }")
    assert error.value.place is not None


def test_a_selected_region_names_alternatives_that_are_there() -> None:
    read = schedule("require tail != a\nchoose tail { a { } b { } }")
    text = read.to_mlir(resolved=False)
    assert Schedule.from_text(text, "s.mlir").open_choices()
    for wrong in (
        text.replace('selected_region "tail"', 'selected_region "tial"'),
        text.replace('of ["a", "b"]', 'of ["b", "a"]'),
    ):
        assert wrong != text
        with pytest.raises(UserError, match="there are no alternatives"):
            Schedule.from_text(wrong, "s.mlir")
