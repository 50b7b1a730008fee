"""Sizes known only at run time: one program for any of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, f32

from support.codegen.buffer_level import in_a_grid
from support.codegen.buffer_level import parse as parse_buffers
from support.codegen.open_sizes import (
    ADD,
    CASES,
    FOLDER,
    TILED,
    WIDE,
    Case,
    Shapes,
    built,
    inputs_of,
    tiled,
)
from tilewright.codegen.generate import generate
from tilewright.codegen.kernel.accesses import is_wide
from tilewright.codegen.runtime.call_arguments import CallArguments
from tilewright.codegen.runtime.compile import load_launcher, source_file, torch_dtype
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.codegen.runtime.launch import LoadedProgram
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.kernel import FuncOp, LoadOp, OffsetOp, element_of
from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.ir.interpreter import run as interpret_ir
from tilewright.ir.structured.equal_extents import same_extents
from tilewright.ir.text import parse_module, to_text
from tilewright.pipeline import Built, build, parse_payload, read_payload, reference
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.table import schedule_context

Golden = Callable[[str, str], None]


@pytest.fixture(scope="module")
def ran() -> dict[str, tuple[Case, list[list[NDArray[Any]]]]]:
    """All cases, run in one process of Triton's interpreter."""
    cases = {name: make() for name, make in CASES.items()}
    jobs = {name: case.jobs() for name, case in cases.items()}
    results = iter(interpret_all([job for every in jobs.values() for job in every]))
    return {
        name: (case, [next(results) for _ in jobs[name]])
        for name, case in cases.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_one_program_for_any_size(
    name: str, ran: dict[str, tuple[Case, list[list[NDArray[Any]]]]]
) -> None:
    case, results = ran[name]
    case.check(results)


def called(made: Built, shapes: Shapes, folder: Path) -> Any:
    """Call a launcher on tensors without numbers: far enough to see its checks."""
    launcher = load_launcher(source_file(made.program, folder), made.program.entry)
    return launcher(
        *(
            torch.empty(shape, dtype=torch_dtype(spec.dtype), device="meta")
            for spec, shape in zip(made.program.arguments, shapes, strict=True)
        )
    )


def test_rows_that_a_descriptor_does_not_take(tmp_path: Path) -> None:
    made = tiled("matmul_any", descriptors=True)
    with pytest.raises(ValueError, match=r"a goes through a tensor.*multiple of 8"):
        called(made, [(4, 71), (71, 136)], tmp_path)
    with pytest.raises(ValueError, match=r"a goes through .* must not be empty"):
        called(made, [(4, 0), (0, 136)], tmp_path)


def test_nothing_is_launched_for_nothing(tmp_path: Path) -> None:
    """A descriptor of an empty tensor cannot be made, and need not be."""
    made = tiled("matmul_relu", descriptors=True)
    assert "    if M > 0:\n        matmul_relu_kernel[" in made.program.text
    assert called(made, [(0, 512), (512, 256)], tmp_path).shape == (0, 256)


@pytest.mark.parametrize(
    ("name", "launch"),
    [
        ("add", None),
        ("softmax", None),
        ("mlp", None),
        ("matmul_relu", "group = 8"),
        ("matmul_any", "group = 8 persistent = 1"),
    ],
)
def test_source(name: str, launch: str | None, golden: Golden) -> None:
    made = built(name, ADD if name == "add" else None)
    if launch is not None:
        made = tiled(name, launch)
    golden(f"codegen/dynamic/{name}.py", made.program.text)


def test_kernel_ir_round_trip() -> None:
    text = to_text(tiled("matmul_any").kernel)
    context = schedule_context()
    assert "tiles [?, ?]" in text and 'kernel.require "eq"' in text
    assert to_text(parse_module(text, "kernel.mlir", context)) == text


def test_specs_name_what_is_open() -> None:
    program = tiled("matmul_any").program
    assert [spec.extents for spec in program.arguments] == [("M", "K"), ("K", "N")]
    assert program.results[0].text() == "[M, N]"
    assert program.kernels[0].grid == (8, 8)  # of a nominal 1024 rows and columns


def test_description_follows_the_shapes() -> None:
    payload = read_payload(FOLDER / "matmul_any.mlir")
    schedule = Schedule.from_path(TILED)
    made = build(payload, schedule, shapes=[((1000, 200), (200, 300))])
    (kernel,) = made.program.kernels
    assert kernel.grid == (8, 3)
    assert kernel.dots[0].count == 4
    other = build(payload, schedule, shapes=[((10, 20), (20, 30))])
    assert other.program.key == made.program.key
    assert other.program.text == made.program.text


def test_masks_of_what_is_known_are_dropped() -> None:
    text = tiled("matmul_relu").program.text
    assert "mask_m = offs_m < M\n" in text and "mask=mask_m[:, None]" in text
    assert "< N" not in text and "< K" not in text


def test_rows_of_any_length_are_one_kernel() -> None:
    """The fill is fused: its grid of one row a program covers all of them."""
    program = built("row_sums").program
    assert len(program.kernels) == 1
    # A grid index needs no size of its own: how many rows there are is the grid's.
    assert "is needed" not in program.text
    assert program.arguments[0].text() == "[M, N]"


# Equal extents.


def test_extents_that_a_payload_takes_to_be_equal() -> None:
    groups = same_extents(read_payload(FOLDER / "matmul_any.mlir"))
    assert [sorted(group) for group in groups] == [[(0, 1), (1, 0)]]
    known = parse_payload(
        "func.func @f(%a: tensor<?xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {\n"
        "  %e = tensor.empty() : tensor<8xf32>\n"
        "  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<8xf32>) "
        "outs(%e : tensor<8xf32>) -> tensor<8xf32>\n"
        "  return %r : tensor<8xf32>\n}"
    )
    assert [list(group) for group in same_extents(known)] == [[(0, 0), 8]]


def test_the_launcher_checks_them(tmp_path: Path) -> None:
    made = tiled("matmul_any")
    wrong = inputs_of(made, [(4, 5), (6, 7)])
    with pytest.raises(ValueError, match=r"b.shape\[0\] is 6, a.shape\[1\] is 5"):
        called(made, [(4, 5), (6, 7)], tmp_path)
    with pytest.raises(UserError, match=r"b.shape\[0\] is 6, a.shape\[1\] is 5"):
        interpret_ir(made.kernel, wrong)


def test_a_call_names_both_arguments() -> None:
    checked = CallArguments(tiled("matmul_any").program, on_cpu=True)
    a, b = (torch.zeros(shape, dtype=torch.float16) for shape in ((4, 5), (6, 7)))
    with pytest.raises(UserError, match="K is 5 in argument 'a'.* and 6 in 'b'"):
        checked.prepare((a, b))


def test_calls_of_several_sizes(tmp_path: Path) -> None:
    """What fitted once says nothing of other sizes."""
    loaded = LoadedProgram(tiled("matmul_any").program, tmp_path)

    def device(*shapes: tuple[int, ...]) -> int | None:
        of_each = [(shape, torch.float16, 0, True, 0, False) for shape in shapes]
        likeness = tuple(part for properties in of_each for part in properties)
        return loaded._device_if_new(likeness)  # pyright: ignore[reportPrivateUsage]

    assert device((4, 6), (6, 7)) == 0
    assert device((5, 6), (6, 7)) == 0
    assert device((4, 5), (6, 7)) is None
    assert device((4,), (6, 7)) is None


def test_a_shape_that_does_not_fit(tmp_path: Path) -> None:
    loaded = LoadedProgram(tiled("matmul_relu").program, tmp_path)
    a, b = (torch.zeros(shape, dtype=torch.float16) for shape in ((4, 511), (512, 256)))
    with pytest.raises(UserError, match=r"'a' has shape \[4, 511\].*for \[M, 512\]"):
        loaded(a, b)


def test_a_buffer_must_be_as_long_as_is_read() -> None:
    read = "vector.transfer_read %a[%o], %pad {in_bounds = [true]} : memref<64xf32>"
    store = (
        "vector.transfer_write %v, %alloc[%o] {in_bounds = [true]} "
        ": vector<16xf32>, memref<64xf32>"
    )
    text = (
        in_a_grid(store)
        .replace("%a: memref<64xf32>", "%a: memref<?xf32>")
        .replace(read, read.replace("<64x", "<?x"))
    )
    made = generate(parse_buffers(text))
    long, short = (np.ones(size, np.float32) for size in (70, 63))
    assert interpret_ir(made.kernel_module, [long])[0].sum() == 64
    with pytest.raises(UserError, match=r"a.shape\[0\] is 63, at least 64 is needed"):
        interpret_ir(made.kernel_module, [short])


# The width of offsets.


def kernel_of(made: Built) -> FuncOp:
    return next(op for op in made.kernel.ops if isinstance(op, FuncOp))


def widths(kernel: FuncOp) -> set[str]:
    """The types of all offsets that are added to pointers."""
    return {
        str(element_of(op.offset.type))
        for op in kernel.body.walk()
        if isinstance(op, OffsetOp)
    }


EXPONENTIAL = """
func.func @f(%x: tensor<{shape}xf32>) -> tensor<{shape}xf32> {{
  %c0 = arith.constant 0 : index
  {size}
  %o = tensor.empty({m}) : tensor<{shape}xf32>
  %r = linalg.exp ins(%x : tensor<{shape}xf32>) outs(%o : tensor<{shape}xf32>) -> tensor<{shape}xf32>
  return %r : tensor<{shape}xf32>
}}
"""  # noqa: E501


def exponential(shape: str) -> Built:
    is_open = "?" in shape
    size = f"%m = tensor.dim %x, %c0 : tensor<{shape}xf32>" if is_open else ""
    m = "%m" if is_open else ""
    return build(parse_payload(EXPONENTIAL.format(shape=shape, size=size, m=m)), None)


@pytest.mark.parametrize(
    ("shape", "width"),
    [
        ("1024x1024", "i32"),
        ("65536x32768", "i32"),
        ("65536x32769", "i64"),
        ("?x1024", "i32"),
        ("?x65536x40000", "i64"),
    ],
)
def test_width_of_offsets(shape: str, width: str) -> None:
    assert widths(kernel_of(exponential(shape))) == {width}


def test_wide_offsets_where_asked() -> None:
    made = built("add", WIDE)
    assert widths(kernel_of(made)) == {"i64"}
    assert "tl.int64" in made.program.text


def test_wide_offsets_that_change_nothing() -> None:
    payload = parse_payload(EXPONENTIAL.format(shape="64", size="", m=""))
    text = ADD.replace("linalg.add", "linalg.exp").replace(
        "vectorize", 'annotate grid "triton.wide_offsets"\n  vectorize'
    )
    with pytest.raises(SilenceableFailure, match="changes nothing here"):
        build(payload, Schedule.from_text(text))


def addresses(kernel: FuncOp, values: Mapping[str, int]) -> NDArray[np.int64]:
    """Offsets of the lanes of the first load, as 32 and 64 bits wide as they are."""
    load = next(op for op in kernel.body.walk() if isinstance(op, LoadOp))
    total = np.zeros((), np.int64)
    pointer = load.pointer
    while isinstance(pointer.owner, OffsetOp):
        total = total + np.asarray(_value(pointer.owner.offset, values), np.int64)
        pointer = pointer.owner.pointer
    return np.asarray(total)


def _value(value: Any, values: Mapping[str, int]) -> Any:
    """What an index of a kernel comes to, wrapping around as its type does."""
    op = value.owner
    dtype = np.int64 if str(element_of(value.type)) == "i64" else np.int32
    if not hasattr(op, "name") or value.name_hint in values:
        return dtype(values[value.name_hint])
    operands = [_value(operand, values) for operand in op.operands]
    match op.name:
        case "kernel.program_id":
            return dtype(values[f"program{op.axis.value.data}"])
        case "kernel.constexpr" | "arith.constant":
            return dtype(op.value.value.data)
        case "kernel.arange":
            return np.arange(op.result.type.get_shape()[0], dtype=dtype)
        case "kernel.expand_dims":
            return np.expand_dims(operands[0], op.axis.value.data)
        case "vector.broadcast":
            return operands[0]
        case "kernel.cast":
            return operands[0].astype(dtype)
        case _:
            compute = {
                arith.AddiOp: np.add,
                arith.MuliOp: np.multiply,
                arith.FloorDivSIOp: np.floor_divide,
                arith.RemSIOp: np.remainder,
            }[type(op)]
            with np.errstate(over="ignore"):
                return compute(*operands).astype(dtype)


def test_addresses_past_two_billion_elements() -> None:
    made = exponential("65536x40000")
    kernel = kernel_of(made)
    rows, columns = made.program.kernels[0].accesses[0].tile
    last = {"program0": 40000 // columns - 1, "program1": 65536 // rows - 1}
    found = addresses(kernel, last)
    assert found.shape == (rows, columns)
    first = (65536 - rows) * 40000 + 40000 // columns * columns - columns
    assert found[0, 0] == first > 2**31
    steps = np.arange(rows)[:, None] * 40000 + np.arange(columns)
    np.testing.assert_array_equal(found, first + steps)


def test_a_tensor_past_the_width_of_offsets_is_refused() -> None:
    made = tiled("matmul_relu")
    huge = np.broadcast_to(np.float16(0), (2**22, 512))
    small = np.zeros((512, 256), np.float16)
    with pytest.raises(UserError, match="one of a, o has more than 2146435072"):
        interpret_ir(made.kernel, [huge, small])


def test_is_wide_counts_what_is_known() -> None:
    function = parse_buffers(in_a_grid("")).body.block.first_op
    assert function is not None
    open_ = MemRefType(f32, [DYNAMIC_INDEX, 2**20])
    assert not is_wide(open_, function, asked=False)
    assert is_wide(open_, function, asked=True)
    assert is_wide(MemRefType(f32, [DYNAMIC_INDEX, 2**31]), function, asked=False)


# Numbers.


NUMBERS = """
func.func @f(%x: tensor<?xf32>, %half: f16, %byte: i8, %flag: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %o = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %h = arith.extf %half : f16 to f32
    %i = arith.sitofp %byte : i8 to f32
    %s = arith.mulf %a, %h : f32
    %t = arith.addf %s, %i : f32
    %u = arith.select %flag, %t, %a : f32
    linalg.yield %u : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""  # noqa: E501


def test_numbers_of_every_type() -> None:
    payload = parse_payload(NUMBERS)
    made = build(payload, None)
    x = np.linspace(-1, 1, 100, dtype=np.float32)
    jobs: list[Job] = []
    expected: list[NDArray[Any]] = []
    for flag in (True, False):
        given = [x, np.float16(0.1), np.int8(-7), np.bool_(flag)]
        expected += reference(payload, given)
        assert np.allclose(interpret_ir(made.kernel, given)[0], expected[-1])
        jobs.append(Job(made.program, [np.asarray(value) for value in given]))
    for (got,), want in zip(interpret_all(jobs), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-6)


def test_wide_floats_keep_their_bits() -> None:
    text = NUMBERS.replace("f32", "f64").replace("f16", "f64")
    text = text.replace("%h = arith.extf %half", "%h = arith.addf %half, %half")
    payload = parse_payload(text.replace(": f64 to f64", ": f64"))
    made = build(payload, None)
    assert "half: tl.float64" in made.program.text
    given = [np.linspace(-1, 1, 100), np.float64(0.1), np.int8(-7), np.bool_(True)]
    (expected,) = reference(payload, given)
    inputs = [np.asarray(value) for value in given]
    ((got,),) = interpret_all([Job(made.program, inputs)])
    np.testing.assert_allclose(got, expected, rtol=1e-15)


# Refusals.


def test_strides_known_only_at_run_time() -> None:
    text = in_a_grid("").replace(
        "%a: memref<64xf32>", "%a: memref<64xf32, strided<[?], offset: ?>>"
    )
    text = text.replace(
        "%pad {in_bounds = [true]} : memref<64xf32>",
        "%pad {in_bounds = [true]} : memref<64xf32, strided<[?], offset: ?>>",
    )
    with pytest.raises(SilenceableFailure, match="strides known only at run time"):
        generate(parse_buffers(text))


@pytest.mark.parametrize("count", [1, 4])
def test_lines_of_launchers_are_short(count: int) -> None:
    """Long names, and so many sizes that no line holds them."""
    matrix, total = "tensor<?x?xf16>", "tensor<?x?xf32>"
    body: list[str] = []
    for i in range(count):
        left, right = f"%the_left_operand_of_product_{i}", f"%its_right_operand_{i}"
        body += [
            f"%m{i} = tensor.dim {left}, %c0 : {matrix}",
            f"%n{i} = tensor.dim {right}, %c1 : {matrix}",
            f"%e{i} = tensor.empty(%m{i}, %n{i}) : {total}",
            f"%f{i} = linalg.fill ins(%zero : f32) outs(%e{i} : {total}) -> {total}",
            f"%r{i} = linalg.matmul ins({left}, {right} : {matrix}, {matrix})"
            f" outs(%f{i} : {total}) -> {total}",
        ]
    arguments = ", ".join(
        f"%the_left_operand_of_product_{i}: {matrix}, %its_right_operand_{i}: {matrix}"
        for i in range(count)
    )
    results = ", ".join(f"%r{i}" for i in range(count))
    types, text = ", ".join([total] * count), "\n  ".join(body)
    payload = f"""func.func @several_products_at_once({arguments}) -> ({types}) {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  {text}
  return {results} : {types}
}}"""
    schedule = """schedule all(root) {
  each = match "linalg.matmul" in root
  each, grids = tile each by [64, 64] onto [block.y, block.x]
  launch grids persistent = 2
}"""
    text = build(parse_payload(payload), Schedule.from_text(schedule)).program.text
    launcher = text[text.rindex("\ndef ") + 1 :]
    assert ("size = max(" in launcher) == (count == 4)
    assert max(map(len, launcher.splitlines())) <= 88
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", "-"],
        input=launcher,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
