"""Errors about options of a command, in the words of Python: `budget`, no dashes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from tilewright.ir.errors import UserError

_OPTION = re.compile(r"--([a-z][a-z-]*)")


@contextmanager
def in_python() -> Iterator[None]:
    """Rewrite the errors that are raised inside."""
    try:
        yield
    except UserError as error:
        error.fact = _rewritten(error.fact)
        if error.remedy is not None:
            error.remedy = _rewritten(error.remedy)
        raise


def _rewritten(text: str) -> str:
    return _OPTION.sub(lambda found: found[1].replace("-", "_"), text)
