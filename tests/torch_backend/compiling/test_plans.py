"""Payloads of torch models need no kernels that only copy or repeat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch.nn import functional as F

import tilewright
from support.planned_kernels import assert_right
from tilewright.codegen.targets import target_named
from tilewright.ir.interpreter import run
from tilewright.pipeline import build, parse_payload
from tilewright.planned_build import build_planned
from tilewright.planning.plan import Plan, plan

Function = Callable[..., torch.Tensor]


def planned(function: Function, *shapes: tuple[int, ...]) -> Plan:
    """The plan of a function for an H200, its numbers checked by the interpreter."""
    torch.manual_seed(0)
    given = tuple(torch.randn(shape) for shape in shapes)
    payload = tilewright.from_torch(function, given)
    (made,) = run(payload.module, [one.numpy() for one in given])
    torch.testing.assert_close(torch.from_numpy(made), function(*given))
    return plan(parse_payload(payload.text()), target_named("h200"))


def test_rows_are_normalized_in_one_kernel() -> None:
    def norm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight

    assert planned(norm, (4, 8, 64), (64,)).kernel_count == 1


@pytest.mark.slow
def test_large_groups_are_normalized_with_what_follows() -> None:
    def norm(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        return F.silu(F.group_norm(x, 2, weight, bias))

    found = planned(norm, (2, 8, 64, 65), (8,), (8,))
    assert all(kernel.candidates for kernel in found.kernels)
    assert found.kernels[-1].group.sink.extents == (2, 8, 64, 65)


@pytest.mark.slow
def test_channels_are_normalized_with_what_follows() -> None:
    def norm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        return x + F.relu(F.group_norm(x, 2, weight))

    assert planned(norm, (2, 2, 128, 128), (2,)).kernel_count == 1


def test_sums_that_share_elements_are_one_pass() -> None:
    def dice(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        part = x.sigmoid()
        return 1 - (2 * (part * y).sum() + 1) / (part.sum() + y.sum() + 1)

    sums, numbers = planned(dice, (64, 2048), (64, 2048)).kernels
    assert len(sums.group.reductions) == 3
    assert [one.sketch.label for one in numbers.candidates] == ["numbers"]


@pytest.mark.slow
def test_means_join_the_sums_that_wait_for_them() -> None:
    def correlation(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x, y = x - x.mean(1, keepdim=True), y - y.mean(1, keepdim=True)
        return ((x * y).sum(1) / (x.norm(dim=1) * y.norm(dim=1))).mean()

    rows, last = planned(correlation, (300, 1024), (300, 1024)).kernels
    assert len(rows.group.reductions) == 5
    assert len(last.group.reductions) == 1


@pytest.mark.slow
def test_a_loss_of_two_softmaxes_reads_their_rows_once() -> None:
    def divergence(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return F.kl_div(x.log_softmax(1), y.softmax(1), reduction="batchmean")

    rows, last = planned(divergence, (300, 512), (300, 512)).kernels
    assert len(rows.group.reductions) == 5
    assert len(last.group.reductions) == 1


@pytest.mark.slow
def test_sums_of_columns_stay_with_what_ends_them() -> None:
    def sinkhorn(x: torch.Tensor) -> torch.Tensor:
        x = x - torch.logsumexp(x, 1, keepdim=True)
        return (x - torch.logsumexp(x, 2, keepdim=True)).exp()

    columns, rows = planned(sinkhorn, (4, 256, 256)).kernels
    assert len(columns.group.reductions) == len(rows.group.reductions) == 2


@pytest.mark.slow
def test_pairs_of_rows_are_compared_in_one_kernel() -> None:
    def similarity(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return F.cosine_similarity(x[:, None], y[None], -1)

    def distance(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return (x[:, None] - y[None]).square().sum(-1).sqrt()

    assert planned(similarity, (9, 40), (7, 40)).kernel_count == 1
    assert planned(distance, (9, 40), (7, 40)).kernel_count == 1


@pytest.mark.slow
def test_heads_are_read_through_views() -> None:
    def attend(x: torch.Tensor) -> torch.Tensor:
        heads = x.contiguous().view(16, 2 * 4, 8).transpose(0, 1).view(2, 4, 16, 8)
        mixed = F.scaled_dot_product_attention(heads, heads, heads)
        return mixed.permute(2, 0, 1, 3).contiguous().view(32, 32)

    found = planned(attend, (16, 2, 32))
    assert found.kernel_count == 1
    assert found.kernels[0].group.stream is not None


@pytest.mark.slow
def test_attention_by_plain_products_is_streamed() -> None:
    def attend(x: torch.Tensor) -> torch.Tensor:
        heads = x.view(2, 16, 4, 8).transpose(1, 2)
        scores = heads @ heads.transpose(-2, -1) * 8**-0.5
        unseen = torch.ones(16, 16).tril() == 0
        weights = torch.softmax(scores.masked_fill(unseen, -torch.inf), -1)
        return (weights @ heads).transpose(1, 2).reshape(2, 16, 32)

    found = planned(attend, (2, 16, 32))
    assert found.kernel_count == 1
    assert found.kernels[0].group.stream is not None


@pytest.mark.slow
def test_repeated_heads_are_read_where_they_are() -> None:
    def attend(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        every = key.repeat_interleave(2, dim=1)
        seen = torch.ones(16, 16).bool().tril()
        return F.scaled_dot_product_attention(query, every, every, seen)

    found = planned(attend, (2, 4, 16, 8), (2, 2, 16, 8))
    assert found.kernel_count == 1
    assert found.kernels[0].group.stream is not None


@pytest.mark.slow
@pytest.mark.parametrize(("by", "loops"), [("triangle", 2), ("numbers", 1)])
def test_a_cache_of_keys_is_streamed(by: str, loops: int) -> None:
    """A mask by indices trims and splits the loop; by numbers it stays whole."""

    def attend(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        seen = torch.ones(256, 512).bool().tril(256)
        if by == "numbers":
            seen = torch.arange(512) <= torch.arange(256, 512)[:, None]
        return F.scaled_dot_product_attention(query, key, key, seen)

    given = (torch.randn(1, 2, 256, 16), torch.randn(1, 2, 512, 16))
    payload = parse_payload(tilewright.from_torch(attend, given).text())
    done = build_planned(payload, target_named("h200"), lambda s: build(payload, s))
    assert not done.refusals
    assert done.built.program.text.count(" in tl.range(") == loops


@pytest.mark.sampled(8)
@pytest.mark.parametrize("shared", [(1, 8, 16), (1, 1, 8, 16)])
def test_a_matrix_that_all_batches_share_is_not_repeated(
    shared: tuple[int, ...],
) -> None:
    def multiplied(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x @ y

    found = planned(multiplied, (*(2, 3)[: len(shared) - 2], 4, 8), shared)
    (kernel,) = found.kernels
    assert [facts.role.name for facts in kernel.group.ops] == ["FILL", "CONTRACTION"]
    assert {c.sketch.label for c in kernel.considered} >= {"library"}


@pytest.mark.slow
def test_a_row_that_sees_no_key_is_zero() -> None:
    def attend(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        seen = torch.ones(4, 8).bool().tril(-2)
        return F.scaled_dot_product_attention(query, key, key, seen)

    assert planned(attend, (1, 2, 4, 8), (1, 2, 8, 8)).kernel_count == 1


def test_a_copy_that_is_returned_twice_has_memory_of_its_own() -> None:
    def both(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        made = x + 1
        return made, made.clone()

    program = tilewright.compile(tilewright.from_torch(both, (torch.randn(8),)))
    one, two = program(torch.zeros(8))
    assert one.data_ptr() != two.data_ptr()
    assert torch.equal(one, two)


@pytest.mark.slow
def test_a_step_of_a_cell_is_a_product_and_one_kernel() -> None:
    """The cell's kernel reads the gates in slices; x is multiplied for all steps."""
    steps = 3

    def cell(
        x: torch.Tensor, weight: torch.Tensor, own: torch.Tensor, bias: torch.Tensor
    ) -> torch.Tensor:
        hidden = state = x.new_zeros(x.shape[0], 32)
        for step in range(steps):
            gates = x[:, step] @ weight.t() + hidden @ own.t() + bias
            enter, forget, new, out = gates.chunk(4, 1)
            state = forget.sigmoid() * state + enter.sigmoid() * new.tanh()
            hidden = out.sigmoid() * state.tanh()
        return hidden

    found = planned(cell, (8, steps, 16), (128, 16), (128, 32), (128,))
    # The matmul of all steps, and two for each step; one computes the first state too.
    assert found.kernel_count == 1 + 2 * steps


@pytest.mark.slow
def test_no_planned_kernel_of_a_chain_is_refused() -> None:
    def rows(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.softmax(torch.addmm(b, x, w), -1) + b

    def numbers(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        total = torch.sigmoid(x @ w).sum(1, keepdim=True)
        return torch.logsumexp(total, 1, keepdim=True)

    assert_not_refused(rows, (1024, 512), (512, 8192), (8192,))
    assert_not_refused(numbers, (1024, 512), (512, 8192))


def assert_not_refused(function: Function, *shapes: tuple[int, ...]) -> None:
    """All kernels that are planned for an H200 can be built, and call cuBLAS."""
    payload = tilewright.from_torch(function, tuple(map(torch.empty, shapes))).module
    h200 = replace(target_named("h200"), own_f32="ieee")
    done = build_planned(
        payload, h200, lambda schedule: build(payload, schedule, verify_steps=False)
    )
    assert not done.refusals
    assert len(done.built.program.calls) == 1


@pytest.mark.slow
def test_a_table_that_several_kernels_read_is_stored_once() -> None:
    """The angles of a rotary embedding have fewer elements than what reads them."""

    def rotated(x: torch.Tensor) -> torch.Tensor:
        rates = 10000.0 ** (-torch.arange(64) / 64)
        angles = torch.arange(100, 101)[:, None] * rates[None]
        cosine, sine = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        one, two = x[..., :64], x[..., 64:]
        return torch.cat([one * cosine - two * sine, two * cosine + one * sine], -1)

    def both(query: torch.Tensor, key: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(
            rotated(x.view(8, 1, heads, 128).transpose(1, 2))
            for x, heads in ((query, 32), (key, 8))
        )

    given = (torch.empty(8, 1, size, dtype=torch.bfloat16) for size in (4096, 1024))
    payload = tilewright.from_torch(both, tuple(given)).module
    done = build_planned(
        payload,
        target_named("h200"),
        lambda schedule: build(payload, schedule, verify_steps=False),
    )
    assert not done.refusals
    assert len(done.built.program.kernels) <= 4


@pytest.mark.slow
def test_windows_of_a_channels_last_image_are_read_along_channels() -> None:
    def pool(x: torch.Tensor) -> torch.Tensor:
        return F.max_pool2d(torch.tanh(x.permute(0, 3, 1, 2)) + 1, 2).contiguous()

    assert "by [1, rows, columns]" in planned(pool, (2, 16, 16, 32)).text


@pytest.mark.slow
def test_windows_of_small_tensors_are_read_by_short_addresses() -> None:
    def pool(x: torch.Tensor) -> torch.Tensor:
        return F.max_pool2d(x, 3, 2, 1)

    payload = tilewright.from_torch(pool, (torch.empty(2, 3, 32, 32),)).module
    text = build_planned(
        payload,
        target_named("h200"),
        lambda schedule: build(payload, schedule, verify_steps=False),
    ).built.program.text
    # An index of a loop is i64 in the payload, and i32 at once.
    assert text.count("tl.int64") == text.count(".to(tl.int64).to(tl.int32)")


@pytest.mark.slow
def test_ops_after_a_group_norm_of_rows_are_in_its_kernel() -> None:
    def norm(
        x: torch.Tensor, weight: torch.Tensor, scale: torch.Tensor
    ) -> torch.Tensor:
        normalized = F.group_norm(x, 4, weight)
        return F.hardtanh(F.silu(normalized) * scale)

    assert planned(norm, (16, 256), (256,), (256,)).kernel_count == 1


@pytest.mark.slow
def test_ops_after_a_group_norm_of_images_are_one_kernel() -> None:
    def norm(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        return F.mish(F.group_norm(x, 4) * scale)

    assert planned(norm, (4, 16, 8, 8), (16, 1, 1)).kernel_count == 1


@pytest.mark.slow
def test_triangles_of_joined_dimensions_have_their_own_rows() -> None:
    def cut(x: torch.Tensor) -> torch.Tensor:
        return torch.tril(F.group_norm(x, 4))

    planned(cut, (16, 32))


@pytest.mark.slow
def test_reductions_of_single_elements_are_no_kernels() -> None:
    def reduced(x: torch.Tensor) -> torch.Tensor:
        most = x.sum(1, keepdim=True).max(1, keepdim=True)[0]
        return torch.logsumexp(torch.logsumexp(most.mean(1, keepdim=True), 1, True), 1)

    assert planned(reduced, (16, 64)).kernel_count == 1


@pytest.mark.slow
def test_windows_are_read_by_kernels_that_do_not_reduce() -> None:
    def pool(x: torch.Tensor) -> torch.Tensor:
        image = x.permute(0, 4, 1, 2, 3)
        return torch.logsumexp(F.max_pool3d(image, 2), 1, keepdim=True).relu()

    payload = tilewright.from_torch(pool, (torch.empty(4, 8, 8, 8, 64),)).module
    done = build_planned(
        payload,
        target_named("h200"),
        lambda schedule: build(payload, schedule, verify_steps=False),
    )
    assert not done.refusals
    assert len(done.built.program.kernels) == 2


@pytest.mark.slow
def test_two_norms_of_images_leave_no_op_behind_their_kernels() -> None:
    def norms(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        image, other = x.permute(0, 3, 1, 2), y.permute(0, 3, 1, 2)
        return F.group_norm(image, 8).relu() + F.group_norm(other, 8).relu()

    given = torch.empty(8, 64, 64, 32), torch.empty(8, 64, 64, 32)
    payload = tilewright.from_torch(norms, given).module
    done = build_planned(
        payload,
        target_named("h200"),
        lambda schedule: build(payload, schedule, verify_steps=False),
    )
    assert len(done.built.program.kernels) < 8


@pytest.mark.slow
def test_rows_that_lie_across_channels_are_held_side_by_side() -> None:
    def norm(x: torch.Tensor) -> torch.Tensor:
        return F.layer_norm(x.permute(0, 3, 1, 2) + 1, (64,))

    found = planned(norm, (8, 33, 64, 64))
    assert found.kernel_count == 1
    assert "by [1, columns, 1" in found.text


def test_numbers_of_channels_are_read_as_a_row() -> None:
    x, scale = torch.empty(2, 4, 6, 6), torch.empty(4, 1, 1)
    payload = tilewright.from_torch(lambda x, scale: x * scale, (x, scale))
    assert "affine_map<(d0, d1, d2, d3) -> (d1)>" in payload.text()


def test_a_shuffle_of_pixels_is_one_kernel() -> None:
    def shuffle(x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        return torch.tanh(F.pixel_shuffle(F.relu(x + bias), 2))

    assert planned(shuffle, (2, 8, 3, 5), (8, 1, 1)).kernel_count == 1


@pytest.mark.slow
def test_a_softmax_over_places_is_one_kernel() -> None:
    def softmax(x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        return torch.softmax(F.relu(x + bias).flatten(2), -1)

    assert planned(softmax, (2, 8, 16, 16), (8, 1, 1)).kernel_count == 1


@pytest.mark.slow
def test_pairs_of_neighbours_are_rotated_in_one_kernel() -> None:
    def rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        even, odd = x[..., ::2], x[..., 1::2]
        pairs = [even * cos - odd * sin, even * sin + odd * cos]
        return torch.stack(pairs, -1).flatten(-2)

    given = torch.empty(2, 3, 8, 16), torch.empty(8, 8), torch.empty(8, 8)
    made = assert_right(tilewright.from_torch(rotate, given))
    assert len(made.program.kernels) == 1


def test_rows_at_computed_places_are_reduced_as_they_are_read() -> None:
    def nearest(x: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
        batch = torch.arange(2)[:, None, None]
        return x[batch, at].amax(2)

    given = torch.randn(2, 6, 64), torch.randint(0, 6, (2, 5, 3))
    payload = tilewright.from_torch(nearest, given)
    (made,) = run(payload.module, [one.numpy() for one in given])
    torch.testing.assert_close(torch.from_numpy(made), nearest(*given))
    assert plan(payload.module, target_named("h200")).kernel_count == 1


def _distances(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return ((x[:, :, None] - y[:, None]) ** 2).sum(-1)


def _overlaps(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    low = torch.maximum(x[:, :, None, :2], y[:, None, :, :2])
    high = torch.minimum(x[:, :, None, 2:], y[:, None, :, 2:])
    return (high - low).clamp(min=0).prod(-1)


@pytest.mark.slow
@pytest.mark.parametrize("function", [_distances, _overlaps])
def test_pairs_of_points_and_boxes_are_elementwise(function: Function) -> None:
    (kernel,) = planned(function, (2, 32, 4), (2, 48, 4)).kernels
    assert kernel.candidates[0].sketch.label == "tiles"
