"""Structures of kernels with products; the default finishes each schedule."""

from __future__ import annotations

import pytest

from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import Payload, Tensor, elementwise, exp, silu
from tilewright.pipeline import Built, build
from tilewright.schedules.schedule import Schedule

BIND = "ops = match implementing [LinalgOp] in root\n"


def built(payload: Payload, names: str, body: str) -> Built:
    """Build a schedule whose handles are the payload's ops; check its numbers."""
    module = payload.module
    lines = f"schedule s(root) {{\n{BIND}{names} = split_handle ops\n{body}\n}}"
    made = build(module, Schedule.from_text(lines), {})
    found = check_kernel_ir(made, make_case(module, seed=0))
    assert found.ok, found.message
    return made


def inputs(
    m: int, n: int, k: int, weights: int = 1
) -> tuple[Payload, Tensor, list[Tensor]]:
    """A payload with a matrix and the weights it is multiplied by."""
    payload = Payload("f")
    x = payload.input("x", (m, k), "f16")
    return payload, x, [payload.input(f"w{i}", (k, n), "f16") for i in range(weights)]


@pytest.mark.parametrize("k", [pytest.param(256, marks=pytest.mark.slow), 200])
def test_a_step_of_k_beyond_the_default_stays_one_step(k: int) -> None:
    payload, x, (w,) = inputs(32, 40, k)
    payload.output((x @ w).cast("f16"))
    made = built(
        payload,
        "zero, mm, out",
        """out, grid = tile out by [32, 32] onto [block.y, block.x]
           mm, grid = fuse mm into grid
           zero, grid = fuse zero into grid
           mm, k = tile mm by [0, 0, 128]""",
    )
    assert made.program.text.count("tl.range") == 1


def test_siblings_share_the_tile_they_read() -> None:
    payload, x, (gate, up) = inputs(40, 50, 70, weights=2)
    payload.output(elementwise(lambda a, b: silu(a) * b, x @ gate, x @ up, dtype="f16"))
    made = built(
        payload,
        "z1, a, z2, b, out",
        """out, grid = tile out by [32, 32] onto [block.y, block.x]
           b, grid = fuse b into grid
           z2, grid = fuse z2 into grid
           a, grid = fuse a into grid
           z1, grid = fuse z1 into grid
           a, k1 = tile a by [0, 0, 32]
           b, k2 = tile b by [0, 0, 32]
           k = fuse_sibling k1 into k2""",
    )
    assert len(made.program.kernels) == 1
    assert made.program.text.count("tl.load(x") == 1


def test_three_projections_are_three_results_of_one_kernel() -> None:
    payload, x, weights = inputs(40, 50, 70, weights=3)
    payload.output(*((x @ w).cast("f16") for w in weights))
    body = ""
    for i in range(3):
        body += f"""o{i}, g{i} = tile o{i} by [32, 32] onto [block.y, block.x]
                    m{i}, g{i} = fuse m{i} into g{i}
                    z{i}, g{i} = fuse z{i} into g{i}
                    m{i}, k{i} = tile m{i} by [0, 0, 32]\n"""
    body += """grid = fuse_sibling g0 into g1
               grid = fuse_sibling grid into g2
               loops = match "scf.for" in grid
               k0, k1, k2 = split_handle loops
               k = fuse_sibling k0 into k1
               k = fuse_sibling k into k2"""
    names = ", ".join(f"z{i}, m{i}, o{i}" for i in range(3))
    made = built(payload, names, body)
    assert len(made.program.kernels) == 1
    assert made.program.text.count("tl.load(x") == 1
    assert made.program.text.count("tl.store(") == 3


def test_a_prologue_of_both_operands_is_computed_in_the_loop_over_k() -> None:
    payload, x, (w,) = inputs(40, 50, 70)
    payload.output((exp(x) @ exp(w)).cast("f16"))
    made = built(
        payload,
        "left, right, zero, mm, out",
        """out, grid = tile out by [32, 32] onto [block.y, block.x]
           mm, grid = fuse mm into grid
           zero, grid = fuse zero into grid
           left, grid = fuse left into grid
           right, grid = fuse right into grid
           mm, k = tile mm by [0, 0, 32]
           left, k = fuse left into k
           right, k = fuse right into k""",
    )
    assert len(made.program.kernels) == 1


def test_a_product_that_is_returned_too_is_a_further_result() -> None:
    payload, x, (w,) = inputs(40, 50, 70)
    product = x @ w
    payload.output(product, elementwise(silu, product, dtype="f16"))
    made = built(
        payload,
        "zero, mm, out",
        """mm = generalize mm
           out, grid = tile out by [32, 32] onto [block.y, block.x]
           mm, grid = fuse mm into grid
           zero, grid = fuse zero into grid
           mm, k = tile mm by [0, 0, 32]""",
    )
    assert len(made.program.kernels) == 1


def test_few_rows_take_the_columns_of_the_instruction() -> None:
    """With its loops exchanged, the product of the transposes is computed."""
    payload, x, (w,) = inputs(5, 200, 70)
    payload.output((x @ w).cast("f16"))
    made = built(
        payload,
        "zero, mm, out",
        """mm = generalize mm
           mm = interchange mm to [1, 0, 2]
           out, grid = tile out by [16, 64] onto [block.y, block.x]
           mm, grid = fuse mm into grid
           zero, grid = fuse zero into grid
           mm, k = tile mm by [0, 0, 32]""",
    )
    assert "tl.dot(w0, x," in made.program.text


SPLIT = """last_tail, last = tile out by [{rows}, 64] onto [block.y, block.x]
           total, last = fuse total into last
           zero, last = fuse zero into last
           total, t = tile total by [1]
           part, grid = tile part by [1, {rows}, 64] onto [block.z, block.y, block.x]
           start, grid = fuse start into grid"""


@pytest.mark.parametrize("factor", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_a_split_sum_with_exchanged_loops(factor: int) -> None:
    payload, x, (w,) = inputs(5, 100, 96)
    payload.output((x @ w).cast("f16"))
    split = SPLIT.format(rows=16)
    built(
        payload,
        "zero, mm, out",
        f"""e, start, part, total = split_reduction mm by {factor} at 0
           {split}
           part = interchange part to [0, 2, 1, 3]
           part, k = tile part by [0, 0, 0, 32]
           last_arriver last""",
    )


def test_a_split_sum_whose_length_no_factor_divides() -> None:
    payload, x, (w,) = inputs(5, 100, 67)
    payload.output((x @ w).cast("f16"))
    split = SPLIT.format(rows=16).replace(
        "total, last =", "rest, last = fuse rest into last\ntotal, last =", 1
    )
    made = built(
        payload,
        "zero, mm, out",
        f"""pieces = split mm after 64 along 2
           mm, rest = split_handle pieces
           f = match "func.func" in root
           canonicalize f
           e, start, part, total = split_reduction mm by 2 at 0
           {split}
           part, k = tile part by [0, 0, 0, 32]
           last_arriver last""",
    )
    assert len(made.program.kernels) == 1


@pytest.mark.parametrize("rows", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_vector_product_keeps_a_sum_for_each_lane(rows: int) -> None:
    payload, x, (w,) = inputs(rows, 100, 70)
    payload.output((x @ w).cast("f16"))
    made = built(
        payload,
        "zero, mm, out",
        f"""mm = generalize mm
           mm = interchange mm to [0, 2, 1]
           out, grid = tile out by [{rows}, 32] onto [block.y, block.x]
           mm, grid = fuse mm into grid
           zero, grid = fuse zero into grid
           start, lanes, total, k = tile_reduction mm by [0, 16, 0]""",
    )
    assert "tl.dot" not in made.program.text
