"""Chains of reductions that end in a matmul: one kernel, by the rules of streaming."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from support.attended import HEADS, Size, attended, candidates
from support.planned_kernels import assert_right, planned
from tilewright.codegen.targets import TARGETS
from tilewright.payloads import (
    Payload,
    Tensor,
    attention,
    elementwise,
    exp,
    linear,
    matmul,
    reduce,
    tanh,
    where,
)
from tilewright.pipeline import parse_payload
from tilewright.planning.explain import explain
from tilewright.planning.plan import NO_STREAMS, Plan, plan
from tilewright.planning.sketches.streams.rolling import SHORT_SECONDS
from tilewright.schedules.schedule import Schedule


def f32_result() -> Payload:
    p = Payload("attention")
    p.output(attention(*(p.input(n, HEADS, "f16") for n in "qkv"), dtype="f32"))
    return p


def by_triton(payload: Payload) -> Plan:
    """The plan where no warps have roles."""
    return plan(payload.module, TARGETS["h200"], without=[(1, "roles")])


def sketches(found: Plan) -> list[str]:
    return [kernel.candidates[0].sketch.label for kernel in found.kernels]


GROUPED: Size = (1, 4, 72, 32)
FEWER: Size = (1, 2, 72, 32)
OPEN: Size = (2, 2, "Q", 32)
KEYS: Size = (2, 2, "K", 32)
VARIANTS: dict[str, Callable[[], Payload]] = {
    "plain": attended,
    "rank_2_square": lambda: attended((64, 64)),
    "causal": lambda: attended(causal=True),
    "grouped": lambda: attended(GROUPED, FEWER, causal=True),
    "multi_query": lambda: attended(GROUPED, (1, 1, 72, 32)),
    "window": lambda: attended(causal=True, window=20),
    "both_sides": lambda: attended(window=(10, 5)),
    "alibi": lambda: attended(given={"alibi": ((2,), "f32")}, causal=True),
    "bias": lambda: attended(given={"bias": ((2, 72, 72), "f32")}),
    "soft_cap": lambda: attended(soft_cap=20.0, causal=True),
    "documents": lambda: attended(given={"documents": ((2, 72), "i32")}, causal=True),
    "key_lengths": lambda: attended(given={"key_lengths": ((2,), "i32")}),
    "other_length": lambda: attended(HEADS, (2, 2, 100, 32), causal="bottom_right"),
    "features_80": lambda: attended((1, 2, 40, 80)),
    "features_96": lambda: attended((1, 2, 40, 96), causal=True),
    "features_256": lambda: attended((1, 1, 72, 256)),
    "bf16": lambda: attended(dtype="bf16"),
    "f32_result": lambda: f32_result(),
    "fp8": lambda: attended(dtype="f8E4M3FN"),
    "lse": lambda: attended(lse=True, causal=True),
    "fp8_lse": lambda: attended(dtype="f8E4M3FN", lse=True),
    "decoding": lambda: attended((2, 4, 1, 32), (2, 4, 200, 32)),
    "grouped_decoding": lambda: attended((2, 8, 1, 32), (2, 2, 200, 32), lse=True),
}
KEY: Size = (2, 2, 1024, 32)
FEW_ROWS: dict[str, Callable[[], Payload]] = {
    "grouped": lambda: attended((2, 8, 1, 32), KEY, "bf16"),
    "one_query": lambda: attended((2, 2, 1, 32), KEY),
    "some_queries": lambda: attended((2, 2, 40, 32), KEY, causal="bottom_right"),
    "lse": lambda: attended((2, 8, 1, 32), KEY, lse=True),
    "key_lengths": lambda: attended(
        (2, 8, 1, 32), KEY, given={"key_lengths": ((2,), "i32")}
    ),
    "window": lambda: attended((2, 8, 1, 32), KEY, causal="bottom_right", window=700),
    "fp8": lambda: attended((2, 8, 1, 32), KEY, "f8E4M3FN"),
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "causal" else pytest.mark.slow)
        for name in VARIANTS
    ],
)
def test_attention_is_one_kernel(name: str) -> None:
    payload = VARIANTS[name]()
    assert sketches(planned(payload)) == ["streamed"]
    built = assert_right(payload, by_triton=name != "causal")
    assert len(built.program.kernels) == 1


@pytest.mark.slow
def test_f32_is_streamed_by_three_products_of_tf32() -> None:
    """Values lie across their sum, and are transposed first where that pays."""
    long = planned(attended((8, 8, 512, 64), dtype="f32"))
    assert sketches(long) == ["streamed_transposed"]
    assert "choose precision_streamed_transposed default tf32x3" in long.text
    assert_right(attended((1, 1, 48, 16), dtype="f32", causal=True))
    ragged = planned(attended((8, 8, 197, 64), dtype="f32"))
    assert sketches(ragged) == ["streamed"]


def test_f32_of_few_programs_is_not_streamed() -> None:
    """Eight programs would leave the GPU idle, and two kernels do not."""
    p = Payload("perceptron")
    x, up, down = (
        p.input(*given, "f32")
        for given in (("x", (512, 64)), ("up", (256, 64)), ("down", (128, 256)))
    )
    p.output(linear(elementwise(tanh, linear(x, up.T)), down.T))
    assert sketches(planned(p)) == ["tiles", "tiles"]


def test_f32_that_registers_cannot_hold_is_not_streamed() -> None:
    assert "streamed" not in sketches(planned(attended((8, 8, 512, 256), dtype="f32")))


@pytest.mark.slow
@pytest.mark.parametrize("name", FEW_ROWS)
def test_few_rows_are_split_and_merged(name: str) -> None:
    payload = FEW_ROWS[name]()
    found = planned(payload)
    assert sketches(found)[:2] == ["streamed", "held_rows"]
    assert "split_stream sums into 16" in found.text
    built = assert_right(payload, by_triton=True)
    assert len(built.program.kernels) == 2 + (name == "lse")


@pytest.mark.slow
@pytest.mark.parametrize("causal", [False, True, "bottom_right"])
def test_lengths_may_be_open(causal: bool | str) -> None:
    payload = attended(OPEN, KEYS, causal=causal)
    assert sketches(planned(payload)) == ["streamed"]
    for queries, keys in [(50, 70), (16, 128), (1, 3)]:
        shapes = [(2, 2, queries, 32), (2, 2, keys, 32), (2, 2, keys, 32)]
        assert_right(payload, shapes)


@pytest.mark.slow
@pytest.mark.parametrize("point", [(16, 16, 1, 2), (32, 64, 2, 4), (64, 32, 4, 3)])
def test_other_points_compute_the_same(point: tuple[int, int, int, int]) -> None:
    payload = attended(causal=True, window=40, lse=True)
    names = ["BM", "BN", "warps", "stages"]
    values: dict[str, int | str] = dict(zip(names, point, strict=True))
    assert_right(payload, point=values)


def test_the_schedule_says_what_is_done() -> None:
    found = by_triton(attended((4, 16, 4096, 128), dtype="bf16", causal=True))
    text = found.text
    for line in (
        "exp2 exponential",
        "cast, grid = tile cast by [1, 1, BM] onto [block.z, block.y, block.x]",
        "rest, grid = fuse_all rest into grid",
        "sums, loop = stream grid by BN",
        "loop = trim loop",
        "split_by_mask loop",
        "launch longer reversed = 1",
        "choose loads default descriptors {",
    ):
        assert f"  {line}\n" in text, line
    schedule = Schedule.from_text(text)
    assert Schedule.from_text(schedule.to_tw()).to_tw() == schedule.to_tw()
    assert "yes    streamed" in explain(found)


def score(q: Tensor, k: Tensor) -> Tensor:
    return matmul(q, k.T)


def absolute_shares(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Scores over the sum of their absolute values: no maximum, no exponential."""
    s = score(q, k)
    total = reduce("sum", elementwise(lambda x: where(x > 0, x, -x), s), axis=-1)
    shares = elementwise(lambda x, t: x / t, s, total[..., None], dtype="f16")
    return matmul(shares, v, dtype="f16")


def masked_products(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Linear attention: nothing between the matmuls but a function of an element."""
    factor = elementwise(lambda x: exp(x), score(q, k), dtype="f16")
    return matmul(factor, v, dtype="f16")


def resisting(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """No correction is known for a hyperbolic tangent."""
    s = score(q, k)
    m = reduce("max", s, axis=-1)[..., None]
    return matmul(elementwise(lambda x, y: tanh(x - y), s, m, dtype="f16"), v)


def chained(of: Callable[[Tensor, Tensor, Tensor], Tensor], length: int) -> Payload:
    p = Payload("chain")
    p.output(of(*(p.input(name, (2, length, 16), "f16") for name in "qkv")))
    return p


@pytest.mark.slow
@pytest.mark.parametrize("of", [absolute_shares, masked_products])
def test_other_chains_are_streamed(
    of: Callable[[Tensor, Tensor, Tensor], Tensor],
) -> None:
    payload = chained(of, 520)
    assert sketches(planned(payload)) == ["streamed"]
    assert_right(payload, by_triton=True)


def test_a_chain_without_a_rule_is_planned_in_parts() -> None:
    found = planned(chained(resisting, 136))
    assert len(found.kernels) == 2 and "streamed" not in sketches(found)
    assert "not streamed: " in explain(found)
    assert "tanh" in explain(found) and "no rule corrects it" in explain(found)


def test_scores_that_are_returned_are_not_streamed() -> None:
    p = Payload("f")
    q, k, v = (p.input(name, (2, 136, 16), "f16") for name in "qkv")
    s = elementwise(lambda x: exp(x), score(q, k), dtype="f16")
    p.output(s)
    p.output(matmul(s, v))
    found = planned(p)
    assert "streamed" not in sketches(found)
    assert "is stored as well" in explain(found)


def test_wide_layers_stay_apart() -> None:
    p = Payload("f")
    x, w, u = (p.input(n, (512, 512), "f16") for n in "xwu")
    p.output(linear(linear(x, w, activation="gelu"), u))
    found = planned(p)
    assert "streamed" not in sketches(found)
    assert "a tile cannot hold whole rows" in explain(found)


def test_sums_that_a_tile_cannot_hold_are_not_streamed() -> None:
    p = Payload("pooled")
    x, keep = p.input("x", (32, 256, 256), "f32"), p.input("keep", (32, 256, 1), "f32")
    p.output(linear((x * keep).sum(1), p.input("w", (256, 2), "f32")))
    assert "streamed" not in sketches(planned(p))


def test_a_layer_streams_the_chain_and_not_the_projections() -> None:
    p = Payload("layer")
    x = p.input("x", (128, 64), "f16")
    q, k, v = (matmul(x, p.input(f"w{n}", (64, 64), "f16"), dtype="f16") for n in "qkv")
    p.output(attention(q, k, v, causal=True))
    found = planned(p)
    assert sketches(found).count("streamed") == 1
    streamed = next(k for k in found.kernels if k.group.stream is not None)
    assert len(streamed.group.contractions) == 2


def test_a_plan_can_do_without_streams() -> None:
    module = parse_payload(attended().text())
    found = plan(module, TARGETS["h200"], without=[NO_STREAMS])
    assert len(found.kernels) == 2 and "streamed" not in sketches(found)


def test_the_default_tile_suits_the_card() -> None:
    """These were the fastest of seven points (measured)."""
    points = {}
    for features in (64, 128):
        found = planned(attended((4, 16, 4096, features), dtype="bf16"))
        points[features] = dict(candidates(found)["streamed"].point)
    assert points[64] == {"BM": 64, "BN": 128, "warps": 4, "stages": 2}
    assert points[128] == {"BM": 128, "BN": 64, "warps": 4, "stages": 2}


def test_queries_of_short_causal_rows_are_in_registers() -> None:
    """Measured: 112 us, and 121 us with all tiles in shared memory."""
    found = by_triton(attended((16, 16, 1024, 64), dtype="bf16", causal=True))
    assert "choose held default registers {" in found.text
    assert dict(found.kernels[0].candidates[0].point)["BN"] == 64
    whole = by_triton(attended((16, 16, 1024, 64), dtype="bf16"))
    assert "choose held default shared {" in whole.text
    assert "choose held" not in planned(attended((4, 4, 512, 64), dtype="f32")).text


def test_a_mask_shortens_the_estimate() -> None:
    size = (4, 16, 4096, 128)
    full, half, window = (
        planned(attended(size, dtype="bf16", causal=causal, window=window))
        .kernels[0]
        .seconds
        for causal, window in ((False, None), (True, None), (True, 512))
    )
    assert full is not None and half is not None and window is not None
    assert 0.45 < half / full < 0.6 and window < 0.5 * half
    assert math.isfinite(full)


def test_a_long_kernel_loads_by_descriptors() -> None:
    for heads, loads in ((64, "descriptors"), (1, "pointers")):
        found = by_triton(attended((16, heads, 512, 64), dtype="bf16"))
        (candidate,) = found.kernels[0].candidates
        best = min(map(candidate.sketch.seconds, candidate.sketch.points()))
        assert (best > SHORT_SECONDS) == (loads == "descriptors")
        assert f"choose loads default {loads} {{" in found.text
