"""Calls of torch's own functions that torch takes apart badly.

Dynamo's graph still has them whole:

    instance_norm(x)          ATen joins batch and channels in a view, which a
                              channels-last image has to be copied for
    -> group_norm(x, groups=channels).contiguous()

    dropout(x, 0.0)           eager torch gives x itself, ATen a copy
    -> x

    one_hot(x, classes)       eager torch fills a contiguous tensor, ATen compares
                              each element of x, in the layout of x
    -> one_hot(x.contiguous(), classes)

    pad(x, mode="circular")   ATen writes each side into slices of the result
    -> x[:, :, rows, columns] with indices modulo the sizes

    multilabel_margin_loss(x, target)   torch adds the margins of places behind the
                                        last label too, unlike eager torch
    -> the margins of the labels alone
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.fx import GraphModule, Node
from torch.nn import functional as F
from torch.nn._reduction import legacy_get_string

_PAD: Any = getattr(torch._C, "_nn").pad  # noqa: B009  # its stub has no `_nn`
_ONE_HOT: Any = getattr(torch._C, "_nn").one_hot  # noqa: B009


def simplify_calls(graph: GraphModule) -> None:
    """Replace such calls in a graph that Dynamo captured."""
    for node in list(graph.graph.nodes):
        if node.op != "call_function":
            continue
        if node.target is F.instance_norm:
            _normalize_groups(node)
        elif node.target is F.dropout:
            _drop_nothing(node)
        elif node.target in (_ONE_HOT, F.one_hot):
            node.target = one_hot
        elif node.target is F.multilabel_margin_loss:
            node.target = multilabel_margin_loss
        elif node.target is _PAD and not torch.is_grad_enabled():
            _gather_circle(node)
    graph.recompile()


def _normalize_groups(node: Node) -> None:
    """An instance norm of its own statistics, as a group norm."""
    names = ("input", "running_mean", "running_var", "weight", "bias")
    names += ("use_input_stats", "momentum", "eps")
    given: dict[str, Any] = dict(zip(names, node.args, strict=False)) | dict(
        node.kwargs
    )
    value = given["input"].meta.get("example_value")
    is_tracking = given.get("running_mean") is not None
    if is_tracking or not given.get("use_input_stats", True) or value is None:
        return
    # torch refuses images of one place; a group norm would not.
    if value.dim() < 3 or not all(isinstance(s, int) for s in value.shape):
        return
    if value[0, 0].numel() < 2:
        return
    weight, bias, eps = given.get("weight"), given.get("bias"), given.get("eps", 1e-5)
    node.target, node.kwargs = instance_norm, {}
    node.args = (given["input"], value.shape[1], weight, bias, eps)


def instance_norm(x: torch.Tensor, *arguments: Any) -> torch.Tensor:
    """A group norm with the arguments; contiguous, as eager torch's instance norm."""
    return F.group_norm(x, *arguments).contiguous()


def one_hot(x: torch.Tensor, *arguments: Any, **named: Any) -> torch.Tensor:
    """`one_hot` of a contiguous tensor, which gives a contiguous tensor."""
    return _ONE_HOT(x.contiguous(), *arguments, **named)


def _drop_nothing(node: Node) -> None:
    """A dropout with a probability of 0 gives its operand, as in eager torch."""
    names = ("input", "p", "training", "inplace")
    given: dict[str, Any] = dict(zip(names, node.args, strict=False)) | dict(
        node.kwargs
    )
    chance = given.get("p", 0.5)
    if isinstance(chance, int | float) and chance == 0:
        node.replace_all_uses_with(given["input"])
        node.graph.erase_node(node)


def _gather_circle(node: Node) -> None:
    """A circular padding as a read at indices modulo the sizes."""
    if len(node.args) < 3 or node.args[2] != "circular" or node.kwargs:
        return
    x: Any = node.args[0]
    padding: Any = node.args[1]
    value = x.meta.get("example_value")
    if value is None or not all(isinstance(s, int) for s in (*value.shape, *padding)):
        return
    node.target, node.args = circular_pad, (x, tuple(padding))


def circular_pad(x: torch.Tensor, padding: Sequence[int]) -> torch.Tensor:
    """The tensor repeated at its ends; `padding` has the last dimension first."""
    count = len(padding) // 2
    indices: list[torch.Tensor | None] = [None] * (x.dim() - count)
    for axis in reversed(range(count)):
        before, after = padding[2 * axis : 2 * axis + 2]
        size = x.shape[x.dim() - 1 - axis]
        places = torch.arange(-before, size + after, device=x.device) % size
        indices.append(places.reshape(-1, *[1] * axis))
    return torch.ops.aten.index(x, indices)


def multilabel_margin_loss(
    x: torch.Tensor,
    target: torch.Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> torch.Tensor:
    """The margins between labels and all other classes; -1 ends a row of labels."""
    if size_average is not None or reduce is not None:
        reduction = legacy_get_string(size_average, reduce)
    classes = x.shape[-1]
    counted = (target == -1).cumsum(-1) == 0
    labels = target.where(counted, 0)
    others = torch.arange(classes, device=x.device)
    is_label = ((labels.unsqueeze(-1) == others) & counted.unsqueeze(-1)).any(-2)
    margins = 1 - x.gather(-1, labels).unsqueeze(-1) + x.unsqueeze(-2)
    adds = counted.unsqueeze(-1) & ~is_label.unsqueeze(-2)
    losses = margins.clamp_min(0).where(adds, 0).sum((-2, -1)) / classes
    if reduction == "none":
        return losses
    return losses.sum() if reduction == "sum" else losses.mean()
