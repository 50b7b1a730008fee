"""Mistakes a newcomer makes in a payload: each has a place, a fact and a remedy."""

from __future__ import annotations

import subprocess

import pytest

from support.mlir_opt import needs_mlir
from tilewright.ir.context import payload_context
from tilewright.ir.dialects.linalg.scalars import FUNCTIONS
from tilewright.ir.errors import UserError
from tilewright.ir.parsing.failures.op_names import RENAMED
from tilewright.ir.parsing.failures.scalar_functions import (
    OPERANDS,
    RELU,
    function_instead,
)
from tilewright.ir.text import parse_module
from tilewright.transforms.dialect import schedule_context

T = "tensor<16xf32>"
GENERIC = (
    "%r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
    f"ins(%a : {T}) outs(%e : {T}) {{{{\n  ^bb0({{args}}):\n    {{body}}\n  }}}} -> {T}"
)
MAP = "affine_map<(i) -> (i)>"


def function(*lines: str) -> str:
    body = "\n  ".join(lines)
    return f"func.func @f(%a: {T}, %e: {T}) -> {T} {{\n  {body}\n}}\n"


def unary(op: str) -> str:
    return function(f"%r = {op} ins(%a : {T}) outs(%e : {T}) -> {T}", RETURN)


def generic(
    maps: str = f"{MAP}, {MAP}",
    kinds: str = '"parallel"',
    args: str = "%x: f32, %y: f32",
    body: str = "linalg.yield %x : f32",
) -> str:
    return function(
        GENERIC.format(maps=maps, kinds=kinds, args=args, body=body), RETURN
    )


RETURN = f"return %r : {T}"
OLD = "linalg.elemwise_{} {{fun = #linalg.{}_fn<{}>}}"

MISTAKES = {
    "relu, unary": (unary(OLD.format("unary", "unary", "relu")), "write: linalg.max"),
    "exp, unary": (
        unary(OLD.format("unary", "unary", "exp")),
        "write: linalg.exp ins(",
    ),
    "add, binary": (
        unary(OLD.format("binary", "binary", "add")),
        "write: linalg.add ins(",
    ),
    "relu": (unary("linalg.relu"), "write: linalg.max"),
    "kind of relu": (
        unary("linalg.elementwise kind=#linalg.elementwise_kind<relu>"),
        "write: linalg.max",
    ),
    "gelu": (unary("linalg.gelu"), "tilewright.payloads has gelu"),
    "swish": (unary("linalg.swish"), "linalg.generic"),
    "softmax": (unary("linalg.softmax"), "dimension(1)"),
    "no outs": (function(f"%r = linalg.exp ins(%a : {T}) -> {T}", RETURN), "outs("),
    "type": (function("return %a : tensor<8xf32>"), "the type that the value has"),
    "no value": (function("return"), "return values of the types"),
    "no return": (function(f"%r = arith.addf %a, %e : {T}"), "end it with 'return'"),
    "unknown": (function(f"return %xyz : {T}"), "define it before"),
    "twice": (function(f"%e = arith.addf %a, %e : {T}", f"return %e : {T}"), "a name"),
    "float": ("func.func @f(%a: tensor<16xfloat>)", "write f32"),
    "half": ("func.func @f(%a: tensor<16xhalf>)", "write f16"),
    "comma": ("func.func @f(%a: tensor<16,16xf32>)", "tensor<16x16xf32>"),
    "percent": ("func.func @f(a: tensor<16xf32>)", "%a: tensor"),
    "at": ("func.func f(%a: tensor<16xf32>)", "@f"),
    "hash": ("# a comment\n" + function("return %a : " + T), "//"),
    "schedule": ("schedule s(root) { }", ".tw"),
    "python": ("import torch", "tilewright.payloads"),
    "word": ("hello", "such as linalg.matmul"),
    "addi": (function(f"%r = arith.addi %a, %e : {T}", RETURN), "arith.addf"),
    "maxsi": (function(f"%r = arith.maxsi %a, %e : {T}", RETURN), "arith.maximumf"),
    "add": (function(f"%r = arith.add %a, %e : {T}", RETURN), "addf for floats"),
    "maps": (generic(maps=MAP), "a map for each"),
    "iterator": (generic(kinds='"paralel"'), '"parallel"'),
    "arguments": (generic(args="%x: f32"), "an argument for each"),
    "yield": (
        generic(
            body="%z = arith.truncf %x : f32 to f16\n    linalg.yield %z : f16",
        ),
        "arith.truncf",
    ),
    "shapes": (
        "func.func @f(%a: tensor<8x4xf32>, %c: tensor<8x8xf32>) {\n"
        "  linalg.matmul ins(%a, %a : tensor<8x4xf32>, tensor<8x4xf32>) "
        "outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>\n  return\n}",
        "make the sizes agree",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_each_has_place_fact_and_remedy(name: str) -> None:
    text, words = MISTAKES[name]
    with pytest.raises(UserError) as caught:
        parse_module(text, "p.mlir", payload_context())
    assert caught.value.place is not None
    assert caught.value.remedy is not None and words in caught.value.remedy, caught


SCRIPT = (
    "transform.named_sequence @__transform_main(%r: {kind}) {{\n  {line}\n"
    "  transform.yield\n}}\n"
)
HANDLE = "!transform.any_op"
SCRIPT_MISTAKES = {
    "pdl": (SCRIPT.format(kind="!pdl.operation", line=""), "!transform.any_op today"),
    "no list": (
        '%m = transform.structured.match ops{"linalg.matmul"} in %r',
        'ops{["linalg.matmul"]} in %root',
    ),
    "no ops": (
        '%m = transform.structured.match "linalg.matmul" in %r',
        'ops{["linalg.matmul"]} in %root',
    ),
    "no types": ('transform.annotate %r "x"', ": (!transform.any_op)"),
    "no parameter": ('transform.annotate %r "x" : !transform.op', "!transform.op<"),
}


@pytest.mark.parametrize("name", SCRIPT_MISTAKES)
def test_each_of_a_script_too(name: str) -> None:
    text, words = SCRIPT_MISTAKES[name]
    if "named_sequence" not in text:
        text = SCRIPT.format(kind=HANDLE, line=text)
    with pytest.raises(UserError) as caught:
        parse_module(text, "s.mlir", schedule_context())
    assert caught.value.place is not None
    assert caught.value.remedy is not None and words in caught.value.remedy, caught


# -- remedies that work ------------------------------------------------------------


def spelled(remedy: str) -> str:
    """A payload with what a remedy says to write."""
    op = remedy.removeprefix("write: ").partition(", with")[0]
    return (
        f"func.func @f(%x: {T}, %y: {T}, %out: {T}) -> {T} {{\n"
        "  %zero = arith.constant 0.0 : f32\n"
        f"  %r = {op.replace(' T', f' {T}')}\n  return %r : {T}\n}}\n"
    )


SPELLINGS = [
    spelled(function_instead("relu") or ""),
    *(
        spelled(function_instead(row.kind) or "")
        for row in FUNCTIONS.values()
        if row.on_float and row.op_name and row.arity in OPERANDS
    ),
]


@needs_mlir
def test_mlir_takes_every_spelling() -> None:
    assert RELU in str(function_instead("relu"))
    done = subprocess.run(
        ["mlir-opt-22", "--split-input-file"],
        input="// -----\n".join(SPELLINGS),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text", SPELLINGS)
def test_we_take_every_spelling(text: str) -> None:
    parse_module(text, "p.mlir", payload_context())


@needs_mlir
@pytest.mark.parametrize("batch", ["", "batch_"])
@pytest.mark.parametrize("which", "ab")
def test_transposed_products_are_spelled_as_they_work(batch: str, which: str) -> None:
    op = RENAMED[f"linalg.{batch}matmul_transpose_{which}"]
    sizes = {"a": ("4x8", "4x6"), "b": ("8x4", "6x4")}[which]
    lead = "2x" if batch else ""
    left, right, out = (f"tensor<{lead}{size}xf32>" for size in (*sizes, "8x6"))
    text = (
        f"func.func @f(%a: {left}, %b: {right}, %c: {out}) -> {out} {{\n"
        f"  %r = {op} ins(%a, %b : {left}, {right}) outs(%c : {out}) -> {out}\n"
        f"  return %r : {out}\n}}\n"
    )
    parse_module(text, "p.mlir", payload_context())
    done = subprocess.run(["mlir-opt-22"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
