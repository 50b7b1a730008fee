"""The loop nest of each step: what is where, and how many bytes move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tilewright.commands.view.arguments import Options
from tilewright.commands.view.program import program_request
from tilewright.explorer.program.program_data import program_data

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
F16, F32 = 2, 4


def _data(payload: str, schedule: str | None = None, *settings: str) -> dict[str, Any]:
    options = Options(
        str(EXAMPLES / payload),
        schedule=None if schedule is None else EXAMPLES / schedule,
        settings=settings,
        estimate=False,
    )
    return _joined(program_data(program_request(options)))


def _joined(data: dict[str, Any]) -> dict[str, Any]:
    """The data with the parts of every nest in place of their numbers."""
    for step in data["steps"]:
        if step["nest"] is not None:
            parts = [data["nests"][number] for number in step["nest"]["children"]]
            step["nest"]["children"] = parts
    return data


@pytest.fixture(scope="module")
def matmul() -> list[dict[str, Any]]:
    """The steps of a matmul with a tail: tiled, fused, vectorized, lowered."""
    schedule = "matmul_relu/tile_fuse_vectorize.tw"
    return _data("matmul_relu/payload.mlir", schedule)["steps"]


def _ops(node: dict[str, Any]) -> list[dict[str, Any]]:
    if node.get("kind") == "op":
        return [node]
    return [op for child in node["children"] for op in _ops(child)]


def test_a_payload_reads_and_writes_every_tensor_whole(
    matmul: list[dict[str, Any]],
) -> None:
    """Each op on its own: fill, product, tail."""
    square = 512 * 512
    nest = matmul[0]["nest"]
    # a and b in f16; the initial and the final product in f32.
    assert nest["read"] == 2 * square * F16 + 2 * square * F32
    assert nest["written"] == 2 * square * F32 + square * F16
    assert nest["kept"] == 0


def test_fusing_keeps_the_product_on_chip(matmul: list[dict[str, Any]]) -> None:
    """After both fusions only a and b are read, once for each row of tiles."""
    square = 512 * 512
    fused = matmul[3]["nest"]
    (grid,) = fused["children"]
    assert grid["extents"] == [4, 4]
    assert grid["tiles"] == [128, 128]
    assert grid["result"] == {"name": "result", "shape": [512] * 2, "tile": [128] * 2}
    assert fused["read"] == 4 * 2 * square * F16
    assert fused["written"] == square * F16
    assert fused["kept"] == square * F32
    assert [op["verb"] for op in _ops(grid)] == ["fill", "matmul", "maximumf, truncf"]


def test_a_level_below_moves_the_same_bytes(matmul: list[dict[str, Any]]) -> None:
    """Tiles, vectors, buffers and kernels agree, since they do the same."""
    last = [step for step in matmul if step["nest"] is not None][3:]
    assert {step["level"] for step in last} == {"tiled", "vector", "buffer", "kernel"}
    moved = {(s["nest"]["read"], s["nest"]["written"], s["nest"]["kept"]) for s in last}
    # `hoist` carries the product twice for one step: as a tile and as a vector.
    assert len(moved) == 2
    assert {pair[:2] for pair in moved} == {(4194304, 524288)}


def test_a_loop_has_its_trips_and_what_it_carries(
    matmul: list[dict[str, Any]],
) -> None:
    """The loop over k, at the tiled level and as a kernel."""
    for index, carries in ((4, "product"), (-2, "acc")):
        (grid,) = matmul[index]["nest"]["children"]
        (loop,) = (child for child in grid["children"] if child["kind"] == "loop")
        shown = [loop[name] for name in ("extent", "step", "trips", "carries")]
        assert shown == [512, 64, 8, [carries]]


def test_parts_of_nests_that_do_not_change_are_shared() -> None:
    """Annotating a grid does not change its picture."""
    options = Options(
        str(EXAMPLES / "matmul_relu/payload.mlir"),
        schedule=EXAMPLES / "matmul_relu/tile_fuse_vectorize.tw",
        estimate=False,
    )
    data = program_data(program_request(options))
    nests = [step["nest"]["children"] for step in data["steps"] if step["nest"]]
    assert len(data["nests"]) < len(nests)
    assert {number for nest in nests for number in nest} == set(
        range(len(data["nests"]))
    )


@pytest.mark.slow
def test_streaming_moves_less_than_storing_the_scores() -> None:
    """The demo's two structures: why one beats the other."""
    totals = {}
    for structure in ("stored", "streamed"):
        setting = f"structure={structure}"
        steps = _data("demo/payload.mlir", "demo/softcap.tw", setting)["steps"]
        nest = [step["nest"] for step in steps if step["nest"] is not None][-1]
        totals[structure] = nest["read"] + nest["written"]
    assert totals["streamed"] < 0.4 * totals["stored"]


def test_open_sizes_are_unknown(tmp_path: Path) -> None:
    """A size that is known only at run time makes the bytes unknown, not wrong."""
    (tmp_path / "payload.mlir").write_text(
        """
        func.func @scale(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
          %c0 = arith.constant 0 : index
          %n = tensor.dim %x, %c0 : tensor<?x64xf32>
          %out = tensor.empty(%n) : tensor<?x64xf32>
          %r = linalg.exp ins(%x : tensor<?x64xf32>) outs(%out : tensor<?x64xf32>)
            -> tensor<?x64xf32>
          return %r : tensor<?x64xf32>
        }
        """
    )
    request = program_request(Options(str(tmp_path / "payload.mlir"), estimate=False))
    data = _joined(program_data(request))
    nests = [step["nest"] for step in data["steps"] if step["nest"] is not None]
    assert nests[0]["read"] is None
    assert nests[-1]["read"] is None
    assert nests[-1]["children"][0]["programs"] is None
