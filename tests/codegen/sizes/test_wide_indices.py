"""Buffers past 2^31 elements, and tiles that reach past that: no index wraps.

Only the programs at the ends run here, on arrays whose other pages nobody touches; the
tests marked `gpu` run the whole launches.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import tilewright
from support.codegen.programs import built
from support.codegen.wide_launches import (
    ADD,
    SUM,
    TILED,
    last_programs_in_triton,
    run_programs,
    touched,
)
from support.ir.interpreter import interpret
from tilewright.codegen.runtime.compile import compile_program
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import SilenceableFailure, UserError

GPU = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
]
BILLIONS = 3_000_000_000
LARGEST = 2**31 - 1


def _tiled(tile: int, lanes: int) -> str:
    return TILED.replace("TILE", str(tile)).replace("LANES", str(lanes))


@pytest.mark.parametrize(
    ("size", "schedule", "tile"),
    [
        (BILLIONS, None, 1024),
        (LARGEST, None, 1024),
        (LARGEST, _tiled(1000, 1024), 1000),
        (LARGEST, _tiled(1024, 1024), 1024),
        (2**31 + 5, _tiled(1024, 1024), 1024),
    ],
)
def test_the_last_programs(
    size: int,
    schedule: str | None,
    tile: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    program = built(ADD.replace("SIZE", str(size)), schedule)
    count = -(-size // tile)
    assert program.program.kernels[0].grid == (count,)
    chosen = [(count - 2,), (count - 1,)]
    first = (count - 2) * tile
    (out,) = run_programs(program, [touched(size)] * 2, chosen, monkeypatch)
    tail = out[-8000:]
    (written,) = np.nonzero(tail)
    assert written[0] + size - 8000 == first
    assert (tail[written[0] :] == 2).all()
    assert not out[:8000].any()
    if (size, tile) in ((BILLIONS, 1024), (LARGEST, 1000)):
        found = last_programs_in_triton(program, size, count - 2, 2, tmp_path)
        assert found == [first, size - 1, size - first, 0]


def test_small_buffers_keep_32_bits() -> None:
    for size in (1000, 2**30, 2**31 - 1024):
        program = built(ADD.replace("SIZE", str(size)))
        assert "int64" not in program.program.text


def test_a_row_of_three_billion(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strides past 2^31, the masked dimension inside."""
    text = ADD.replace("SIZE", f"2x{BILLIONS}")
    schedule = """schedule rows(root) {
  op = match "linalg.add" in root
  op, grid = tile op by [1, 1024] onto [block.y, block.x]
  vectorize op to [1, 1024]
}"""
    program = built(text, schedule)
    columns = -(-BILLIONS // 1024)
    array = np.zeros((2, BILLIONS), np.int8)
    array[1, -100:] = 3
    (out,) = run_programs(program, [array] * 2, [(columns - 1, 1)], monkeypatch)
    assert (out[1, -100:] == 6).all()
    assert not out[0, -100:].any()


def test_rows_past_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """2^31 - 1 rows: the tile reaches past 2^31 along the outer dimension."""
    text = ADD.replace("SIZE", f"{LARGEST}x2")
    schedule = """schedule columns(root) {
  op = match "linalg.add" in root
  op, grid = tile op by [1024, 2] onto [block.y, block.x]
  vectorize op to [1024, 2]
}"""
    program = built(text, schedule)
    count = -(-LARGEST // 1024)
    array = np.zeros((LARGEST, 2), np.int8)
    array[-100:] = 3
    (out,) = run_programs(program, [array] * 2, [(count - 1,)], monkeypatch)
    assert (out[-100:] == 6).all()


def test_indices_as_values(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """func.func @places() -> tensor<SIZExi8> {
  %e = tensor.empty() : tensor<SIZExi8>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} outs(%e : tensor<SIZExi8>) {
  ^bb0(%o: i8):
    %i = linalg.index 0 : index
    %c = arith.constant 2147483648 : index
    %far = arith.cmpi sge, %i, %c : index
    %one = arith.constant 1 : i8
    %two = arith.constant 2 : i8
    %s = arith.select %far, %one, %two : i8
    linalg.yield %s : i8
  } -> tensor<SIZExi8>
  return %r : tensor<SIZExi8>
}""".replace("SIZE", str(BILLIONS))
    program = built(text)
    count = program.program.kernels[0].programs
    (out,) = run_programs(program, [], [(0,), (count - 1,)], monkeypatch)
    assert (out[:500] == 2).all()
    assert (out[-500:] == 1).all()


LOOP = """func.func @tail(%a: memref<SIZExi8>) -> memref<1024xi8> {
  %c0 = arith.constant 0 : index
  %first = arith.constant FIRST : index
  %size = arith.constant SIZE : index
  %step = arith.constant 1024 : index
  %pad = arith.constant 0 : i8
  %zero = arith.constant dense<0> : vector<1024xi8>
  %out = memref.alloc() : memref<1024xi8>
  scf.forall (%g) in (1) {
    %sum = scf.for %k = %first to %size step %step iter_args(%acc = %zero)
        -> (vector<1024xi8>) {
      %x = vector.transfer_read %a[%k], %pad : memref<SIZExi8>, vector<1024xi8>
      %s = arith.addi %acc, %x : vector<1024xi8>
      scf.yield %s : vector<1024xi8>
    }
    vector.transfer_write %sum, %out[%c0] {in_bounds = [true]}
        : vector<1024xi8>, memref<1024xi8>
  } {mapping = [#gpu.block<x>]}
  return %out : memref<1024xi8>
}"""


@pytest.mark.parametrize("size", [LARGEST, BILLIONS])
def test_a_loop_that_ends_there(size: int) -> None:
    """The variable has 64 bits where the value after the last one needs them."""
    from support.codegen.buffer_level import generated
    from tilewright.ir.interpreter import run

    first = size - size % 1024 - 4096
    text = LOOP.replace("SIZE", str(size)).replace("FIRST", str(first))
    result = generated(text)
    assert "tl.range(tl.cast(" in "".join(result.program.text.split())
    (out,) = run(result.kernel_module, [touched(size)])
    assert out.astype(int).sum() == size - first


def test_a_sum_of_three_billion() -> None:
    """It had been an error of the verifier."""
    text = built(SUM.replace("SIZE", str(BILLIONS))).program.text
    loop = text[text.index("for n in tl.range(") :]
    bounds = " ".join(loop[: loop.index(":\n")].split())
    for bound in ("0", "N", "BLOCK_N"):
        assert f"tl.cast({bound}, tl.int64)" in bounds


def test_the_loop_is_compiled(tmp_path: Path) -> None:
    """Triton must not take a bound that 32 bits hold only unsigned for negative.

    Then nothing would be left of the loop, nor of the memory that its sums take.
    """
    program = built(SUM.replace("SIZE", str(BILLIONS))).program
    (stats,) = compile_program(program, target_named("h200"), tmp_path)
    assert stats.shared_bytes > 0


def test_the_interpreter_stops_a_loop_that_wraps() -> None:
    text = """func.func @f() {
  %a = arith.constant 2147483000 : i32
  %b = arith.constant 2147483647 : i32
  %s = arith.constant 1024 : i32
  scf.for %i = %a to %b step %s : i32 { }
  return
}"""
    with pytest.raises(UserError, match="wraps after 2147483000: i32 is too narrow"):
        interpret(text)


GROUPED = """func.func @add(%a: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xi8>
  %n = tensor.dim %a, %c1 : tensor<?x?xi8>
  %e = tensor.empty(%m, %n) : tensor<?x?xi8>
  %r = linalg.add ins(%a, %a : tensor<?x?xi8>, tensor<?x?xi8>)
      outs(%e : tensor<?x?xi8>) -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}"""
GROUPS = """schedule groups(root) {
  op = match "linalg.add" in root
  op, grid = tile op by [16, 16] onto [block.y, block.x]
  vectorize op to [16, 16]
  launch grid group = 32
  EXTRA
}"""


def test_few_rows_of_many_columns_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full group would have 2^32 tiles, though there is one row of them."""
    program = built(GROUPED, GROUPS.replace("EXTRA", ""))
    array = np.zeros((1, 2**31 - 2**20), np.int8)
    array[0, -16:] = 4
    last = array.size // 16 - 1
    (out,) = run_programs(program, [array], [(0,), (last,)], monkeypatch)
    assert (out[0, -16:] == 8).all()


def test_wide_offsets_check_the_number_of_tiles() -> None:
    text = built(
        GROUPED, GROUPS.replace("EXTRA", 'annotate grid "triton.wide_offsets"')
    ).program.text
    assert "blocks, a launch has " in text


@pytest.mark.parametrize(
    ("extra", "most"), [("", LARGEST), ("persistent", 2**31 - 2**20)]
)
def test_too_many_blocks_are_refused(extra: str, most: int) -> None:
    size = 2**31 * 16 if not extra else (2**31 - 1000) * 16
    launch = "launch grid persistent = 1" if extra else ""
    schedule = _tiled(16, 16).replace("}", f"  {launch}\n}}")
    with pytest.raises(SilenceableFailure, match=f"a launch has at most {most}; tile"):
        built(ADD.replace("SIZE", str(size)), schedule)


def test_descriptors_of_such_extents_are_refused() -> None:
    schedule = """schedule rows(root) {
  op = match "linalg.add" in root
  op, grid = tile op by [16, 128] onto [block.y, block.x]
  vectorize op to [16, 128]
  descriptors grid
}"""
    text = ADD.replace("SIZE", f"16x{BILLIONS}")
    with pytest.raises(
        SilenceableFailure, match="3000000000 does not fit into 32 bits"
    ):
        built(text, schedule)


@pytest.mark.parametrize(
    ("size", "schedule"),
    [
        pytest.param(BILLIONS, None, marks=GPU),
        pytest.param(LARGEST, _tiled(1000, 1024), marks=GPU),
        pytest.param(LARGEST, _tiled(1024, 1024), marks=GPU),
    ],
)
def test_add_on_a_device(size: int, schedule: str | None) -> None:
    program = tilewright.compile(ADD.replace("SIZE", str(size)), schedule)
    a = torch.randint(-60, 60, (size,), dtype=torch.int8, device="cuda")
    out = program(a, a)
    assert torch.equal(out, a + a)


@pytest.mark.parametrize(
    "size", [pytest.param(BILLIONS, marks=GPU), pytest.param(LARGEST, marks=GPU)]
)
def test_sum_on_a_device(size: int) -> None:
    """Only ends differ from zero: the sum of i8 wraps."""
    program = tilewright.compile(SUM.replace("SIZE", str(size)))
    a = torch.zeros(size, dtype=torch.int8, device="cuda")
    a[:10], a[-10:] = 1, 5
    assert int(program(a)) == 60
