"""Conditions on indices, found in bodies, and the share of elements that they keep."""

from __future__ import annotations

import pytest

from tilewright.payloads import Payload, Scalar, elementwise, index, where
from tilewright.pipeline import parse_payload
from tilewright.planning.analysis.dataflow import analyse
from tilewright.planning.analysis.masks import IndexMask, index_mask


def mask_of(condition: str, loop: int = 1) -> IndexMask | None:
    p = Payload("f")
    x = p.input("x", (512, 512), "f32")
    conditions = {
        "causal": lambda i, j, x: j <= i,
        "window": lambda i, j, x: (j <= i) & (i - j < 128),
        "data": lambda i, j, x: x > 0,
        "rows": lambda i, j, x: i < 8,
    }

    def body(x: Scalar) -> Scalar:
        i, j = index(0), index(1)
        return where(conditions[condition](i, j, x), x, 0.0)

    p.output(elementwise(body, x))
    (facts,) = analyse(parse_payload(p.text())).ops
    return index_mask(facts, loop)


@pytest.mark.parametrize(
    ("condition", "share"), [("causal", 0.5), ("window", 0.22)], ids=str
)
def test_the_share_is_sampled(condition: str, share: float) -> None:
    mask = mask_of(condition)
    assert mask is not None and mask.reads(0)
    assert mask.share() == pytest.approx(share, abs=0.06)


@pytest.mark.parametrize("condition", ["data", "rows"])
def test_other_conditions_are_no_masks_of_the_index(condition: str) -> None:
    assert mask_of(condition) is None


def test_a_mask_is_of_the_loop_that_is_asked_about() -> None:
    mask = mask_of("rows", loop=0)
    assert mask is not None and not mask.reads(1)
    assert mask.share() < 0.1


def test_a_condition_on_data_is_taken_to_keep_a_quarter() -> None:
    p = Payload("documents")
    x, kept = p.input("x", (512, 512), "f32"), p.input("kept", (512,), "i32")
    p.output(elementwise(lambda x, kept: where(kept >= 8, x, 0.0), x, kept))
    (facts,) = analyse(parse_payload(p.text())).ops
    mask = index_mask(facts, 1)
    assert mask is not None and mask.share() == 0.25
