"""Kernels whose warps have roles: the numbers in any order, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from support.codegen.specialized import (
    ATTENTION,
    DOUBLE,
    SILU,
    SMALL,
    Point,
    assert_right,
    attention,
    built,
    causal,
    product,
)
from support.paths import EXAMPLES
from tilewright.codegen import roles
from tilewright.codegen.runtime.compile import compile_program
from tilewright.codegen.source import gluon_names
from tilewright.codegen.targets import target_named, writing_for
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.ir.text import parse_module, to_text
from tilewright.payloads import Payload, matmul

Golden = Callable[[str, str], None]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"persistent": 1},
        {"consumers": 1},
        {"ring": 3},
        {"ring": 6, "persistent": 1},
        {"BM": 256},
        {"BK": 64},
    ],
    ids=str,
)
def test_a_product(change: Point) -> None:
    """The last: a k that the tiles do not divide, read as zeros past its end."""
    assert_right(product(), "gemm.tw", SMALL | change)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("tail", [DOUBLE, SILU], ids=["double", "silu"])
@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_types_and_tails(dtype: str, tail: str) -> None:
    assert_right(product(dtype=dtype, tail=tail), "gemm.tw", SMALL)


def test_rows_that_the_tiles_do_not_divide() -> None:
    assert_right(product(m=200, n=104, k=136), "gemm.tw", SMALL | {"persistent": 1})


@pytest.mark.slow
def test_a_tail_that_loads_rows_and_tiles() -> None:
    text = (EXAMPLES / "payloads" / "linear_gelu_residual.mlir").read_text()
    assert_right(
        text.replace("512", "256"), "gemm.tw", SMALL | {"persistent": 1, "ring": 3}
    )


EIGHT = SMALL | {"BN": 128, "BK": 64, "ring": 3, "persistent": 1, "parts": 2}


def fp8() -> str:
    text = (EXAMPLES / "payloads" / "fp8_matmul.mlir").read_text()
    return text.replace("512", "256")


@pytest.mark.slow
def test_operands_of_a_byte(tmp_path: Path) -> None:
    assert_right(fp8(), "gemm.tw", EIGHT)
    program = built(fp8(), "gemm.tw", EIGHT).program
    assert "instr_shape=[16, 128, 32]" in program.text
    (stats,) = compile_program(program, target_named("h200"), tmp_path, ())
    assert stats.wgmma and not stats.spill_bytes


def test_operands_of_a_byte_that_lie_across_the_sum_are_refused() -> None:
    text = fp8().replace("affine_map<(d0, d1, d2) -> (d1, d2)>", "COLUMNS", 1)
    text = text.replace("COLUMNS", "affine_map<(d0, d1, d2) -> (d2, d1)>")
    with pytest.raises(UserError) as raised:
        built(text, "gemm.tw", EIGHT)
    assert "operands of a byte lie along the sum" in raised.value.fact


def test_integers_of_a_byte(tmp_path: Path) -> None:
    p = Payload("integers")
    a, b = (p.input(name, (256, 128), "i8") for name in "ab")
    p.output(matmul(a, b.T))
    made = assert_right(p.text(), "gemm.tw", EIGHT | {"BN": 256})
    assert "instr_shape=[16, 128, 32]" in made.program.text, "two for 256 columns"
    (stats,) = compile_program(made.program, target_named("h200"), tmp_path, ())
    assert stats.wgmma and not stats.spill_bytes


@pytest.mark.slow
def test_a_batch_of_products() -> None:
    text = (EXAMPLES / "payloads" / "batch_matmul.mlir").read_text()
    text = text.replace("16x256x", "2x256x").replace("16x128x", "2x128x")
    assert_right(text, "gemm_batched.tw", SMALL | {"persistent": 1, "parts": 2})


@pytest.mark.slow
@pytest.mark.parametrize("parts", [2, 4])
def test_a_tile_is_finished_and_stored_in_parts(parts: int) -> None:
    """The parts share the shared memory of one for what they store, not what they load.

    The loader goes on to the next tile when it has loaded all parts.
    """
    text = (EXAMPLES / "payloads" / "linear_gelu_residual.mlir").read_text()
    text = text.replace("512", "256")
    point = SMALL | {"BN": 128, "persistent": 1, "parts": parts}
    assert_right(text, "gemm.tw", point)
    module = to_text(built(text, "gemm.tw", point).kernel)
    columns = 128 // parts
    residual = f"!warps.ring<{2 * parts} x vector<64x{columns}xf16>>\n"
    assert module.count(residual) == 1
    assert module.count(f"!warps.ring<2 x vector<64x{columns}xf16>>\n") == 1
    assert module.count("= warps.ring") == 4, "two operands, a residual, the result"


def test_rows_known_only_at_run_time() -> None:
    text = product().replace("256x", "?x").replace("tensor.empty()", "tensor.empty(%m)")
    sizes = """%c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x96xf16>
  %zero ="""
    text = text.replace("%zero =", sizes, 1)
    module = built(text, "gemm.tw", SMALL).kernel
    assert "warps.specialize" in to_text(module)
    a, b = (np.ones(shape, np.float16) for shape in ((300, 96), (96, 128)))
    np.testing.assert_array_equal(run(module, [a, b])[0], np.full((300, 128), 192))


@pytest.mark.slow
def test_the_text_is_read_back() -> None:
    for payload, schedule, point in (
        (product(), "gemm.tw", SMALL),
        (attention(), "attention.tw", ATTENTION),
    ):
        text = to_text(built(payload, schedule, point).kernel)
        assert to_text(parse_module(text, "w.mlir", payload_context())) == text


def refusal(schedule: str, payload: str | None = None) -> UserError:
    text = f"""schedule s(root) {{
      mm        = match contraction in root
      out       = match implementing [LinalgOp] in root at [-1]
      out, grid = tile out by [BM, 64] onto [block.y, block.x]
      ops       = match implementing [LinalgOp] in root
      ops, grid = fuse_all ops into grid
      mm        = match contraction in grid
      mm, k     = tile mm by [0, 0, 32]
      {schedule}
    }}"""
    text = text.replace("BM", "64" if "rows of 64" in schedule else "128")
    with pytest.raises(UserError) as raised:
        built(payload or product(), text, {})
    return raised.value


LOADS = 'launch grid descriptors = "where_legal"'


@pytest.mark.parametrize(
    ("schedule", "fact"),
    [
        (f"{LOADS}\nspecialize grid consumers = 2", "no loop of this grid is staged"),
        ("stage k in 2\nspecialize grid consumers = 2", "no loop of this grid is stag"),
        (f"{LOADS}\nstage k in 2", "needs a loader"),
        (
            f"{LOADS}\nstage k in 2\nspecialize grid consumers = 2 // rows of 64",
            "a product of 64x64 for 2 groups of warps",
        ),
        (
            f"{LOADS}\nstage k in 2\nspecialize grid consumers = 4",
            "a product of 128x64 for 4 groups of warps",
        ),
        (f"{LOADS}\nstage k in 2\nspecialize grid consumers = 3", "consumers"),
        (
            f"{LOADS}\nstage k in 2\nspecialize grid consumers = 2 registers = 20",
            "'registers' cannot be 20",
        ),
        (
            f"{LOADS} persistent = 1\nstage k in 2\nstage grid in 2\n"
            "specialize grid consumers = 2",
            "'triton.ring' changes nothing here: loops load all tiles",
        ),
    ],
)
def test_what_is_refused(schedule: str, fact: str) -> None:
    error = refusal(schedule)
    assert fact in error.fact
    assert error.place is not None


def test_a_sum_of_products_takes_no_turns() -> None:
    error = refusal(
        f"{LOADS}\nstage k in 2\noverlap k ping_pong = 1\nspecialize grid consumers = 2"
    )
    assert "overlap: the loop only adds products up" in error.fact


def test_other_types_are_refused() -> None:
    text = (
        product(dtype="f16")
        .replace("f16", "f32")
        .replace(
            "%half = arith.truncf %x : f32 to f32", "%half = arith.addf %x, %x : f32"
        )
    )
    error = refusal(f"{LOADS}\nstage k in 2\nspecialize grid consumers = 2", text)
    assert (
        "a product of f32 and f32; bf16, f16, i8 and floats of 8 bits are supported"
        in error.fact
    )


def test_rings_that_do_not_fit_are_refused() -> None:
    with pytest.raises(UserError) as raised:
        built(
            product(512, 512, 512),
            "gemm.tw",
            SMALL | {"BN": 256, "BK": 128, "ring": 4},
        )
    assert "232448 bytes of shared memory" in raised.value.fact
    assert (
        raised.value.remedy == "stage in fewer than 4, store in parts, or tile smaller"
    )


@pytest.mark.slow
def test_functions_beside_the_kernel_are_written_in_gluon(tmp_path: Path) -> None:
    text = product(tail="%x = math.tanh %acc : f32")
    assert_right(text, "gemm.tw", SMALL)
    program = built(text, "gemm.tw", SMALL).program
    assert "def _gluon_tanh(x):" in program.text and "gl.exp2(" in program.text
    (stats,) = compile_program(program, target_named("h200"), tmp_path, ())
    assert stats.wgmma


def test_what_gluon_lacks_is_left_to_triton() -> None:
    tail = "%x = math.powf %acc, %acc : f32"
    made = built(product(tail=tail), "gemm.tw", SMALL)
    assert "gluon" not in made.program.text
    assert "@triton.jit" in made.program.text
    (kernel,) = made.program.kernels
    assert (kernel.num_warps, kernel.num_stages) == (8, 2), "as many as have roles"
    (warning,) = made.warnings
    assert "is not written in Gluon" in warning.fact
    assert warning.place is not None and warning.place.file.endswith("gemm.tw")


@pytest.mark.parametrize("version", ["3.5.1", "4.0.0"])
def test_another_version_of_triton_is_left_to_triton(
    version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gluon_names.metadata, "version", lambda name: version)
    made = built(product(), "gemm.tw", SMALL)
    assert "gluon" not in made.program.text
    assert f"Triton {version} is installed" in made.warnings[0].fact


def test_another_gpu_is_left_to_triton(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roles, "written_for", lambda: target_named("a100"))
    made = built(product(), "gemm.tw", SMALL)
    assert "gluon" not in made.program.text
    assert "a100 is not a Hopper GPU" in made.warnings[0].fact


def test_a_named_target_is_the_one_that_counts() -> None:
    with writing_for(target_named("a100")):
        made = built(product(), "gemm.tw", SMALL)
    assert "gluon" not in made.program.text
    with writing_for(target_named("h100")):
        assert "gluon" in built(product(), "gemm.tw", SMALL).program.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("payload", "schedule", "point"),
    [
        (
            product(dtype="bf16", tail=SILU),
            "gemm.tw",
            SMALL | {"persistent": 1, "parts": 2},
        ),
        (attention(), "attention.tw", ATTENTION),
        (
            causal(),
            "attention_causal.tw",
            ATTENTION | {"persistent": 1, "ping_pong": 1, "pinned": 1},
        ),
    ],
    ids=["product", "attention", "causal"],
)
def test_the_file_is_compiled_for_hopper(
    payload: str, schedule: str, point: Point, tmp_path: Path
) -> None:
    """By the version of Triton that is installed."""
    program = built(payload, schedule, point).program
    assert program.text.count("@gluon.jit") == 3 + ("_pin" in program.text)
    (stats,) = compile_program(program, target_named("h200"), tmp_path, ())
    assert stats.wgmma and stats.tma_loads
    assert not stats.spill_bytes


@pytest.mark.parametrize("name", ["gemm", "attention"])
def test_golden_files(name: str, golden: Golden) -> None:
    payload, point = (product(), SMALL) if name == "gemm" else (attention(), ATTENTION)
    made = built(payload, f"{name}.tw", point)
    golden(f"codegen/warps/{name}.mlir", to_text(made.kernel))
    golden(f"codegen/warps/{name}.py", made.program.text)
