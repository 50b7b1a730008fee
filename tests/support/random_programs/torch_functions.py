"""Random functions of torch on tensors of random layouts, as source text."""

from __future__ import annotations

import random
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional as F

Tensor = torch.Tensor
LAYOUTS = ("plain", "permuted", "channels last", "expanded", "part", "steps")

NORMS = (
    "F.batch_norm(a, None, None, training=True)",
    "F.batch_norm(a, torch.zeros(a.shape[1]), torch.ones(a.shape[1]))",
    "F.instance_norm(a)",
    "F.group_norm(a, 1)",
    "F.layer_norm(a, a.shape[-1:])",
)
MOVES = (
    *(
        "a.roll(1, 0)",
        "a.flip(0)",
        "a.transpose(0, -1)",
        "a.reshape(-1)",
        "a[..., ::2]",
    ),
    *(
        "a[1:]",
        "a.mT",
        "a.unfold(0, 2, 1)",
        "a.expand(2, *a.shape)",
        "a.movedim(0, -1)",
    ),
    *("a.repeat_interleave(2, 0)", "a.select_scatter(a[0] * 2, 0, 0)", "torch.tril(a)"),
    *("a.slice_scatter(a[:1] + 1, 0, 0, 1)", "a.index_select(0, torch.tensor([1, 0]))"),
    *("F.channel_shuffle(a, 2)", "F.pad(a, (1, 0))", "torch.cat([a, b], -1)"),
    *("torch.stack([a, b], -1)", "a[torch.tensor([1, 0, 1])]", "a.contiguous()"),
)
ELEMENTS = (
    *("torch.relu(a)", "F.gelu(a)", "a.half()", "a > 0", "a + 1", "F.dropout(a, 0.0)"),
    *("a + b", "b * a", "a.copysign(b)", "torch.where(a > b, a, b)", "a.clone()"),
    *("torch.zeros_like(a)", "a.masked_fill(b > 0, 0)", "torch.lerp(a, b, 0.3)"),
    "F.one_hot(a.to(torch.int64).clamp(0, 3), 4)",
)
REDUCTIONS = (
    *(
        "a.sum(0)",
        "a.mean(-1, keepdim=True)",
        "a.amax(0)",
        "a.argmax(-1)",
        "a.cumsum(0)",
    ),
    *("torch.softmax(a, 0)", "a.logsumexp(-1)", "a.var(0)", "a.sort(0)[0]", "a @ b.mT"),
    *("F.max_pool2d(a, 2)", "F.avg_pool2d(a, 3, 1, 1)", "F.adaptive_avg_pool2d(a, 2)"),
    "F.interpolate(a, scale_factor=2)",
)
OPS = (*NORMS, *MOVES, *ELEMENTS, *REDUCTIONS)
_SCOPE = {"torch": torch, "F": F}
_MOST_ELEMENTS = 20_000


def laid_out(draw: random.Random, shape: tuple[int, ...], layout: str) -> Tensor:
    """A tensor of a shape; one that cannot have the layout is contiguous."""
    dim, sizes = draw.randrange(len(shape)), list(shape)
    match layout:
        case "permuted":
            order = draw.sample(range(len(shape)), len(shape))
            back = [order.index(one) for one in range(len(shape))]
            return torch.randn([shape[one] for one in order]).permute(back)
        case "channels last" if len(shape) == 4:
            return torch.randn(shape).to(memory_format=torch.channels_last)
        case "expanded":
            sizes[dim] = 1
            return torch.randn(sizes).expand(shape)
        case "part":
            sizes[dim] += 2
            return torch.randn(sizes).narrow(dim, 1, shape[dim])
        case "steps":
            sizes[dim] *= 2
            places = torch.randn(sizes).unfold(dim, 1, 2)
            return places.squeeze(-1)
        case _:
            return torch.randn(shape)


@dataclass(frozen=True)
class Function:
    """The text of a function of two tensors, and tensors to call it with."""

    text: str
    given: tuple[Tensor, Tensor]

    def made(self, folder: Path) -> Any:
        """The function, in a file that Dynamo can read."""
        path = folder / "function.py"
        path.write_text(self.text)
        scope: dict[str, Any] = dict(_SCOPE)
        exec(compile(self.text, str(path), "exec"), scope)
        return scope["function"]


def works(op: str, a: Tensor, b: Tensor) -> Tensor | None:
    """What eager torch gives; None where it refuses the op."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = eval(op, {**_SCOPE, "a": a, "b": b})
    except Exception:  # each op has its own way to refuse
        return None
    return made if made.numel() <= _MOST_ELEMENTS else None


def random_function(seed: int, most_ops: int = 4) -> Function:
    """A chain of ops that eager torch takes; some results on the way leave it too."""
    draw = random.Random(seed)
    torch.manual_seed(seed)
    rank = draw.choice((2, 3, 4, 4))
    shape = tuple(draw.choice((2, 3, 4, 6)) for _ in range(rank))
    given = tuple(laid_out(draw, shape, draw.choice(LAYOUTS)) for _ in range(2))
    lines, results, (a, b) = list[str](), list[str](), given
    wanted = draw.randint(1, most_ops)
    while len(lines) < wanted:
        op = draw.choice(OPS)
        made = works(op, a, b)
        if made is None:
            continue
        lines.append(f"    a = {op}")
        if len(lines) == wanted or draw.random() < 0.3:
            lines[-1] += f"; r{len(results)} = a"
            results.append(f"r{len(results)}")
        a = made
    body = "\n".join(lines)
    text = f"def function(a, b):\n{body}\n    return {', '.join(results)},\n"
    return Function(text, (given[0], given[1]))


def each_alone(shape: tuple[int, ...], layout: str, seed: int = 0) -> Function:
    """All ops on the same two tensors, each with a result of its own."""
    draw = random.Random(seed)
    torch.manual_seed(seed)
    a, b = laid_out(draw, shape, layout), torch.randn(shape)
    ops = [op for op in OPS if works(op, a, b) is not None]
    body = "\n".join(f"    r{place} = {op}" for place, op in enumerate(ops))
    results = ", ".join(f"r{place}" for place in range(len(ops)))
    return Function(f"def function(a, b):\n{body}\n    return {results},\n", (a, b))
