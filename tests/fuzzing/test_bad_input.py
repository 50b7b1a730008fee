"""The fuzzer of bad input, bounded: `python tests/fuzz/bad_input.py` goes on longer."""

from __future__ import annotations

import faulthandler
import os
import random
import time
from pathlib import Path

import pytest

from fuzz import bad_input
from fuzz.bad_files import sandbox
from fuzz.bad_files.damage import DAMAGES, damaged
from tilewright.ir.errors import UserError

LONG = 900.0
"""Seconds; the number of attempts ends a run, so that every machine makes the same."""

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="limits are set from /proc"
)


@pytest.mark.slow
@needs_proc
def test_damaged_files_give_located_errors_or_work() -> None:
    found = bad_input.fuzz(2026, LONG, 100)
    assert not found, "\n".join(
        f"seed {given.seed}: {end.kind}\n{given.command}\n{end.text}"
        for given, end in found
    )


def test_an_attempt_is_made_again_from_its_seed() -> None:
    seeds = bad_input.Seeds()
    assert bad_input.attempt(seeds, 7) == bad_input.attempt(seeds, 7)
    assert len(seeds.mlir) > 500 and len(seeds.tw) > 20 and len(seeds.scripts) > 50


@pytest.mark.parametrize("kind", DAMAGES)
def test_every_kind_of_damage_changes_a_text(kind: str) -> None:
    folder = bad_input.ROOT / "examples/three_schedules"
    text = (folder / "payload.mlir").read_bytes() + (folder / "tile.mlir").read_bytes()
    changed = [
        DAMAGES[kind](text, random.Random(seed), [text]) != text for seed in range(10)
    ]
    assert any(changed)
    assert damaged(text, random.Random(1), [text])[1]


# -- the sandbox: it must see each way to fail ---------------------------------------


def run_with(command, monkeypatch: pytest.MonkeyPatch, folder: Path) -> sandbox.Outcome:
    from tilewright.commands.opt import opt

    monkeypatch.setattr(opt, "opt", command)
    return sandbox.run(["opt", "p.mlir"], folder)


def crash(options) -> None:
    raise KeyError("x")


def refuse(options) -> None:
    raise UserError("no such thing")


def babble(options) -> None:
    raise UserError("wrong: <tilewright.Thing object at 0x7f00>")


def hog(options) -> None:
    bytearray(3 << 30)


def hang(options) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        pass


def die(options) -> None:
    faulthandler.disable()  # No report of a crash that is meant.
    os.abort()


@needs_proc
@pytest.mark.parametrize(
    ("command", "kind"),
    [
        (crash, "KeyError in"),
        (refuse, ""),
        (babble, "an error that says 'object at 0x'"),
        (hog, "MemoryError in"),
        (hang, "ran for more than 1 s"),
        (die, "died of signal 6"),
    ],
    ids=lambda given: getattr(given, "__name__", None),
)
def test_each_way_to_fail_is_seen(command, kind: str, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 1.0)
    monkeypatch.setattr(sandbox, "_WALL", 20)
    outcome = run_with(command, monkeypatch, tmp_path)
    assert outcome.kind.startswith(kind) if kind else not outcome.kind, outcome
    assert outcome.is_finding == bool(kind)


@pytest.mark.slow
@needs_proc
def test_a_finding_is_shrunk_and_kept(monkeypatch, tmp_path: Path) -> None:
    from tilewright.commands.opt import opt

    def fails_on_x(options) -> None:
        if "x" in Path(options.file).read_text():
            raise KeyError("x")

    monkeypatch.setattr(opt, "opt", fails_on_x)
    given = bad_input.Attempt(("opt", "p.mlir"), {"p.mlir": b"a\nb x c\nd\n"}, "", 1)
    found = bad_input.outcome(given)
    small = bad_input.shrunk(given, found.kind)
    assert small.files["p.mlir"] == b"x"
    bad_input.keep(small, found, tmp_path)
    assert (tmp_path / "seed-1" / "p.mlir").read_bytes() == b"x"
    assert (
        "again: tilewright opt p.mlir"
        in (tmp_path / "seed-1" / "finding.txt").read_text()
    )
