"""The search space read off real transform IR."""

from __future__ import annotations

import pytest

from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module
from tilewright.transforms.control.choices.bind import bind
from tilewright.transforms.dialect import schedule_context
from tilewright.tuning.space.choices import Alternative, Knob
from tilewright.tuning.space.read import read_space

P = "!transform.param<i64>"


def knob(name: str, *options: int) -> str:
    listed = ", ".join(f"{option} : i64" for option in options)
    return f'%{name} = transform.tune.knob<"{name}"> options = [{listed}] -> {P}\n'


def at_most(limit: int, a: str, b: str) -> str:
    return f"""
    transform.smt.constrain_params({a}, {b}) : ({P}, {P}) -> () {{
    ^bb0(%x: !smt.int, %y: !smt.int):
      %area = smt.int.mul %x, %y
      %limit = smt.int.constant {limit}
      %fits = smt.int.cmp le %area, %limit
      smt.assert %fits
    }}
    """


def schedule(body: str, more: str = ""):
    text = f"""
    module attributes {{transform.with_named_sequence}} {{
      {more}
      transform.named_sequence @__transform_main(%root: !transform.any_op) {{
        {body}
        transform.yield
      }}
    }}
    """
    return parse_module(text, "schedule.mlir", schedule_context())


CHOOSE = f"""
    transform.tune.alternatives<"tail"> attributes {{
        tilewright.labels = ["fused", "separate"]}} {{
    }}, {{
      {knob("W2", 2, 4, 8)}
      {at_most(256, "%BM", "%W2")}
    }}
"""


def test_knobs_branches_and_constraints() -> None:
    module = schedule(
        knob("BM", 64, 128) + knob("BN", 64, 128) + CHOOSE + at_most(8192, "%BM", "%BN")
    )
    space = read_space(module)
    assert space.describe().splitlines() == [
        "BM in [64, 128]",
        "BN in [64, 128]",
        "choose tail",
        "  fused",
        "  separate",
        "    W2 in [2, 4, 8]",
        "    require BM * W2 <= 256",
        "require BM * BN <= 8192",
        # (64, 64), (64, 128), (128, 64); separate leaves W2 two and one options.
        f"{3 + 2 + 2 + 1} valid points of {4 * 4}",
    ]
    assert space.conditional == {"W2"}
    assert {"BM": 64, "BN": 64, "tail": "separate", "W2": 4} in list(space.points())


def test_every_point_binds() -> None:
    for point in read_space(schedule(knob("BM", 64, 128) + CHOOSE)).points():
        module = schedule(knob("BM", 64, 128) + CHOOSE)
        bind(module, point)
        assert all(name not in point for name in read_space(module).choices)


def test_picked_choices_are_closed_and_still_constrain() -> None:
    module = schedule(
        knob("BM", 64, 128) + knob("BN", 64, 128) + CHOOSE + at_most(8192, "%BM", "%BN")
    )
    bind(module, {"BM": 128, "tail": "separate"})
    space = read_space(module)
    assert list(space.points()) == [{"BN": 64, "W2": 2}]
    assert [c.text for c in space.constraints] == [
        "128 * W2 <= 256",
        "128 * BN <= 8192",
    ]


def test_included_sequence_with_its_parameters() -> None:
    helper = f"""
    transform.named_sequence @helper(%size: {P}) {{
      {knob("S", 2, 3, 4)}
      {at_most(256, "%size", "%S")}
      transform.yield
    }}
    transform.named_sequence @unused() {{
      {knob("never", 1, 2)}
      transform.yield
    }}
    """
    include = f"transform.include @helper failures(propagate) (%BM) : ({P}) -> ()\n"
    space = read_space(schedule(knob("BM", 64, 128) + include + include, helper))
    assert list(space.choices) == ["BM", "S"]
    assert {c.text for c in space.constraints} == {"BM * S <= 256"}
    assert space.count_valid() == 3 + 1


def test_constants_in_constraints() -> None:
    body = (
        knob("BM", 64, 128)
        + f"%four = transform.param.constant 4 : i64 -> {P}\n"
        + at_most(256, "%BM", "%four")
    )
    space = read_space(schedule(body))
    assert list(space.points()) == [{"BM": 64}]
    assert space.constraints[0].text == "BM * 4 <= 256"


def test_same_name_twice_is_one_choice() -> None:
    body = knob("BM", 64, 128) + "\n" + knob("BM", 64, 128).replace("%BM", "%again", 1)
    assert read_space(schedule(body)).size() == 2
    other = knob("BM", 64, 256).replace("%BM", "%again", 1)
    with pytest.raises(UserError) as caught:
        read_space(schedule(knob("BM", 64, 128) + other))
    assert "schedule.mlir:" in str(caught.value)
    assert "'BM' is declared twice with different options" in str(caught.value)


def test_default_labels_and_words() -> None:
    body = """
    transform.tune.alternatives<"order"> { }, { }
    %p = transform.tune.knob<"precision"> options = ["tf32", "ieee"]
        -> !transform.any_param
    """
    space = read_space(schedule(body))
    assert space.items == (
        Alternative("order", ("0", "1"), ((), ())),
        Knob("precision", ("tf32", "ieee")),
    )


def test_nothing_open() -> None:
    space = read_space(schedule(""))
    assert list(space.points()) == [{}]
    assert space.size() == space.count_valid() == 1


def test_a_value_outside_many_options_is_answered_with_the_nearest() -> None:
    module = schedule(knob("BM", *range(0, 20000, 2)))
    with pytest.raises(UserError) as error:
        bind(module, {"BM": 777})
    assert "of its 10000 options are 774, 776, 778, 780" in str(error.value)
    with pytest.raises(UserError, match="no choice 'BN'; did you mean 'BM'"):
        bind(module, {"BN": 2})
    assert read_space(module).count_valid() == 10000
