"""Expected results that torch computes on the device, with numpy as the witness."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from support.tuning.samples import broken
from tilewright.codegen.standalone.reference_source import reference_source
from tilewright.codegen.targets import target_named
from tilewright.commands.inputs.device_reference import (
    device_reference,
    witnessed_reference,
)
from tilewright.commands.inputs.rounding_slack import with_rounding_slack
from tilewright.commands.inputs.tune_sizes import SizedCase, tune_cases
from tilewright.commands.tune.tuning_task import tuning_task
from tilewright.ir.structured.smaller_sizes import with_smaller_sizes
from tilewright.ir.text import verify
from tilewright.ir.tolerance import compare
from tilewright.payloads import Payload, attention, linear
from tilewright.pipeline import (
    argument_specs,
    parse_payload,
    read_payload,
    reference,
)
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.measure.correctness import _differences, load_references
from tilewright.tuning.measure.device_reference import (
    FUNCTION,
    DeviceReference,
    Witness,
    expected_tensors,
    random_tensors,
)
from tilewright.tuning.measure.references import Reference
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.options import ExpectedResults, TuneOptions, TuningTask
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import space_of
from tilewright.tuning.tuner import tune

EXAMPLES = Path(__file__).parents[2] / "examples"
PAYLOADS = EXAMPLES / "payloads"


def test_reshapes_keep_the_sizes_that_they_split() -> None:
    p = Payload("heads")
    x = p.input("x", (512, 96), "f16")
    split = linear(x, p.input("w", (96, 64), "f16")).reshape(512, 4, 16)
    seen = split.transpose(1, 0, 2)
    p.output(attention(seen, seen, seen).transpose(1, 0, 2).reshape(512, 64))
    payload = parse_payload(p.text())
    reference = witnessed_reference(payload, 3)
    assert reference is not None and reference.witness is not None
    rows, features = reference.witness.arguments[0].shape
    assert max(rows, features) <= 13
    assert reference.witness.arguments[1].shape == (features, 64)
    assert reference.witness.results[0].shape == (rows, 64)
    assert reference.witness.disagreement("cpu") is None


@pytest.mark.slow
def test_a_large_payload_without_small_sizes_is_computed_without_a_witness() -> None:
    """Slices keep their sizes; numpy would take minutes for a transformer's layer."""
    p = Payload("parts")
    x = p.input("x", (512, 3, 2048), "f32")
    weight = p.input("w", (2048, 1024), "f32")
    p.output(x[:, 1:2].reshape(512, 2048) @ weight)
    payload = parse_payload(p.text())
    given = device_reference(payload, 3)
    assert given is not None and given.witness is None
    (case,) = [with_rounding_slack(SizedCase(payload, 3, on_device=given))]
    assert case.slack == 0.5 and "case" not in vars(case)
    inputs = random_tensors(given.arguments, 3, "cpu")
    (found,) = expected_tensors(given.source, inputs, given.results)
    want = inputs[0][:, 1].double() @ inputs[1].double()
    torch.testing.assert_close(found.double(), want, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(
    "name", ["attention_causal", "layernorm_residual", "fp8_matmul"]
)
def test_torch_agrees_with_numpy_at_small_sizes(name: str) -> None:
    payload = read_payload(PAYLOADS / f"{name}.mlir")
    reference = witnessed_reference(payload, 3)
    assert reference is not None and reference.witness is not None
    small = [spec.shape for spec in reference.witness.arguments]
    assert max(size for shape in small for size in shape) <= 13
    assert reference.witness.disagreement("cpu") is None
    witness = reference.witness
    wrong = replace(
        witness,
        arrays=tuple(np.asarray(a).astype(np.float32) + 1 for a in witness.arrays),
    )
    assert "elements differ" in str(wrong.disagreement("cpu"))


def test_equal_extents_stay_equal_and_windows_keep_their_sizes() -> None:
    small = with_smaller_sizes(read_payload(PAYLOADS / "gated_mlp.mlir"))
    assert small is not None
    verify(small)
    arguments, results = argument_specs(small)
    assert [spec.shape for spec in arguments] == [(13, 8), (8, 5), (8, 5), (5, 7)]
    assert [spec.shape for spec in results] == [(13, 7)]
    # It takes a slice, whose size is written in the op.
    assert with_smaller_sizes(read_payload(PAYLOADS / "rmsnorm_rope.mlir")) is None


def test_small_payloads_stay_with_numpy() -> None:
    small = with_smaller_sizes(read_payload(PAYLOADS / "softmax.mlir"))
    assert small is not None
    assert device_reference(small, 0) is None


ADD_ONE = parse_payload("""
func.func @add(%a: tensor<8xf32>) -> tensor<8xf32> {
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %sum = arith.addf %a, %one : tensor<8xf32>
  return %sum : tensor<8xf32>
}
""")


def witnessed(shift: float) -> DeviceReference:
    arguments, results = (tuple(specs) for specs in argument_specs(ADD_ONE))
    source = reference_source(ADD_ONE, FUNCTION)
    given = np.random.default_rng([0, 0]).standard_normal(8, dtype=np.float32)
    arrays = (given + 1 + shift,)
    witness = Witness(source, arguments, results, arrays, 0, 1)
    return DeviceReference(source, arguments, results, witness)


@pytest.mark.slow
@pytest.mark.parametrize(("shift", "kept"), [(0.0, True), (0.5, False)])
def test_the_device_computes_what_candidates_are_checked_against(
    tmp_path: Path, shift: float, kept: bool
) -> None:
    programs = {
        "right": broken("    return a + 1"),
        "wrong": broken("    return a + 2"),
    }

    class Sample:
        seconds = {"emit": 0.0}

        def __init__(self, kind: str) -> None:
            self.program = programs[kind]

    def on_numpy(results: ExpectedResults) -> ExpectedResults:
        drawn = np.random.default_rng([7, 0]).standard_normal(8, dtype=np.float32)
        return replace(results, arrays=[drawn + 1], on_device=None)

    def build(point: Point) -> Sample:
        return Sample(str(point["kind"]))

    task = TuningTask(
        build,
        space_of({"kind": list(programs)}),
        "payload",
        "schedule",
        (ExpectedResults((), seed=7, on_device=witnessed(shift)),),
        on_numpy=on_numpy,
    )
    options = TuneOptions(
        target=target_named("h200"),
        cache_dir=tmp_path,
        device="cpu",
        device_name="host",
        strategy="grid",
        workers=1,
        timing=TimingOptions(warmup_ms=1, repetition_ms=2, min_repetitions=3),
        finalists=0,
    )
    result = tune(task, options)
    assert {str(t.point["kind"]): t.outcome for t in result.trials} == {
        "right": "ok",
        "wrong": "wrong",
    }
    assert ("torch" in result.reference.split(",")[0]) is kept
    assert ("disagree at small sizes" in result.reference) is not kept


def test_programs_with_other_tolerances_share_the_data() -> None:
    arguments, results = (tuple(specs) for specs in argument_specs(ADD_ONE))
    source = reference_source(ADD_ONE, FUNCTION)
    plain = Reference(arguments, results, 1, (), 1, source=source)
    rounded = replace(plain, precision="tf32")
    first, second = load_references([plain, rounded], "cpu")
    assert first.inputs is second.inputs
    assert float(first.allowed[0].max()) < float(second.allowed[0].max())  # type: ignore[union-attr]
    (again,) = random_tensors(arguments, 1, "cpu")
    assert (again == first.inputs[0]).all()


@pytest.mark.slow
def test_a_stream_that_rounds_at_other_sizes_has_slack_on_the_device() -> None:
    payload = read_payload(PAYLOADS / "attention.mlir")
    examples = PAYLOADS.parent / "attention"
    schedule = Schedule.from_path(examples / "attention.tw")
    given = witnessed_reference(payload, 0)
    assert given is not None
    cases = [SizedCase(payload, 0, on_device=given)]
    space = read_space(schedule.module)
    task = tuning_task(payload, schedule, space, cases, True, ("payload", "schedule"))
    built = task.build({})
    assert task.rounding is not None
    assert task.expected_for is not None
    assert task.rounding(built) == "at other sizes"
    expected = task.expected_for(built, task.expected[0])
    # The weights are f16: a unit in their last place, before and after the division.
    assert 2.0**-10 < expected.slack < 2.0**-7
    assert expected.on_device is given
    assert task.expected[0].slack == 0.0


def test_large_results_are_compared_where_they_are() -> None:
    expected = torch.tensor([[1.0, torch.inf], [torch.nan, 0.0]])
    allowed = torch.full((2, 2), 0.1)
    same = _differences(expected.clone(), expected, allowed)
    assert same.ok
    off = expected.clone()
    off[0, 0] = 1.25
    wrong = _differences(off, expected, allowed)
    assert not wrong.ok
    assert "1 of 4 elements differ; worst at [0, 0]: 1.25" in wrong.message
    off[0, 0], off[0, 1] = 1.05, torch.nan
    wrong = _differences(off, expected, allowed)
    assert "1 of 4 elements differ; worst at [0, 1]" in wrong.message


@pytest.mark.slow
def test_a_payload_with_open_sizes_has_a_reference_at_large_sizes() -> None:
    payload = read_payload(EXAMPLES / "any_rows" / "payload.mlir")
    schedule = Schedule.from_path(EXAMPLES / "any_rows" / "linear.tw")
    space = read_space(schedule.module)
    sizes = ["M=8,4096"]
    few, many, *checked = tune_cases(payload, schedule, space, sizes, 3, on_gpu=True)
    assert few.on_device is None and many.timed
    assert many.on_device is not None and "case" not in vars(many)
    assert all(one.on_device is None and not one.timed for one in checked)
    given = many.on_device
    assert [spec.shape for spec in given.results] == [(4096, 512)]
    assert given.witness is not None
    assert given.witness.arguments[0].shape == (131, 1024)
    assert given.witness.disagreement("cpu") is None
    # The witness notices a function that computes something else.
    other = replace(given.witness, source=given.source.replace("clamp(", "abs(-"))
    other = replace(other, source=other.source.replace(", min=0.0", ""))
    assert other.disagreement("cpu") is not None
    # Torch computes what numpy would have.
    inputs = random_tensors(given.arguments, 3, "cpu")
    (got,) = expected_tensors(given.source, inputs, given.results)
    (want,) = reference(payload, [tensor.numpy() for tensor in inputs])
    assert compare(got.numpy(), want, "f16", 1024).ok


def test_numbers_of_a_body_are_tensors() -> None:
    """A comparison of two numbers is no Python bool, which has no shape."""
    payload = parse_payload(
        """
func.func @mask(%x: tensor<3x4xf32>, %most: i64) -> (tensor<3x4xi1>, tensor<3x4xf32>) {
  %mask = tensor.empty() : tensor<3x4xi1>
  %kept = tensor.empty() : tensor<3x4xf32>
  %found:2 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                       affine_map<(d0, d1) -> (d0, d1)>,
                       affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x4xf32>) outs(%mask, %kept : tensor<3x4xi1>, tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: i1, %c: f32):
    %two = arith.constant 2 : i64
    %zero = arith.constant 0.0 : f32
    %small = arith.cmpi slt, %two, %most : i64
    %one = math.exp %zero : f32
    %value = arith.select %small, %a, %one : f32
    linalg.yield %small, %value : i1, f32
  } -> (tensor<3x4xi1>, tensor<3x4xf32>)
  return %found#0, %found#1 : tensor<3x4xi1>, tensor<3x4xf32>
}
"""
    )
    source, (_, specs) = reference_source(payload, FUNCTION), argument_specs(payload)
    x = torch.randn(3, 4)
    for most, wanted in ((3, x), (1, torch.ones(3, 4))):
        mask, kept = expected_tensors(source, [x, most], specs)
        assert torch.equal(mask, torch.full((3, 4), most > 2))
        assert torch.equal(kept, wanted)
