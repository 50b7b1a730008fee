"""Payloads at halved sizes: equal extents stay equal, large ones are halved first."""

from __future__ import annotations

import pytest

from tilewright.ir.structured.smaller_sizes import with_halved_sizes
from tilewright.ir.text import verify
from tilewright.payload_work import iterations
from tilewright.payloads import Payload, attention, linear
from tilewright.pipeline import argument_specs, parse_payload


def shapes_after(payload: Payload, most: float) -> dict[str, tuple[int, ...]] | None:
    small = with_halved_sizes(parse_payload(payload.text()), most)
    if small is None:
        return None
    verify(small)
    assert iterations(small) <= most
    return {spec.name: tuple(spec.shape) for spec in argument_specs(small)[0]}


def test_the_largest_extents_are_halved_first() -> None:
    p = Payload("scores")
    q, k, v = (p.input(name, (32, 4096, 128), "f16") for name in "qkv")
    p.output(attention(q, k, v))
    found = shapes_after(p, 1e9)
    assert found is not None
    assert found["k"] == found["v"] == (32, 256, 128)
    assert found["q"][0] == 32 and found["q"][2] == 128


def test_a_payload_that_is_small_keeps_its_sizes() -> None:
    p = Payload("layer")
    p.output(linear(p.input("x", (64, 32), "f16"), p.input("w", (32, 48), "f16")))
    assert shapes_after(p, 1e9) == {"x": (64, 32), "w": (32, 48)}


@pytest.mark.parametrize("rows", [4097, 12345])
def test_odd_extents_stay(rows: int) -> None:
    p = Payload("layer")
    p.output(linear(p.input("x", (rows, 1024), "f16"), p.input("w", (1024, 64), "f16")))
    found = shapes_after(p, rows * 64 * (256 + 4))
    assert found == {"x": (rows, 256), "w": (256, 64)}


def test_extents_that_cannot_be_halved_give_nothing() -> None:
    p = Payload("layer")
    p.output(linear(p.input("x", (4097, 33), "f16"), p.input("w", (33, 65), "f16")))
    assert shapes_after(p, 1e3) is None
