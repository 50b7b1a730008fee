"""`check` without a payload: options of knobs that no step can use."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import Cli, cli_in

HEAD = """\
schedule s(root) {
  mm = match "linalg.matmul" in root
"""
GRID = "  mm, grid = tile mm by [16, 16] onto [block.y, block.x]\n"


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    return cli_in(tmp_path, monkeypatch, capsys)


def write(body: str) -> None:
    Path("s.tw").write_text(HEAD + body + "}\n")


@pytest.mark.parametrize(
    "body, warning",
    [
        (
            GRID + "  W = knob [3, 4]\n  launch grid warps = W\n",
            "launch: no point with W = 3 works; 'warps' takes a power",
        ),
        (
            GRID + "  T = knob [-4, 0, 8]\n  mm, k = tile mm by [0, 0, T]\n",
            "tile: no point with T = -4 or T = 0 works; a tile size is at least 1",
        ),
        (
            "  T = knob [0, 8]\n  mm, g = tile mm by [T, 8] onto [block.y, block.x]\n",
            "tile: no point with T = 0 works",
        ),
        (
            GRID + "  S = knob [0, 2]\n  mm, k = tile mm by [0, 0, 8]\n"
            "  pipeline k stages = S\n",
            "pipeline: no point with S = 0 works",
        ),
        (
            GRID
            + "  P = knob ['tf32', 'tf16']\n".replace("'", '"')
            + '  annotate grid "triton.dot_precision" = P\n',
            "annotate: no point with P = tf16 works",
        ),
    ],
)
def test_an_option_that_cannot_work_is_a_warning(
    cli: Cli, body: str, warning: str
) -> None:
    write(body)
    err = cli("check", "s.tw").err
    assert err.count("warning: ") == 1, err
    assert f"warning: {warning}" in err
    assert "remove the option, or exclude it with 'require'" in err


@pytest.mark.parametrize(
    "body",
    [
        "  W = knob [3, 4]\n  require W != 3\n  launch grid warps = W\n",
        '  W = knob ["a", "b"]\n  annotate grid "mine" = W\n',
        "  W = knob [3, 4]\n  suppress grid { launch grid warps = W }\n",
        "  W = knob [3, 4]\n  choose c {\n    a { require W == 4\n"
        '      launch grid warps = W }\n    b { annotate grid "mine" = W }\n  }\n',
    ],
)
def test_an_option_that_is_excluded_or_may_fail_is_none(cli: Cli, body: str) -> None:
    write(GRID + body)
    assert "works; " not in cli("check", "s.tw").err


def test_a_knob_without_any_other_option_is_an_error(cli: Cli) -> None:
    write(GRID + "  T = knob [-4, 0]\n  mm, k = tile mm by [0, 0, T]\n")
    assert (
        "error: tile: no point with T = -4 or T = 0" in cli("check", "s.tw", code=1).err
    )


def test_a_branch_is_judged_by_itself(cli: Cli) -> None:
    write(
        GRID + "  W = knob [3, 4]\n  choose c {\n    a { launch grid warps = W }\n"
        '    b { require W == 3\n      annotate grid "mine" = W }\n  }\n'
    )
    err = cli("check", "s.tw").err
    assert "s.tw:6:9: warning: launch: no point with W = 3 works" in err
