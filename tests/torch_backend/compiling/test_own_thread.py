"""Planning runs on a stack of its own, and tells its results and errors."""

from __future__ import annotations

import sys
from contextvars import ContextVar

import pytest

from tilewright.ir.errors import UserError
from tilewright.torch_backend.compiling.compile import in_own_thread

SETTING: ContextVar[str] = ContextVar("setting", default="none")


def depth() -> int:
    frame, count = sys._getframe(), 0
    while frame is not None:
        frame, count = frame.f_back, count + 1
    return count


def test_the_stack_is_empty_and_the_context_is_kept() -> None:
    token = SETTING.set("here")
    try:
        assert in_own_thread(depth) < min(depth(), 12)
        assert in_own_thread(SETTING.get) == "here"
    finally:
        SETTING.reset(token)


def test_results_and_errors_pass_through() -> None:
    assert in_own_thread(divmod, 17, 5) == (3, 2)

    def refuse() -> None:
        raise UserError("no kernel")

    with pytest.raises(UserError, match="no kernel"):
        in_own_thread(refuse)
