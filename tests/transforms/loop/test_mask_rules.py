"""The rules by which scalar ops keep what is known of elements, against numbers."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from support.ir.interpreter import apply
from tilewright.ir.context import payload_context
from tilewright.ir.text import parse_module
from tilewright.transforms.loop.masks.elements import (
    DATA,
    UNKNOWN,
    Carried,
    Element,
    Number,
    Rules,
    number,
    renamed,
)

PIVOT = Element(Carried(0, (0,)))
OTHER = Element(Carried(1, (0,)))
FINITE = (-3.25, -1.0, -0.5, 0.0, 0.5, 2.0, 7.0)
POSSIBLE: dict[Element, tuple[float, ...]] = {
    **{number(value): (value,) for value in (0.0, 1.0, 0.5, math.inf, -math.inf)},
    DATA: FINITE,
    PIVOT: FINITE,
    OTHER: (-math.inf, -1.5, 0.0, 3.0, math.inf),
}
"""What is known of an element, and numbers that it may be."""

BINARY = "addf subf mulf divf maximumf minimumf maxnumf minnumf".split()
ORDERED = "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno".split()
OPS = {
    **{name: f"arith.{name} %a0, %a1 : TYPE" for name in BINARY},
    **{name: f"arith.cmpf {name}, %a0, %a1 : TYPE" for name in ORDERED},
    **{name: f"math.{name} %a0 : TYPE" for name in ("exp", "exp2")},
    "negf": "arith.negf %a0 : TYPE",
    "extf": "arith.extf %a0 : TYPE to WIDE",
    "truncf": "arith.truncf %a0 : TYPE to NARROW",
}


QUICK = ("addf", "subf", "mulf", "maximumf", "exp", "oeq")


def claimed(text: str, operands: list[Element], result: str) -> Element:
    """What the rules say of an op's result, if the element at (0,) is finite."""
    names = ", ".join(f"%a{at}: f32" for at in range(len(operands)))
    func = (
        f"func.func @f({names}) -> {result} {{\n  %r = {text}\n  return %r : {result}"
    )
    module = parse_module(func + "\n}", "test.mlir", payload_context())
    (op,) = (op for op in module.walk() if op.results and not op.regions)
    return Rules(finite=0).apply(op, operands)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "name",
    [
        name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
        for name in OPS
    ],
)
def test_what_is_claimed_is_true(name: str) -> None:
    text = OPS[name]
    result = {"extf": "f64", "truncf": "f16"}.get(name, "f32")
    result = "i1" if "cmpf" in text else result
    wide, narrow = text.replace("WIDE", "f64"), "f16"
    scalar = wide.replace("NARROW", narrow).replace("TYPE", "f32")
    claims = 0
    for operands in itertools.product(POSSIBLE, repeat=2 if "%a1" in text else 1):
        claim = claimed(scalar, list(operands), result)
        if claim.rows not in (None, (0,)) or claim in (DATA, UNKNOWN):
            continue
        chosen = [
            values
            for values in itertools.product(*(POSSIBLE[each] for each in operands))
            # One carried element has one value.
            if operands[0] not in (PIVOT, OTHER)
            or operands[0] != operands[-1]
            or values[0] == values[-1]
        ]
        shape = f"tensor<{len(chosen)}x"
        arrays = [np.array(column, np.float32) for column in zip(*chosen, strict=True)]
        tensors = text.replace("TYPE", f"{shape}f32>").replace("WIDE", f"{shape}f64>")
        with np.errstate(all="ignore"):
            found = apply(
                tensors.replace("NARROW", f"{shape}f16>"),
                *arrays,
                types=", ".join([f"{shape}f32>"] * len(arrays)),
                result=f"{shape}{result}>",
            )
        wanted = found
        if isinstance(claim.term, Number):
            wanted = np.full(len(chosen), claim.term.value)
        elif isinstance(claim.term, Carried):
            wanted = arrays[[e.term for e in operands].index(claim.term)]
        else:
            continue  # an expression stands for itself
        claims += 1
        np.testing.assert_array_equal(np.abs(found.astype(float)), np.abs(wanted))
    assert claims > 0


def test_facts_about_different_rows_do_not_combine() -> None:
    rows, columns = number(1.0, (0,)), number(1.0, (1,))
    text = "arith.mulf %a0, %a1 : f32"
    assert claimed(text, [rows, rows], "f32") == rows
    assert claimed(text, [rows, number(1.0)], "f32") == rows
    assert claimed(text, [rows, columns], "f32") == UNKNOWN
    assert claimed(text, [Element(Carried(1, (0, 1)), (0,)), columns], "f32") == UNKNOWN


def test_a_dimension_without_a_new_name_makes_an_element_unknown() -> None:
    assert renamed(Element(Carried(0, (0, 1))), {0: 2, 1: 0}.get) == Element(
        Carried(0, (2, 0))
    )
    assert renamed(Element(Carried(0, (0, 1))), {0: 2}.get) == UNKNOWN
    assert renamed(number(1.0, (1,)), {0: 2}.get) == UNKNOWN
    assert renamed(DATA, {}.get) == DATA
