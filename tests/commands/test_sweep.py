"""`tilewright sweep`: sizes, candidates, times in turn, certificates."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from support.command_line import Cli, cli_in
from tilewright.codegen.program import TensorSpec
from tilewright.codegen.standalone.reference_source import reference_source
from tilewright.commands.sweep import timing
from tilewright.commands.sweep.candidates import Candidate
from tilewright.commands.sweep.report import SweepResult, as_data, problem_lines
from tilewright.commands.sweep.sampled_sizes import between, swept
from tilewright.commands.terminal.failure import UsageError
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.measure import side_by_side as module
from tilewright.tuning.measure.measurement import Contender
from tilewright.tuning.measure.references import Reference
from tilewright.tuning.measure.side_by_side import SideBySide, side_by_side
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.measure.torch_rivals import in_own_types

PAYLOAD = """
func.func @double(%x: tensor<?x8xf16>) -> tensor<?x8xf16> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x8xf16>
  %e = tensor.empty(%m) : tensor<?x8xf16>
  %y = linalg.add ins(%x, %x : tensor<?x8xf16>, tensor<?x8xf16>)
    outs(%e : tensor<?x8xf16>) -> tensor<?x8xf16>
  return %y : tensor<?x8xf16>
}
"""
SCHEDULE = """schedule double(root) {
  add = match "linalg.add" in root
  R = knob [1, 2, 4] default 4
  add, grid = tile add by [R] onto [block.x]
}
"""


def test_a_range_is_sampled_at_equal_ratios() -> None:
    assert between(16, 4096, 9) == (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
    # Between the ends, larger sizes are multiples of 16; small ranges have fewer.
    assert between(1, 100, 4) == (1, 5, 16, 100)
    assert between(3, 5, 9) == (3, 4, 5)
    assert swept(["M=16..64", "K=32"], 3).sizes == ("M=16,32,64", "K=32")
    assert swept(["M=64,1,8"], 9).values == (1, 8, 64)


@pytest.mark.parametrize(
    ("sizes", "text"),
    [
        (["M=1,2", "N=3,4"], "one size varies in a sweep, not 2"),
        (["M=16"], "one size varies in a sweep, not 0"),
        (["1,2"], "one size varies in a sweep; name it"),
        (["M=64..16"], "a range goes up"),
    ],
)
def test_sizes_that_are_no_sweep(sizes: list[str], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        swept(sizes, 9)


def test_torch_in_its_own_types() -> None:
    """The reference computes in float64; a rival does not."""
    source = reference_source(parse_payload(PAYLOAD), "reference")
    assert "double" in source
    x = torch.randn(3, 8).half()
    found = in_own_types(source, torch.float16)(x)
    assert found.dtype == torch.float16 and torch.equal(found, x + x)
    widened = "def reference(i):\n    return i.double() * 2\n"
    assert in_own_types(widened, torch.float16)(torch.ones(2).int()).dtype == (
        torch.float16
    )


def program(folder: Path, name: str, body: str) -> Contender:
    path = folder / f"{name}.py"
    path.write_text(f"def double(x):\n    {body}\n")
    return Contender(name, path, "double")


def test_programs_and_rivals_at_each_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wrong programs have no time; wrong rivals have one, and it is said."""

    def rivals(source: str, dtype: torch.dtype) -> dict[str, Callable[..., Any]]:
        assert dtype == torch.float16
        return {"torch": lambda x: x + x, "other": lambda x: x * 3}

    monkeypatch.setattr(module, "torch_rivals", rivals)
    source = reference_source(parse_payload(PAYLOAD), "reference")

    def reference(rows: int) -> Reference:
        (spec,) = (TensorSpec("x", (rows, 8), "f16"),)
        return Reference((spec,), (spec,), 0, (), 1, title=f"M={rows}", source=source)

    one, two = reference(4), reference(64)
    found = side_by_side(
        [program(tmp_path, "A", "return x + x"), program(tmp_path, "B", "return x")],
        source,
        [[one, one], [two, None]],
        TimingOptions(warmup_ms=0.1),
        2,
        "cpu",
    )
    times = found.milliseconds
    assert all(times["A"]) and all(times["torch"]) and all(times["other"])
    assert times["B"] == [None, None]
    assert set(found.problems) == {"B", "other"}
    assert "its numbers differ" in found.problems["B"]["M=4"]
    assert set(found.problems["other"]) == {"M=4", "M=64"}


def result() -> SweepResult:
    payload, schedule = parse_payload(PAYLOAD), Schedule.from_text(SCHEDULE)
    made = [
        Candidate(name, {"R": r}, "given", build(payload, schedule, {"R": r}), refused)
        for name, r, refused in (("A", 1, (None, None)), ("B", 4, (None, "too many")))
    ]
    times = SideBySide(
        {"A": [1.0, 4.0], "B": [1.02, None], "torch": [2.0, 2.0]},
        {"torch": {"M=2": "its numbers differ", "M=8": "its numbers differ"}},
    )
    return SweepResult(
        "M", (2, 8), tuple(made), times, (4e9, 8e9), "TFLOP/s", "card", True
    )


def test_speeds_certificates_and_problems() -> None:
    found = result()
    data = as_data(found)
    assert data["points"][0]["speed"] == [4.0, 2.0]
    assert data["rivals"] == [
        {"name": "torch", "milliseconds": [2.0, 2.0], "speed": [2.0, 4.0]}
    ]
    assert data["certificates"] == {
        "A": "within 3% of the best for M in [2, 8], at 2 sampled sizes "
        "(at most 0.0% slower)",
        "B": "within 3% of the best for M = 2, at 1 sampled size (at most 2.0% slower)",
    }
    assert list(problem_lines(found)) == [
        "B does not take M = 8: too many",
        "torch at M=2, M=8: its numbers differ",
    ]


def test_the_command_without_a_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cli: Cli = cli_in(tmp_path, monkeypatch, capsys)
    monkeypatch.setattr(timing, "compile_for", lambda *given: ())
    Path("p.mlir").write_text(PAYLOAD)
    Path("s.tw").write_text(SCHEDULE)
    words = ("sweep", "p.mlir", "-s", "s.tw", "--target", "h200")
    points = ("--point", "R=1", "--point", "R=4", "--size", "M=16,64")
    ended = cli(*words, *points)
    assert "A: R=1 (given)" in ended.out and "B: R=4 (given)" in ended.out
    assert "sampled size" in ended.out and "by the cost model" in ended.out
    assert "no GPU: estimated for h200; numbers are not checked" in ended.err
    data = json.loads(cli(*words, *points, "--json").out)
    assert data["values"] == [16, 64] and not data["measured"]
    ended = cli(*words, "--size", "M=16,64")
    assert "(the schedule's defaults)" in ended.out
    assert "one point: there is no other to compare with" in ended.out
    Path("known.mlir").write_text(PAYLOAD.replace("?x8", "4x8").replace("(%m)", "()"))
    ended = cli("sweep", "known.mlir", "--size", "M=16..64", code=1)
    assert "there is nothing to sweep over" in ended.err
