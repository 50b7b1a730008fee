"""Knobs: ranges, powers, defaults, and options that depend on knobs and payload."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.ir.text import parse_module
from tilewright.schedules.schedule import Schedule, check_text
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import run_schedule
from tilewright.tuning.space.read import read_space

MATMUL = """
func.func @f(%x: tensor<64x32xf16>, %w: tensor<32x128xf16>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %r = linalg.matmul ins(%x, %w : tensor<64x32xf16>, tensor<32x128xf16>)
    outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}
"""


def parse_payload(text: str) -> ModuleOp:
    return parse_module(text, "p.mlir", schedule_context())


def schedule(body: str) -> Schedule:
    return Schedule.from_text(f"schedule s(root) {{\n{body}\n}}", "s.tw")


def options(body: str, name: str) -> tuple[object, ...]:
    found = {choice.name: choice.options for choice in schedule(body).open_choices()}
    return found[name]


def error(body: str) -> str:
    (found,) = check_text(f"schedule s(root) {{\n{body}\n}}", "s.tw")
    return str(found).splitlines()[0]


@pytest.mark.parametrize(
    "knob, expected",
    [
        ("knob pow2(16, 256)", (16, 32, 64, 128, 256)),
        ("64 of pow2(16, 64)", (16, 32, 64)),
        ("knob pow2(1, 1)", (1,)),
        ("knob range(16, 64, 16)", (16, 32, 48, 64)),
        ("knob range(1, 4)", (1, 2, 3, 4)),
        ("8 of [8, 16]", (8, 16)),
        ('"a" of ["a", "b"]', ("a", "b")),
        ("knob [2 * 8, 64 / 2]", (16, 32)),
    ],
)
def test_options(knob: str, expected: tuple[object, ...]) -> None:
    assert options(f"A = {knob}", "A") == expected


def test_of_gives_the_default() -> None:
    short = schedule("A = 64 of [64, 128]   B = 2 of pow2(1, 4)")
    assert short.defaults({}) == {"A": 64, "B": 2}
    long = schedule("A = knob [64, 128] default 64\n B = knob [1, 2, 4] default 2")
    assert short.module.is_structurally_equivalent(long.module)


def test_options_depend_on_another_knob() -> None:
    read = schedule("A = knob [32, 64]\n B = knob pow2(16, A)\n C = knob [A / 2, A]")
    assert {c.name: c.options for c in read.open_choices()} == {
        "A": (32, 64),
        "B": (16, 32, 64),
        "C": (16, 32, 64),
    }
    points = read_space(read.module).points()
    assert {(p["A"], p["B"], p["C"]) for p in points} == {
        (a, b, c) for a in (32, 64) for b in (16, 32, 64) for c in (a // 2, a) if b <= a
    }


BOUNDED = """
  mm = match "linalg.matmul" in root
  A = knob [16, 64]
  BK = knob pow2(16, min(A, dim(mm, -1)))
  require BK * elem_bits(mm) <= 1024 and dim(mm, 0) == 64
"""


@pytest.mark.parametrize("k, fits", [(16, True), (32, True), (64, False)])
def test_the_payload_bounds_options(k: int, fits: bool) -> None:
    read = schedule(BOUNDED)
    assert options(BOUNDED, "BK") == (16, 32, 64)
    module = read.bound({"A": 64, "BK": k})
    if fits:
        run_schedule(module, parse_payload(MATMUL))
        return
    with pytest.raises(SilenceableFailure, match="BK <= min"):
        run_schedule(module, parse_payload(MATMUL))


def test_element_bits_are_of_an_operand() -> None:
    body = 'mm = match "linalg.matmul" in root\n require elem_bits(mm, {}) == {}'
    for position, bits in ((0, 16), (2, 32), (-1, 32)):
        read = schedule(body.format(position, bits))
        run_schedule(read.module, parse_payload(MATMUL))
    with pytest.raises(SilenceableFailure, match="there is no operand 3"):
        run_schedule(schedule(body.format(3, 16)).module, parse_payload(MATMUL))


def test_an_open_size_says_nothing() -> None:
    body = 'mm = match "linalg.matmul" in root\n require dim(mm, 0) == {}'
    open_ = MATMUL.replace("64x", "?x").replace("empty()", "empty(%n)")
    open_ = open_.replace("%zero =", "%n = arith.constant 5 : index\n  %zero =")
    run_schedule(schedule(body.format(7)).module, parse_payload(open_))
    with pytest.raises(SilenceableFailure):
        run_schedule(schedule(body.format(7)).module, parse_payload(MATMUL))


@pytest.mark.parametrize(
    "value, is_power", [(1, True), (64, True), (0, False), (48, False)]
)
def test_is_pow2(value: int, is_power: bool) -> None:
    body = f"A = knob [{value}, 3]\n require is_pow2(A)"
    found = [point["A"] for point in read_space(schedule(body).module).points()]
    assert found == ([value] if is_power else [])


@pytest.mark.parametrize(
    "body",
    [
        "A = 64 of pow2(16, 64)\n B = knob pow2(A / 2, A)\n require is_pow2(B)",
        BOUNDED,
        'mm = match "linalg.matmul" in root\n K = dim(mm, 2)\n'
        " l, k = tile mm by [0, 0, min(K, 16)]\n pipeline k stages = dim(l, 0)",
    ],
)
def test_written_and_read_back(body: str) -> None:
    read = schedule(body)
    text = read.to_tw()
    again = Schedule.from_text(text, "again.tw")
    assert again.to_tw() == text
    assert again.module.is_structurally_equivalent(read.module)


@pytest.mark.parametrize(
    "body, expected",
    [
        (
            "A = knob pow3(1, 9)",
            "s.tw:2:10: error: knob: no options are called 'pow3'; "
            "did you mean 'pow2'?",
        ),
        (
            "A = knob pow2(64, 16)",
            "s.tw:2:10: error: knob 'A' has no options; "
            "its first value is larger than its last",
        ),
        (
            "A = knob pow2(16)",
            "s.tw:2:10: error: pow2: it takes a first and a last value; "
            "write: pow2(16, 256)",
        ),
        (
            "A = knob range(0, 64, 16)",
            "s.tw:2:16: error: range: its values are whole numbers, 1 or more; "
            "write: range(16, 256, 16)",
        ),
        (
            "A = 48 of pow2(16, 64)",
            "s.tw:2:5: error: the default of knob 'A', 48, is not among its options; "
            "choose one of 16, 32, 64",
        ),
        (
            'm = match "linalg.matmul" in root\nA = knob [16, dim(m, 0)]',
            "s.tw:3:15: error: knob 'A': an option depends on a number that is known "
            "only in a run; bound the options by it: pow2(16, dim(h, 0))",
        ),
        (
            'm = match "linalg.matmul" in root\nA = knob range(1, dim(m, 0))',
            "s.tw:3:10: error: knob 'A' has more than 10000 options; "
            "bound them: range(16, min(dim(h, 0), 512), 16)",
        ),
        (
            "A = knob [16, A]",
            "s.tw:2:15: error: the options of knob 'A' depend on 'A'; "
            "give the knob another name",
        ),
        (
            "A = knob [16, 32]\nB = knob [1, 2]\nrequire dim(A, 0) > B",
            "s.tw:4:13: error: dim: 'A' is a number, not a handle; "
            "use a name that match, tile or fuse has bound",
        ),
        (
            'm = match "linalg.matmul" in root\nrequire dim(m, m) > 2',
            "s.tw:3:9: error: dim: it takes a handle and a position; such as dim(h, 0)",
        ),
    ],
)
def test_mistakes(body: str, expected: str) -> None:
    assert error(body) == expected


def test_the_default_point_must_satisfy_the_options() -> None:
    with pytest.raises(UserError, match="the default point is not valid: B <= A"):
        schedule("A = 16 of [16, 64]\n B = 32 of pow2(16, A)")
