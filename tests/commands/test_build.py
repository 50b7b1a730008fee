"""`tilewright build`: artefacts that run without the compiler."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

import tilewright
from support.command_line import cli_in
from support.paths import EXAMPLES
from tilewright.codegen.artefact.loader import load

LINEAR = EXAMPLES / "any_rows/payload.mlir", EXAMPLES / "any_rows/linear.tw"
REST = "BN = 64; BK = 64; warps = 4; stages = 3; group = 8; loads = pointers"
TABLE = f"""
decide M = x[0] {{
  M <= 64 {{ BM = 16; {REST} }}
  else {{ BM = 64; {REST} }}
}}
"""


def test_mistakes_are_found_before_anything_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = cli_in(tmp_path, monkeypatch, capsys)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("keep me")
    payload, schedule = map(str, LINEAR)
    ended = run("build", payload, "-s", schedule, "-o", "mine", code=1)
    assert "mine exists and is not an artefact; name a new folder" in ended.err
    assert "--output" in run("build", payload, code=2).err
    ended = run("build", payload, "--target", "h20", "-o", "new", code=2)
    assert "did you mean 'h200'?" in ended.err
    ended = run("build", payload, "-s", schedule, "--set", "BM=7", "-o", "new", code=1)
    assert "BM" in ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine"]


@pytest.mark.slow
def test_a_built_folder_has_a_binary_for_divisible_sizes_and_one_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = cli_in(tmp_path, monkeypatch, capsys)
    payload, schedule = map(str, LINEAR)
    out = ["--target", "h200", "-o", "linear"]
    ended = run("build", payload, "-s", schedule, "--no-inherit", *out)
    assert "linear_kernel: grid (M + 63) // 64 * 8, 4 warps" in ended.out
    assert "in Python: import linear; linear.program(x, w, bias)" in ended.out
    made = load(tmp_path / "linear")
    kernels = made.metadata["kernels"]
    assert [kernel["divisible_by_16"] for kernel in kernels] == [[0], []]
    for kernel in kernels:
        cubin = (made.folder / kernel["file"]).read_bytes()
        assert cubin.startswith(b"\x7fELF")
        assert kernel["packed"] == ["pointer"] * 4 + ["i32"] + ["pointer"] * 2
    # The schedule beside it has no choices left, and gives the same kernels.
    closed = tilewright.compile(LINEAR[0], tmp_path / "linear/schedule.tw", "h200")
    given = tilewright.compile(*LINEAR, "h200", inherit=False)
    assert closed.schedule is not None and not closed.schedule.open_choices()
    assert closed.built.program.key == given.built.program.key
    assert (tmp_path / "linear/source.py").read_text() == given.source


@pytest.mark.slow
def test_a_decision_table_gives_a_program_for_each_rule(tmp_path: Path) -> None:
    schedule = tmp_path / "sized.tw"
    schedule.write_text(LINEAR[1].read_text() + TABLE)
    made = tilewright.build(
        LINEAR[0], schedule, folder=tmp_path / "sized", target="h200"
    )
    x = torch.zeros(64, 1024, dtype=torch.float16)
    small, large = made.at(x), made.at(torch.zeros(65, 1024))
    assert small.program["point"]["BM"] == 16
    assert large.program["point"]["BM"] == 64
    assert small.program["origin"] == "the schedule's table, rule 'M <= 64'"
    grids = [one.program["steps"][-1]["grid"] for one in (small, large)]
    assert grids == [["(M + 15) // 16 * 8"], ["(M + 63) // 64 * 8"]]


@pytest.mark.slow
def test_descriptors_carry_what_the_driver_needs(tmp_path: Path) -> None:
    made = tilewright.build(
        EXAMPLES / "payloads/attention.mlir",
        EXAMPLES / "attention/attention.tw",
        folder=tmp_path / "attention",
        target="h200",
    )
    metadata = json.loads((tmp_path / "attention/metadata.json").read_text())
    assert metadata == made.metadata
    (kernel,) = metadata["kernels"]
    step = metadata["programs"][0]["steps"][-1]
    described = [p for p in step["parameters"] if p["kind"] == "descriptor"]
    assert len(kernel["descriptors"]) == len(described)
    for one, needs in zip(described, kernel["descriptors"], strict=True):
        assert needs["elem_size"] == 2
        assert len(needs["block_size"]) == len(one["block"])
    assert kernel["packed"].count("tensormap") == len(described)
