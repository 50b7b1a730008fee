"""What random payloads under random schedules have found, one test a cause.

`tests/fuzz/run_kernels.py` draws them; what is here failed once.
"""

from __future__ import annotations

import pytest

from support.codegen.buffer_level import elementwise, generated
from support.codegen.programs import built
from tilewright.codegen.runtime.interpret import Job, interpret_each
from tilewright.ir.dtypes import Array
from tilewright.ir.errors import SilenceableFailure
from tilewright.numeric_check import (
    CheckCase,
    check_kernel_ir,
    compare_results,
    make_case,
)
from tilewright.pipeline import Built, parse_payload


def generic(
    shape: str, ins: list[str], out: str, body: list[str], rank: int = 2
) -> str:
    """`out = body(x0, x1, ...)` element by element; types are element types."""
    loops = ", ".join(f"d{i}" for i in range(rank))
    maps = ", ".join([f"affine_map<({loops}) -> ({loops})>"] * (len(ins) + 1))
    kinds = ", ".join(['"parallel"'] * rank)
    given = ", ".join(f"%a{i}: tensor<{shape}x{t}>" for i, t in enumerate(ins))
    names = ", ".join(f"%a{i}" for i in range(len(ins)))
    types = ", ".join(f"tensor<{shape}x{t}>" for t in ins)
    scalars = ", ".join(f"%x{i}: {t}" for i, t in enumerate(ins))
    lines = "\n    ".join(body)
    return f"""
func.func @f({given}) -> tensor<{shape}x{out}> {{
  %e = tensor.empty() : tensor<{shape}x{out}>
  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins({names} : {types}) outs(%e : tensor<{shape}x{out}>) {{
  ^bb0({scalars}, %o: {out}):
    {lines}
    linalg.yield %y : {out}
  }} -> tensor<{shape}x{out}>
  return %r : tensor<{shape}x{out}>
}}
"""  # noqa: E501


def product(a: str, b: str, c: str, dtype: str, acc: str, maps: tuple[str, ...]) -> str:
    """A contraction of loops d0 to d3 from its shapes and maps, d3 summed."""
    widen = {"i8": "extsi", "i32": ""}.get(dtype, "extf") if dtype != acc else ""
    of = "i" if acc.startswith("i") else "f"
    zero = "0" if of == "i" else "0.0"
    cast = [
        f"%w{i} = arith.{widen} %x{i} : {dtype} to {acc}"
        if widen
        else f"%w{i} = arith.add{of} %x{i}, %zero : {acc}"
        for i in range(2)
    ]
    if not widen:
        cast = []
    left, right = ("%w0", "%w1") if widen else ("%x0", "%x1")
    written = ", ".join(f"affine_map<(d0, d1, d2, d3) -> ({m})>" for m in maps)
    lines = "\n    ".join(cast)
    return f"""
func.func @f(%a: tensor<{a}x{dtype}>, %b: tensor<{b}x{dtype}>) -> tensor<{c}x{acc}> {{
  %zero = arith.constant {zero} : {acc}
  %e = tensor.empty() : tensor<{c}x{acc}>
  %z = linalg.fill ins(%zero : {acc}) outs(%e : tensor<{c}x{acc}>) -> tensor<{c}x{acc}>
  %r = linalg.generic {{indexing_maps = [{written}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}} ins(%a, %b : tensor<{a}x{dtype}>, tensor<{b}x{dtype}>) outs(%z : tensor<{c}x{acc}>) {{
  ^bb0(%x0: {dtype}, %x1: {dtype}, %y: {acc}):
    {lines}
    %p = arith.mul{of} {left}, {right} : {acc}
    %s = arith.add{of} %y, %p : {acc}
    linalg.yield %s : {acc}
  }} -> tensor<{c}x{acc}>
  return %r : tensor<{c}x{acc}>
}}
"""  # noqa: E501


BATCH = ("d0, d1, d3", "d0, d3, d2", "d0, d1, d2")
BETWEEN = ("d1, d3, d0", "d0, d3, d2", "d1, d0, d2")
"""The result has the batch between rows and columns."""

REDUCE = """
func.func @f(%a: tensor<20x30xf8E4M3FN>) -> tensor<20xf8E4M3FN> {
  %c = arith.constant 1.0 : f8E4M3FN
  %e = tensor.empty() : tensor<20xf8E4M3FN>
  %f = linalg.fill ins(%c : f8E4M3FN) outs(%e : tensor<20xf8E4M3FN>)
    -> tensor<20xf8E4M3FN>
  %s = linalg.reduce { arith.maximumf } ins(%a : tensor<20x30xf8E4M3FN>)
    outs(%f : tensor<20xf8E4M3FN>) dimensions = [1]
  return %s : tensor<20xf8E4M3FN>
}"""

PAYLOADS = {
    "products of f64 are summed in f64": product(
        "2x16x64", "2x64x17", "2x16x17", "f64", "f64", BATCH
    ),
    "a dot of 8 bits takes 32 along k": product(
        "1x31x20", "1x20x130", "1x31x130", "i8", "i32", BATCH
    ),
    "products of i32 are no dots": product(
        "5x65x7", "5x7x31", "5x65x31", "i32", "i32", BATCH
    ),
    "a fill takes the vector of its product": product(
        "32x40x5", "5x40x127", "32x5x127", "bf16", "f32", BETWEEN
    ),
    "shifts bind more than bits, and less than sums": generic(
        "8x16",
        ["i32", "i32"],
        "i32",
        [
            "%five = arith.constant 5 : i32",
            "%m = arith.andi %x1, %five : i32",
            "%l = arith.shli %x0, %m : i32",
            "%s = arith.addi %m, %five : i32",
            "%r = arith.shrsi %l, %s : i32",
            "%q = arith.shli %r, %m : i32",
            "%y = arith.xori %q, %l : i32",
        ],
    ),
    "the lesser of unsigned bytes": generic(
        "8x16",
        ["i8"],
        "i8",
        [
            "%five = arith.constant 5 : i8",
            "%m = arith.minui %x0, %five : i8",
            "%y = arith.maxui %m, %five : i8",
        ],
    ),
    "a number of bf16": generic(
        "8x16", ["bf16"], "bf16", ["%y = arith.mulf %x0, %n : bf16"]
    ).replace(") -> tensor", ", %n: bf16) -> tensor", 1),
    "arithmetic on tiny floats": generic(
        "20x30",
        ["f8E4M3FN", "f8E4M3FN"],
        "f8E4M3FN",
        [
            "%s = arith.addf %x0, %x1 : f8E4M3FN",
            "%m = arith.mulf %s, %x0 : f8E4M3FN",
            "%y = arith.maximumf %m, %x1 : f8E4M3FN",
        ],
    ),
    "a choice of tiny floats": generic(
        "20x30",
        ["f8E5M2", "f8E5M2"],
        "f8E5M2",
        [
            "%c = arith.constant 2.0 : f8E5M2",
            "%t = arith.cmpf ogt, %x0, %c : f8E5M2",
            "%y = arith.select %t, %x1, %c : f8E5M2",
        ],
    ),
    "tiny floats to integers": generic(
        "20x30", ["f8E5M2"], "i8", ["%y = arith.fptosi %x0 : f8E5M2 to i8"]
    ),
    "integers to tiny floats": generic(
        "20x30", ["i8"], "f8E4M3FN", ["%y = arith.sitofp %x0 : i8 to f8E4M3FN"]
    ),
    "tiny floats to f64": generic(
        "20x30", ["f8E4M3FN"], "f64", ["%y = arith.extf %x0 : f8E4M3FN to f64"]
    ),
    "f64 to tiny floats": generic(
        "20x30", ["f64"], "f8E4M3FN", ["%y = arith.truncf %x0 : f64 to f8E4M3FN"]
    ),
    # f8E4M3FN has no infinity, and what stands for it there is NaN.
    "a maximum of tiny floats": REDUCE,
    "a minimum of tiny floats": REDUCE.replace("maximumf", "minimumf"),
    "temporaries of one element share memory": """
func.func @f(%a: tensor<16xf32>, %b: tensor<16xi32>) -> tensor<16xf32> {
  %z = arith.constant 0.0 : f32
  %i = arith.constant 0 : i32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<16xf32>)
    outs(%f : tensor<f32>) dimensions = [0]
  %x = tensor.empty() : tensor<16xf32>
  %m = linalg.broadcast ins(%s : tensor<f32>) outs(%x : tensor<16xf32>) dimensions = [0]
  %g = tensor.empty() : tensor<i32>
  %h = linalg.fill ins(%i : i32) outs(%g : tensor<i32>) -> tensor<i32>
  %t = linalg.reduce { arith.addi } ins(%b : tensor<16xi32>)
    outs(%h : tensor<i32>) dimensions = [0]
  %y = tensor.empty() : tensor<16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%m, %t : tensor<16xf32>, tensor<i32>) outs(%y : tensor<16xf32>) {
  ^bb0(%p: f32, %q: i32, %o: f32):
    %w = arith.sitofp %q : i32 to f32
    %u = arith.addf %p, %w : f32
    linalg.yield %u : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}""",  # noqa: E501
    "a tail behind a sum that began elsewhere": """
func.func @f(%a: tensor<40x64xf16>, %b: tensor<64x50xf16>, %c: tensor<40x50xf32>)
    -> tensor<40x50xf32> {
  %mm = linalg.matmul ins(%a, %b : tensor<40x64xf16>, tensor<64x50xf16>)
    outs(%c : tensor<40x50xf32>) -> tensor<40x50xf32>
  %e = tensor.empty() : tensor<40x50xf32>
  %r = linalg.abs ins(%mm : tensor<40x50xf32>) outs(%e : tensor<40x50xf32>)
    -> tensor<40x50xf32>
  return %r : tensor<40x50xf32>
}""",
    "softmax": """
func.func @f(%a: tensor<20x7xf32>) -> tensor<20x7xf32> {
  %e = tensor.empty() : tensor<20x7xf32>
  %r = linalg.softmax dimension(0) ins(%a : tensor<20x7xf32>)
    outs(%e : tensor<20x7xf32>) -> tensor<20x7xf32>
  return %r : tensor<20x7xf32>
}""",
    "a pad": """
func.func @f(%a: tensor<5x7xf32>) -> tensor<9x12xf32> {
  %c = arith.constant 2.0 : f32
  %p = tensor.pad %a low[1, 2] high[3, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<5x7xf32> to tensor<9x12xf32>
  return %p : tensor<9x12xf32>
}""",
    "offsets of a column are not those of a row": """
func.func @f(%x: tensor<4x5x24xf32>, %r: tensor<4x5x1xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %sum = linalg.generic {indexing_maps = [
      affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>,
      affine_map<(d0, d1, d2) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %r : tensor<4x5x24xf32>, tensor<4x5x1xf32>)
      outs(%i : tensor<4x5xf32>) {
  ^bb0(%x_2: f32, %r_1: f32, %acc_1: f32):
    %2 = arith.subf %r_1, %x_2 : f32
    %5 = arith.addf %2, %acc_1 : f32
    linalg.yield %5 : f32
  } -> tensor<4x5xf32>
  return %sum : tensor<4x5xf32>
}""",
}
SCHEDULES = {
    "a tail behind a sum that began elsewhere": """
schedule s(root) {
  mm = match "linalg.matmul" in root
  tail = match "linalg.abs" in root
  tail, grid = tile tail by [32, 32] onto [block.y, block.x]
  mm, grid = fuse mm into grid
  mm, k = tile mm by [0, 0, 32]
}
""",
    "a fill takes the vector of its product": """
schedule s(root) {
  mm = match "linalg.generic" in root
  fill = match "linalg.fill" in root
  mm, grid = tile mm by [2, 32, 64] onto [block.z, block.y, block.x]
  fill, grid = fuse fill into grid
}
""",
}
TEXTS = {
    "products of f64 are summed in f64": "out_dtype=tl.float64",
    "a dot of 8 bits takes 32 along k": "tl.dot(",
    "a fill takes the vector of its product": "tl.dot(",
    "temporaries of one element share memory": ".view(())",
    "arithmetic on tiny floats": ".to(tl.float32)",
    "a choice of tiny floats": ".to(tl.float32)",
}
"""What the source must say, beside the right numbers."""


@pytest.fixture(scope="module")
def programs() -> dict[str, Built]:
    return {name: built(text, SCHEDULES.get(name)) for name, text in PAYLOADS.items()}


@pytest.fixture(scope="module")
def questions() -> dict[str, CheckCase]:
    return {name: make_case(parse_payload(text), 1) for name, text in PAYLOADS.items()}


@pytest.fixture(scope="module")
def interpreted(
    programs: dict[str, Built], questions: dict[str, CheckCase]
) -> dict[str, list[Array] | str]:
    """All of them in one process of Triton's interpreter."""
    jobs = [Job(programs[name].program, questions[name].inputs) for name in PAYLOADS]
    return dict(zip(PAYLOADS, interpret_each(jobs), strict=True))


@pytest.mark.parametrize("name", PAYLOADS)
def test_what_was_wrong_is_right(
    name: str,
    programs: dict[str, Built],
    questions: dict[str, CheckCase],
    interpreted: dict[str, list[Array] | str],
) -> None:
    made, question, results = programs[name], questions[name], interpreted[name]
    assert TEXTS.get(name, "") in made.program.text
    outcome = check_kernel_ir(made, question)
    assert outcome.ok, outcome.message
    assert not isinstance(results, str), results
    outcome = compare_results(question, results, made.program.precision)
    assert outcome.ok, outcome.message


def test_a_tile_of_nan_is_one_number() -> None:
    """maxnumf is padded with NaN, which is not equal to itself."""
    text = elementwise(
        "%n = arith.constant dense<0x7FC00000> : vector<16xf32>",
        "%r = arith.maxnumf %v, %n : vector<16xf32>",
    )
    assert 'float("nan")' in generated(text).program.text


def test_zeros_of_both_signs_are_not_one_number() -> None:
    mixed = ", ".join(["0.0", "-0.0"] * 8)
    text = elementwise(f"%r = arith.constant dense<[{mixed}]> : vector<16xf32>")
    with pytest.raises(SilenceableFailure, match="different elements"):
        generated(text)


def test_a_buffer_in_a_grid_is_told_before_its_sizes() -> None:
    """They are minima, which only views of buffers from outside may have."""
    text = elementwise(
        "%m = affine.min affine_map<(d0) -> (d0 * -16 + 60, 16)>(%i)",
        "%b = memref.alloc(%m) : memref<?xf32>",
        "vector.transfer_write %v, %b[%c0] : vector<16xf32>, memref<?xf32>",
        "%r = vector.transfer_read %b[%c0], %pad : memref<?xf32>, vector<16xf32>",
    )
    with pytest.raises(SilenceableFailure, match="allocated inside a grid") as caught:
        generated(text)
    assert caught.value.place is not None
