"""specialize."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.loops import assert_round_trips
from support.transforms.payloads import matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    match,
    parse_payload,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.dialects.linalg import FUNCTION_OPS
from tilewright.ir.errors import SilenceableFailure, UserError

SPECIALIZE = (
    f"%r = transform.structured.specialize %h : ({OP}) -> {OP}",
    f'transform.annotate %r "made" : {OP}',
)
SCHEDULE = schedule_of(match("%h", "linalg.generic"), *SPECIALIZE)


def generic(maps: list[str], loops: str, kinds: list[str], body: str) -> str:
    """A generic op; a p or r for each loop, the last of `kinds` is the output."""
    *inputs, output = kinds
    names = [f"%a{i}" for i in range(len(kinds))]
    arguments = ", ".join(f"{n}: {k}" for n, k in zip(names, kinds, strict=True))
    elements = [k.split("x")[-1].rstrip(">").removeprefix("tensor<") for k in kinds]
    scalars = ", ".join(f"%x{i}: {of}" for i, of in enumerate(elements))
    shown = ", ".join(f"affine_map<{map_}>" for map_ in maps)
    types = ", ".join(
        f'"{"reduction" if loop == "r" else "parallel"}"' for loop in loops
    )
    ins = f"ins({', '.join(names[:-1])} : {', '.join(inputs)}) " if inputs else ""
    return f"""\
func.func @f({arguments}) -> {output} {{
  %one = arith.constant 1.0 : f32
  %r = linalg.generic {{indexing_maps = [{shown}], iterator_types = [{types}]}}
    {ins}outs({names[-1]} : {output}) {{
  ^bb0({scalars}):
    {body}
  }} -> {output}
  return %r : {output}
}}
"""


def yielding(line: str, of: str = "f32") -> str:
    return f"{line}\n    linalg.yield %y : {of}"


SAME, TILE = "(i, j) -> (i, j)", "tensor<4x5xf32>"
CUBE = "tensor<2x3x4xf32>"
MK, KN, MN = "(m, n, k) -> (m, k)", "(m, n, k) -> (k, n)", "(m, n, k) -> (m, n)"
A, B = "tensor<4x6xf32>", "tensor<6x5xf32>"
SUM = yielding("%p = arith.mulf %x0, %x1 : f32\n    %y = arith.addf %x2, %p : f32")
WIDENED = yielding(
    "%u = arith.extf %x0 : f16 to f32\n    %v = arith.extf %x1 : f16 to f32\n"
    "    %p = arith.mulf %u, %v : f32\n    %y = arith.addf %x2, %p : f32"
)
BATCH = [f"(b, m, n, k) -> (b, {pair})" for pair in ("m, k", "k, n", "m, n")]
BATCHED = ["tensor<2x4x6xf32>", "tensor<2x6x5xf32>", "tensor<2x4x5xf32>"]

# name: payload, the name it gets
LIKE_UPSTREAM = {
    "copy": (generic([SAME, SAME], "pp", [TILE, TILE], "linalg.yield %x0 : f32"), ""),
    "fill": (generic([SAME], "pp", [TILE], "linalg.yield %one : f32"), ""),
    "fill by an input": (
        generic(["(i, j) -> ()", SAME], "pp", ["f32", TILE], "linalg.yield %x0 : f32"),
        "fill",
    ),
    "broadcast": (
        generic(
            ["(i, j) -> (i)", SAME],
            "pp",
            ["tensor<4xf32>", TILE],
            "linalg.yield %x0 : f32",
        ),
        "",
    ),
    "transpose": (
        generic(
            ["(i, j) -> (j, i)", SAME],
            "pp",
            ["tensor<5x4xf32>", TILE],
            "linalg.yield %x0 : f32",
        ),
        "",
    ),
    "transpose of three": (
        generic(
            ["(i, j, k) -> (k, i, j)", "(i, j, k) -> (i, j, k)"],
            "ppp",
            ["tensor<4x2x3xf32>", CUBE],
            "linalg.yield %x0 : f32",
        ),
        "transpose",
    ),
    "exp": (
        generic([SAME] * 2, "pp", [TILE] * 2, yielding("%y = math.exp %x0 : f32")),
        "",
    ),
    **{
        name: (
            generic(
                [SAME] * 3,
                "pp",
                [TILE] * 3,
                yielding(f"%y = arith.{name}f %x0, %x1 : f32"),
            ),
            "",
        )
        for name in ("add", "sub", "mul", "div")
    },
    "sub, the other way round": (
        generic(
            [SAME] * 3, "pp", [TILE] * 3, yielding("%y = arith.subf %x1, %x0 : f32")
        ),
        "sub",
    ),
    "add, the other way round": (
        generic(
            [SAME] * 3, "pp", [TILE] * 3, yielding("%y = arith.addf %x1, %x0 : f32")
        ),
        "add",
    ),
    "matmul": (generic([MK, KN, MN], "ppr", [A, B, TILE], SUM), ""),
    "matmul, the sum the other way round": (
        generic([MK, KN, MN], "ppr", [A, B, TILE], SUM.replace("%x2, %p", "%p, %x2")),
        "matmul",
    ),
    "matmul, k outermost": (
        generic(
            [f"(k, m, n) -> ({pair})" for pair in ("m, k", "k, n", "m, n")],
            "rpp",
            [A, B, TILE],
            SUM,
        ),
        "matmul",
    ),
    "matmul of f16": (
        generic(
            [MK, KN, MN],
            "ppr",
            ["tensor<4x6xf16>", "tensor<6x5xf16>", TILE],
            WIDENED,
        ),
        "matmul",
    ),
    "batch_matmul": (generic(BATCH, "pppr", BATCHED, SUM), ""),
}


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", LIKE_UPSTREAM)
def test_as_upstream(name, golden) -> None:
    payload, title = LIKE_UPSTREAM[name]
    ran = transform(payload, SCHEDULE)
    assert f"linalg.{title or name} " in ran.text
    assert_same_numbers(ran, reduction=6)
    assert_same_program(ran.text, by_real_mlir(payload, SCHEDULE))
    if name == "matmul":
        golden("transforms/specialize.mlir", ran.text)


FURTHER = {
    "square": generic(
        [SAME] * 2, "pp", [TILE] * 2, yielding("%y = arith.mulf %x0, %x0 : f32")
    ),
    "reciprocal": generic(
        [SAME] * 2, "pp", [TILE] * 2, yielding("%y = arith.divf %one, %x0 : f32")
    ),
    "max": generic(
        [SAME] * 3, "pp", [TILE] * 3, yielding("%y = arith.maximumf %x0, %x1 : f32")
    ),
    "add": generic(
        [SAME] * 3,
        "pp",
        ["tensor<4x5xi32>"] * 3,
        yielding("%y = arith.addi %x0, %x1 : i32", "i32"),
    ),
    "matmul": generic(
        [MK, "(m, n, k) -> (n, k)", MN], "ppr", [A, "tensor<5x6xf32>", TILE], SUM
    ),
    "matvec": generic(
        ["(m, k) -> (m, k)", "(m, k) -> (k)", "(m, k) -> (m)"],
        "pr",
        [A, "tensor<6xf32>", "tensor<4xf32>"],
        SUM,
    ),
}


@pytest.mark.parametrize("name", FURTHER)
def test_names_that_upstream_does_not_find(name) -> None:
    ran = transform(FURTHER[name], SCHEDULE)
    assert f"linalg.{name} " in ran.text
    assert_same_numbers(ran, reduction=6)
    mlir_opt(ran.text)


def named(name: str, inputs: int, of: str) -> str:
    kind = f"tensor<4x5x{of}>"
    kinds = [kind] * inputs
    if name == "linalg.select":
        kinds[0] = "tensor<4x5xi1>"
    arguments = ", ".join(f"%a{i}: {k}" for i, k in enumerate([*kinds, kind]))
    given = ", ".join(f"%a{i}" for i in range(inputs))
    return (
        f"func.func @f({arguments}) -> {kind} {{\n"
        f"  %r = {name} ins({given} : {', '.join(kinds)}) outs(%a{inputs} : {kind}) "
        f"-> {kind}\n  return %r : {kind}\n}}\n"
    )


BACK = schedule_of(
    match("%n", "func.func"),
    f"%k = transform.structured.match interface{{LinalgOp}} in %n : ({OP}) -> {OP}",
    f"%h = transform.structured.generalize %k : ({OP}) -> {OP}",
    SPECIALIZE[0],
)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("of", ["f32", "i32"])
@pytest.mark.parametrize("name", FUNCTION_OPS)
def test_every_function_gets_its_name_back(name, of) -> None:
    arity = FUNCTION_OPS[name].arity({})
    payload = named(name, arity, of)
    try:
        before = parse_payload(payload)
    except UserError:
        pytest.skip(f"{name} does not take {of}")
    ran = transform(payload, BACK)
    assert "linalg.generic" not in ran.text
    if name != "linalg.div_unsigned":
        assert name in ran.text
    if "div" not in name:
        assert_same_numbers(ran)
    assert len(list(ran.module.walk())) == len(list(before.walk()))


@pytest.mark.parametrize("sizes", [(4, 5, 6), (1, 1, 1)])
def test_a_product_gets_its_name_back(sizes) -> None:
    payload = matmul(*sizes, "f16")
    assert "linalg.matmul ins" in transform(payload, BACK).text


def test_what_has_a_name_keeps_it() -> None:
    schedule = schedule_of(match("%h", "linalg.matmul"), SPECIALIZE[0])
    assert transform(matmul(4, 4, 4), schedule).dumps == []


@needs_mlir
def test_its_text() -> None:
    assert_round_trips(match("%h", "linalg.generic"), SPECIALIZE[0])


# -- refusals --------------------------------------------------------------------------

NAMELESS = {
    "a function without a name": generic(
        [SAME] * 2, "pp", [TILE] * 2, yielding("%y = math.sin %x0 : f32")
    ),
    "into the output": generic(
        [SAME] * 2, "pp", [TILE] * 2, yielding("%y = arith.addf %x0, %x1 : f32")
    ),
    "an operand that is broadcast": generic(
        [SAME, "(i, j) -> (j)", SAME],
        "pp",
        [TILE, "tensor<5xf32>", TILE],
        yielding("%y = arith.addf %x0, %x1 : f32"),
    ),
    "the largest of products": generic(
        [MK, KN, MN], "ppr", [A, B, TILE], SUM.replace("addf", "maximumf")
    ),
    "the same input twice": generic(
        [SAME] * 3, "pp", [TILE] * 3, yielding("%y = arith.subf %x0, %x0 : f32")
    ),
    "a sum": generic(
        [SAME, "(i, j) -> (i)"],
        "pr",
        [TILE, "tensor<4xf32>"],
        yielding("%y = arith.addf %x0, %x1 : f32"),
    ),
}


@pytest.mark.parametrize("name", NAMELESS)
def test_no_name_for_it(name) -> None:
    error = refusal(NAMELESS[name], SCHEDULE)
    assert isinstance(error, SilenceableFailure)
    assert "specialize: no named op does what this generic op does" in str(error)
    assert error.notes


def test_not_a_structured_op() -> None:
    schedule = schedule_of(match("%h", "func.func"), SPECIALIZE[0])
    assert "'func.func' is not a structured op" in str(
        refusal(matmul(4, 4, 4), schedule)
    )
