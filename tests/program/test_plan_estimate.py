"""The estimate of a plan is that of its program: `plan` and `run` tell one number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tilewright
from support.command_line import Cli, cli_in
from support.paths import EXAMPLES
from tilewright.codegen.targets import target_named
from tilewright.payloads import Payload, linear, softmax
from tilewright.planned_estimate import program_estimate
from tilewright.program import plan_payload
from tilewright.tuning.model.cost import estimate

H200 = target_named("h200")
MLP = EXAMPLES / "payloads" / "mlp_f16.mlir"


def layers(count: int) -> Payload:
    """Equal layers, then a softmax."""
    p = Payload("layers")
    h = p.input("x", (256, 512), "f16")
    for number in range(count):
        w = p.input(f"w{number}", (512, 512), "f16")
        h = linear(h, w, activation="relu")
    p.output(softmax(h))
    return p


def test_times_and_limits_of_a_plan_are_those_of_the_generated_kernels() -> None:
    program = tilewright.compile(MLP, target="h200")
    assert program.plan is not None
    cost = estimate(program.built.program, None, H200)
    head, *_ = program.plan.text.splitlines()
    assert head.endswith(f"2 kernels. //? about {cost.milliseconds * 1e3:.1f} us")
    told = re.findall(r" about (.*) us: (.*) is the limit\n", program.plan.text)
    assert told == [(f"{k.seconds * 1e6:.1f}", str(k.limit)) for k in cost.kernels]


def test_a_library_call_belongs_to_the_kernel_of_its_ops() -> None:
    program = tilewright.compile(EXAMPLES / "any_rows/payload.mlir", target="h200")
    assert program.plan is not None and program.plan.estimate is not None
    (call,) = estimate(program.built.program, None, H200).calls
    assert program.plan.estimate.kernels[1].seconds == call.seconds


def test_equal_kernels_have_the_time_of_one() -> None:
    program = tilewright.compile(layers(4), target="h200")
    assert program.plan is not None and program.plan.estimate is not None
    kernels, found = program.plan.kernels, program.plan.estimate
    assert max(len(kernel.groups) for kernel in kernels) > 1
    together = sum(len(k.groups) * found.kernels[k.number].seconds for k in kernels)
    assert together == pytest.approx(found.seconds)


def test_a_known_time_moves_no_statement() -> None:
    program = tilewright.compile(layers(2), target="h200")
    assert program.plan is not None
    bare = plan_payload(layers(2), "h200")
    assert " us" not in bare.text
    pairs = list(
        zip(bare.text.splitlines(), program.plan.text.splitlines(), strict=True)
    )
    changed = [old for old, new in pairs if old != new]
    assert changed
    assert all(line.lstrip().startswith("//") for line in changed)
    assert program_estimate(bare, program.built.program) == program.plan.estimate


@pytest.mark.slow
def test_commands_tell_one_estimate_and_one_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cli: Cli = cli_in(tmp_path, monkeypatch, capsys)
    text = cli("plan", str(MLP), "--target", "h200", "-o", "mlp.tw")
    assert not text.out
    written = Path("mlp.tw").read_text()
    head = re.search(r"about (.*) us\n", written)
    limits = re.findall(r"us: (.*) is the limit", written)
    assert head is not None
    for schedule in ([], ["-s", "mlp.tw"]):
        done = cli("run", str(MLP), *schedule, "--target", "h200")
        told = re.search(r"estimated, not measured: (.*) ms", done.out)
        assert told is not None
        assert f"{float(told[1]) * 1e3:.1f}" == head[1]
        assert re.findall(r"us: (.*) is the limit", done.out) == limits
