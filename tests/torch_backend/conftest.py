"""Tests of the torch backend compile anew: nothing is kept in the user's cache."""

from __future__ import annotations

import pytest

from tilewright.codegen.runtime.source_cache import SETTING


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "off")
