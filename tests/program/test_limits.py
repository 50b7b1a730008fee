"""Limits of texts: how deep they nest, and names of any kind."""

from __future__ import annotations

import numpy as np
import pytest

from support.limits import function, parse
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.ir.parsing.nesting import MOST_NESTED
from tilewright.ir.text import to_text
from tilewright.pipeline import build, parse_payload


def nested(opening: str, inner: str, closing: str, depth: int) -> str:
    return opening * depth + inner + closing * depth


DEEP = {
    "regions": lambda n: function(nested("scf.if %b {\n", "", "}\n", n), "%b: i1"),
    "parentheses": lambda n: function(
        f"%r = affine.apply affine_map<(d0) -> ({nested('(', 'd0', ')', n)})>(%i)",
        "%i: index",
    ),
    "types": lambda n: function("", f"%a: {nested('tuple<', 'i1', '>', n)}"),
    "attributes": lambda n: (
        f"module attributes {{a.b = {nested('[', '1', ']', n)}}} {{}}"
    ),
    "dictionaries": lambda n: (
        f"module attributes {{a.b = {nested('{a = ', '1', '}', n)}}} {{}}"
    ),
    "locations": lambda n: f"module {{}} loc({nested('fused[', 'unknown', ']', n)})",
    "modules": lambda n: nested("module {", "", "}", n),
}


@pytest.mark.parametrize("kind", DEEP)
def test_deep_nesting_is_refused_with_its_depth(kind: str) -> None:
    with pytest.raises(UserError, match=f"nested 200[0-9] deep.*{MOST_NESTED}") as told:
        parse(DEEP[kind](2000))
    assert told.value.place is not None
    assert len(str(told.value)) < 1000, "a long line is shown around the caret only"


@pytest.mark.parametrize("kind", DEEP)
def test_what_is_as_deep_as_allowed_is_read_copied_and_printed(kind: str) -> None:
    text = to_text(parse(DEEP[kind](MOST_NESTED - 8)).clone())
    assert to_text(parse(text)) == text


def test_brackets_in_strings_and_comments_are_not_nesting() -> None:
    many = "{[(<" * 100
    parse(f'// {many}\nmodule attributes {{a.b = "{many}"}} {{}}')


def test_nested_without_brackets_is_located_too() -> None:
    minus = function(
        f"%r = affine.apply affine_map<(d0) -> ({'- ' * 5000} d0)>(%i)", "%i: index"
    )
    with pytest.raises(UserError, match=r"limits.mlir:2:.*256 operators"):
        parse(minus)


def test_a_long_sum_is_refused_where_it_gets_too_long() -> None:
    terms = " + ".join(f"d0 floordiv {number + 2}" for number in range(5000))
    text = function(f"%r = affine.apply affine_map<(d0) -> ({terms})>(%i)", "%i: index")
    with pytest.raises(UserError, match="more than 256 operators"):
        parse(text)


ODD_NAMES = ("_0", "_", "_1_2", "_1_2_3", "-0", "$", "a.b", "x_1_2", "a-_3", "__0")


@pytest.mark.parametrize("name", ODD_NAMES)
def test_values_and_blocks_of_any_name_are_copied_and_printed(name: str) -> None:
    text = f"""
    func.func @f(%{name}: tensor<4xf32>) -> tensor<4xf32> {{
      %e = tensor.empty() : tensor<4xf32>
      %r{name} = linalg.exp ins(%{name} : tensor<4xf32>) outs(%e : tensor<4xf32>)
        -> tensor<4xf32>
      return %r{name} : tensor<4xf32>
    }}"""
    module = parse_payload(text)
    copied = module.clone().clone().clone()
    assert to_text(parse(to_text(copied))) == to_text(parse(to_text(module)))
    (result,) = run(copied, [np.zeros(4, np.float32)])
    assert result.tolist() == [1, 1, 1, 1]
    compile(build(module, None).program.text, "kernel.py", "exec")


def test_arguments_whose_names_are_much_the_same_are_told_apart() -> None:
    arguments = ("_", "-", "$", "-0", "_0", "$_1")
    given = ", ".join(f"%{name}: tensor<4xf32>" for name in arguments)
    adds = "\n".join(
        f"%s{i + 1} = linalg.add ins(%s{i}, %{name} : tensor<4xf32>, tensor<4xf32>) "
        "outs(%e : tensor<4xf32>) -> tensor<4xf32>"
        for i, name in enumerate(arguments)
    )
    text = f"""
    func.func @f(%s0: tensor<4xf32>, {given}) -> tensor<4xf32> {{
      %e = tensor.empty() : tensor<4xf32>
      {adds}
      return %s{len(arguments)} : tensor<4xf32>
    }}"""
    compile(build(parse_payload(text), None).program.text, "kernel.py", "exec")


def test_blocks_of_odd_names_are_copied() -> None:
    module = parse("func.func @f() {\n^_0:\n  return\n}")
    assert "return" in to_text(module.clone().clone())


def test_a_knob_may_have_any_name() -> None:
    from tilewright.schedules.resolve import resolved
    from tilewright.schedules.schedule import Schedule

    text = """
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %k = transform.tune.knob<"a b"> options = [1, 2] -> !transform.any_param
        transform.yield
      }
    }"""
    schedule = Schedule.from_text(text, "knob.mlir").with_point({"a b": 2})
    assert "param.constant 2" in to_text(resolved(schedule.module))
