"""`triton.store_parts`: tiles that are finished and stored in parts."""

from __future__ import annotations

import numpy as np
import pytest

from support.codegen.buffer_level import generated, inputs_for, matmul_relu, parse
from support.codegen.grid_refusals import EVEN
from support.codegen.grid_structures import structure
from support.paths import EXAMPLES
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.ir.interpreter import run
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import Payload, linear, matmul
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule


def test_a_dot_is_computed_whole() -> None:
    """A product of square tiles without a loop is no element-wise op."""
    text = matmul_relu(
        64, 64, 64, (64, 64, 64), attributes="triton.store_parts = 2 : i64"
    )
    head, _, rest = text.partition("    %8 = scf.for")
    loop, _, tail = rest.partition("    } {triton.num_stages")
    body = loop.partition("{\n")[2].replace("%k", "%c0").replace("%acc", "%cst")
    body = body.replace("%17 =", "%8 =").replace("      scf.yield %17", "      // ")
    text = head + body + tail.partition("\n")[2]
    made = generated(text)
    arguments = inputs_for(made.program)
    (wanted,) = run(parse(text), arguments)
    (found,) = run(made.kernel_module, arguments)
    np.testing.assert_array_equal(found, wanted)
    assert made.program.text.count("tl.dot") == 1


def test_rounded_operands_are_told() -> None:
    text = matmul_relu(
        64,
        64,
        64,
        (32, 32, 32),
        dtype="f32",
        attributes='triton.dot_precision = "tf32"',
    )
    program = generated(text).program
    assert program.precision == "tf32" and program.kernels[0].dots[0].dtype == "tf32"
    plain = generated(matmul_relu(64, 64, 64, (32, 32, 32), dtype="f32")).program
    assert plain.precision is None


PARTS = """
func.func @joined(%a: memref<64x8xf32>) -> memref<64x20xf32> {
  %pad = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %tmp = memref.alloc() : memref<64x8xf32>
  scf.forall (%i) in (4) {
    %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %v = vector.transfer_read %a[%o, %c0], %pad {in_bounds = [true, true]} : memref<64x8xf32>, vector<16x8xf32>
    %r = arith.addf %v, %v : vector<16x8xf32>
    vector.transfer_write %r, %tmp[%o, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<64x8xf32>
  } {mapping = [#gpu.block<x>]}
  %out = memref.alloc() : memref<64x20xf32>
  %left = memref.subview %out[0, 0] [64, 8] [1, 1] : memref<64x20xf32> to memref<64x8xf32, strided<[20, 1]>>
  %right = memref.subview %out[0, 8] [64, 8] [1, 1] : memref<64x20xf32> to memref<64x8xf32, strided<[20, 1], offset: 8>>
  %rest = memref.subview %out[0, 16] [64, 4] [1, 1] : memref<64x20xf32> to memref<64x4xf32, strided<[20, 1], offset: 16>>
  %some = memref.subview %a[0, 2] [64, 4] [1, 1] : memref<64x8xf32> to memref<64x4xf32, strided<[8, 1], offset: 2>>
  memref.copy %tmp, %left : memref<64x8xf32> to memref<64x8xf32, strided<[20, 1]>>
  memref.copy %a, %right : memref<64x8xf32> to memref<64x8xf32, strided<[20, 1], offset: 8>>
  memref.copy %some, %rest : memref<64x4xf32, strided<[8, 1], offset: 2>> to memref<64x4xf32, strided<[20, 1], offset: 16>>
  return %out : memref<64x20xf32>
}
"""  # noqa: E501


def test_copies_of_windows_between_launches() -> None:
    made = generated(PARTS)
    for line in ("out[:, 8:16].copy_(a)", "out[:, 16:20].copy_(a[:, 2:6])"):
        assert line in made.program.text
    # What a grid computes, it writes to its place.
    assert "tmp" not in made.program.text
    arguments = inputs_for(made.program)
    (wanted,) = run(parse(PARTS), arguments)
    (found,) = run(made.kernel_module, arguments)
    np.testing.assert_array_equal(found, wanted)
    ((interpreted,),) = interpret_all([Job(made.program, arguments)])
    np.testing.assert_array_equal(interpreted, wanted)


def test_parts_leave_no_whole_load_behind() -> None:
    """What a tail loads in parts is not loaded whole before."""
    p = Payload("layer")
    x, w = p.input("x", (64, 64), "f16"), p.input("w", (64, 128), "f16")
    bias, residual = p.input("b", (128,), "f16"), p.input("r", (64, 128), "f16")
    p.output(linear(x, w, bias=bias, residual=residual, activation="relu"))
    point = {"BM": 32, "BN": 64, "BK": 32, "warps": 4, "stages": 3, "group": 1}
    point |= {"persistent": 0, "parts": 2, "flatten": 0, "loads": "descriptors"}
    schedule = Schedule.from_path(EXAMPLES / "gemm" / "gemm.tw")
    built = build(parse_payload(p.text()), schedule, point)
    loads = [op for op in built.kernel.walk() if op.name.endswith("_load")]
    assert len(loads) == 4 and all(op.results[0].uses for op in loads)
    assert check_kernel_ir(built, make_case(parse_payload(p.text()), 0)).ok


def test_parts_of_what_constants_give() -> None:
    text = structure("two_parts", EVEN).replace(
        "%10 = arith.maximumf %8, %cst :",
        "%twice = arith.addf %one, %one : vector<32x64xf32>\n"
        "    %10 = arith.addf %8, %twice :",
    )
    text = text.replace(
        "  %c0 =", "  %one = arith.constant dense<1.0> : vector<32x64xf32>\n  %c0 =", 1
    )
    made = generated(text)
    assert "tl.full((32, PART_N), 1.0" in made.program.text
    arguments = inputs_for(made.program)
    (wanted,) = run(parse(text), arguments)
    (found,) = run(made.kernel_module, arguments)
    np.testing.assert_array_equal(found, wanted)


def test_parts_of_a_dot_behind_another_store() -> None:
    """Parts are taken where everything that is stored has been computed."""
    m, n, k = EVEN
    text = structure("two_parts", EVEN)
    more = f"""
    %x = vector.transfer_read %a[%2, %c0], %zero {{in_bounds = [true, true]}} : memref<{m}x{k}xf16>, vector<32x32xf16>
    %y = vector.transfer_read %b[%c0, %3], %zero {{in_bounds = [true, true]}} : memref<{k}x{n}xf16>, vector<32x64xf16>
    %z = vector.contract {{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}} %x, %y, %cst : vector<32x32xf16>, vector<32x64xf16> into vector<32x64xf32>
    vector.transfer_write %z, %other[%2, %3] {{in_bounds = [true, true]}} : vector<32x64xf32>, memref<{m}x{n}xf32>
  }} {{mapping"""  # noqa: E501
    of = f"memref<{m}x{n}xf16>"
    text = text.replace("\n  } {mapping", more, 1)
    text = text.replace(
        "  %alloc =", f"  %other = memref.alloc() : memref<{m}x{n}xf32>\n  %alloc =", 1
    )
    text = text.replace(f"-> {of} {{", f"-> ({of}, memref<{m}x{n}xf32>) {{", 1)
    text = text.replace(
        f"return %alloc : {of}", f"return %alloc, %other : {of}, memref<{m}x{n}xf32>"
    )
    made = generated(text)
    arguments = inputs_for(made.program)
    for found, wanted in zip(
        run(made.kernel_module, arguments), run(parse(text), arguments), strict=True
    ):
        np.testing.assert_array_equal(found, wanted)
    assert made.program.text.count(" = _halves(") == 2


def test_walking_along_a_row_of_tiles() -> None:
    """What the loop does not change is loaded before it, and zeros are not added."""
    p = Payload("batch_gemm")
    a, b = p.input("a", (2, 64, 32), "f16"), p.input("b", (2, 32, 192), "f16")
    p.output(matmul(a, b, dtype="f16"))
    schedule = Schedule.from_path(EXAMPLES / "gemm" / "batch_walk.tw")
    point = {"BM": 64, "BN": 64, "warps": 4, "stages": 3}
    built = build(parse_payload(p.text()), schedule, point)
    (loop,) = (op for op in built.kernel.walk() if op.name == "scf.for")
    assert [op.name for op in loop.walk()].count("kernel.load") == 1
    assert check_kernel_ir(built, make_case(parse_payload(p.text()), 0)).ok
    arguments = inputs_for(built.program)
    (wanted,) = run(parse_payload(p.text()), arguments)
    ((found,),) = interpret_all([Job(built.program, arguments)])
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3)


OVERWRITTEN = """
func.func @f(%x: memref<64x64xf32>) -> memref<64x64xf32> {
  %pad = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.000000e+00> : vector<16x64xf32>
  %out = memref.alloc() : memref<64x64xf32>
  scf.forall (%i) in (4) {
    %r = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %v = vector.transfer_read %x[%r, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf32>, vector<16x64xf32>
    vector.transfer_write %zero, %x[%r, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<64x64xf32>
    %s = arith.addf %v, %v : vector<16x64xf32>
    vector.transfer_write %s, %out[%r, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<64x64xf32>
  } {mapping = [#gpu.block<x>], triton.store_parts = 2 : i64}
  return %out : memref<64x64xf32>
}
"""  # noqa: E501


@pytest.mark.parametrize("descriptors", ["", "triton.descriptors, "])
def test_parts_do_not_load_what_was_stored_meanwhile(descriptors: str) -> None:
    text = OVERWRITTEN.replace("{mapping", f"{{{descriptors}mapping")
    (x,) = inputs_for(generated(text).program)
    (found,) = run(generated(text).kernel_module, [x.copy()])
    np.testing.assert_array_equal(found, x + x)
