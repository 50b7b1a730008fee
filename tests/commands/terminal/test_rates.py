"""Times as rates: what is counted, and what it is compared with."""

from __future__ import annotations

import pytest

from support.paths import EXAMPLES
from support.tuning.samples import matmul as sample
from tilewright.codegen.targets import detect
from tilewright.commands.terminal.rates import dot_type, rates
from tilewright.payload_work import matmul_flops
from tilewright.payloads import Payload, linear, matmul, softmax
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.measure.baselines import Baselines, bytes_moved
from tilewright.tuning.measure.ceilings import Ceilings, measure_ceilings
from tilewright.tuning.measure.references import Reference
from tilewright.tuning.measure.timing import Timing, TimingOptions, clock_for

ANY = """
func.func @f(%a: tensor<?x16xf32>, %b: tensor<16x8xf32>, %c: tensor<?x8xf32>)
    -> tensor<?x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x16xf32>, tensor<16x8xf32>)
    outs(%c : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
"""


def test_operations_are_those_of_the_payload() -> None:
    """Not those of the tiles, which reach past the end."""
    p = Payload("layers")
    x, w = p.input("x", (100, 72), "f16"), p.input("w", (72, 40), "f16")
    v = p.input("v", (40, 24), "f16")
    p.output(matmul(linear(x, w, activation="gelu"), v, dtype="f16"))
    flops = 2 * 100 * 72 * 40 + 2 * 100 * 40 * 24
    assert matmul_flops(parse_payload(p.text())) == flops


def test_sums_are_no_products() -> None:
    p = Payload("rows")
    p.output(softmax(p.input("x", (8, 16), "f32")))
    assert matmul_flops(parse_payload(p.text())) == 0


def test_open_sizes_are_those_of_the_call() -> None:
    payload = parse_payload(ANY)
    shapes = ((5, 16), (16, 8), (5, 8))
    assert matmul_flops(payload, shapes) == 2 * 5 * 16 * 8


def test_lines() -> None:
    replayed = Timing(0.009, 0.01, 0.011, 10, 3.0)
    baselines = Baselines(Ceilings(4000.0, 800.0), 10**6, replayed)
    arithmetic, memory, graph = rates(0.02, 8 * 10**9, baselines)
    assert arithmetic.startswith("rate: 400.0 TFLOP/s, 0.50 of this card's 800")
    assert memory.startswith("rate: 50 GB/s, 0.01 of this card's 4000")
    assert "p50 0.0100" in graph and "2.00 times the speed" in graph
    (only,) = rates(0.02, 0, Baselines(Ceilings(4000.0, None), 10**6, None))
    assert "GB/s" in only


def test_type_of_the_products() -> None:
    p = Payload("product")
    a, b = p.input("a", (64, 64), "f32"), p.input("b", (64, 64), "f32")
    p.output(matmul(a, b))
    point = {"BM": 64, "BN": 64, "BK": 32, "warps": 4, "stages": 3, "group": 1}
    point |= {"persistent": 0, "parts": 1, "flatten": 0, "loads": "pointers"}
    schedule = Schedule.from_path(EXAMPLES / "gemm" / "gemm_plain.tw")
    for precision, dtype in (("ieee", "f32"), ("tf32", "tf32"), ("tf32x3", "f32")):
        built = build(
            parse_payload(p.text()), schedule, {**point, "precision": precision}
        )
        assert dot_type(built.program) == dtype


def test_bytes_are_counted_once() -> None:
    program = sample(512)
    reference = Reference(program.arguments, program.results, 1, (), 512)
    assert bytes_moved(reference) == 3 * 512 * 512 * 2


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "tf32", "i8", "f8E4M3FN"])
def test_ceilings_of_this_card(dtype: str) -> None:
    target = detect()
    if target is None:
        pytest.skip("no CUDA device")
    found = measure_ceilings(1 << 28, dtype, clock_for("cuda", TimingOptions()))
    assert 100 < found.copy_gbs < 2 * target.hbm_bandwidth * 1e-9
    assert found.product_tflops is not None and 1 < found.product_tflops < 10_000
