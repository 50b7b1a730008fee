"""Options of the backend.

torch.compile(model, backend="tilewright", options={"fallback": "error"})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from tilewright.ir.errors import UserError

Fallback = Literal["torch", "error"]
Interpreter = Literal["payload", "kernels"]
_MODES = ("default", "max-autotune", "reduce-overhead")


@dataclass(frozen=True)
class Options:
    """What a user may choose."""

    fallback: Fallback = "torch"
    """What happens to ops that are not in the table: torch calls, or an error."""
    interpreter: Interpreter = "payload"
    """What runs tensors on a CPU: the payload itself, or the kernels planned for it."""
    target: str = "auto"
    """The card that kernels are planned for; this machine's GPU by default."""
    mode: str = "default"
    strict: bool = False
    """Raise errors of the compiler's own instead of leaving the op to torch."""


def read_options(mode: str | None, given: Mapping[str, Any] | None) -> Options:
    """The options of a call of torch.compile; refuses unknown ones."""
    names = [field.name for field in fields(Options)]
    for name in given or {}:
        if name not in names:
            raise UserError(
                f"the backend has no option '{name}'",
                remedy=f"the options are {', '.join(names)}",
            )
    made = Options(**{"mode": mode or "default", **(given or {})})
    _check("fallback", made.fallback, get_args(Fallback))
    _check("interpreter", made.interpreter, get_args(Interpreter))
    _check("mode", made.mode, _MODES)
    return made


def _check(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        listed = ", ".join(repr(one) for one in allowed)
        raise UserError(f"{name} is {value!r}", remedy=f"it is one of {listed}")
