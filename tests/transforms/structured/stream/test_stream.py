"""`stream`: a chain of reductions along one dimension, in one loop."""

from __future__ import annotations

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.sampling import mostly_slow
from support.transforms.schedules import (
    OP,
    evaluate,
    inputs_of,
    match,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from support.transforms.streams import chain_of, plain_and_streamed, streamed
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.payloads import (
    Tensor,
    argmax,
    attention,
    cross_entropy,
    elementwise,
    exp,
    layernorm,
    log_softmax,
    logsumexp,
    reduce,
    softmax,
    tanh,
)
from tilewright.pipeline import apply_schedule, build, parse_payload
from tilewright.schedules.schedule import Schedule

ROWS = {"x": (5, 37)}
STREAM = f"%t, %l = transform.tilewright.stream %h by {{by}} : ({OP}) -> ({OP}, {OP})"


def broadcast_factor(x: Tensor) -> Tensor:
    """A factor that another op has broadcast along the dimension."""
    largest = reduce("max", x, axis=-1, keepdims=True)
    wide = elementwise(lambda x, m: m + 1.0, x, largest)
    return reduce("sum", x, wide, axis=-1, of=lambda x, m: x * m)


CHAINS = {
    "broadcast factor": (broadcast_factor, ROWS),
    "softmax": (softmax, ROWS),
    "logsumexp": (lambda x: logsumexp(x, axis=-1), ROWS),
    "log_softmax": (lambda x: log_softmax(x, axis=-1), ROWS),
    "layernorm": (layernorm, ROWS | {"g": (37,), "b": (37,)}),
    "argmax": (lambda x: argmax(x, axis=-1), ROWS),
    "attention": (attention, {"q": (2, 9, 8), "k": (2, 21, 8), "v": (2, 21, 8)}),
    "causal window, soft cap, log-sum-exp": (
        lambda q, k, v: attention(
            q, k, v, causal=True, window=4, soft_cap=5.0, lse=True
        ),
        {"q": (2, 4, 13, 8), "k": (2, 2, 13, 8), "v": (2, 2, 13, 8)},
    ),
}


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("by", mostly_slow([1, 8, 64], [8]))
def test_numbers(name: str, by: int) -> None:
    function, shapes = CHAINS[name]
    for plain, ours in plain_and_streamed(chain_of(function, **shapes), by=by):
        np.testing.assert_allclose(ours, plain, rtol=2e-4, atol=1e-5)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("into", mostly_slow([1, 7, "all"], [7]))
def test_numbers_of_chunks(name: str, into: int | str) -> None:
    function, shapes = CHAINS[name]
    keys = {37: 37, 21: 21, 13: 13}
    length = next(n for s in shapes.values() for n in s if n in keys)
    shapes = {
        k: tuple(length // 7 * 7 if n == length else n for n in s)
        for k, s in shapes.items()
    }
    chunks = length // 7 * 7 if into == "all" else into
    payload = chain_of(function, **shapes)
    for plain, ours in plain_and_streamed(payload, into=int(chunks)):
        np.testing.assert_allclose(ours, plain, rtol=2e-4, atol=1e-5)


def test_golden_of_chunks(golden) -> None:
    payload = chain_of(attention, q=(9, 8), k=(24, 8), v=(24, 8))
    golden("transforms/split_stream.mlir", streamed(payload, into=3))


@needs_mlir
@pytest.mark.parametrize(
    "name", mostly_slow(["attention", "layernorm", "argmax"], ["argmax"])
)
def test_real_mlir_reads_chunks(name: str) -> None:
    function, shapes = CHAINS[name]
    length = 21 if name == "attention" else 37
    mlir_opt(streamed(chain_of(function, **shapes), into=length))


def test_chunks_are_streamed_in_turn() -> None:
    """The loop inside a chunk guards a maximum that the split has guarded already."""
    payload = chain_of(attention, q=(9, 8), k=(24, 8), v=(24, 8))
    schedule = """schedule s(root) {
  ops = match implementing [LinalgOp] in root
  pv = pick ops at [10]
  parts, merges = split_stream pv into 3
  ops = pick parts at [1, 2]
  ops, loop = stream ops by 4
}"""
    module = parse_payload(payload)
    made = apply_schedule(
        module, Schedule.from_text(schedule, "s.tw"), {}, complete=False
    )
    # Scores far below zero: a factor from a guarded 0 to -1000 would overflow.
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((n, 8)).astype(np.float32) for n in (9, 24, 24))
    # Eighths have exact scores. Each library would round others in its own way, and at
    # -1000 one bit is a relative difference of 1e-4 in the exponentials.
    q, k = (np.round(8 * x) / 8 for x in (q, k))
    q[:, 0], k[:, 0] = 60.0, -60.0
    with np.errstate(all="ignore"):
        (plain,) = evaluate(module, [q, k, v])
        (ours,) = evaluate(made.payload, [q, k, v])
    np.testing.assert_allclose(ours, plain, rtol=1e-4, atol=1e-5)


def test_chunks_must_divide_the_length() -> None:
    payload = chain_of(softmax, x=(5, 36))
    with pytest.raises(UserError) as caught:
        streamed(payload, into=5)
    assert "5 chunks do not divide the length 36" in str(caught.value)
    assert "such as 4" in str(caught.value) or "such as 6" in str(caught.value)


def test_a_loop_stands_for_its_last_reductions() -> None:
    payload = chain_of(attention, q=(16, 8), k=(24, 8), v=(24, 8))
    schedule = """schedule s(root) {
  func = match "func.func" in root
  ops  = match implementing [LinalgOp] in root
  out  = pick ops at [10]
  rest = pick ops at [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  out, grid  = tile out by [8, 0, 0] onto [block.x]
  rest, grid = fuse_all rest into grid
  include clean(func)
  pv, loop = stream grid by 8
  launch grid warps = 4
}"""
    module = parse_payload(payload)
    made = apply_schedule(
        module, Schedule.from_text(schedule, "s.tw"), {}, complete=False
    )
    assert to_text(made.payload).count("scf.for ") == 1


def test_there_is_one_loop_and_nothing_is_left_outside() -> None:
    text = streamed(chain_of(attention, q=(9, 8), k=(24, 8), v=(24, 8)), by=8)
    assert text.count("scf.for ") == 1
    outside = text.partition("scf.yield")[2]
    assert "math.exp" not in outside and "maximumf" not in outside
    # One product of queries and keys, one maximum, one exponential, one factor.
    assert text.count("linalg.matmul") == 2 and text.count("maxnumf") == 1
    assert text.count("math.exp") == 2


def test_golden(golden) -> None:
    payload = chain_of(attention, q=(9, 8), k=(24, 8), v=(24, 8))
    golden("transforms/stream.mlir", streamed(payload, by=8))


@needs_mlir
@pytest.mark.parametrize("name", mostly_slow(CHAINS, ["layernorm", "attention"]))
def test_real_mlir_reads_the_result(name: str) -> None:
    function, shapes = CHAINS[name]
    mlir_opt(streamed(chain_of(function, **shapes), by=8))


def test_targets_share_a_loop() -> None:
    """Cross-entropy: the sum of exponentials and the picked logit, in one pass."""
    payload = chain_of(cross_entropy, x=(5, 37), t=((5,), "i32"))
    text = streamed(payload, by=8, targets=-2)
    assert text.count("scf.for ") == 1
    for plain, ours in plain_and_streamed(payload, by=8, targets=-2):
        np.testing.assert_allclose(ours, plain, rtol=2e-4, atol=1e-5)


def test_what_others_read_is_computed_after_the_loop() -> None:
    text = streamed(chain_of(softmax, **ROWS), by=8)
    loop, _, rest = text.partition("scf.yield")
    assert "arith.divf" in rest and "arith.divf" not in loop


@pytest.mark.parametrize("by", [8, 16])
def test_rows_of_infinities(by: int) -> None:
    """A masked beginning, a masked end, a masked row, and large magnitudes."""
    rows = np.random.default_rng(0).standard_normal((5, 37)).astype(np.float32)
    rows[0], rows[1, :20], rows[2, 30:], rows[3] = -np.inf, -np.inf, -np.inf, -1e30
    rows[4] *= 1e4
    payload = chain_of(softmax, **ROWS)
    for plain, ours in plain_and_streamed(payload, by=by, inputs=[rows]):
        np.testing.assert_allclose(ours, plain, rtol=1e-5)
        assert np.isnan(ours[0]).all() and not np.isnan(ours[1:]).any()


def test_the_log_of_a_masked_row_is_minus_infinity() -> None:
    rows = np.full((5, 37), -np.inf, np.float32)
    payload = chain_of(lambda x: logsumexp(x, axis=-1), **ROWS)
    ((_, ours),) = plain_and_streamed(payload, by=8, inputs=[rows])
    assert (ours == -np.inf).all()


def test_nan_spreads_and_keeps_its_first_place() -> None:
    rows = np.random.default_rng(0).standard_normal((5, 37)).astype(np.float32)
    rows[1, 20] = rows[2, 3] = rows[2, 30] = np.nan
    payload = chain_of(lambda x: argmax(x, axis=-1), **ROWS)
    for plain, ours in plain_and_streamed(payload, by=8, inputs=[rows]):
        np.testing.assert_array_equal(ours, plain)


def test_a_maximum_drops_nan_where_the_sums_have_it() -> None:
    payload = chain_of(attention, q=(9, 8), k=(24, 8), v=(24, 8))
    assert "maxnumf" in streamed(payload, by=8)
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((n, 8)).astype(np.float32) for n in (9, 24, 24))
    q[3, 2] = np.nan
    for plain, ours in plain_and_streamed(payload, by=8, inputs=[q, k, v]):
        assert np.isnan(ours[3]).all() and not np.isnan(ours[4:]).any()
        np.testing.assert_allclose(ours, plain, rtol=1e-4, atol=1e-5)
    # The log-sum-exp reads the maximum too.
    with_lse = chain_of(
        lambda q, k, v: attention(q, k, v, lse=True), q=(9, 8), k=(24, 8), v=(24, 8)
    )
    assert "maxnumf" not in streamed(with_lse, by=8)


@pytest.mark.parametrize(("causal", "guards"), [(False, 0), (True, 1)])
def test_only_what_may_be_masked_is_guarded(causal: bool, guards: int) -> None:
    payload = chain_of(
        lambda q, k, v: attention(q, k, v, causal=causal), q=(9, 8), k=(9, 8), v=(9, 8)
    )
    assert streamed(payload, by=8).count("arith.cmpf oeq") == guards


def test_equal_shapes_may_share_what_they_start_from() -> None:
    """As many keys as features: `clean` makes one fill of two."""
    payload = chain_of(attention, q=(9, 8), k=(8, 8), v=(8, 8))
    schedule = """schedule s(root) {
  func = match "func.func" in root
  include clean(func)
  products = match "linalg.matmul" in root
  qk, pv   = split_handle products
  pv, loop = stream pv by 4
}"""
    module = parse_payload(payload)
    made = apply_schedule(
        module, Schedule.from_text(schedule, "s.tw"), {}, complete=False
    )
    given = inputs_of(module)
    (plain,), (ours,) = evaluate(module, given), evaluate(made.payload, given)
    np.testing.assert_allclose(ours, plain, rtol=1e-4, atol=1e-5)


def test_a_variance_far_from_zero() -> None:
    """The sums of squares are 1e6 times the variance: a plain formula has no digit."""
    rows = np.random.default_rng(0).standard_normal((5, 37)) + 1e3
    rows = rows.astype(np.float32)
    payload = chain_of(variance, **ROWS)
    ((_, ours),) = plain_and_streamed(payload, by=8, inputs=[rows])
    exact = rows.astype(np.float64).var(axis=-1) * 37
    np.testing.assert_allclose(ours, exact, rtol=1e-4)


def variance(x: Tensor) -> Tensor:
    total = reduce("sum", x, axis=-1, keepdims=True)
    mean = elementwise(lambda m: m / 37.0, total)
    return reduce("sum", x, mean, axis=-1, of=lambda x, m: (x - m) * (x - m))


def through(function) -> str:
    """A sum of something of an element and the maximum."""

    def chain(x: Tensor) -> Tensor:
        largest = reduce("max", x, axis=-1, keepdims=True)
        return reduce("sum", x, largest, axis=-1, of=function)

    return chain_of(chain, **ROWS)


@pytest.mark.parametrize(
    ("function", "term", "why"),
    [
        (lambda x, m: tanh(x - m), "tanh(subf(x, m))", "no product"),
        (lambda x, m: exp(x * m), "mulf(x, m)", "multiplies the stream"),
        (lambda x, m: exp(x + m), "through m,", "grows without bound"),
        (lambda x, m: (x - m) * (x - m) * (x - m), "mulf", "higher than 2"),
        (lambda x, m: (x - m) * (x - m), "x,", "no reduction of the chain sums"),
    ],
)
def test_what_cannot_be_derived_is_refused(function, term: str, why: str) -> None:
    with pytest.raises(UserError) as caught:
        streamed(through(function), by=8)
    said = str(caught.value)
    assert "'linalg.generic' depends on the result of 'linalg.generic' (line" in said
    assert term in said and why in said


def test_a_start_that_is_not_neutral_is_refused() -> None:
    payload = chain_of(softmax, **ROWS)
    payload = payload.replace("constant 0.000000e+00", "constant 1.000000e+00")
    with pytest.raises(UserError, match="does not start from the neutral element"):
        streamed(payload, by=8)


def test_one_reduction_loop_must_be_named() -> None:
    def both(x: Tensor) -> Tensor:
        return reduce("sum", x, axis=(0, 1))

    payload = chain_of(both, x=(4, 6))
    schedule = schedule_of(match("%h", "linalg.generic"), STREAM.format(by=2))
    refused = refusal(payload, schedule)
    assert "2 reduction loops: [0, 1]" in str(refused) and "along 1" in str(refused)
    assert "scf.for" in streamed(payload, by=2, along=0)


@pytest.mark.parametrize("by", [0, -3])
def test_a_size_must_be_positive(by: int) -> None:
    payload = chain_of(lambda x: reduce("sum", x, axis=-1), **ROWS)
    schedule = schedule_of(match("%h", "linalg.generic"), STREAM.format(by=by))
    assert f"the size is {by}" in str(refusal(payload, schedule))


def test_the_op_prints_what_it_reads() -> None:
    steps = schedule_of(match("%h", "linalg.generic"), STREAM.format(by="4 along 1"))
    payload = chain_of(lambda x: reduce("sum", x, axis=-1), **ROWS)
    assert "scf.for" in transform(payload, steps).text
    printed = to_text(parse_schedule(steps))
    assert "transform.tilewright.stream %h by 4 along 1 :" in printed


ATTENTION = """\
schedule flash(root) {
  func = match "func.func" in root
  ops  = match implementing [LinalgOp] in root
  out  = pick ops at [11]
  rest = pick ops at [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  out, grid  = tile out by [1, 16, 0] onto [block.y, block.x]
  rest, grid = fuse_all rest into grid
  include clean(func)
  products = match "linalg.batch_matmul" in grid
  qk, pv   = split_handle products
  pv, loop = stream pv by 16
}
"""


@pytest.mark.slow
def test_plain_attention_becomes_one_kernel() -> None:
    payload = chain_of(
        attention,
        q=((2, 32, 16), "f16"),
        k=((2, 40, 16), "f16"),
        v=((2, 40, 16), "f16"),
    )
    built = build(parse_payload(payload), Schedule.from_text(ATTENTION, "flash.tw"), {})
    assert len(built.program.kernels) == 1
    text = built.program.text
    assert text.count("tl.dot(") == 2 and text.count("in tl.range(") == 1
