"""The parser: places, errors with a caret, and the floats xDSL misreads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from support.ir.snippets import Snippet, snippets_in
from support.paths import DATA, EXAMPLES
from tilewright.codegen.generate import generate
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.ir.text import (
    parse_module,
    place_of,
    read_module,
    read_text,
    to_text,
    verify,
)
from tilewright.pipeline import apply_schedule, read_payload
from tilewright.schedules.schedule import Schedule

SNIPPETS = snippets_in(DATA / "corpus")
MATMUL_RELU = EXAMPLES / "matmul_relu"


@pytest.mark.parametrize(
    ("literal", "type_", "expected"),
    [
        ("dense<0xFF800000>", "vector<4xf32>", [-np.inf] * 4),
        ("dense<0x7F800000>", "tensor<4xf32>", [np.inf] * 4),
        ("dense<0x3F800000>", "vector<4xf32>", [1.0] * 4),
        ("dense<0xFC00>", "vector<4xf16>", [-np.inf] * 4),
        ("dense<0xFF80>", "vector<4xbf16>", [-np.inf] * 4),
        ("dense<0xFFF0000000000000>", "tensor<2xf64>", [-np.inf] * 2),
        ("dense<0xB8>", "tensor<2xf8E4M3FN>", [-1.0] * 2),
        ("dense<0xFC>", "tensor<2xf8E5M2>", [-np.inf] * 2),
        ("dense<[0x3C00, 2.0]>", "tensor<2xf16>", [1.0, 2.0]),
        ("dense<[[1.0], [0xBF800000]]>", "tensor<2x1xf32>", [[1.0], [-1.0]]),
        ('dense<"0x0000803F000000C0">', "tensor<2xf32>", [1.0, -2.0]),
        ('dense<"0x003C">', "tensor<3xf16>", [1.0] * 3),
        ('dense<"0x05">', "tensor<3xi1>", [True, False, True]),
        ('dense<"0x0100FFFF">', "tensor<2xi16>", [1, -1]),
        ("dense<0x10>", "vector<4xi32>", [16] * 4),
        ("dense<255>", "tensor<2xi8>", [-1] * 2),
        ("0xFF80", "bf16", -np.inf),
        ("0x7C00", "f16", np.inf),
        ("0x3C", "f8E5M2", 1.0),
        ("1.0e400", "f64", np.inf),
        ("70000.0", "f16", np.inf),
    ],
)
def test_numbers_mean_what_they_mean_upstream(
    literal: str, type_: str, expected: object
) -> None:
    scalar = "" if literal.startswith("dense") else f" : {type_}"
    text = (
        f"func.func @f() -> {type_} {{\n"
        f"  %a = arith.constant {literal}{scalar or f' : {type_}'}\n"
        f"  return %a : {type_}\n}}"
    )
    module = parse_module(text, "numbers.mlir", payload_context())
    (result,) = run(module, [])
    assert result.astype(np.float64).tolist() == np.asarray(expected).tolist()
    again = parse_module(to_text(module), "again.mlir", payload_context())
    assert to_text(again) == to_text(module)


def test_nan_and_infinity_are_printed_as_upstream_does() -> None:
    text = """
func.func @f() {
  %0 = arith.constant dense<[0xFF800000, 0x7FC00001]> : tensor<2xf32>
  %1 = arith.constant dense<0x7E01> : tensor<2xf16>
  %2 = arith.constant 0x7F80 : bf16
  return
}"""
    printed = to_text(parse_module(text, "nan.mlir", payload_context()))
    assert "dense<[0xFF800000, 0x7FC00001]>" in printed
    assert "dense<0x7E01>" in printed
    assert "constant 0x7F80 : bf16" in printed


@pytest.mark.sampled(6)
@pytest.mark.parametrize("snippet", SNIPPETS, ids=str)
def test_every_op_has_its_place_and_clones_keep_it(snippet: Snippet) -> None:
    module = parse_module(snippet.text, "places.mlir", payload_context())
    pairs = list(zip(module.walk(), module.clone().walk(), strict=True))
    lines = snippet.text.splitlines()
    for original, copy in pairs:
        place = place_of(original)
        assert place is not None and place == place_of(copy)
        if place.file != "places.mlir" or original is module:
            continue  # an explicit location
        assert place.text == lines[place.line - 1]
        # At the op itself, or at the one whose body is not in the text.
        written = place.text[place.column - 1 :]
        assert written[0] in '%"' or written[0].isalpha()


LOCATIONS = """
#first = loc("first.py":1:2)
func.func @f(%a: f32) {
  arith.negf %a : f32
  arith.negf %a : f32 loc("other.py":5:7)
  arith.negf %a : f32 loc("name")
  arith.negf %a : f32 loc("name"("other.py":6:1))
  arith.negf %a : f32 loc(callsite("callee.py":3:4 at "caller.py":5:6))
  arith.negf %a : f32 loc(fused["name", "fused.py":8:9])
  arith.negf %a : f32 loc(unknown)
  arith.negf %a : f32 loc(#first)
  arith.negf %a : f32 loc(#last)
  return
}
#last = loc("last.py":3:4)
"""


def test_explicit_locations_are_places() -> None:
    module = parse_module(LOCATIONS, "here.mlir", payload_context())
    found = [str(place_of(op)) for op in module.walk() if op.name == "arith.negf"]
    assert found == [
        "here.mlir:4:3",
        "other.py:5:7",
        "here.mlir:6:3",
        "other.py:6:1",
        "callee.py:3:4",
        "fused.py:8:9",
        "here.mlir:10:3",
        "first.py:1:2",
        "last.py:3:4",
    ]


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("func.func @f() {\n  %a = arith.constan 1 : i32\n}", "bad.mlir:2:8", "arith"),
        ("func.func @f() {\n  return %x : f32\n}", "bad.mlir:", "x"),
        (
            "func.func @f() {\n  %a = linalg.init_tensor [4] : tensor<4xf32>\n}",
            "bad.mlir:2:8",
            "it is tensor.empty today",
        ),
        (
            "func.func @f() {\n  %a = tensor.emtpy() : tensor<4xf32>\n}",
            "bad.mlir:2:8",
            "did you mean 'tensor.empty'?",
        ),
        ("func.func @f(", "bad.mlir:1:", "xpected"),
        (
            "func.func @f(%a: f32) {\n  %b = arith.addi %a, %a : f32\n  return\n}",
            "bad.mlir:2:",
            "",
        ),
    ],
)
def test_errors_say_where(text: str, where: str, message: str) -> None:
    with pytest.raises(UserError) as failure:
        parse_module(text, "bad.mlir", payload_context())
    assert str(failure.value).startswith(where)
    assert message in str(failure.value)
    assert "^" in str(failure.value)


def message_of(text: str) -> str:
    with pytest.raises(UserError) as failure:
        parse_module(text, "bad.mlir", payload_context())
    return str(failure.value)


@pytest.mark.parametrize("text", ["", "  \n\n", "// only a comment\n"])
def test_an_empty_text_is_a_mistake(text: str) -> None:
    assert "there is nothing in this text" in message_of(text)


def test_where_the_text_ends_too_early_the_open_brace_is_shown() -> None:
    assert message_of("func.func @f() {\n  return\n\n").splitlines() == [
        "bad.mlir:2:9: error: expected an operation, a block or '}', "
        "found the end of the text",
        "    return",
        "          ^",
        "bad.mlir:1:16: note: this '{' is not closed",
        "  func.func @f() {",
        "                 ^",
    ]


def test_an_inner_brace_that_is_not_closed_is_shown() -> None:
    """Its '}' is then taken by the block around it, and the outermost is left over."""
    message = message_of(
        "module {\n  func.func @f() {\n    scf.execute_region {\n"
        "      scf.yield\n    return\n  }\n}\n"
    )
    assert "bad.mlir:3:24: note: this '{' is not closed" in message


def test_a_note_shows_the_other_place() -> None:
    assert message_of(
        "func.func @f(%a: f32) {\n  %a = arith.negf %a : f32\n}"
    ).endswith(
        "bad.mlir:1:14: note: previously defined here\n"
        "  func.func @f(%a: f32) {\n"
        "               ^"
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '"arith.addi"(%a, %a) : (f32, f32) -> f32',
            "'arith.addi' op operand #0",
        ),
        ('"arith.addf"(%a) : (f32) -> f32', "expected 2 operands, but got 1"),
        ('"arith.constant"() : () -> f32', "requires attribute 'value'"),
        (
            '"arith.negf"(%a) <{fastmaths = 1}> : (f32) -> f32',
            "has no property 'fastmaths'; did you mean 'fastmath'?",
        ),
        (
            '"arith.negf"(%a) <{fastmath = "fast"}> : (f32) -> f32',
            "attribute 'fastmath'",
        ),
        ("func.call @nobody() : () -> ()", "'nobody' does not reference a valid"),
    ],
)
def test_verifiers_speak_of_the_op_not_of_python(line: str, message: str) -> None:
    text = f"func.func @f(%a: f32) {{\n  {line}\n  return\n}}"
    found = message_of(text)
    assert found.startswith("bad.mlir:2:3: error: ")
    assert message in found
    headline, *_ = found.splitlines()
    for word in ("Underlying", "Type(", "Attr(", "does not verify", "constraint"):
        assert word not in headline


def test_a_value_from_outside_of_an_isolated_op_is_found_in_ir_too() -> None:
    text = """
func.func @f(%a: f32) {
  return
}
func.func @g(%b: f32) -> f32 {
  return %b : f32
}"""
    module = parse_module(text, "moved.mlir", payload_context())
    first, second = module.ops
    last = second.regions[0].block.last_op
    assert last is not None
    last.operands = first.regions[0].block.args
    with pytest.raises(UserError, match="moved.mlir:6:3: .* from outside of"):
        verify(module)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (
            b"func.func @f() {\n  // \xe9\n",
            "latin.mlir:2:6: error: byte 0xE9 is not UTF-8",
        ),
        (b"ML\xefR\x01", "is MLIR bytecode; turn it into text first"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, raw: bytes, message: str) -> None:
    path = tmp_path / "latin.mlir"
    path.write_bytes(raw)
    with pytest.raises(UserError) as caught:
        read_text(path)
    assert message in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_text(tmp_path / "none.mlir")
    with pytest.raises(UserError, match="Is a directory"):
        read_text(tmp_path)


def test_windows_lines_and_a_byte_order_mark_are_text(tmp_path: Path) -> None:
    path = tmp_path / "windows.mlir"
    path.write_bytes(b"\xef\xbb\xbffunc.func @f() {\r\n  return\r\n}\r\n")
    assert "func.return" in to_text(read_module(path, payload_context()))


def test_the_kernel_level_prints_and_parses_again() -> None:
    payload = read_payload(MATMUL_RELU / "payload_bias.mlir")
    schedule = Schedule.from_path(MATMUL_RELU / "tile_fuse_vectorize.tw")
    applied = apply_schedule(payload, schedule)
    text = to_text(generate(applied.payload).kernel_module)
    again = parse_module(text, "kernel.mlir", payload_context())
    assert to_text(again) == text
