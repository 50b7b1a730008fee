"""Structures that a grid's attributes ask for: persistence, stores in parts, hints."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from support.codegen.buffer_level import (
    elementwise,
    generated,
    inputs_for,
    matmul_relu,
    parse,
    text_of,
)
from support.codegen.grid_structures import STRUCTURES, structure
from support.paths import EXAMPLES
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.ir.context import payload_context
from tilewright.ir.dialects.kernel import Kernel
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.interpreter import Options, run
from tilewright.ir.text import parse_module, to_text
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import Payload, linear, matmul, reduce
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule

Golden = Callable[[str, str], None]

EVEN, ODD = (96, 192, 64), (100, 136, 72)
"""Sizes that the tile divides, and sizes that it does not."""


def refusal(text: str) -> SilenceableFailure:
    with pytest.raises(SilenceableFailure) as caught:
        generated(text)
    return caught.value


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", STRUCTURES)
def test_source(name: str, golden: Golden, tmp_path: Path) -> None:
    text = generated(structure(name, ODD), "structure.mlir").program.text
    golden(f"codegen/structures/{name}.py", text)
    (tmp_path / "kernel.py").write_text(text)
    for command in (["format", "--check"], ["check", "--select", "E,F,I,B"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", tmp_path],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", STRUCTURES)
def test_kernel_ir_round_trip(name: str) -> None:
    text = to_text(generated(structure(name, ODD)).kernel_module)
    context = payload_context()
    if context.get_optional_dialect("kernel") is None:
        context.load_dialect(Kernel)
    assert to_text(parse_module(text, "kernel.mlir", context)) == text


@pytest.mark.sampled(6)
@pytest.mark.parametrize("sizes", [EVEN, ODD])
@pytest.mark.parametrize("name", STRUCTURES)
def test_kernel_level_numbers(name: str, sizes: tuple[int, int, int]) -> None:
    text = structure(name, sizes)
    made = generated(text)
    arguments = inputs_for(made.program)
    options = Options(poison_uninitialized=True, shuffle_forall_seed=1)
    (wanted,) = run(parse(text), arguments)
    (found,) = run(made.kernel_module, arguments, options=options)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.slow
def test_numbers_in_tritons_interpreter() -> None:
    texts = [structure(name, sizes) for name in STRUCTURES for sizes in (EVEN, ODD)]
    made = [generated(text) for text in texts]
    jobs = [Job(one.program, inputs_for(one.program)) for one in made]
    for text, job, (found,) in zip(texts, jobs, interpret_all(jobs), strict=True):
        (wanted,) = run(parse(text), job.inputs)
        np.testing.assert_allclose(
            found.astype(float), wanted.astype(float), rtol=2e-3, atol=2e-2
        )


def test_programs_share_the_tiles() -> None:
    text = generated(structure("persistent", EVEN)).program
    assert "min(9, _multiprocessors(a.device))" in text.text
    (kernel,) = text.kernels
    assert (kernel.programs, kernel.persistent) == (9, 1)


def test_precision_of_f32_dots() -> None:
    asked = matmul_relu(
        64,
        64,
        64,
        (32, 32, 32),
        dtype="f32",
        attributes='triton.dot_precision = "tf32"',
    )
    assert 'input_precision="tf32"' in generated(asked).program.text
    plain = matmul_relu(64, 64, 64, (32, 32, 32), dtype="f32")
    assert 'input_precision="ieee"' in generated(plain).program.text


def test_what_is_read_once_is_evicted_first() -> None:
    p = Payload("scaled")
    x, weight = p.input("x", (64, 256), "f32"), p.input("weight", (256,), "f32")
    p.output(reduce("sum", x, weight, axis=-1, of=lambda x, w: x * w))
    schedule = """schedule s(root) {
      ops = match implementing [LinalgOp] in root
      fill, sum = split_handle ops
      sum, grid = tile sum by [2] onto [block.x]
      fill, grid = fuse fill into grid
      launch grid read_once = ONCE
    }"""
    texts = [
        build(
            parse_payload(p.text()),
            Schedule.from_text(schedule.replace("ONCE", once), "s.tw"),
        )
        for once in "01"
    ]
    assert "evict_first" not in texts[0].program.text
    loads = texts[1].program.text.split("tl.load(")[1:]
    hinted = [load for load in loads if "evict_first" in load.split("tl.")[0]]
    assert len(hinted) == 1 and hinted[0].strip().startswith("x")


def test_hints_of_loops() -> None:
    text = matmul_relu(64, 64, 64, (32, 32, 32)).replace(
        "{triton.num_stages = 3 : i64}",
        "{triton.num_stages = 3 : i64, triton.unroll = 2 : i64, triton.flatten, "
        "triton.single_accumulator}",
    )
    lines = generated(text).program.text
    for hint in (
        "num_stages=3",
        "loop_unroll_factor=2",
        "flatten=True",
        "disallow_acc_multi_buffer=True",
    ):
        assert hint in lines


@pytest.mark.parametrize(
    ("attributes", "dtype", "fact"),
    [
        ("triton.flatten", "f16", "'triton.flatten' changes nothing here"),
        (
            "triton.num_stages = 3 : i64",
            "f16",
            "'triton.num_stages' changes nothing here: a program has one tile",
        ),
        (
            "triton.store_parts = 4 : i64",
            "f16",
            "'triton.store_parts' of 4 changes nothing here",
        ),
        (
            'triton.dot_precision = "tf32"',
            "f16",
            "'triton.dot_precision' changes nothing here",
        ),
        (
            'triton.eviction = {c = "evict_first"}',
            "f16",
            "'triton.eviction' names the buffer 'c'",
        ),
        (
            'triton.descriptors, triton.eviction = {a = "evict_first"}',
            "f16",
            "'triton.eviction' changes nothing for 'a'",
        ),
        (
            'triton.cache = {a = "ca"}, triton.eviction = {a = "evict_last"}',
            "f16",
            "'triton.eviction' and 'triton.cache' both for 'a'",
        ),
        (
            'triton.cache = {a = "cs"}',
            "f16",
            "'triton.cache' changes nothing for 'a'",
        ),
    ],
)
def test_refusals(attributes: str, dtype: str, fact: str) -> None:
    text = matmul_relu(64, 64, 64, (32, 32, 32), dtype=dtype, attributes=attributes)
    failure = refusal(text)
    assert fact in failure.fact and failure.remedy


def test_parts_need_a_matrix() -> None:
    text = elementwise("%r = arith.addf %v, %v : vector<16xf32>").replace(
        "{mapping", "{triton.store_parts = 2 : i64, mapping"
    )
    assert "no matrix" in refusal(text).fact


@pytest.mark.parametrize("case", ["dividing_bias", "ragged"])
def test_epilogues_in_parts(case: str) -> None:
    """What a tail loads is loaded in parts too."""
    text = text_of(case).replace(
        "mapping = ", "triton.store_parts = 2 : i64, mapping = "
    )
    made = generated(text)
    assert "kernel.halves" in to_text(made.kernel_module)
    arguments = inputs_for(made.program)
    (wanted,) = run(parse(text_of(case)), arguments)
    (found,) = run(made.kernel_module, arguments)
    np.testing.assert_array_equal(found, wanted)


SPLIT = text_of("split_k")


def test_two_launches_compute_the_same_as_one() -> None:
    one, two = generated(SPLIT), generated(SPLIT.replace(", triton.last_arriver", ""))
    assert (len(one.program.kernels), len(two.program.kernels)) == (1, 2)
    arguments = inputs_for(one.program)
    (found,) = run(one.kernel_module, arguments, options=Options(shuffle_forall_seed=3))
    (wanted,) = run(two.kernel_module, arguments)
    np.testing.assert_array_equal(found, wanted)


def test_counters_are_left_zero() -> None:
    program = generated(SPLIT).program
    inputs = inputs_for(program)
    first, second = interpret_all([Job(program, inputs)] * 2)
    np.testing.assert_array_equal(first[0], second[0])
    assert "tl.store(counter, 0)" in program.text


@pytest.mark.parametrize(
    ("old", "new", "fact"),
    [
        ("(%s, %i, %j) in (4, 2, 2)", "(%s, %i, %j) in (4, 2, 1)", "its extents"),
        (
            "%part[%s, %m, %n], %zf",
            "%part[%s, %n, %m], %zf",
            "reads more along dimension 1",
        ),
        (
            "triton.last_arriver",
            "triton.last_arriver, triton.num_warps = 8 : i64",
            "'triton.num_warps' on a grid that has no launch of its own",
        ),
        (
            "vector.transfer_write %h, %out[%m, %n]",
            "vector.transfer_write %h, %a[%m, %n]",
            "writes a buffer that other programs",
        ),
        (
            "%out = memref.alloc() : memref<64x64xf16>",
            "%out = memref.alloc() : memref<64x64xf16>\n"
            "  memref.copy %out, %out : memref<64x64xf16> to memref<64x64xf16>",
            "does not follow another one",
        ),
    ],
)
def test_refused_merges(old: str, new: str, fact: str) -> None:
    assert old in SPLIT
    text = SPLIT.replace(old, new)
    if "%a[" in new:
        head, tail = text.rsplit("memref<64x64xf16>\n  } {mapping", 1)
        text = f"{head}memref<64x256xf16>\n  }} {{mapping{tail}"
    failure = refusal(text)
    assert fact in failure.fact and failure.remedy


def test_a_third_grid_is_a_launch_of_its_own() -> None:
    start = SPLIT.rindex("  scf.forall")
    end = SPLIT.index("\n", SPLIT.index("triton.last_arriver"))
    text = SPLIT[:end] + "\n" + SPLIT[start:]
    one, two = generated(SPLIT), generated(text)
    assert (len(one.program.kernels), len(two.program.kernels)) == (1, 2)
    arguments = inputs_for(one.program)
    (found,) = run(two.kernel_module, arguments)
    (wanted,) = run(one.kernel_module, arguments)
    np.testing.assert_array_equal(found, wanted)


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
