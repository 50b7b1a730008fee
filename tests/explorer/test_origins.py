"""The way back from generated code: to the schedule, the payload, the Triton source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.view.arguments import Options
from tilewright.commands.view.program import program_request
from tilewright.explorer.program.line_tables import source_lines
from tilewright.explorer.program.program_data import program_data

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "matmul_relu"


def _data(**options: Any) -> dict[str, Any]:
    request = Options(
        str(EXAMPLES / "payload.mlir"),
        schedule=EXAMPLES / "tile_fuse_vectorize.tw",
        **options,
    )
    return program_data(program_request(request))


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    """The page without an estimate."""
    return _data(estimate=False)


def _said(data: dict[str, Any], place: list[int] | None) -> str | None:
    if place is None:
        return None
    file, line, _ = place
    return data["files"][file]["lines"][line - 1].strip()


def test_a_line_of_the_source_leads_to_statement_and_op(data: dict[str, Any]) -> None:
    """The loop and the product in it; the tail after it is in the grid."""
    (triton,) = (step for step in data["steps"] if step["title"] == "Triton")
    found = {
        data["text"][number].strip(): origin
        for number, origin in zip(triton["lines"], triton["origins"], strict=True)
    }
    loop = found["for k in tl.range(0, K, BLOCK_K, num_stages=3):"]
    assert (_said(data, loop[0]) or "").startswith("mm, k      = tile mm by [0, 0, 64]")
    assert loop[1] is None
    dot = found["acc = tl.dot(a, b, acc)"]
    assert dot[0] == loop[0]
    assert "linalg.matmul" in (_said(data, dot[1]) or "")
    (tail,) = (o for line, o in found.items() if line.startswith("result = tl.maximum"))
    assert (_said(data, tail[0]) or "").startswith("tail, grid = tile tail by")
    assert found["import torch"] is None
    assert found["return out"] is None


def test_each_op_of_the_payload_is_in_its_kernel(data: dict[str, Any]) -> None:
    """One kernel computes the product and the tail; a, b and the result are outside."""
    (kernel,) = data["kernels"]
    assert [node["verb"] for node in data["nodes"]] == ["matmul", "maximumf, truncf"]
    assert kernel["nodes"] == [node["id"] for node in data["nodes"]]
    product, tail = data["nodes"]
    assert product["inputs"] == ["a", "b"]
    assert tail["inputs"] == [product["id"]]
    assert data["results"][0]["source"] == tail["id"]
    assert (_said(data, kernel["schedule"]) or "").startswith("tail, grid = tile")
    assert kernel["seconds"] is None
    assert data["estimate"] == {"target": None, "note": "no estimate was asked for"}


def test_equal_kernels_have_ops_of_their_own(tmp_path: Path) -> None:
    """Two equal ops are one kernel, launched twice."""
    kind = "tensor<64x64xf32>"
    op = "  %{0} = linalg.exp ins(%{1} : {2}) outs(%empty : {2}) -> {2}\n"
    (tmp_path / "twice.mlir").write_text(
        f"func.func @f(%x: {kind}) -> {kind} {{\n"
        f"  %empty = tensor.empty() : {kind}\n"
        + op.format("first", "x", kind)
        + op.format("second", "first", kind)
        + f"  return %second : {kind}\n}}\n"
    )
    (tmp_path / "s.tw").write_text(
        'schedule s(root) {\n  ops = match "linalg.exp" in root\n'
        "  one, two = split_handle ops\n"
        "  one, grid = tile one by [32, 64] onto [block.y, block.x]\n"
        "  two, grids = tile two by [32, 64] onto [block.y, block.x]\n}\n"
    )
    options = Options(
        str(tmp_path / "twice.mlir"), schedule=tmp_path / "s.tw", estimate=False
    )
    data = program_data(program_request(options))
    one, two = data["kernels"]
    assert one["name"] == two["name"]
    assert [one["nodes"], two["nodes"]] == [[n["id"]] for n in data["nodes"]]


def test_line_tables() -> None:
    """What each level's debug information looks like."""
    ttgir = [
        "module {",
        "  %a = tt.load %p loc(#loc3)",
        "  %b = arith.addf %a, %a loc(#loc4)",
        "}",
        '#loc1 = loc("/x/source.py":12:4)',
        '#loc2 = loc("/x/source.py":40:4)',
        '#loc3 = loc("a"(#loc1))',
        "#loc4 = loc(callsite(#loc2 at #loc1))",
    ]
    assert source_lines("ttgir", "\n".join(ttgir)) == [None, 11, 11, *[None] * 5]
    llir = ["%1 = fadd float %0, %0, !dbg !7", "!7 = !DILocation(line: 12, column: 4)"]
    assert source_lines("llir", "\n".join(llir)) == [11, None]
    ptx = [".entry f(", "{", "\t.loc\t1 12 4", "\tadd.f32 %f1, %f2;", "}"]
    assert source_lines("ptx", "\n".join(ptx)) == [None, None, 11, 11, None]
    assert source_lines("sass", "MOV\nEXIT") == [None, None]


def test_an_unknown_level_has_a_remedy() -> None:
    """A usage error, before anything runs."""
    with pytest.raises(UsageError, match="--emit ptxx: no such level") as error:
        _data(compiled=("ptxx",))
    assert error.value.remedy == "did you mean ptx?"


@pytest.mark.slow
def test_ops_that_a_schedule_merges_are_in_the_kernel_that_uses_them() -> None:
    """Streaming attention: the scale and the maximum have no line of their own."""
    options = Options(
        str(EXAMPLES.parent / "payloads" / "attention.mlir"),
        schedule=EXAMPLES.parent / "attention" / "attention.tw",
        estimate=False,
    )
    data = program_data(program_request(options))
    assert [node["kernel"] for node in data["nodes"]] == [0] * len(data["nodes"])
    assert data["kernels"][0]["nodes"] == [node["id"] for node in data["nodes"]]


@pytest.mark.slow
def test_the_compiler_is_asked_for_statistics_and_code() -> None:
    """Compiled for an H200, which needs no GPU."""
    data = _data(target="h200", compiled=("ptx", "ttgir"))
    (kernel,) = data["kernels"]
    assert kernel["registers"] > 0
    assert kernel["seconds"] > 0
    assert kernel["bound"] == max(kernel["terms"], key=kernel["terms"].__getitem__)
    assert data["estimate"] == {"target": "h200", "note": ""}
    ttgir, ptx = data["steps"][-2:]
    assert [ttgir["title"], ptx["title"]] == ["TTGIR", "PTX"]
    triton = data["steps"][-3]
    dots = {
        data["text"][triton["lines"][source]].strip()
        for number, source in zip(ttgir["lines"], ttgir["source_lines"], strict=True)
        if "warp_group_dot " in data["text"][number] and source is not None
    }
    assert dots == {"acc = tl.dot(a, b, acc)"}
    assert sum(line is not None for line in ptx["source_lines"]) > 50
