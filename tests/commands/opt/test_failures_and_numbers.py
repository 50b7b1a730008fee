"""`tilewright opt`: refusals, and steps that change a result."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import FloatAttr, f32

from support.command_line import Cli
from support.opt_files import OP, PAYLOAD, REFUSED, SCRIPT
from tilewright.transforms.cleanup.apply_cse import ApplyCseOp
from tilewright.transforms.core.state import TransformState


def test_a_refusal_names_script_op_payload_reason_and_remedy(cli: Cli) -> None:
    Path("bad.tw").write_text(REFUSED)
    done = cli("opt", "p.mlir", "-s", "bad.tw", code=1)
    lines = done.err.splitlines()
    assert lines[0].startswith("bad.tw:4:3: error: vectorize: vector size 2 does not")
    assert "; " in lines[0]
    assert lines[1:3] == ["    vectorize mm to [2, 2, 2]", "    ^"]
    assert lines[3] == "p.mlir:5:3: note: the payload op is 'linalg.matmul'"
    assert lines[4].strip().startswith("%r = linalg.matmul")


def test_a_refusal_in_an_included_sequence_says_who_included_it(cli: Cli) -> None:
    Path("bad.tw").write_text(
        "sequence inner(f) {\n"
        '  mm = match "linalg.matmul" in f\n  vectorize mm to [2, 2, 2]\n}\n'
        "schedule s(root) {\n  include inner(root)\n}\n"
    )
    done = cli("opt", "p.mlir", "-s", "bad.tw", code=1)
    assert "bad.tw:3:3: error: vectorize:" in done.err
    assert "bad.tw:6:3: note: in 'inner', included here" in done.err


def test_every_mistake_in_a_schedule_is_said(cli: Cli) -> None:
    Path("bad.tw").write_text("schedule s(root) {\n  tiel root\n  fuse root\n}\n")
    done = cli("opt", "p.mlir", "-s", "bad.tw", code=1)
    assert "bad.tw:2:3: error: unknown verb 'tiel'" in done.err
    assert "bad.tw:3:3: error: fuse:" in done.err or "bad.tw:3:8" in done.err


def test_the_embedded_script_is_checked_before_it_runs(cli: Cli) -> None:
    twice = SCRIPT.replace(
        "  transform.yield",
        f"  transform.structured.vectorize %mm : {OP}\n  transform.yield",
        1,
    )
    Path("both.mlir").write_text(
        f"module attributes {{transform.with_named_sequence}} {{\n{PAYLOAD}{twice}}}"
    )
    done = cli("opt", "both.mlir", "--print-after-each", code=1)
    assert "'mm' was consumed by 'tile'" in done.err
    assert "00 payload" not in done.err, "it ran"


def test_what_is_suppressed_is_said(cli: Cli) -> None:
    Path("bare.mlir").write_text(
        f"{PAYLOAD}\ntransform.sequence failures(suppress) {{\n^bb0(%root: {OP}):\n"
        f'  %mm = transform.structured.match ops{{["linalg.matmul"]}} in %root'
        f" : ({OP}) -> {OP}\n"
        f"  transform.structured.vectorize %mm vector_sizes [2, 2, 2] : {OP}\n}}\n"
    )
    done = cli("opt", "bare.mlir")
    assert "bare.mlir:13:3: remark: suppressed: vectorize: vector size 2" in done.err


def test_verify_each_says_what_was_compared(cli: Cli) -> None:
    done = cli("opt", "p.mlir", "-s", "s.tw", "--verify-each")
    assert "verified: @f gives the same numbers after 3 steps" in done.err


SEVERAL = """\
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x6xf32>, %n: index)
    -> (tensor<?x6xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%m) : tensor<?x6xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x6xf32>)
    outs(%i : tensor<?x6xf32>) -> tensor<?x6xf32>
  %v = tensor.empty(%n) : tensor<?xf32>
  %w = linalg.fill ins(%zero : f32) outs(%v : tensor<?xf32>) -> tensor<?xf32>
  return %r, %w : tensor<?x6xf32>, tensor<?xf32>
}
func.func @integers(%a: tensor<4x4xi32>, %b: tensor<4x4xi32>, %c: tensor<4x4xi32>)
    -> tensor<4x4xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x4xi32>, tensor<4x4xi32>)
    outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}
func.func @odd(%a: f32) -> f32 {
  %r = call @elsewhere(%a) : (f32) -> f32
  return %r : f32
}
func.func private @elsewhere(f32) -> f32
"""


def test_verify_each_takes_several_functions_open_sizes_and_integers(cli: Cli) -> None:
    Path("several.mlir").write_text(SEVERAL)
    Path("t.tw").write_text(
        'schedule t(root) {\n  mm = match "linalg.matmul" in root\n'
        "  mm, i, j = tile mm by [3, 4]\n}\n"
    )
    done = cli("opt", "several.mlir", "-s", "t.tw", "--verify-each")
    assert (
        "verified: @dynamic, @integers give the same numbers after 1 step" in done.err
    )
    assert "warning: @odd is not verified: " in done.err


@pytest.fixture
def broken_cse(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that leaves valid IR and starts the sums from 1."""
    honest = ApplyCseOp.apply

    def apply(self: ApplyCseOp, state: TransformState) -> None:
        honest(self, state)
        for op in state.root.walk():
            if op.name == "arith.constant" and op.results[0].type == f32:
                op.properties["value"] = FloatAttr(1.0, f32)
                state.rewriter.changed(op)

    monkeypatch.setattr(ApplyCseOp, "apply", apply)


def test_a_step_that_changes_a_result_is_named(cli: Cli, broken_cse: None) -> None:
    del broken_cse
    Path("s.tw").write_text(
        'schedule s(root) {\n  mm = match "linalg.matmul" in root\n'
        "  mm, k = tile mm by [8]\n  cse root\n}\n"
    )
    done = cli("opt", "p.mlir", "-s", "s.tw", "--verify-each", code=3)
    lines = done.err.splitlines()
    assert "s.tw:4:3: error: step 2 (apply_cse) changed what @f computes" in lines
    at = lines.index("s.tw:4:3: error: step 2 (apply_cse) changed what @f computes")
    assert lines[at + 1 : at + 3] == ["    cse root", "    ^"]
    found = re.search(
        r"result0: 480 of 480 elements differ; the first at \[0, 0\]: "
        r"got (\S+), expected (\S+)",
        done.err,
    )
    assert found is not None
    got, expected = map(float, found.groups())
    assert got == pytest.approx(expected + 1, abs=1e-4)
    (folder,) = Path().glob("tilewright-wrong-*")
    assert str(folder) in done.err
    kept = np.load(folder / "inputs.npz")
    assert kept["expected0"][0, 0] == pytest.approx(expected)
    assert "scf.for" in (folder / "before.mlir").read_text()
    # What it says to type shows the same again.
    again = re.findall(r"tilewright (opt .*)", (folder / "README.txt").read_text())
    words = [
        str(folder / word) if word.endswith(".mlir") else word
        for word in again[0].split()
    ]
    assert "step 2 (apply_cse) changed" in cli(*words, code=3).err
