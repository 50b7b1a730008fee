"""Limits of numbers, sizes and steps: what does not fit is said."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from fuzz.bad_files.sandbox import outcome_of
from support.limits import function, parse
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.ir.text import to_text
from tilewright.pipeline import build, parse_payload


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (function("", "%a: tensor<99999999999999999999xf32>"), "1:25.*does not fit"),
        (function("", "%a: vector<9223372036854775808xf32>"), "does not fit i64"),
        (function("", "%a: memref<4x9223372036854775808xf32>"), "does not fit i64"),
        (function("", "%a: i16777216"), "limited to 16777215 bits"),
        (function("", "%a: i9223372036854775807"), "limited to 16777215 bits"),
        (function(f"%c = arith.constant {'9' * 5000} : i64"), "5000 characters"),
        (function("%c = arith.constant 1 : i16777215"), None),
        (
            function(
                "%r = affine.apply affine_map<(d0) -> (d0 + 9223372036854775808)>(%i)",
                "%i: index",
            ),
            "does not fit i64",
        ),
        (function("", "%a: tensor<9223372036854775807xf32>"), None),
        (
            function(
                "%s = tensor.extract_slice %a[-9223372036854775808] [4] [1]\n"
                "    : tensor<8xf32> to tensor<4xf32>",
                "%a: tensor<8xf32>",
            ),
            "2:32.*stands for a size that is not known",
        ),
        (
            function(
                "%s = tensor.extract_slice %a[99999999999999999999] [4] [1]\n"
                "    : tensor<8xf32> to tensor<4xf32>",
                "%a: tensor<8xf32>",
            ),
            "does not fit i64",
        ),
    ],
)
def test_numbers_that_no_type_holds(text: str, told: str | None) -> None:
    if told is None:
        parse(text)
        return
    with pytest.raises(UserError, match=told) as error:
        parse(text)
    assert error.value.place is not None


def test_an_error_does_not_repeat_a_huge_name() -> None:
    with pytest.raises(UserError) as told:
        parse("a" * 1_000_000)
    assert len(str(told.value)) < 10_000


def test_sums_of_indices_say_whether_they_wrapped() -> None:
    text = """
    func.func @f(%a: index, %v: vector<2xindex>) -> (index, i1, vector<2xi1>) {
      %s, %c = arith.addui_extended %a, %a : index, i1
      %t, %d = arith.addui_extended %v, %v : vector<2xindex>, vector<2xi1>
      return %s, %c, %d : index, i1, vector<2xi1>
    }"""
    half = -(2**63)
    total, wrapped, each = run(parse(text), [np.int64(half), np.array([half, 1])])
    assert (int(total), bool(wrapped), each.tolist()) == (0, True, [True, False])


def test_the_carry_has_the_shape_of_the_sum() -> None:
    body = "%s, %c = arith.addui_extended %v, %v : vector<2xindex>, i1"
    with pytest.raises(UserError, match="overflow has type 'i1'"):
        parse(function(body, "%v: vector<2xindex>"))


def elementwise(kind: str) -> str:
    return f"""
    func.func @f(%a: {kind}) -> {kind} {{
      %e = tensor.empty() : {kind}
      %r = linalg.exp ins(%a : {kind}) outs(%e : {kind}) -> {kind}
      return %r : {kind}
    }}"""


def made(size: str, kind: str) -> str:
    return function(
        f"%n = arith.constant {size} : index\n  %e = {kind}", "%a: tensor<4xf32>"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (elementwise("tensor<1000000000000xf32>"), "'a' needs an array of 3.64 TiB"),
        (elementwise(f"tensor<{'1x' * 70}f32>"), "70 dimensions"),
        (
            made("1", "tensor.empty() : tensor<1000000000000xf32>"),
            "p.mlir:3:3: .*'tensor.empty': this needs an array of 3.64 TiB",
        ),
        (
            made("1000000000000", "tensor.empty(%n) : tensor<?xf32>"),
            "'tensor.empty': this needs an array of 3.64 TiB",
        ),
        (
            made("1000000000000", "memref.alloc(%n) : memref<?xf32>"),
            "'memref.alloc': this needs an array of 3.64 TiB",
        ),
        (
            made("9223372036854775807", "tensor.empty(%n, %n) : tensor<?x?xf32>"),
            "'tensor.empty': this needs",
        ),
    ],
    ids=["argument", "rank", "static", "dynamic", "buffer", "overflow"],
)
def test_what_does_not_fit_the_machine_is_said(
    text: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.mlir").write_text(text)
    outcome = outcome_of(["interpret", "p.mlir"])
    assert outcome["code"] == 1
    assert re.search(told, str(outcome["text"])), outcome["text"]


def test_a_grid_has_ten_dimensions_at_most() -> None:
    with pytest.raises(UserError, match="70 parallel loops, and a grid has at most 10"):
        build(parse_payload(elementwise(f"tensor<{'1x' * 70}f32>")), None)


def test_a_function_without_results_is_not_compared() -> None:
    from tilewright.numeric_check import make_case

    payload = parse_payload("""
    func.func @f(%a: tensor<64xf32>) {
      return
    }""")
    with pytest.raises(UserError, match="@f returns nothing that could be compared"):
        make_case(payload, 0)


def test_a_name_that_the_op_itself_defines_later_is_located() -> None:
    text = """
    func.func @f(%n: index) {
      scf.for %i = %n to %j step %n {
        %j = arith.constant 1 : index
      }
      return
    }"""
    with pytest.raises(UserError, match="3:7: .*operand #1.*does not dominate"):
        parse(text)


def test_a_function_without_a_name_is_located() -> None:
    with pytest.raises(UserError, match=r"limits.mlir:1:1: .*sym_name"):
        parse('"func.func"() ({\n "func.return"() : () -> ()\n}) : () -> ()')


@pytest.mark.slow
def test_a_schedule_of_many_steps_is_checked_quickly() -> None:
    from tilewright.schedules.schedule import Schedule

    steps = "  op, loop = tile op by [0, 8]\n" * 300
    text = f'schedule s(root) {{\n  op = match "linalg.exp" in root\n{steps}}}\n'
    Schedule.from_text(text, "long.tw")


def test_arrays_that_cannot_be_unpacked_are_said(tmp_path: Path) -> None:
    from tilewright.commands.inputs.arguments import read_arrays
    from tilewright.ir.interpreter.core.registry import find_function
    from tilewright.ir.interpreter.core.signature import signature_of

    specs = signature_of(
        find_function(parse(elementwise("tensor<1000xf32>")), None)
    ).arguments
    objects, torn = tmp_path / "objects.npz", tmp_path / "torn.npz"
    np.savez(objects, a=np.array([object()]))
    np.savez_compressed(torn, a=np.arange(1000, dtype=np.float32))
    raw = bytearray(torn.read_bytes())
    raw[100:200] = bytes(100)
    torn.write_bytes(raw)
    for path in (objects, torn):
        with pytest.raises(UserError, match=f"the array 'a' of .*{path.name}"):
            read_arrays(path, specs)


def test_loops_over_no_elements_keep_their_unit_dimensions() -> None:
    """Upstream has no slice of a dimension of 0; one was made, and did not verify."""
    from support.transforms.canonicalized import canonicalized

    text = """
    func.func @f(%a: tensor<1x0xf32>, %e: tensor<1x0xf32>) -> tensor<1x0xf32> {
      %r = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]
      } ins(%a : tensor<1x0xf32>) outs(%e : tensor<1x0xf32>) {
      ^bb0(%x: f32, %o: f32):
        %s = arith.negf %x : f32
        linalg.yield %s : f32
      } -> tensor<1x0xf32>
      return %r : tensor<1x0xf32>
    }"""
    canonicalized(parse(text), ("linalg.fold_unit_extent_dims_via_slices",))


def scripted(steps: str, payload: str) -> str:
    return f"""
    module attributes {{transform.with_named_sequence}} {{
      transform.named_sequence @__transform_main(%root: !transform.any_op) {{
        {steps}
        transform.yield
      }}
      {payload}
    }}"""


@pytest.mark.parametrize("verb", ["unroll", "unroll_and_jam"])
def test_a_loop_is_not_unrolled_into_a_million_ops(verb: str, tmp_path: Path) -> None:
    payload = """
      func.func @f(%m: memref<2000000xf32>, %x: f32) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %n = arith.constant 2000000 : index
        scf.for %i = %c0 to %n step %c1 {
          memref.store %x, %m[%i] : memref<2000000xf32>
        }
        return
      }"""
    steps = f"""
        %loop = transform.structured.match ops{{["scf.for"]}} in %root
          : (!transform.any_op) -> !transform.any_op
        transform.loop.{verb} %loop {{factor = 1000000}} : !transform.any_op"""
    path = tmp_path / "p.mlir"
    path.write_text(scripted(steps, payload))
    outcome = outcome_of(["opt", str(path)])
    assert outcome["code"] == 1 and "the limit is 50000" in str(outcome["text"])


def test_a_match_of_no_names_with_a_type_is_checked() -> None:
    steps = """
        %m = transform.structured.match ops{[]} in %root
          : (!transform.any_op) -> !transform.op<"linalg.exp">"""
    from fuzz.schedules.files import run_file

    run_file(scripted(steps, "func.func @f() {\n  return\n}"), "limits.mlir")


def test_a_schedule_that_would_run_for_ever_is_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each sequence includes the one before twice: 2 to the 24 ops in all."""
    from tilewright.schedules.schedule import Schedule
    from tilewright.transforms import interpreter

    monkeypatch.setattr(interpreter, "MOST_OPS", 1000)
    takes = "(%a: !transform.any_op {transform.readonly})"
    lines = [f"transform.named_sequence @s0{takes} {{ transform.yield }}"]
    for at in range(25):
        name = f"s{at + 1}" if at < 24 else "__transform_main"
        include = (
            f"  transform.include @s{at} failures(propagate) (%a)"
            " : (!transform.any_op) -> ()"
        )
        lines.append(f"transform.named_sequence @{name}{takes} {{")
        lines += [include, include, "  transform.yield", "}"]
    text = "\n".join(["module attributes {transform.with_named_sequence} {", *lines])
    schedule = Schedule.from_text(text + "\n}\n", "twice.mlir")
    payload = parse_payload(
        "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  return %a : tensor<4xf32>\n}"
    )
    with pytest.raises(UserError, match="has run 1,000 ops and has not come") as raised:
        build(payload, schedule, {})
    assert raised.value.place is not None


@pytest.mark.parametrize(
    "text",
    [
        "tensor<16 x 16 x f32>",
        "tensor<? x 4 xf32>",
        "vector<4 x 8 x f32>",
        "memref<4 x 4 x f32>",
        "tensor< 2x 3 x index >",
    ],
)
def test_spaces_in_a_shape_are_taken_as_upstream_does(text: str) -> None:
    spaced = to_text(parse(function("", f"%a: {text}")))
    plain = text.replace(" ", "")
    assert spaced == to_text(parse(function("", f"%a: {plain}")))
    assert plain in spaced


@pytest.mark.parametrize("text", ["tensor<16 x x f32>", "tensor<16 16xf32>"])
def test_a_shape_without_its_delimiters_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        parse(function("", f"%a: {text}"))
