"""Linear algebra on one thread, beside compilers that have all the cores.

BLAS splits even a small product among as many threads as there are cores. They wait for
each other by spinning; where compilers run on these cores, a product of some
milliseconds takes a hundred, and the compilers lose the processor meanwhile.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

_WITH_BLAS = ("numpy", "scipy.linalg", "sklearn", "torch")

P = ParamSpec("P")
T = TypeVar("T")


def on_one_thread(function: Callable[P, T]) -> Callable[P, T]:
    """The function, whose calls of BLAS take one thread."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> T:
        with _controller(_bringers()).limit(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return limited


def _bringers() -> tuple[str, ...]:
    """The packages that have a BLAS of their own and are loaded now."""
    return tuple(name for name in _WITH_BLAS if name in sys.modules)


@cache
def _controller(bringers: tuple[str, ...]) -> ThreadpoolController:
    """Controls the libraries that are loaded now, which the packages have brought."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
