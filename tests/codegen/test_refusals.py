"""What code generation does not take: the op, its place, the reason, a remedy."""

from __future__ import annotations

import pytest

from support.codegen.buffer_level import (
    elementwise,
    generated,
    in_a_grid,
    matmul_relu,
    text_of,
)
from support.codegen.programs import built
from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import parse_payload

STORE = (
    "vector.transfer_write %v, %alloc[%o] {in_bounds = [true]} "
    ": vector<16xf32>, memref<64xf32>"
)


def refused(text: str) -> SilenceableFailure:
    with pytest.raises(SilenceableFailure) as caught:
        generated(text)
    assert caught.value.place is not None
    return caught.value


def test_tile_that_is_no_power_of_two() -> None:
    text = in_a_grid(STORE).replace("16", "12").replace("in (4)", "in (5)")
    error = refused(text)
    assert "tile of 12" in error.fact
    assert error.remedy is not None and "16 with a mask" in error.remedy


def test_reduction_that_kernels_do_not_have() -> None:
    text = elementwise(
        "%h = arith.fptosi %v : vector<16xf32> to vector<16xi8>",
        "%s = vector.reduction <xor>, %h : vector<16xi8> into i8",
        "%f = arith.sitofp %s : i8 to f32",
        "%r = vector.broadcast %f : f32 to vector<16xf32>",
    )
    error = refused(text)
    assert "cannot reduce i8 by 'xor'" in error.fact
    assert error.remedy is not None and "kernels reduce by add, " in error.remedy


def test_tile_that_is_too_large() -> None:
    text = elementwise(
        "%w = vector.broadcast %v : vector<16xf32> to vector<131072x16xf32>",
        "%r = vector.multi_reduction <add>, %w, %zeros [0] "
        ": vector<131072x16xf32> to vector<16xf32>",
    )
    error = refused(text)
    assert "tile of 131072x16" in error.fact and error.remedy is not None


def test_dot_that_is_too_small() -> None:
    error = refused(matmul_relu(128, 128, 64, (128, 128, 8)))
    assert "dot of 128x128x8" in error.fact


def test_dot_of_types_that_have_none() -> None:
    text = matmul_relu(64, 64, 64, (64, 64, 64)).replace("xf32>", "xf64>")
    assert "a dot of f16 and f16 into f64" in refused(text).fact


def test_unknown_op() -> None:
    error = refused(elementwise("%s, %r = math.sincos %v : vector<16xf32>"))
    assert "'math.sincos'" in error.fact
    assert error.remedy is not None and "docs/codegen.md" in error.remedy


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (["%x = arith.extsi %t : vector<16xi1> to vector<16xi32>"], "arith.extsi"),
        (["%x = arith.sitofp %t : vector<16xi1> to vector<16xf32>"], "arith.sitofp"),
        (["%x = arith.fptosi %v : vector<16xf32> to vector<16xi1>"], "arith.fptosi"),
        (
            [
                "%n = arith.fptosi %v : vector<16xf32> to vector<16xi32>",
                "%x = arith.trunci %n : vector<16xi32> to vector<16xi1>",
            ],
            "arith.trunci",
        ),
        (["%x = arith.addi %t, %t : vector<16xi1>"], "arith.addi"),
        (["%x = arith.maxsi %t, %t : vector<16xi1>"], "arith.maxsi"),
        (["%x = arith.cmpi slt, %t, %t : vector<16xi1>"], "arith.cmpi"),
        (
            ["%x = vector.reduction <add>, %t : vector<16xi1> into i1"],
            "vector.reduction",
        ),
    ],
)
def test_arithmetic_on_i1(lines: list[str], name: str) -> None:
    compare = "%t = arith.cmpf ogt, %v, %zeros : vector<16xf32>"
    error = refused(elementwise(compare, *lines, result="%v"))
    assert error.fact == f"'{name}': arithmetic on i1"


def test_allocation_in_a_grid() -> None:
    text = in_a_grid(f"%m = memref.alloc() : memref<16xf32>\n    {STORE}")
    assert "allocated inside a grid" in refused(text).fact


def test_copy_of_an_odd_tile_in_a_grid() -> None:
    text = in_a_grid(
        "%s = memref.subview %a[%o] [12] [1] : memref<64xf32> to "
        "memref<12xf32, strided<[1], offset: ?>>\n"
        "%d = memref.subview %alloc[%o] [12] [1] : memref<64xf32> to "
        "memref<12xf32, strided<[1], offset: ?>>\n"
        "memref.copy %s, %d : memref<12xf32, strided<[1], offset: ?>> to "
        "memref<12xf32, strided<[1], offset: ?>>"
    )
    assert "copy between buffers" in refused(text).fact


def test_grid_without_mapping() -> None:
    text = in_a_grid(STORE).replace("mapping = [#gpu.block<x>]", "")
    error = refused(text)
    assert "not mapped to blocks" in error.fact


def test_threads_are_tritons() -> None:
    text = in_a_grid(STORE).replace("#gpu.block<x>", "#gpu.thread<x>")
    assert "not mapped to blocks" in refused(text).fact


def test_read_after_write() -> None:
    text = in_a_grid(
        f"{STORE}\n"
        "%w = vector.transfer_read %alloc[%o], %pad {in_bounds = [true]} "
        ": memref<64xf32>, vector<16xf32>\n"
        "vector.transfer_write %w, %alloc[%o] {in_bounds = [true]} "
        ": vector<16xf32>, memref<64xf32>"
    )
    assert "the same kernel has written" in refused(text).fact


def test_accumulator_left_in_memory() -> None:
    text = in_a_grid(
        "%c1 = arith.constant 1 : index\n"
        "%c3 = arith.constant 3 : index\n"
        "scf.for %k = %c0 to %c3 step %c1 {\n"
        "  %w = vector.transfer_read %alloc[%o], %pad {in_bounds = [true]} "
        ": memref<64xf32>, vector<16xf32>\n"
        "  %s = arith.addf %w, %v : vector<16xf32>\n"
        "  vector.transfer_write %s, %alloc[%o] {in_bounds = [true]} "
        ": vector<16xf32>, memref<64xf32>\n"
        "}"
    )
    error = refused(text)
    assert error.remedy is not None and "include to_vectors" in error.remedy


IN_PLACE = """
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
scf.for %p = %c0 to %c2 step %c1 {{
  scf.for %q = %c0 to %c2 step %c1 {{
    %k = affine.apply affine_map<(d0, d1) -> (d0 * {0} + d1 * 16)>(%p, %q)
    %w = vector.transfer_read %alloc[%k], %pad {{in_bounds = [true]}} : memref<64xf32>, vector<16xf32>
    %s = arith.addf %w, %w : vector<16xf32>
    vector.transfer_write %s, %alloc[%k] {{in_bounds = [true]}} : vector<16xf32>, memref<64xf32>
  }}
}}"""  # noqa: E501


def test_iterations_that_share_a_tile_through_an_inner_loop() -> None:
    assert "the same kernel has written" in refused(in_a_grid(IN_PLACE.format(16))).fact
    alone = in_a_grid(IN_PLACE.format(32)).replace("in (4)", "in (1)")
    assert "tl.store" in generated(alone).program.text


def test_programs_that_share_a_tile_in_place() -> None:
    """Each would update what the others have updated, in any order."""
    error = refused(in_a_grid(IN_PLACE.format(32)))
    assert "that several programs share" in error.fact and error.remedy is not None


def test_a_sum_that_programs_share_is_computed_by_each() -> None:
    """It is returned too: from outside of the grid, whose rows would each add to it."""
    payload = """
func.func @f(%a: tensor<100x65xf32>, %s: tensor<65xf32>) -> (tensor<65xf32>, tensor<100x65xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<100x65xf32>) outs(%s : tensor<65xf32>) {
  ^bb0(%x: f32, %y: f32):
    %t = arith.addf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<65xf32>
  %e = tensor.empty() : tensor<100x65xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %r : tensor<100x65xf32>, tensor<65xf32>) outs(%e : tensor<100x65xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %t = arith.subf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<100x65xf32>
  return %r, %d : tensor<65xf32>, tensor<100x65xf32>
}"""  # noqa: E501
    schedule = """schedule s(root) {
  ops = match "linalg.generic" in root
  sum, rows = split_handle ops
  rows, grid = tile rows by [32, 32] onto [block.y, block.x]
  sum, grid = fuse sum into grid
}"""
    for tile in ("[32, 32]", "[128, 32]"):
        made = built(payload, schedule.replace("[32, 32]", tile))
        assert check_kernel_ir(made, make_case(parse_payload(payload), 0)).ok


def test_write_over_another_tile_of_what_was_read() -> None:
    text = in_a_grid(
        "%k = affine.apply affine_map<(d0) -> (d0 * 16 + 1)>(%i)\n"
        "%w = vector.transfer_read %alloc[%o], %pad {in_bounds = [true]} "
        ": memref<64xf32>, vector<16xf32>\n"
        "vector.transfer_write %w, %alloc[%k] {in_bounds = [true]} "
        ": vector<16xf32>, memref<64xf32>"
    )
    assert "read as another tile" in refused(text).fact
    assert "tl.store" in generated(text.replace(" + 1)", ")")).program.text


def test_op_outside_of_any_grid() -> None:
    text = in_a_grid(STORE).replace(
        "  return",
        "  linalg.fill ins(%pad : f32) outs(%alloc : memref<64xf32>)\n  return",
    )
    assert "outside of any grid" in refused(text).fact


@pytest.mark.parametrize("kind", ["i1", "i64"])
def test_no_descriptor_has_elements_of_this_width(kind: str) -> None:
    payload = """func.func @same(%x: T) -> T {
  %e = tensor.empty() : T
  %y = linalg.copy ins(%x : T) outs(%e : T) -> T
  return %y : T
}""".replace("T", f"tensor<64x64x{kind}>")
    schedule = """schedule tiles(root) {
  copy = match "linalg.copy" in root
  copy, grid = tile copy by [32, 32] onto [block.y, block.x]
  launch grid descriptors = 1
}"""
    with pytest.raises(UserError, match=f"elements of type {kind} have none"):
        built(payload, schedule)


def test_group_needs_two_dimensions() -> None:
    error = refused(in_a_grid(STORE, extra=", triton.group = 4 : i64"))
    assert "grid of 1 dimensions" in error.fact


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            matmul_relu(64, 64, 100, (32, 32, 32), attributes="triton.descriptors"),
            "rows lie 200 bytes apart, which is no multiple of 16",
        ),
        (
            matmul_relu(512, 512, 512, (16, 512, 16), attributes="triton.descriptors"),
            "a block extent of 512 exceeds 256",
        ),
        (
            text_of("ragged").replace(
                "%zero16 = arith.constant 0.000000e+00",
                "%zero16 = arith.constant 1.000000e+00",
            ),
            "masked lanes read something other than zero",
        ),
        (
            text_of("ragged").replace("(-d0 + 1000, 64)", "(60, 64)"),
            "ends neither with the buffer (1000) nor at a known place",
        ),
        (
            in_a_grid(STORE, extra=", triton.descriptors"),
            "no tile has two dimensions",
        ),
    ],
)
def test_descriptors_that_cannot_be(text: str, reason: str) -> None:
    error = refused(text)
    assert reason in error.fact
    assert (
        error.remedy is not None
        and "triton.descriptors" in error.remedy
        or ("leave the attribute off" in (error.remedy or ""))
    )


EVERY_SO_MANY = (
    "%s = memref.subview %a[0] [32] [%i] : memref<64xf32> to "
    "memref<32xf32, strided<[?]>>\n"
    "%w = vector.transfer_read %s[%c0], %pad {in_bounds = [true]} "
    ": memref<32xf32, strided<[?]>>, vector<16xf32>\n" + STORE
)


def indexed(lines: str, index: str = "%k") -> str:
    """A grid that stores at an index computed by `lines`."""
    return in_a_grid(f"{lines}\n{STORE.replace('%alloc[%o]', f'%alloc[{index}]')}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            in_a_grid(STORE)
            .replace("memref<64xf32>", "memref<64xf32, strided<[?]>>")
            .replace("memref.alloc()", "memref.alloc()[%c0]"),
            "strides known only at run time",
        ),
        (in_a_grid(EVERY_SO_MANY), "whose step is no positive number"),
        (
            "func.func @f(%a: memref<4xf32>) {\n  return\n}\n"
            "func.func @g(%a: memref<4xf32>) {\n  return\n}",
            "this one has 2",
        ),
        ("module {}", "this one has 0"),
        ("func.func @f(%a: tensor<4xf32>) {\n  return\n}", "argument of type tensor"),
        (
            indexed("%k = arith.remsi %o, %o : index"),
            "'arith.remsi': an index comes from here",
        ),
        (
            indexed("%k = arith.muli %i, %i : index"),
            "a product of two variables",
        ),
        (
            indexed("%k = affine.apply affine_map<(d0) -> (d0 floordiv -4)>(%i)"),
            "not linear",
        ),
        (
            in_a_grid(
                "%c1 = arith.constant 1 : index\n"
                "%n = scf.for %q = %c0 to %o step %c1 iter_args(%p = %c0) "
                "-> (index) {\n"
                f"  {STORE}\n"
                "  %r = arith.addi %p, %c1 : index\n"
                "  scf.yield %r : index\n"
                "}"
            ),
            "'scf.for': gives an index",
        ),
        (
            indexed(
                "%is_first = arith.cmpi eq, %i, %c0 : index\n"
                "%k = scf.if %is_first -> (index) {\n"
                "  scf.yield %c0 : index\n"
                "} else {\n"
                "  scf.yield %o : index\n"
                "}"
            ),
            "'scf.if': an index comes from here",
        ),
    ],
)
def test_what_the_analysis_cannot_follow(text: str, reason: str) -> None:
    assert reason in refused(text).fact


def test_message_has_place_fact_remedy_and_line() -> None:
    text = str(refused(matmul_relu(128, 128, 64, (128, 128, 8))))
    headline, line, caret = text.splitlines()[:3]
    assert headline.startswith("test.mlir:23:")
    assert "; tile larger" in headline
    assert "vector.contract" in line and caret.strip() == "^"
