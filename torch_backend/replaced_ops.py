"""Whether a user has replaced parts of torch that a trace runs through.

AOTAutograd calls the kernels that are registered in Python for ATen's ops, and takes
ops apart by torch's tables. A graph's text does not say whose functions these are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType
from typing import Any

import torch
from torch._decomp import global_decomposition_table

NAMESPACES = ("aten", "prims")
_PACKAGES = ("torch", "tilewright")
_ATEN = ("Meta", "Conjugate", "Negative", "MPS", "FuncTorchBatched")
_OF_TORCH = {
    "aten": _ATEN,
    "prims": (*_ATEN, "Autograd", "BackendSelect", "CompositeExplicitAutograd"),
}
"""The dispatch keys for which torch itself registers kernels in Python."""


def has_replaced_ops() -> bool:
    """Whether a kernel or a decomposition of an op of torch is a user's."""
    if any(map(_is_users, torch.library._impls)):
        return True
    return not all(map(_is_of_torch, {*_decompositions(), *_kernels()}))


def is_found_by_name(function: Any) -> bool:
    """Whether a function is the one of torch or Python that its name says.

    `functools.wraps` gives a user's function the name of another.
    """
    if isinstance(function, BuiltinFunctionType | MethodDescriptorType):
        return True
    if not isinstance(function, FunctionType) or not _is_of_torch(function):
        return False
    module = sys.modules.get(function.__module__)
    return getattr(module, function.__name__, None) is function


def _is_users(kernel: str) -> bool:
    """Whether a kernel `namespace/op/dispatch key` is not one of torch's own.

    torch has some for CUDA too. They change a trace if torch takes their op apart.
    """
    space, op, key = kernel.split("/")
    if space not in NAMESPACES or key in _OF_TORCH[space]:
        return False
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
    return key != "CUDA" or has_kernel(f"{space}::{op}", "CompositeImplicitAutograd")


def _is_of_torch(function: Any) -> bool:
    module = getattr(function, "__module__", None) or ""
    scope = function.__globals__ if isinstance(function, FunctionType) else {}
    places = (module, scope.get("__name__", module))
    return all(place.split(".")[0] in _PACKAGES for place in places)


def _decompositions() -> Iterator[Any]:
    for table in global_decomposition_table.values():
        yield from table.values()


def _kernels() -> Iterator[Any]:
    """The functions of `OpOverload.py_impl`."""
    for name in NAMESPACES:
        for op in vars(getattr(torch.ops, name)).values():
            for overload in getattr(op, "__dict__", {}).values():
                if isinstance(overload, torch._ops.OpOverload):
                    yield from overload.py_kernels.values()
