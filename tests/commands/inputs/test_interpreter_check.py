"""What an interpreter checks without a GPU: the payload itself, or smaller sizes."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from support.command_line import cli_in
from tilewright.commands.inputs import interpreter_check as interpreter_check_module
from tilewright.commands.inputs.interpreter_check import (
    CheckMode,
    InterpreterCheck,
    interpreter_check,
    reduced,
)
from tilewright.ir.errors import UserError
from tilewright.payloads import Payload, linear
from tilewright.pipeline import Built, argument_specs, build, parse_payload
from tilewright.schedules.schedule import Schedule


def layer(rows: int) -> ModuleOp:
    p = Payload("layer")
    x, w = p.input("x", (rows, 256), "f16"), p.input("w", (256, 256), "f16")
    p.output(linear(x, w))
    return parse_payload(p.text())


SCHEDULE = """
schedule s(root) {
  ops = match implementing [LinalgOp] in root
  out = pick ops at [-1]
  out, grid = tile out by [TILE, 64] onto [block.y, block.x]
  ops = match implementing [LinalgOp] in root
  ops, grid = fuse_all ops into grid
}
"""


def checked(rows: int, tile: int, mode: CheckMode) -> InterpreterCheck | str:
    payload = layer(rows)
    schedule = Schedule.from_text(SCHEDULE.replace("TILE", str(tile)))

    def make(module: ModuleOp) -> Built:
        return build(module, schedule)

    runs = [tuple((rows, 256) if i == 0 else (256, 256) for i in range(2))]
    return interpreter_check(payload, make(payload), make, runs, 0, mode)


def test_a_small_payload_is_checked_whole() -> None:
    found = checked(128, 64, "auto")
    assert isinstance(found, InterpreterCheck) and not found.remark
    assert found.cases[0].inputs[0].shape == (128, 256)


def test_small_takes_smaller_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter_check_module, "SMALL_AT_MOST", 2e7)
    found = checked(2048, 64, "small")
    assert isinstance(found, InterpreterCheck)
    assert found.cases[0].inputs[0].shape == (256, 256)
    assert "x 256x256, w 256x256" in found.remark


def test_auto_reduces_only_what_takes_long() -> None:
    assert reduced(layer(1 << 12), "auto") is None
    small = reduced(layer(1 << 18), "auto")
    assert small is not None
    # Twice as many rows would have more than SMALL_AT_MOST iterations.
    assert argument_specs(small)[0][0].shape == (8192, 256)
    assert reduced(layer(1 << 18), "whole") is None


def test_a_schedule_that_refuses_smaller_sizes_is_not_checked() -> None:
    def refuses(module: ModuleOp) -> Built:
        raise UserError("tile: size 4096 exceeds the loop")

    payload = layer(128)
    built = build(payload, None)
    found = interpreter_check(payload, built, refuses, [()], 0, "small")
    assert isinstance(found, str)
    assert "does not apply at smaller sizes (x 128x256, w 256x256): tile:" in found
    assert "--check whole" in found


def test_none_says_so() -> None:
    assert checked(128, 64, "none") == "--check none"


@pytest.mark.slow
def test_run_and_tune_of_a_large_payload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    cli = cli_in(tmp_path, monkeypatch, capsys)
    p = Payload("layer")
    x, w = p.input("x", (4096, 4096), "f16"), p.input("w", (4096, 4096), "f16")
    p.output(linear(x, w))
    (tmp_path / "large.mlir").write_text(p.text())
    arguments: tuple[str, ...] = ("large.mlir", "--target", "h200")
    done = cli("run", *arguments)
    assert "at smaller sizes (x" in done.out and "correct in" in done.out
    done = cli("run", *arguments, "--check", "none")
    assert "not checked: --check none" in done.out and "correct" not in done.out
    done = cli("tune", *arguments, "--trials", "2")
    assert "the winner alone is checked by an interpreter at smaller sizes" in done.out
    assert "the winner is correct at smaller sizes (x" in done.out
