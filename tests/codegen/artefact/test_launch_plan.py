"""The launcher as plain data: buffers, sizes, launches, calls."""

from __future__ import annotations

import json

import numpy as np

from support.codegen.artefacts import ROWS, built, plan_of
from support.paths import EXAMPLES
from tilewright.codegen.artefact.plan_metadata import number_type
from tilewright.codegen.emit.constants import constants_of
from tilewright.payloads import Payload, matmul
from tilewright.pipeline import build, parse_payload, read_payload
from tilewright.schedules.schedule import Schedule

POINT = {"BM": 64, "BN": 128, "BK": 32, "warps": 4, "stages": 3, "group": 8}
POINT |= {"persistent": 1, "parts": 1, "flatten": 0, "loads": "descriptors"}


def test_sizes_are_read_off_the_first_argument_that_has_them() -> None:
    plan = plan_of(built(ROWS))
    assert plan.plan.arguments == ("x", "y")
    assert plan.sizes == {"M": ("x", 0)}
    assert plan.buffers["x"] == {"dtype": "f32", "shape": ["M", 32]}
    assert plan.buffers["y"]["shape"] == ["M", 32]
    (result,) = plan.results
    assert plan.buffers[result]["shape"] == ["M", 32]
    (number,) = plan.plan.launches[0].numbers
    assert (number_type(number), number.is_size) == ("i32", True)


def test_a_plan_is_json() -> None:
    plan = plan_of(built(ROWS))
    steps = json.loads(json.dumps(plan.steps))
    assert [step["step"] for step in steps] == ["allocate", "copy", "launch"]
    kinds = [one["kind"] for one in steps[-1]["parameters"]]
    assert kinds == ["pointer", "pointer", "pointer", "number"]
    assert "M" in steps[-1]["grid"][0]


def test_descriptors_have_the_block_of_their_tile() -> None:
    payload = read_payload(EXAMPLES / "payloads/matmul_relu.mlir")
    schedule = Schedule.from_path(EXAMPLES / "gemm/gemm.tw")
    plan = plan_of(build(payload, schedule, POINT))
    described = [
        one
        for step in plan.steps
        if step["step"] == "launch"
        for one in step["parameters"]
        if one["kind"] == "descriptor"
    ]
    assert [one["block"] for one in described] == [[64, 32], [32, 128], [64, 128]]
    (launch,) = [step for step in plan.steps if step["step"] == "launch"]
    assert launch["programs_per_multiprocessor"] == 1


def test_numbers_of_the_caller_are_no_sizes() -> None:
    payload = """
    func.func @scaled(%x: tensor<64xf32>, %s: f32) -> tensor<64xf32> {
      %e = tensor.empty() : tensor<64xf32>
      %0 = linalg.generic {
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]}
        ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
      ^bb0(%a: f32, %b: f32):
        %c = arith.mulf %a, %s : f32
        linalg.yield %c : f32
      } -> tensor<64xf32>
      return %0 : tensor<64xf32>
    }
    """
    plan = plan_of(built(payload))
    (given,) = plan.plan.launches[0].numbers
    assert not given.is_size
    number = plan.steps[-1]["parameters"][-1]
    assert number == {"kind": "number", "type": "fp32", "argument": "s"}


def test_constants_are_bytes() -> None:
    payload = """
    func.func @plus(%x: tensor<4xf32>) -> tensor<4xf32> {
      %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      %e = tensor.empty() : tensor<4xf32>
      %0 = linalg.add ins(%x, %c : tensor<4xf32>, tensor<4xf32>)
                      outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    """
    program = built(payload)
    (data,) = constants_of(program.kernel).values()
    assert np.frombuffer(data, np.float32).tolist() == [1, 2, 3, 4]
    plan = plan_of(program)
    (step,) = [one for one in plan.steps if one["step"] == "constant"]
    assert plan.buffers[step["buffer"]] == {"dtype": "f32", "shape": [4]}


def test_library_calls_become_functions_of_torch() -> None:
    payload = read_payload(EXAMPLES / "convolution/payload.mlir")
    schedule = Schedule.from_path(EXAMPLES / "convolution/cudnn.tw")
    plan = plan_of(build(payload, schedule))
    (call,) = [step for step in plan.steps if step["step"] == "call"]
    scope: dict[str, object] = {}
    exec(plan.libraries, scope)
    assert callable(scope[call["function"]])
    assert "triton" not in plan.libraries
    assert set(call["buffers"]) <= set(plan.buffers)


def test_a_library_takes_the_buffer_that_it_reads_a_window_of() -> None:
    p = Payload("f")
    x, w = p.input("x", (9, 20), "f32"), p.input("w", (8, 5), "f32")
    p.output(matmul(x[:, 3:11], w))
    text = (
        'schedule s(root) {\n  op = match "linalg.matmul" in root\n'
        '  library op by "cublas"\n}\n'
    )
    plan = plan_of(build(parse_payload(p.text()), Schedule.from_text(text)))
    (call,) = [step for step in plan.steps if step["step"] == "call"]
    assert set(call["buffers"]) == {"x", "w", "out"}
    assert "x[:, 3:11]" in plan.libraries
