"""Families: equal for payloads that differ only in sizes."""

from __future__ import annotations

from pathlib import Path

from tilewright.payloads import Payload, layernorm, linear
from tilewright.pipeline import parse_payload, read_payload
from tilewright.tuning.results.records import sizes_text
from tilewright.tuning.transfer.family import Family, family_of

ANY_ROWS = Path(__file__).parents[3] / "examples/any_rows/payload.mlir"


def linear_family(m: int, n: int, k: int, dtype: str = "f16") -> Family:
    payload = Payload("f")
    x, w = payload.input("x", (m, k), dtype), payload.input("w", (k, n), dtype)
    payload.output(linear(x, w, activation="relu"))
    return family_of(parse_payload(payload.text()))


def test_sizes_do_not_change_the_family() -> None:
    one, two = linear_family(128, 256, 512), linear_family(64, 64, 64)
    assert one.key == two.key
    assert one.sizes == (128, 256, 512)
    # Sizes that are equal by chance stay three sizes.
    assert two.sizes == (64, 64, 64)


def test_element_types_and_ops_do() -> None:
    assert linear_family(64, 64, 64).key != linear_family(64, 64, 64, "bf16").key
    payload = Payload("f")
    x, w = payload.input("x", (64, 64), "f16"), payload.input("w", (64, 64), "f16")
    payload.output(linear(x, w, activation="gelu"))
    other = family_of(parse_payload(payload.text()))
    assert other.key != linear_family(64, 64, 64).key


def test_constants_that_depend_on_sizes_do_not_count() -> None:
    def mean(rows: int, columns: int) -> Family:
        payload = Payload("f")
        payload.output(layernorm(payload.input("x", (rows, columns), "f16")))
        return family_of(parse_payload(payload.text()))

    assert mean(16, 100).key == mean(16, 200).key
    assert mean(16, 100).sizes == (16, 100)


def test_open_sizes_are_of_the_family_of_known_ones() -> None:
    payload = read_payload(ANY_ROWS)
    text = ANY_ROWS.read_text().replace("?", "48")
    text = text.replace("tensor.empty(%rows)", "tensor.empty()")
    known = family_of(parse_payload(text))
    assert family_of(payload, [(48, 1024), (1024, 512), (512,)]) == known
    assert sizes_text(known.sizes) == "48x512x1024"
    assert sizes_text(family_of(payload).sizes) == "?x512x1024"
