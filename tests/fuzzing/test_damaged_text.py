"""Damaged texts: either they still parse, or there is one error with a place.

Every snippet of the corpus is cut off, and loses, doubles, swaps and gets tokens at
random; nothing but a `UserError` may come out, whatever is left.
"""

from __future__ import annotations

import random
import re

import pytest
from xdsl.irdl import IRDLOperation

from support.ir.snippets import snippets_in
from support.paths import DATA
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module

TEXTS = [s.text for f in ("corpus", "rejected") for s in snippets_in(DATA / f)]
TOKEN = re.compile(r'"[^"\n]*"|[%#!@^]?[\w.$]+|->|[^\s\w]|\s+')
WORDS = sorted({word for text in TEXTS for word in TOKEN.findall(text)})
STRANGE = '\0\t"<>{}():,%#é🧮\\'
ROUNDS = 8
EACH_ROUND = 150


def damaged(text: str, chance: random.Random) -> str:
    tokens = TOKEN.findall(text)
    first, second = sorted(chance.randrange(len(tokens)) for _ in range(2))
    match chance.randrange(8):
        case 0:
            return text[: chance.randrange(len(text))]
        case 1:
            position = chance.randrange(len(text))
            return text[:position] + chance.choice(STRANGE) + text[position + 1 :]
        case 2:
            del tokens[first]
        case 3:
            del tokens[first:second]
        case 4:
            tokens[first], tokens[second] = tokens[second], tokens[first]
        case 5:
            tokens[first] = chance.choice(WORDS)
        case 6:
            tokens.insert(first, f" {chance.choice(WORDS)} ")
        case _:
            tokens.insert(first, tokens[second])
    return "".join(tokens)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_damaged_texts_give_located_errors(seed: int) -> None:
    chance = random.Random(seed)
    context = payload_context()
    refused = 0
    for _ in range(EACH_ROUND):
        text = damaged(chance.choice(TEXTS), chance)
        try:
            parse_module(text, "damaged.mlir", context)
        except UserError as error:
            refused += 1
            assert error.place is not None, (text, error)
            assert error.place.file.endswith((".mlir", ".py")), (text, error)
            assert "\n" not in error.fact, (text, error)
    assert refused > EACH_ROUND // 2


OPERANDS = ("", "%a", "%a, %a", "%t", "%t, %t", "%m", "%m, %m", "%v, %v", "%i, %i")
TYPES = {
    "%a": "f32",
    "%t": "tensor<4xf32>",
    "%m": "memref<4xf32>",
    "%v": "vector<4xf32>",
    "%i": "index",
}
RESULTS = ("()", "f32", "tensor<4xf32>", "vector<4xf32>", "memref<4xf32>", "(f32, f32)")
REGIONS = (
    "",
    "({})",
    "({^bb0:\n})",
    "({^bb0(%q: f32):\n})",
    '({^bb0(%q: f32):\n "linalg.yield"(%q) : (f32) -> ()})',
    '({^bb0(%q: index):\n "scf.yield"() : () -> ()})',
    "({}, {})",
)
VALUES = ("unit", "1 : i32", '"x"', "[]", "array<i32: 1>", "array<i64: 0, 0>", "f32")


def nonsense(op: type[IRDLOperation], chance: random.Random) -> str:
    """An op in generic form with operands, attributes and regions at random."""
    operands = chance.choice(OPERANDS)
    types = ", ".join(TYPES[name] for name in operands.split(", ") if name)
    attributes = ", ".join(
        f"{name} = {chance.choice(VALUES)}"
        for name in op.get_irdl_definition().properties
        if chance.random() < 0.7
    )
    arguments = ", ".join(f"{name}: {of}" for name, of in TYPES.items())
    return (
        f"func.func @f({arguments}) {{\n"
        f'  "{op.name}"({operands}) <{{{attributes}}}> {chance.choice(REGIONS)}'
        f" : ({types}) -> {chance.choice(RESULTS)}\n"
        "  return\n}"
    )


@pytest.mark.slow
def test_every_op_refuses_nonsense_in_words() -> None:
    chance = random.Random(0)
    context = payload_context()
    for op in context.all_ops():
        assert issubclass(op, IRDLOperation)
        for text in (nonsense(op, chance) for _ in range(4)):
            try:
                parse_module(text, "nonsense.mlir", context)
            except UserError as error:
                assert error.place is not None, (text, error)
                for word in ("\n", "Underlying", "Attr(", "Type("):
                    assert word not in error.fact, (text, error)


@pytest.mark.parametrize(
    "text",
    [
        f"module attributes {{a.b = {'[' * 20_000}",
        f"module attributes {{a.b = {'{a.b = ' * 20_000}",
        f"func.func @f(%a: {'tuple<' * 20_000}",
        "module {" * 20_000,
    ],
    ids=["arrays", "dictionaries", "types", "regions"],
)
def test_deep_nesting_is_an_error_too(text: str) -> None:
    with pytest.raises(UserError, match=r"deep.mlir:1:.*nested 2000\d deep"):
        parse_module(text, "deep.mlir", payload_context())


def test_a_string_without_an_end_is_found_at_once() -> None:
    text = f'module attributes {{a = "{"x" * 100_000}\n}} {{}}'
    with pytest.raises(UserError, match="at the end of the string"):
        parse_module(text, "open.mlir", payload_context())
