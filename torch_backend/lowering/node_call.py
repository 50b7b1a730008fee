"""Calls the function of an ATen op for a node of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch.fx import Node

from tilewright.frontend.builder.function_builder import FunctionBuilder
from tilewright.frontend.builder.gathers import generated
from tilewright.frontend.builder.ops.loop_order import Order, order_of
from tilewright.frontend.builder.scalar import counted
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.errors import CompilerBug
from tilewright.torch_backend.lowering.dtypes import dtype_name
from tilewright.torch_backend.lowering.sizes import Sizes
from tilewright.torch_backend.ops.result import (
    BATCHES_APART,
    BY_WINDOWS,
    Result,
    Spec,
    takes_open_sizes,
)
from tilewright.torch_backend.ops.table import OPS

_ABOUT_MEMORY = ("layout", "device", "pin_memory", "memory_format", "non_blocking")
"""Arguments that say where a result lies, not what it is."""


def op_name(node: Node) -> str:
    """`aten.add.Tensor`; the name of a Python function otherwise."""
    if isinstance(node.target, torch._ops.OpOverload):
        return str(node.target)
    return getattr(node.target, "__name__", str(node.target))


def short_name(op: str) -> str:
    """`layer_norm` for `aten.native_layer_norm.default`."""
    parts = op.split(".")
    name = parts[1] if len(parts) > 2 else parts[-1]
    return name.removeprefix("_").removeprefix("native_")


def call_op(
    node: Node,
    values: Mapping[Node, Any],
    sizes: Sizes,
    builder: FunctionBuilder,
    placed: Order | None = None,
) -> Any:
    """The tensors of the payload that a node's op gives.

    `placed` is the order in memory of a result that only leaves the payload.
    """
    function = OPS[op_name(node)]
    args, kwargs = _arguments(node)

    reading = _Reading(values, sizes, builder, takes_open_sizes(function))

    kinds = [argument.type for argument in _schema(node).arguments]
    operands = [
        reading.value(one, is_tensor=isinstance(kind, torch.TensorType))
        for one, kind in zip(args, kinds, strict=False)
    ]
    out = replace(_result(node, sizes, builder), placed=placed)
    first = operands[0] if operands else None
    if isinstance(first, Tensor):
        out = replace(out, order=order_of(first))
    made: Any = function(
        out,
        *operands,
        **{name: reading.value(one) for name, one in kwargs.items()},
    )
    if isinstance(made, Tensor):
        return _checked(node, made, out.spec)
    return tuple(
        _checked(node, one, spec)
        if one is not None and spec is not None and out.is_used(place)
        else None
        for place, (one, spec) in enumerate(zip(made, out.specs, strict=False))
    )


def _arguments(node: Node) -> tuple[list[Any], dict[str, Any]]:
    """The arguments in the order of the op's schema; keyword-only ones by name."""
    schema = _schema(node)
    given = dict(node.kwargs)
    args = list(node.args)
    for argument in schema.arguments[len(args) :]:
        if argument.kwarg_only:
            continue
        if not any(
            later.name in given
            for later in schema.arguments[len(args) :]
            if not later.kwarg_only
        ):
            break
        args.append(given.pop(argument.name, argument.default_value))
    return args, {k: v for k, v in given.items() if k not in _ABOUT_MEMORY}


def _schema(node: Node) -> Any:
    target = node.target
    assert isinstance(target, torch._ops.OpOverload)
    return target._schema


def _result(node: Node, sizes: Sizes, builder: FunctionBuilder) -> Result:
    value = node.meta["val"]
    several = list(value) if isinstance(value, tuple | list) else [value]
    specs = tuple(
        Spec(sizes.shape(one.shape), dtype_name(one.dtype))
        if isinstance(one, torch.Tensor)
        else None
        for one in several
    )
    used: list[Any] = [u.args[1] for u in node.users] if len(several) > 1 else [0]
    return Result(
        builder,
        specs,
        tuple(place in used for place in range(len(several))),
        by_windows=BY_WINDOWS in node.meta,
        batches_apart=BATCHES_APART in node.meta,
    )


@dataclass(frozen=True)
class _Reading:
    """How the arguments of a node become operands of the op's function."""

    values: Mapping[Node, Any]
    sizes: Sizes
    builder: FunctionBuilder
    names_sizes: bool
    """Whether the function takes the names of open sizes."""

    def value(self, given: Any, *, is_tensor: bool = False) -> Any:
        """An operand; an open size in the place of a tensor is one of rank 0."""
        if isinstance(given, Node):
            if given in self.values:
                return self.values[given]
            value = given.meta.get("val")
            if isinstance(value, torch.SymInt | torch.SymFloat | int | float):
                return self._number(value, is_tensor)
            fail(f"'{given.name}' is not a tensor of the payload")
        if isinstance(given, list | tuple):
            return [self.value(one) for one in given]
        if isinstance(given, torch.SymInt | torch.SymFloat):
            return self._number(given, is_tensor)
        if isinstance(given, torch.dtype):
            return dtype_name(given)
        if isinstance(given, complex):
            fail("a complex number")
        if isinstance(given, torch.device | torch.layout | torch.memory_format):
            return None
        return given

    def _number(self, value: Any, is_tensor: bool) -> Any:
        if isinstance(value, torch.SymInt) and (self.names_sizes or is_tensor):
            size = self.sizes.size(value)
            if isinstance(size, int) or self.names_sizes:
                return size
            return generated(self.builder, lambda: counted(size, "i64"), (), "i64")
        return self.sizes.number(value)


def _checked(node: Node, made: Tensor, spec: Spec) -> Tensor:
    if made.shape != spec.shape or made.dtype != spec.dtype:
        raise CompilerBug(
            f"{op_name(node)} gave {made.described}; torch has {spec.shape} "
            f"{spec.dtype}"
        )
    return made
