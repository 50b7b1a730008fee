"""From which sizes chains are streamed, and how their tiles are multiplied."""

from __future__ import annotations

import pytest

from support.planned_kernels import planned
from tilewright.codegen.targets import TARGETS
from tilewright.payloads import Payload, attention
from tilewright.pipeline import parse_payload
from tilewright.planning.analysis.dataflow import analyse
from tilewright.planning.grouping.streams import find_streams
from tilewright.planning.kernels import Candidate
from tilewright.planning.sketches.streams.rolling import RollingStream
from tilewright.planning.sketches.streams.shape import StreamShape

H200 = TARGETS["h200"]


def attended(
    rows: int, features: int = 64, dtype: str = "f16", *, causal: bool = False
) -> Payload:
    """Attention of 128 heads to 512 keys; to as many keys as rows, if it is causal."""
    p = Payload("attention")
    keys = (8, 16, rows if causal else 512, features)
    q = p.input("q", (8, 16, rows, features), dtype)
    k, v = p.input("k", keys, dtype), p.input("v", keys, dtype)
    p.output(attention(q, k, v, causal=causal))
    return p


def best(payload: Payload) -> Candidate:
    """The planner's pick for the first kernel."""
    return planned(payload).kernels[0].candidates[0]


def streamed_shape(payload: Payload) -> StreamShape:
    """The sizes of a chain that is streamed."""
    sketch = best(payload).sketch
    assert isinstance(sketch, RollingStream)
    return sketch.shape


@pytest.mark.parametrize(("features", "is_chain"), [(256, True), (272, False)])
def test_tiles_hold_rows_of_256_features(features: int, is_chain: bool) -> None:
    module = parse_payload(attended(64, features).text())
    found = find_streams(analyse(module))
    assert bool(found.chains) is is_chain
    assert any("they have 272" in told for told in found.resisting.values()) != is_chain


@pytest.mark.parametrize("rows", [63, 64])
def test_registers_hold_64_rows_of_a_factor(rows: int) -> None:
    assert streamed_shape(attended(rows)).is_held == (rows == 64)


@pytest.mark.parametrize("rows", [128, 129])
def test_tiles_of_128_rows_may_have_masks_of_several_lengths(rows: int) -> None:
    shape = streamed_shape(attended(rows, causal=True))
    assert shape.ends_longer == (rows == 129)


@pytest.mark.parametrize("rows", [32, 33])
def test_f32_is_split_for_more_than_32_rows(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape = streamed_shape(attended(33, dtype="f32"))
    monkeypatch.setattr(StreamShape, "rows", rows)
    assert shape.work(H200).tf32x3 == (rows == 33)
