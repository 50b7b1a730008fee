"""Linear algebra on one thread, beside compilers that have all the cores.

BLAS splits even a small product among as many threads as there are cores. They wait for
each other by spinning; where compilers run on these cores, a product of some
milliseconds takes a hundred, and the compilers lose the processor meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

P = ParamSpec("P")
T = TypeVar("T")


def on_one_thread(function: Callable[P, T]) -> Callable[P, T]:
    """The function, whose calls of BLAS take one thread."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> T:
        with _controller().limit(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return limited


@cache
def _controller() -> ThreadpoolController:
    """Controls the libraries that are loaded now; the caller has loaded numpy."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
