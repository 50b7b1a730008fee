"""`tilewright check`: what a person sees before a schedule runs."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from support.command_line import Cli
from support.opt_files import OP, PAYLOAD, REFUSED, TW
from tilewright.commands.terminal.output_files import replace_text
from tilewright.ir.errors import UserError


def test_check_says_how_many_points_there_are(cli: Cli) -> None:
    Path("k.tw").write_text(
        'schedule k(root) {\n  B = knob [4, 8]\n  mm = match "linalg.matmul" in root\n'
        "  tile mm by [B]\n}\n"
    )
    assert cli("check", "k.tw").out == "k.tw: ok; 2 valid points\n"
    done = cli("check", "k.tw", "p.mlir", "--steps-only")
    assert "k.tw: ok; 2 valid points\np.mlir: runs to the last step" in done.out


def test_check_runs_a_file_that_holds_both(cli: Cli) -> None:
    done = cli("check", "both.mlir", "--steps-only")
    assert "both.mlir: runs to the last step" in done.out


def test_check_over_a_payload_tells_what_does_not_apply(cli: Cli) -> None:
    Path("bad.tw").write_text(REFUSED)
    assert cli("check", "bad.tw").code == 0
    done = cli("check", "bad.tw", "p.mlir", code=1)
    assert "bad.tw:4:3: error: vectorize:" in done.err


def test_check_says_everything(cli: Cli) -> None:
    Path("bad.tw").write_text(
        'schedule s(root) {\n  mm = match "linalg.matmul" in root\n'
        "  vectorize mm\n  cse mm\n  tile mm by [4]\n}\n"
    )
    done = cli("check", "bad.tw", code=1)
    assert done.err.count("error: ") == 2
    assert "bad.tw:2:8: note: 'mm' was made here by 'match'" in done.err


def test_check_warns_of_declarations_that_are_not_needed(cli: Cli) -> None:
    Path("c.mlir").write_text(
        "module attributes {transform.with_named_sequence} {\n"
        f"transform.named_sequence @__transform_main(%root: {OP} "
        "{transform.consumed}) {\n  transform.yield\n}\n}\n"
    )
    done = cli("check", "c.mlir")
    assert "c.mlir:2:1: warning: 'root' is declared consumed, and nothing" in done.err


def test_the_library_looks_for_loops_in_silence(cli: Cli) -> None:
    """Kernels without loops are no mistake; a name of the user's own may be one."""
    text = TW.replace("  cse root\n", "  include to_vectors(root)\n", 1)
    Path("p.mlir").write_text(PAYLOAD)
    Path("quiet.tw").write_text(text)
    assert "warning" not in cli("opt", "p.mlir", "-s", "quiet.tw").err
    line = '  loops = match "scf.for" in root\n  licm loops\n'
    own = text.replace("  include", f"{line}  include")
    Path("own.tw").write_text(own)
    assert "own.tw:6:11: warning: match: the payload has no 'scf.for'" in (
        cli("opt", "p.mlir", "-s", "own.tw").err
    )


def test_a_file_that_cannot_be_written_whole_is_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "out.mlir"
    path.write_text("what was there")
    path.chmod(0o640)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(UserError, match="cannot write .*out.mlir: File too large"):
            replace_text(path, "x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [path]
    (tmp_path / "link.mlir").symlink_to(path)
    replace_text(tmp_path / "link.mlir", "new")
    assert path.read_text() == "new" and path.stat().st_mode & 0o777 == 0o640
    replace_text(Path("/dev/null"), "new")
    assert not Path("/dev/null").is_file()
