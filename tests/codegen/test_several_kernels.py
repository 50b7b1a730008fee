"""Programs: memory shared by temporaries, constants, numbers as arguments."""

# MLIR does not wrap its lines.
# ruff: noqa: E501

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from support.codegen.buffer_level import generated
from support.codegen.programs import assert_right, built, chain
from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import GOLDEN
from support.transforms.same_program import assert_same_program
from tilewright.ir.dialects import func, memref
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import to_text
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import Payload, relu
from tilewright.pipeline import Built, apply_schedule, parse_payload
from tilewright.schedules.schedule import Schedule

Golden = Callable[[str, str], None]

CONSTANTS = """
func.func @constants(%a: tensor<33x4xf32>) -> tensor<33x4xf32> {
  %w = arith.constant dense<[1.0, 2.0, 3.5, -4.0]> : tensor<4xf32>
  %halves = arith.constant dense<0.5> : tensor<33x4xf32>
  %e = tensor.empty() : tensor<33x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %w, %halves : tensor<33x4xf32>, tensor<4xf32>, tensor<33x4xf32>) outs(%e : tensor<33x4xf32>) {
  ^bb0(%x: f32, %y: f32, %h: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.mulf %s, %h : f32
    linalg.yield %m : f32
  } -> tensor<33x4xf32>
  return %r : tensor<33x4xf32>
}
"""

NUMBERS = """
func.func @numbers(%a: tensor<33x48xf32>, %scale: f32, %count: i32, %shift: tensor<f32>) -> tensor<33x48xf32> {
  %e = tensor.empty() : tensor<33x48xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %shift : tensor<33x48xf32>, tensor<f32>) outs(%e : tensor<33x48xf32>) {
  ^bb0(%x: f32, %z: f32, %o: f32):
    %p = arith.mulf %x, %scale : f32
    %n = arith.sitofp %count : i32 to f32
    %q = arith.addf %p, %n : f32
    %s = arith.subf %q, %z : f32
    linalg.yield %s : f32
  } -> tensor<33x48xf32>
  return %r : tensor<33x48xf32>
}
"""


def buffers(program: Built) -> list[str]:
    """The types of what a launcher allocates."""
    launcher = next(op for op in program.kernel.ops if isinstance(op, func.FuncOp))
    ops = launcher.body.block.ops
    return [str(op.memref.type) for op in ops if isinstance(op, memref.AllocOp)]


def test_temporaries_share_memory() -> None:
    program = assert_right(chain(["addf"] * 6))
    assert len(program.program.kernels) == 6
    # Two temporaries take turns, and the result has memory of its own.
    assert buffers(program) == ["memref<64x32xf32>"] * 3


def test_equal_kernels_are_one() -> None:
    program = assert_right(chain(["addf", "mulf", "addf", "addf"])).program
    assert program.text.count("@triton.jit") == 2
    names = [kernel.name for kernel in program.kernels]
    assert names == [names[0], names[1], names[0], names[0]]


def test_kernels_that_differ_in_offsets_are_one() -> None:
    p = Payload("steps")
    x = p.input("x", (16, 96), "f32")
    kept = [relu(x[:, 32 * step : 32 * step + 32]) for step in (1, 2)]
    p.output(*kept)
    program = assert_right(p.text()).program
    assert program.text.count("@triton.jit") == 1
    first, second = program.kernels
    assert first.name == second.name


def test_kernels_of_open_sizes_stay_apart() -> None:
    p = Payload("open")
    x = p.input("x", ("M", 32), "f32")
    y = p.input("y", ("N", 32), "f32")
    p.output(relu(x), relu(y))
    program = built(p.text()).program
    assert program.text.count("@triton.jit") == 2


def test_temporaries_of_different_types_share_bytes(golden: Golden) -> None:
    text = chain(["addf", "addf", "addf:f16", "addf:f32", "mulf", "addf"], "33x20")
    program = assert_right(text)
    assert "memref<2688xi8>" in buffers(program)
    golden("programs/shared_bytes.py", program.program.text)


def test_very_different_sizes_stay_apart() -> None:
    text = """
func.func @f(%a: tensor<64x512xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %t = linalg.exp ins(%a : tensor<64x512xf32>) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %r = tensor.empty() : tensor<64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.reduce ins(%t : tensor<64x512xf32>) outs(%i : tensor<64xf32>) dimensions = [1] (%x: f32, %acc: f32) {
    %v = arith.addf %x, %acc : f32
    linalg.yield %v : f32
  }
  %u = linalg.exp ins(%s : tensor<64xf32>) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %w = linalg.sqrt ins(%u : tensor<64xf32>) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  return %w : tensor<64xf32>
}
"""
    assert not [of for of in buffers(built(text)) if "i8" in of]


def test_a_launch_does_not_read_and_write_shared_memory() -> None:
    """The temporary that a launch writes is not the one that it reads."""
    program = built(chain(["addf"] * 5))
    launcher = next(op for op in program.kernel.ops if isinstance(op, func.FuncOp))
    for op in launcher.body.block.ops:
        if op.name == "kernel.launch":
            assert len(set(op.operands)) == len(op.operands)


def test_constants(golden: Golden) -> None:
    program = assert_right(CONSTANTS)
    golden("programs/constants.py", program.program.text)


def test_many_numbers_are_written_as_bytes(golden: Golden) -> None:
    numbers = ", ".join(str(n / 8) for n in range(40))
    text = CONSTANTS.replace("1.0, 2.0, 3.5, -4.0", numbers)
    text = text.replace("4xf32", "40xf32").replace("33x40", "33x40")
    program = assert_right(text)
    golden("programs/constant_bytes.py", program.program.text)


def test_a_constant_that_is_returned_is_a_copy() -> None:
    text = """
func.func @f() -> tensor<4xf32> {
  %w = arith.constant dense<[1.0, 2.0, 3.5, -4.0]> : tensor<4xf32>
  return %w : tensor<4xf32>
}
"""
    program = built(text)
    assert check_kernel_ir(program, make_case(parse_payload(text), 0)).ok
    assert "out.copy_(w)" in program.program.text


def test_a_constant_is_not_written() -> None:
    text = """
func.func @f(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %ones = arith.constant dense<1.0> : tensor<16x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%ones : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
"""
    program = assert_right(text)
    assert program.program.text.count(".copy_(") == 1


@needs_mlir
def test_bufferized_constants_are_upstreams() -> None:
    text = """
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense<[1.0, 2.0, 3.5, -4.0]> : tensor<4xf32>
  %v = arith.constant dense<[0.0, 2.0, 3.5, -4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4xf32>
  %t = linalg.add ins(%w, %v : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.add ins(%w, %t : tensor<4xf32>, tensor<4xf32>) outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
    script = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %b = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""
    schedule = Schedule.from_text(script, "script.mlir")
    ours = apply_schedule(parse_payload(text), schedule, complete=False).payload
    options = "bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map"
    theirs = mlir_opt(text, f"--one-shot-bufferize={options}")
    assert_same_program(to_text(ours), theirs)


def test_numbers_are_arguments(golden: Golden) -> None:
    program = assert_right(NUMBERS)
    assert [spec.is_scalar for spec in program.program.arguments] == [
        False,
        True,
        True,
        False,
    ]
    golden("programs/numbers.py", program.program.text)


def test_numbers_of_other_types_are_refused() -> None:
    with pytest.raises(SilenceableFailure, match="takes an argument of type f8E5M2"):
        generated(
            "func.func @f(%a: memref<4xf32>, %s: f8E5M2) -> memref<4xf32> {\n"
            "  return %a : memref<4xf32>\n}"
        )


def test_sources_are_formatted() -> None:
    folder = str(GOLDEN / "programs")
    for command in (["format", "--check"], ["check", "--select", "E,F,I,B"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", folder],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
