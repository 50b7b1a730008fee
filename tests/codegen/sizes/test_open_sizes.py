"""Sizes known only at run time: one program for any of them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from support.codegen.buffer_level import in_a_grid
from support.codegen.buffer_level import parse as parse_buffers
from support.codegen.open_sizes import (
    ADD,
    CASES,
    FOLDER,
    TILED,
    Case,
    Shapes,
    built,
    inputs_of,
    tiled,
)
from tilewright.codegen.generate import generate
from tilewright.codegen.runtime.call_arguments import CallArguments
from tilewright.codegen.runtime.compile import load_launcher, source_file, torch_dtype
from tilewright.codegen.runtime.interpret import interpret_all
from tilewright.codegen.runtime.launch import LoadedProgram
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run as interpret_ir
from tilewright.ir.structured.equal_extents import same_extents
from tilewright.ir.text import parse_module, to_text
from tilewright.pipeline import Built, build, parse_payload, read_payload
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context

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


@pytest.mark.sampled(8)
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

    def prepare(*shapes: tuple[int, ...]) -> None:
        half = torch.float16
        given = [torch.empty(shape, dtype=half, device="meta") for shape in shapes]
        assert all(map(operator.is_, loaded.prepare(*given), given))

    prepare((4, 6), (6, 7))
    prepare((5, 6), (6, 7))
    with pytest.raises(UserError, match=r"is 5 in argument 'a'.* and 6 in 'b'"):
        prepare((4, 5), (6, 7))
    with pytest.raises(UserError, match="'a' has shape"):
        prepare((4,), (6, 7))


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
