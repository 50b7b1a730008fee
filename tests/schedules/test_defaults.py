"""Defaults of choices: what closes a choice that a point leaves open."""

from __future__ import annotations

from pathlib import Path

import pytest

import tilewright
from support.command_line import cli_in
from support.mlir_opt import mlir_opt, needs_mlir
from tilewright.ir.errors import UserError
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.covering import Covering
from tilewright.tuning.space.read import read_space

PAYLOAD = """
func.func @f(%x: tensor<64x64xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.exp ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>)
    -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
"""

SCHEDULE = """
schedule rows(root) {
  h = match "linalg.exp" in root
  BM = knob [16, 32, 64] default 32  W = knob "warps" [2, 4] default 4
  require order == plain or BM <= 32
  h, grid = tile h by [BM, 64] onto [block.x, block.y]
  launch grid warps = W
  choose order default plain {
    plain { }
    grouped {
      G = knob [1, 2, 4] default 2
      require G < BM
      launch grid group = G
    }
    other { G = knob [1, 2, 4]  launch grid group = G }
  }
}
"""

DEFAULTS = {"BM": 32, "warps": 4, "order": "plain"}


def read(text: str = SCHEDULE) -> Schedule:
    return Schedule.from_text(text, "rows.tw")


def edited(old: str, new: str) -> str:
    assert SCHEDULE.count(old) == 1
    return SCHEDULE.replace(old, new)


def warps_and_group(point: dict[str, int | str]) -> tuple[int, int]:
    built = build(parse_payload(PAYLOAD), read(), point)
    (kernel,) = built.program.kernels
    return kernel.num_warps, kernel.group


def test_defaults_close_what_a_point_leaves_open() -> None:
    schedule = read()
    assert schedule.defaults({}) == DEFAULTS
    assert schedule.defaults({"BM": 16, "order": "grouped"}) == {"warps": 4, "G": 2}
    assert warps_and_group({}) == (4, 1)
    assert warps_and_group({"warps": 2}) == (2, 1)
    assert warps_and_group({"order": "grouped"}) == (4, 2)
    assert warps_and_group({"order": "grouped", "G": 1}) == (4, 1)


def test_a_choice_without_a_default_stays_open() -> None:
    with pytest.raises(UserError) as caught:
        build(parse_payload(PAYLOAD), read(), {"order": "other"})
    assert "'G' is open, its options are 1, 2, 4; choose with" in str(caught.value)


def test_open_choices_have_their_defaults() -> None:
    found = {choice.name: choice.default for choice in read().open_choices()}
    assert found == {**DEFAULTS, "G": 2}
    left = read().with_point({"BM": 64}).open_choices()
    assert [choice.name for choice in left] == ["warps", "order", "G"]


def test_text_keeps_the_defaults_of_open_choices() -> None:
    text = read().with_point({"BM": 32, "order": "grouped"}).to_tw()
    assert 'W = knob "warps" [2, 4] default 4' in text
    assert "G = knob [1, 2, 4] default 2" in text
    assert Schedule.from_text(text).defaults({}) == {"warps": 4, "G": 2}
    whole = read().to_tw()
    assert "choose order default plain {" in whole
    assert read(whole).to_tw() == whole
    closed = read().with_defaults({}).to_tw()
    assert "knob" not in closed and "point: BM = 32, warps = 4, order = plain" in closed


def test_mlir_reads_and_writes_defaults() -> None:
    text = read().to_mlir(resolved=False)
    assert "options = [16, 32, 64] {tilewright.default = 32 : i64} ->" in text
    again = Schedule.from_text(text, "rows.mlir")
    assert again.defaults({}) == DEFAULTS
    assert again.to_mlir(resolved=False) == text


@needs_mlir
def test_mlir_opt_accepts_defaults() -> None:
    text = read().with_point({"BM": 32}).to_mlir()
    assert 'tilewright.default = "plain"' in mlir_opt(text)


@pytest.mark.parametrize(
    "old, new, message",
    [
        (
            "default 32",
            "default 48",
            "rows.tw:4:34: error: the default of knob 'BM', 48, is not among its "
            "options; choose one of 16, 32, 64",
        ),
        (
            "default plain",
            "default plan",
            "rows.tw:8:24: error: the default of choose 'order', 'plan', is not "
            "among its branches; did you mean 'plain'?",
        ),
        (
            "order default plain",
            "order default nothing",
            "choose one of plain, grouped, other",
        ),
        (
            "[16, 32, 64] default 32",
            "[16, 32, 64] default h",
            "unexpected 'h'; expected a number or a string",
        ),
        ("h = match", "default = match", "'default' is a reserved word"),
    ],
)
def test_wrong_defaults(old: str, new: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        read(edited(old, new))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "old, new, message",
    [
        (
            "order == plain or BM <= 32",
            "order == grouped and BM >= 16",
            "the default point is not valid: order == grouped and BM >= 16 does not "
            "hold for order = plain (the default), BM = 32 (the default); change a "
            "default, or relax the condition",
        ),
        (
            "tile h by [BM, 64]",
            "tile h by [BM / 3, 64]",
            "the default point is not valid: BM / 3 is not a whole number",
        ),
    ],
)
def test_the_default_point_violates_a_condition(
    old: str, new: str, message: str
) -> None:
    with pytest.raises(UserError) as caught:
        read(edited(old, new))
    assert message in str(caught.value)


def test_conditions_of_branches_that_defaults_do_not_take() -> None:
    schedule = read(edited("G < BM", "G > BM"))
    assert schedule.defaults({}) == DEFAULTS
    with pytest.raises(UserError) as caught:
        build(parse_payload(PAYLOAD), schedule, {"order": "grouped", "BM": 16})
    assert "does not hold for G = 2 (the default), BM = 16;" in str(caught.value)


def test_mlir_with_a_default_that_is_no_option() -> None:
    text = read().to_mlir().replace("default = 32", "default = 33")
    with pytest.raises(UserError) as caught:
        Schedule.from_text(text, "rows.mlir")
    assert "its default 33 is not among its options; they are 16, 32, 64" in str(
        caught.value
    )
    text = read().to_mlir().replace('default = "plain"', 'default = "round"')
    with pytest.raises(UserError) as caught:
        Schedule.from_text(text, "rows.mlir")
    assert 'its default "round" is not among its branches' in str(caught.value)


def test_an_included_sequence_has_defaults_too() -> None:
    schedule = read("""
schedule s(root) {
  h = match "linalg.exp" in root
  BM = choose size default large { large { yield 64 } small { yield 16 } }
  h, grid = tile h by [BM, 64] onto [block.x, block.y]
  include how(grid)
}
sequence how(grid) {
  W = knob "warps" [2, 4] default 2
  launch grid warps = W
}
sequence never(grid) {
  W = knob "never" [2, 4] default 2
  launch grid warps = W
}
""")
    assert schedule.defaults({}) == {"size": "large", "warps": 2}
    assert build(parse_payload(PAYLOAD), schedule).program.kernels[0].num_warps == 2
    assert read(schedule.to_tw()).to_tw() == schedule.to_tw()


def test_the_space_has_a_default_point() -> None:
    schedule = read()
    space = read_space(schedule.module)
    assert space.default_point() == DEFAULTS and space.contains(DEFAULTS)
    assert "BM in [16, 32, 64] default 32" in space.describe()
    assert "choose order default plain" in space.describe()
    assert Covering(space).next_point() == DEFAULTS
    other = schedule.with_point({"order": "other"}).module
    assert read_space(other).default_point() is None
    closed = schedule.with_defaults({}).module
    assert read_space(closed).default_point() is None


def test_commands_name_the_choices_left_to_defaults(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_cli = cli_in(tmp_path, monkeypatch, capsys)
    payload, schedule = tmp_path / "p.mlir", tmp_path / "s.tw"
    payload.write_text(PAYLOAD)
    schedule.write_text(SCHEDULE)
    result = run_cli("opt", "p.mlir", "-s", "s.tw", "--set", "BM=16")
    line = "choices left to their defaults: warps = 4, order = plain\n"
    assert result.err == line
    upstream = run_cli("opt", "p.mlir", "-s", "s.tw", "--emit", "mlir-schedule")
    assert 'knob<"BM"> = 32 : i64 from' in upstream.out
    program = tilewright.compile(payload, schedule, order="grouped")
    expected = "choices left to their defaults: BM = 32, warps = 4, G = 2"
    assert expected in program.report
