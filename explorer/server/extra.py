"""The packages of the server, which are an optional extra."""

from __future__ import annotations

from importlib.util import find_spec

from tilewright.ir.errors import UserError

_PACKAGES = ("starlette", "uvicorn")


def need_server_packages(wanted_by: str) -> None:
    """Refuse with a remedy where they are missing; imports nothing."""
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing:
        raise UserError(
            f"{wanted_by} needs {' and '.join(missing)}",
            remedy="pip install 'tilewright[serve]'",
        )
