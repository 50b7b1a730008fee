"""The texts of a request become files: what no file can hold is refused."""

from __future__ import annotations

import pytest

from tilewright.explorer.server.texts import BadRequest, Texts


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(BadRequest, match="'payload' has half a surrogate pair"):
        Texts.from_json({"payload": "// \ud800"})


def test_a_name_that_is_too_long_in_bytes_is_not_used() -> None:
    name = "\U0001f600" * 90 + ".mlir"
    assert Texts.from_json({"payload_name": name}).payload_name == "payload.mlir"
