"""`tilewright check` with a payload: empty matches, several matches, large tiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from support.paths import EXAMPLES
from tilewright.commands.terminal import console

PAYLOAD = """\
func.func @f(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>, %c: tensor<256x256xf32>)
    -> tensor<256x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %m = linalg.matmul ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>)
    outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  %n = linalg.matmul ins(%m, %c : tensor<256x256xf32>, tensor<256x256xf32>)
    outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %n : tensor<256x256xf32>
}
"""
MATCH = '  mm = match "linalg.matmul" in root\n'


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    monkeypatch.setattr(console, "_LONG_PATIENCE", 3600.0)  # no line on busy machines
    (tmp_path / "p.mlir").write_text(PAYLOAD)
    return cli_in(tmp_path, monkeypatch, capsys)


def check(cli: Cli, body: str, code: int = 0) -> str:
    """The findings about a schedule with these statements."""
    Path("s.tw").write_text(f"schedule s(root) {{\n{body}}}\n")
    return cli("check", "p.mlir", "-s", "s.tw", "--steps-only", code=code).err


# -- matches that find nothing -------------------------------------------------------


def test_a_match_that_finds_nothing_is_an_error(cli: Cli) -> None:
    body = '  e = match "linalg.exp" in root\n  tile e by [32]\n'
    assert check(cli, body, code=1) == (
        "s.tw:2:7: error: match: the payload has no 'linalg.exp'; the steps on it do "
        "nothing; it has linalg.fill, linalg.matmul\n"
        '    e = match "linalg.exp" in root\n'
        "        ^\n"
        "s.tw: 1 error\n"
    )


def test_a_match_that_finds_ops_at_another_point_is_a_warning(cli: Cli) -> None:
    body = MATCH + (
        "  choose loop {\n    yes { tile mm by [0, 0, 32] }\n    no { }\n  }\n"
        '  loops = match "scf.for" in root\n  licm loops\n'
    )
    err = check(cli, body)
    assert "s.tw:7:11: warning: match: the payload has no 'scf.for'" in err
    assert "error" not in err


def test_a_match_for_each_op_may_find_nothing(cli: Cli) -> None:
    body = '  es = match "linalg.exp" in root\n  for each e in es { generalize e }\n'
    assert check(cli, body) == ""


# -- several where one is needed -----------------------------------------------------


def test_several_ops_where_a_step_needs_one(cli: Cli) -> None:
    body = MATCH + (
        '  f = match "linalg.fill" in root\n'
        "  mm, g = tile mm by [32, 32] onto [block.y, block.x]\n"
        "  f, g = fuse f into g\n"
    )
    assert check(cli, body, code=1) == (
        "s.tw:5:10: error: fuse: expected one containing op, the handle points at 2; "
        "choose one of them: mm = pick mm at [0]\n"
        "    f, g = fuse f into g\n"
        "           ^\n"
        "s.tw:2:8: note: this match finds 2 ops\n"
        '    mm = match "linalg.matmul" in root\n'
        "         ^\n"
        "s.tw: 1 error\n"
    )
    picked = body.replace("  mm, g", "  mm = pick mm at [0]\n  mm, g")
    assert check(cli, picked) == ""


def test_a_remedy_of_the_step_stays(cli: Cli) -> None:
    body = MATCH + '  x = match "linalg.fill" in mm\n  annotate x "a"\n'
    err = check(cli, body, code=1)
    assert "match in something that is there once, such as the root" in err
    assert "s.tw:2:8: note: this match finds 2 ops" in err


# -- tiles against shapes ------------------------------------------------------------


def test_a_tile_that_is_larger_than_the_payload(cli: Cli) -> None:
    body = MATCH + "  tile mm by [1024, 1024] onto [block.y, block.x]\n"
    assert check(cli, body) == (
        "s.tw:3:3: warning: tile: size 1024 is larger than loop 0 of extent 256 and "
        "size 1024 is larger than loop 1 of extent 256; most of each tile would be "
        "masked off; give at most 256\n"
        "    tile mm by [1024, 1024] onto [block.y, block.x]\n"
        "    ^\n"
    )
    cli("check", "p.mlir", "-s", "s.tw", "--steps-only", "--strict", code=1)


@pytest.mark.parametrize("size", [1, 100, 255, 256])
def test_a_tile_that_fits_is_silent(cli: Cli, size: int) -> None:
    assert check(cli, MATCH + f"  tile mm by [0, 0, {size}]\n") == ""


@pytest.mark.parametrize(
    ("extent", "most"), [(1, 16), (16, 16), (17, 32), (100, 128), (128, 128)]
)
def test_a_tile_may_be_the_next_power_of_two(cli: Cli, extent: int, most: int) -> None:
    """Triton's tiles have such sizes, and tensor cores multiply 16 rows at least."""
    text = PAYLOAD.replace("256x256", f"{extent}x{extent}")
    Path("p.mlir").write_text(text)
    assert check(cli, MATCH + f"  tile mm by [{most}]\n") == ""
    told = f"size {2 * most} is larger than loop 0 of extent {extent}"
    assert told in check(cli, MATCH + f"  tile mm by [{2 * most}]\n")


def test_a_knob_with_an_option_that_fits_is_silent(cli: Cli) -> None:
    body = MATCH + "  B = knob [OPTIONS]\n  tile mm by [B]\n"
    assert check(cli, body.replace("OPTIONS", "256, 1024")) == ""
    assert "size 512 is larger" in check(cli, body.replace("OPTIONS", "512, 1024"))


def test_a_size_that_is_open_is_silent(cli: Cli) -> None:
    body = MATCH + "  tile mm by [1024]\n"
    Path("p.mlir").write_text(
        "func.func @f(%a: tensor<?x64xf32>, %b: tensor<64x64xf32>, "
        "%c: tensor<?x64xf32>) -> tensor<?x64xf32> {\n"
        "  %m = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x64xf32>)\n"
        "    outs(%c : tensor<?x64xf32>) -> tensor<?x64xf32>\n"
        "  return %m : tensor<?x64xf32>\n}\n"
    )
    assert check(cli, body) == ""


def test_options_that_the_run_excludes_are_silent(cli: Cli) -> None:
    body = MATCH + (
        "  mm, grids = tile mm by [64, 64] onto [block.y, block.x]\n"
        "  B = 32 of pow2(32, dim(mm, 0))\n  mm, k = tile mm by [0, 0, B]\n"
    )
    assert check(cli, body) == ""


def test_the_library_does_not_report_what_it_suppresses(cli: Cli) -> None:
    Path("s.tw").write_text(
        "import gemm\nschedule s(root) { include gemm.tiled(root) }\n"
    )
    payload = EXAMPLES / "matmul_relu" / "payload.mlir"
    assert cli("check", str(payload), "-s", "s.tw", "--steps-only").err == ""
