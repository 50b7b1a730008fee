"""A fingerprint of a Python function: equal for equal code and equal values behind it.

The results file keeps what was measured under a reference and a grid. A function has no
text that could stand for it there: a lambda has no source in a session, and the values
of its closure are not in its source. So its code is read, with the functions and values
that it uses. Installed packages count by the names of their functions.
"""

from __future__ import annotations

import functools
import hashlib
import sysconfig
import types
from collections.abc import Iterator, Mapping
from typing import Any

_DEPTH = 12
"""Objects inside objects that are read; deeper ones count by their types."""


def fingerprint(value: object) -> str:
    """Some hexadecimal digits that change if the function computes something else."""
    digest = hashlib.sha256()
    for part in _parts(value, set(), _DEPTH):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:12]


def _parts(value: Any, seen: set[int], depth: int) -> Iterator[str]:
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        yield f"{type(value).__name__} {value!r}"
        return
    if id(value) in seen or depth == 0:
        yield f"again {type(value).__qualname__}"
        return
    seen = seen | {id(value)}
    if isinstance(value, functools.partial):
        yield "partial"
        yield from _each([value.func, value.args, value.keywords], seen, depth)
    elif isinstance(value, types.MethodType):
        yield from _each([value.__func__, value.__self__], seen, depth)
    elif isinstance(value, types.FunctionType):
        yield from _function_parts(value, seen, depth)
    elif isinstance(value, types.CodeType):
        yield from _code_parts(value, seen, depth)
    elif isinstance(value, Mapping):
        yield f"mapping {len(value)}"
        yield from _each([x for pair in value.items() for x in pair], seen, depth)
    elif isinstance(value, tuple | list):
        yield f"{type(value).__name__} {len(value)}"
        yield from _each(value, seen, depth)
    elif isinstance(value, set | frozenset):
        yield from sorted(" ".join(_parts(x, seen, depth - 1)) for x in value)
    elif isinstance(value, types.ModuleType | type | types.BuiltinFunctionType):
        yield f"{type(value).__name__} {_name(value)}"
    else:
        yield from _object_parts(value, seen, depth)


def _each(values: Any, seen: set[int], depth: int) -> Iterator[str]:
    for value in values:
        yield from _parts(value, seen, depth - 1)


def _function_parts(
    function: types.FunctionType, seen: set[int], depth: int
) -> Iterator[str]:
    code = function.__code__
    if code.co_filename.startswith(_installed()):
        yield f"function {_name(function)}"
        return
    yield from _code_parts(code, seen, depth)
    yield from _each([function.__defaults__, function.__kwdefaults__], seen, depth)
    for cell in function.__closure__ or ():
        try:
            yield from _parts(cell.cell_contents, seen, depth - 1)
        except ValueError:
            yield "an empty cell"
    for name in _names(code):
        if name in function.__globals__:
            yield f"global {name}"
            yield from _parts(function.__globals__[name], seen, depth - 1)


def _code_parts(code: types.CodeType, seen: set[int], depth: int) -> Iterator[str]:
    yield f"code {code.co_code.hex()} {code.co_names} {code.co_varnames}"
    yield from _each(code.co_consts, seen, depth)


def _names(code: types.CodeType) -> Iterator[str]:
    """The names that the code and the functions in it look up."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _object_parts(value: Any, seen: set[int], depth: int) -> Iterator[str]:
    yield f"object {_name(type(value))}"
    if hasattr(value, "detach") and hasattr(value, "cpu"):
        value = value.detach().cpu()
        yield f"{value.dtype} {tuple(value.shape)}"
        value = value.contiguous().flatten().view(_torch_bytes()).numpy()
    if hasattr(value, "tobytes"):
        shape, kind = getattr(value, "shape", ""), getattr(value, "dtype", "")
        yield f"{shape} {kind} {hashlib.sha256(value.tobytes()).hexdigest()}"
        return
    if isinstance(call := vars(type(value)).get("__call__"), types.FunctionType):
        yield from _parts(call, seen, depth - 1)
    yield from _parts(getattr(value, "__dict__", {}), seen, depth - 1)


def _torch_bytes() -> Any:
    import torch

    return torch.uint8


def _name(value: Any) -> str:
    module = getattr(value, "__module__", "") or ""
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", "")
    return f"{module}.{name}"


@functools.cache
def _installed() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    return tuple(
        sorted({paths[name] for name in ("stdlib", "purelib", "platlib")}) + ["<frozen"]
    )
