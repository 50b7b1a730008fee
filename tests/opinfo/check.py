"""One call of an ATen op as a payload, compared with what eager torch gave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch

from opinfo.samples import Call
from tilewright.ir.errors import UserError
from tilewright.torch_backend.exact_ops import exact_op, wide
from tilewright.torch_backend.lowering.layouts import memory_order
from tilewright.torch_backend.lowering.lower import lower
from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.ops.elements.creation import UNINITIALIZED
from tilewright.torch_backend.ops.images import convolutions
from tilewright.torch_backend.ops.indexing.shapes import VIEWS
from tilewright.torch_backend.ops.matrices import matmuls
from tilewright.torch_backend.ops.table import OPS
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.partition.support import why_not
from tilewright.torch_backend.runtime.runners import runner_for

Outcome = Literal[
    "right", "wrong", "refused", "missing", "error", "no kernel", "too slow"
]


SUMS_OF_PRODUCTS = frozenset({*matmuls.TABLE, *convolutions.TABLE})


@dataclass(frozen=True)
class Verdict:
    """What became of a call."""

    outcome: Outcome
    detail: str = ""


def check(call: Call, *, kernels: bool = False, device: str = "cpu") -> Verdict:
    """Run a call as a payload; with `kernels`, as planned kernels in an interpreter.

    On a GPU, the planned kernels run there.
    """
    node = call.node
    if op_name(node) not in OPS:
        return Verdict("missing")
    try:
        support = why_not(node, _device(device), strict=True)
        if support.reason is not None:
            return Verdict("refused", support.reason)
        made = _run(call, kernels, _device(device))
    except UserError as error:
        return Verdict("no kernel", error.fact)
    except Exception as error:
        return Verdict("error", f"{type(error).__name__}: {error}")
    return compare(call, made)


def _device(name: str) -> torch.device:
    """The device that tensors made on it have."""
    return torch.empty(0, device=name).device


def _run(call: Call, kernels: bool, device: torch.device) -> list[Any]:
    """The results of the call; None where nobody can read one."""
    node = call.node
    graph = torch.fx.Graph()
    copies = {
        given: _placeholder(graph, given, value) for given, value in call.given.items()
    }
    alone = graph.node_copy(node, copies.__getitem__)
    alone.meta["val"] = call.expected
    outputs = _outputs(graph, alone, call.expected)
    tensors = [n for n in copies.values() if isinstance(n.meta["val"], torch.Tensor)]
    nodes = [alone, *(one for one in outputs if one is not alone)]
    lowered = lower(nodes, tensors, outputs)
    options = Options(interpreter="kernels" if kernels else "payload")
    run = runner_for(lowered, device, options)
    return list(run([n.meta["val"] for n in tensors]))


def _placeholder(graph: torch.fx.Graph, given: torch.fx.Node, value: Any) -> Any:
    made = graph.placeholder(given.name)
    made.meta["val"] = value
    return made


def _outputs(graph: torch.fx.Graph, node: torch.fx.Node, value: Any) -> list[Any]:
    import operator

    if isinstance(value, torch.Tensor):
        return [node]
    found: list[Any] = []
    for place, one in enumerate(value):
        item = graph.call_function(operator.getitem, (node, place))
        item.meta["val"] = one
        found.append(item)
    return found


def compare(call: Call, made: list[Any]) -> Verdict:
    """Judge the results that we made for a call."""
    value = call.expected
    expected = [value] if isinstance(value, torch.Tensor) else list(value)
    precise: list[Any] | None = None
    # Torch makes views itself, so their strides are its own.
    is_computed = op_name(call.node) not in VIEWS
    for place, (ours, eager) in enumerate(zip(made, expected, strict=True)):
        if ours.shape != eager.shape or ours.dtype != eager.dtype:
            return Verdict("wrong", f"{ours.dtype}{tuple(ours.shape)}")
        if _strides(ours) != _strides(eager) and is_computed and _is_dense(eager):
            return Verdict("wrong", f"strides {ours.stride()} for {eager.stride()}")
        if op_name(call.node) in UNINITIALIZED:
            continue
        try:
            torch.testing.assert_close(ours, eager, equal_nan=True)
        except AssertionError as error:
            precise = _in_double(call, wide) if precise is None else precise
            if not _is_as_exact(ours, eager, _item(precise, place), _scale(call)):
                return Verdict("wrong", " ".join(str(error).split())[:300])
    return Verdict("right")


def _item(values: list[Any], place: int) -> Any:
    return values[place] if place < len(values) else None


def _strides(tensor: torch.Tensor) -> list[int]:
    """The strides that matter: those of dimensions that have a second element."""
    pairs = zip(tensor.stride(), tensor.shape, strict=True)
    return [stride for stride, size in pairs if size > 1]


def _is_dense(tensor: torch.Tensor) -> bool:
    return memory_order(tensor.shape, tensor.stride()) is not None


def _in_double(call: Call, seen: Callable[[Any], Any]) -> list[Any]:
    """The call on its operands as `seen`, in float64; empty if torch cannot do it."""
    given = {node: seen(value) for node, value in call.given.items()}
    args = torch.fx.map_arg(call.node.args, given.__getitem__)
    kwargs = torch.fx.map_arg(call.node.kwargs, given.__getitem__)
    try:
        made = exact_op(call.node.target)(*args, **kwargs)  # pyright: ignore
    except Exception:
        return []
    return [made] if isinstance(made, torch.Tensor) else list(made)


def _scale(call: Call) -> torch.Tensor | None:
    """For sums of products, the sums of their magnitudes.

    Where terms cancel, the result is small beside them, and its error depends on the
    order of the sum. Eager torch may be exact there by chance.
    """
    if op_name(call.node) not in SUMS_OF_PRODUCTS:
        return None
    return _item(_in_double(call, _magnitude), 0)


def _magnitude(value: Any) -> Any:
    return wide(value).abs() if isinstance(value, torch.Tensor) else value


def _is_as_exact(
    ours: torch.Tensor, eager: torch.Tensor, exact: Any, scale: torch.Tensor | None
) -> bool:
    """Whether we are as near to the exact result as eager torch is, within rounding."""
    if exact is None or not ours.is_floating_point() or exact.dtype != torch.float64:
        return False
    unit, sum_unit = (torch.finfo(one).eps for one in (ours.dtype, torch.float32))
    room = 2 * (eager.double() - exact).abs() + 4 * unit * exact.abs() + 1e-30
    if scale is not None:
        room += 4 * sum_unit * scale
    near = (ours.double() - exact).abs() <= room
    same = (ours == eager) | (ours.isnan() & eager.isnan())
    return bool((near | same).all())
