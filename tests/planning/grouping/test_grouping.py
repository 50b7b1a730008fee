"""Which ops share a kernel, and the reasons."""

from __future__ import annotations

import operator
import re

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.codegen.targets import TARGETS
from tilewright.payloads import (
    Payload,
    Scalar,
    Tensor,
    attention,
    elementwise,
    exp,
    gather,
    gelu,
    index,
    linear,
    matmul,
    relu,
    rmsnorm,
    sigmoid,
    softmax,
    sqrt,
    tanh,
)
from tilewright.pipeline import apply_schedule, parse_payload
from tilewright.planning.grouping.group import Decision
from tilewright.planning.plan import NO_STREAMS, Plan, plan


def kernels(payload: Payload) -> list[list[str]]:
    """The names of the ops of each kernel, without fills."""
    return [
        [facts.name for facts in group.ops if facts.role != "fill"]
        for group in planned(payload).grouping.groups
    ]


def decision(plan: Plan, producer: str) -> Decision:
    """What was decided about an op."""
    return next(
        decision
        for group in plan.grouping.groups
        for decision in group.decisions
        if decision.producer.name == producer
    )


def residual_layer(m: int = 64, n: int = 128) -> Payload:
    p = Payload("f")
    x = p.input("x", (m, n), "bf16")
    w = p.input("w", (n, n), "bf16")
    h = linear(x, w, residual=x)
    p.output(rmsnorm(h, p.input("g", (n,), "bf16")), h)
    return p


def test_a_tail_stays_with_its_product_and_not_with_the_norm_after_it() -> None:
    payload = residual_layer(2048, 1024)
    assert kernels(payload) == [["product", "linear"], ["squares", "scale", "rmsnorm"]]
    reason = decision(planned(payload), "linear").reason
    assert reason == "registers do not hold a tile of rows of 1024 sums"


def test_what_a_kernel_gathers_from_is_stored_by_another() -> None:
    p = Payload("f")
    x = softmax(p.input("x", (6, 33), "f32"))
    p.output(elementwise(lambda one: one - gather(x, index(0) * -1 + 5, index(1)), x))
    assert len(kernels(p)) == 2
    assert_right(p)


def test_what_rows_compute_as_well_leaves_the_product_to_a_library() -> None:
    p = Payload("f")
    x, w = p.input("x", (4096, 4096), "bf16"), p.input("w", (4096, 4096), "bf16")
    h = gelu(linear(x, w, bias=p.input("b", (4096,), "bf16")))
    p.output(rmsnorm(h, p.input("g", (4096,), "bf16")))
    first, second = kernels(p)
    assert first == ["product", "linear"]  # the library adds the bias
    assert second[0] == "gelu"


def test_logits_are_stored_narrow_and_widened_by_the_loss() -> None:
    p = Payload("f")
    x, w = p.input("x", (256, 256), "bf16"), p.input("w", (256, 1024), "bf16")
    p.output(softmax(linear(x, w).cast("f32"), -1))
    first, second = kernels(p)
    assert first == ["product", "linear"]
    assert second[0] == "cast"


def test_work_between_two_products_is_the_tail_of_the_first() -> None:
    p = Payload("f")
    x, w = p.input("x", (1024, 1024), "f16"), p.input("w", (1024, 1024), "f16")
    p.output(linear(linear(x, w, activation="gelu"), w))
    assert kernels(p) == [["product", "linear"], ["product_2", "linear_2"]]


def test_a_softmax_of_scores_is_a_kernel_beside_the_product() -> None:
    p = Payload("f")
    q, k = p.input("q", (512, 64), "f16"), p.input("k", (512, 64), "f16")
    p.output(softmax(matmul(q, k.T) * 0.125, -1).cast("f16"))
    first, second = kernels(p)
    assert first == ["product", "mul"]
    assert len(second) >= 4


def test_a_scale_of_rows_does_not_keep_a_product_from_its_tail() -> None:
    """The sum is small: it is stored, and the tail of the matmul reads it."""
    p = Payload("f")
    x, w = p.input("x", (512, 512), "bf16"), p.input("w", (512, 512), "bf16")
    matmul = x @ w
    scale = (x.cast("f32") * x.cast("f32")).mean(1)
    p.output((matmul * scale[:, None]).cast("bf16"))
    with_product = next(names for names in kernels(p) if "product" in names)
    assert len(with_product) >= 2
    assert not any("sum" in name for name in with_product)


def test_an_op_that_is_returned_and_used_is_a_further_result() -> None:
    p = Payload("f")
    x = p.input("x", (64, 96), "f32")
    y = relu(x)
    p.output(y, exp(y))
    (group,) = planned(p).grouping.groups
    assert [facts.name for facts in group.ops] == ["relu", "exp"]
    assert len(group.leaving) == 2
    assert group.moved_bytes == 3 * 64 * 96 * 4
    assert len(assert_right(p).program.kernels) == 1


def test_what_a_norm_of_heads_reads_is_computed_by_its_kernel() -> None:
    """Also where it is stored: the reshape of it comes behind the kernel then."""
    p = Payload("f")
    x = p.input("x", (64, 96), "f32") + p.input("y", (64, 96), "f32")
    p.output(rmsnorm(x.reshape(64, 6, 16), p.input("g", (16,), "f32")), x, exp(x))
    assert kernels(p)[0][0] == "add"
    assert len(assert_right(p).program.kernels) == len(kernels(p)) == 2


def test_no_group_waits_for_one_that_waits_for_it() -> None:
    """`c` reads `a` and a view of what `b` made of `a`: `a` is no part of `c`."""
    p = Payload("f")
    a = relu(p.input("x", (32, 64), "f32"))
    b = exp(a.reshape(64, 32) + p.input("r", (32,), "f32"))
    p.output(a + b.reshape(32, 64), a, b)
    assert [len(names) for names in kernels(p)] == [1, 2, 1]
    assert_right(p)


def test_siblings_that_read_one_tensor_are_one_kernel() -> None:
    p = Payload("f")
    x = p.input("x", (512, 1024), "bf16")
    p.output(tanh(x), sigmoid(x))
    (group,) = planned(p).grouping.groups
    assert [sink.name for sink in group.sinks] == ["tanh", "sigmoid"]
    assert re.search(r"us together, .* us apart", decision(planned(p), "tanh").reason)
    small = Payload("f")
    x = small.input("x", (32, 48), "f32")
    small.output(tanh(x), sigmoid(x), softmax(x))
    assert_right(small)


def test_siblings_of_rows_are_one_kernel() -> None:
    p = Payload("f")
    x = p.input("x", (48, 80), "f32")
    w = p.input("w", (80,), "f32")
    p.output(rmsnorm(x, w), softmax(x))
    (group,) = planned(p).grouping.groups
    assert len(group.sinks) == 2
    assert len(assert_right(p).program.kernels) == 1


@pytest.mark.slow
def test_a_chain_where_each_op_is_read_twice_grows_by_as_many_ops() -> None:
    p = Payload("f")
    x = p.input("x", (16, 64), "f32")
    for _ in range(6):
        x = x + gelu(x) * 0.5
    p.output(x)
    (group,) = planned(p).grouping.groups
    assert len(group.ops) == 18
    made = assert_right(p)
    assert made.program.text.count("erf(") == 6


@pytest.mark.parametrize(
    "rows", [7, *(pytest.param(rows, marks=pytest.mark.slow) for rows in (1, 64))]
)
def test_one_op_read_by_several_kernels_is_right(rows: int) -> None:
    p = Payload("f")
    x = p.input("x", (rows, 96), "f32")
    y = gelu(x)
    p.output(y.sum(1), y.sum(0), softmax(y))
    assert_right(p)


def test_what_two_kernels_compute_from_tensors_that_they_read_is_not_stored() -> None:
    p = Payload("f")
    h, w, x, d = (p.input(name, (64, 16), "f32") for name in "hwxd")
    h, w = exp(h) * 6.0, exp(w) * 6.0
    s, t = h / w, (x - d) / w
    den = s + (d - s * 2.0) * t * (1.0 - t)
    p.output(h * s * t / den, (s * s * (d + s * 2.0 * t) - den * 2.0).sum(1))
    assert len(assert_right(p).program.kernels) == 1


def test_what_is_behind_an_op_that_two_kernels_compute_has_no_third_kernel() -> None:
    p = Payload("f")
    x, d = p.input("x", (64, 16), "f32"), p.input("d", (64, 16), "f32")
    both = tanh(x) * 2.0
    total = (both[:, :, None] + p.input("c", (64, 16, 8), "f32")).sum(2)

    def difference(both: Scalar, d: Scalar) -> Scalar:
        return (both - gather(total, index(0) * -1 + 63, index(1))) / d

    p.output(elementwise(difference, both, d))
    assert len(assert_right(p).program.kernels) == 2


def test_a_factor_of_two_products_is_stored_for_them() -> None:
    p = Payload("f")
    x = relu(p.input("x", (64, 32), "f32"))
    a, b = p.input("a", (32, 16), "f32"), p.input("b", (32, 48), "f32")
    p.output(matmul(x, a), matmul(x, b))
    assert kernels(p)[0] == ["relu"]
    assert_right(p)


def test_groups_of_different_functions_are_no_siblings() -> None:
    function = """func.func @{name}(%x: tensor<8xf32>) -> tensor<8xf32> {{
      %e = tensor.empty() : tensor<8xf32>
      %s = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      return %s : tensor<8xf32>
    }}"""
    text = function.format(name="f") + function.format(name="g")
    found = plan(parse_payload(text), TARGETS["h200"])
    assert len(found.grouping.groups) == 2


def test_ops_on_buffers_are_left_alone() -> None:
    """They count among the ops that `match` finds, and so do the handles' numbers."""
    text = """func.func @f(%m: memref<8xf32>, %x: tensor<8xf32>) -> tensor<8xf32> {
      %c = arith.constant 0.0 : f32
      linalg.fill ins(%c : f32) outs(%m : memref<8xf32>)
      %e = tensor.empty() : tensor<8xf32>
      %s = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      return %s : tensor<8xf32>
    }"""
    payload = parse_payload(text)
    found = plan(payload, TARGETS["h200"])
    assert "s = pick ops at [1]" in found.text
    apply_schedule(payload, found.schedule, {}, complete=False)


def test_what_an_earlier_kernel_reads_is_not_fused_into_a_later_one() -> None:
    payload = Payload("f")
    x = payload.input("x", (64, 96), "f32")
    largest = x.max(1)
    payload.output((largest * 2.0).sum(0), exp(x - largest[:, None]).sum(1))
    made = assert_right(payload)
    planned_kernels = planned(payload).kernels
    assert len(made.program.kernels) == len(planned_kernels)


@pytest.mark.slow
def test_the_steps_of_a_recurrence_without_products_are_one_kernel() -> None:
    p = Payload("f")
    state = p.input("state", (8, 16), "f32")
    results: list[Tensor] = []
    for step in range(4):
        gate = sigmoid(
            elementwise(operator.add, p.input(f"x{step}", (8, 16), "f32"), state)
        )
        state = elementwise(operator.mul, gate, state)
        results.append(tanh(elementwise(operator.sub, state, gate)))
    p.output(*results)
    assert len(kernels(p)) == 1
    assert_right(p)


@pytest.mark.slow
def test_the_steps_of_a_recurrence_that_each_sum_rows_are_one_kernel() -> None:
    """A state-space model: each step reads a part of its inputs."""
    p = Payload("f")
    decay = p.input("decay", (8, 128, 16), "f32")
    change = p.input("change", (8, 128, 16), "f32")
    state = p.input("state", (8, 32, 16), "f32")
    results: list[Tensor] = []
    for step in range(4):
        part = (slice(None), slice(32 * step, 32 * step + 32))
        state = elementwise(lambda d, h, c: d * h + c, decay[part], state, change[part])
        results.append((state * p.input(f"out{step}", (8, 1, 16), "f32")).sum(2))
    p.output(*results)
    assert len(kernels(p)) == 1
    assert_right(p)


def test_many_steps_with_small_tensors_are_one_kernel() -> None:
    """Together they move more than the bytes of a launch."""
    p = Payload("f")
    state = p.input("state", (512, 64), "f32")
    results: list[Tensor] = []
    for step in range(16):
        x = p.input(f"x{step}", (512, 64), "f32")
        state = elementwise(lambda h, x: 0.5 * h + x, state, x)
        results.append((state * p.input(f"out{step}", (64,), "f32")).sum(1))
    p.output(*results)
    assert len(kernels(p)) == 1


def test_a_small_kernel_does_not_join_one_that_gathers_from_it() -> None:
    p = Payload("f")
    x = p.input("x", (4, 64), "f32")
    y = sigmoid(x)

    def turned(element: Scalar) -> Scalar:
        at = (index(1).cast("i64") + 1) % 64
        return element * gather(y, index(0), at)

    p.output(elementwise(turned, x), elementwise(operator.add, x, y), y)
    assert len(kernels(p)) == 2
    assert_right(p)


def test_a_gate_of_places_is_computed_in_the_kernel_that_turns_an_image() -> None:
    p = Payload("f")
    gate = sigmoid(p.input("x", (2, 1, 32, 32), "f32"))
    image = p.input("image", (2, 32, 32, 64), "f32")
    scaled = elementwise(operator.mul, image, gate.transpose(0, 2, 3, 1))
    p.output(scaled.transpose(0, 3, 1, 2))
    made = assert_right(p)
    assert len(made.program.kernels) == len(kernels(p)) == 1


def gated_rows(rows: int) -> Payload:
    """Rows with a factor for each column, stored, averaged and with their maxima."""
    p = Payload("f")
    x, v = p.input("x", (2, rows, 64), "f32"), p.input("v", (64,), "f32")
    normed = tanh(x * sqrt(v + 1.0))
    gated = normed * sigmoid(normed.mean(1, keepdims=True))
    p.output(gated, gated.mean(2), gated.max(2))
    return p


def test_rows_that_are_stored_are_reduced_twice_in_one_kernel() -> None:
    columns, rows = kernels(gated_rows(2048))
    assert len({*columns} & {*rows}) == 4, "both compute what is before the gate"
    assert {"mean_2", "max"} <= {*rows}
    assert_right(gated_rows(8))


def test_two_sums_and_a_tail_compute_what_they_read_again() -> None:
    """A backward pass of a batch norm: the wide tensor is never stored."""
    p = Payload("f")
    x, y, z = (p.input(name, (50176, 64), "bf16") for name in "xyz")
    wide = (relu(x) * y).cast("f32").named("wide")
    total = wide.sum(0)
    other = ((z.cast("f32") - total) * wide).sum(0)
    p.output((wide * other - total).cast("bf16"), total, other)
    groups = planned(p).grouping.groups
    assert all("wide" in [facts.name for facts in group.ops] for group in groups)
    assert not any("wide" in [f.name for f in group.leaving] for group in groups)


@pytest.mark.slow
def test_sums_share_a_kernel_once_their_reader_has_moved_behind_them() -> None:
    """The first sum's reader comes before the second sum, until it joins the tail."""
    p = Payload("f")
    x = p.input("x", (4096, 8192), "f32")
    centred = (x - x.mean(0)).named("centred")
    shift = x[0:64].sum(0)
    spread = ((x - shift) * (x - shift)).sum(0)
    p.output(centred / sqrt(spread))
    plan = planned(p)
    groups = [[facts.name for facts in group.ops] for group in plan.grouping.groups]
    assert len(groups) == 3 and "centred" in groups[-1]
    assert len(plan.grouping.groups[1].sinks) == 2
    assert_right(p)


def test_a_fill_that_a_matmul_multiplies_is_stored() -> None:
    payload = parse_payload("""
    func.func @f(%w: tensor<12x48xf32>, %e: tensor<3x12xf32>, %o: tensor<3x48xf32>)
        -> tensor<3x48xf32> {
      %zero = arith.constant 0.0 : f32
      %x = linalg.fill ins(%zero : f32) outs(%e : tensor<3x12xf32>) -> tensor<3x12xf32>
      %i = linalg.fill ins(%zero : f32) outs(%o : tensor<3x48xf32>) -> tensor<3x48xf32>
      %r = linalg.matmul ins(%x, %w : tensor<3x12xf32>, tensor<12x48xf32>)
        outs(%i : tensor<3x48xf32>) -> tensor<3x48xf32>
      return %r : tensor<3x48xf32>
    }""")
    found = plan(payload, TARGETS["h200"])
    assert [len(group.ops) for group in found.grouping.groups] == [1, 2]
    apply_schedule(payload, found.schedule)


def two_layers(rows: int, features: int, hidden: int) -> Payload:
    """Two matmuls with a relu between them."""
    p = Payload("f")
    x = p.input("x", (rows, features), "f16")
    first = p.input("first", (features, hidden), "f16")
    second = p.input("second", (hidden, features), "f16")
    p.output((relu((x @ first).cast("f16")) @ second).cast("f16"))
    return p


@pytest.mark.parametrize(
    ("rows", "features", "hidden", "is_one"),
    [(1024, 64, 64, True), (64, 64, 4096, False), (8192, 256, 1024, False)],
)
def test_a_chain_is_streamed_if_that_is_faster_than_kernels_apart(
    rows: int, features: int, hidden: int, is_one: bool
) -> None:
    """Few rows leave multiprocessors idle; long sums take wide tiles."""
    payload = parse_payload(two_layers(rows, features, hidden).text())
    found = plan(payload, TARGETS["h200"])
    apart = plan(payload, TARGETS["h200"], without=[NO_STREAMS])
    assert (found.kernel_count == 1) == is_one
    assert (found.seconds < 0.95 * apart.seconds) == is_one


def test_streamed_layers_are_right() -> None:
    assert_right(two_layers(33, 16, 48))


def test_of_two_chains_with_a_common_op_the_one_that_saves_more_is_streamed() -> None:
    """The chain that ends in the projection has the second matmul of attention."""
    p = Payload("f")
    q, k, v = (p.input(name, (8, 512, 64), "f16") for name in "qkv")
    p.output(attention(q, k, v) @ p.input("w", (8, 64, 64), "f16"))
    stream = planned(p).grouping.groups[0].stream
    assert stream is not None and stream.length == 512


def test_a_chain_whose_fill_is_read_at_one_index_is_streamed() -> None:
    payload = parse_payload("""
    func.func @f(%x: tensor<32x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x64xf16>)
        -> tensor<32x64xf32> {
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %e = tensor.empty() : tensor<32x64xf32>
      %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>)
        -> tensor<32x64xf32>
      %p = linalg.matmul ins(%x, %a : tensor<32x64xf16>, tensor<64x64xf16>)
        outs(%i : tensor<32x64xf32>) -> tensor<32x64xf32>
      %e1 = tensor.empty() : tensor<1xf32>
      %ones = linalg.fill ins(%one : f32) outs(%e1 : tensor<1xf32>) -> tensor<1xf32>
      %e2 = tensor.empty() : tensor<32x64xf16>
      %s = linalg.generic {
        indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (0)>,
                         affine_map<(m, n) -> (m, n)>],
        iterator_types = ["parallel", "parallel"]
      } ins(%p, %ones : tensor<32x64xf32>, tensor<1xf32>)
        outs(%e2 : tensor<32x64xf16>) {
      ^bb0(%v: f32, %w: f32, %o: f16):
        %sum = arith.addf %v, %w : f32
        %half = arith.truncf %sum : f32 to f16
        linalg.yield %half : f16
      } -> tensor<32x64xf16>
      %e3 = tensor.empty() : tensor<32x64xf32>
      %i3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<32x64xf32>)
        -> tensor<32x64xf32>
      %r = linalg.matmul ins(%s, %b : tensor<32x64xf16>, tensor<64x64xf16>)
        outs(%i3 : tensor<32x64xf32>) -> tensor<32x64xf32>
      return %r : tensor<32x64xf32>
    }""")
    found = plan(payload, TARGETS["h200"])
    assert any(group.stream is not None for group in found.grouping.groups)
    apply_schedule(payload, found.schedule)
