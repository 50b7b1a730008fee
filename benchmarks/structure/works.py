"""Works of several ops, as torch functions: layers, norms, attention, losses, images.

Each can be cut into kernels in more than one way. A work has sizes for a GPU, and tiny
ones to try the command without one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

Shape = tuple[int, ...]
Outputs = Tensor | tuple[Tensor, ...]


@dataclass(frozen=True)
class Work:
    """A function, and the shapes of its arguments by the sizes that they depend on."""

    function: Callable[..., Outputs]
    shapes: Callable[[int, int], tuple[Shape, ...]]
    """The shapes, from a number of rows and a number of features."""
    rows: int = 4096
    features: int = 1024
    dtype: torch.dtype = torch.bfloat16
    labels: int = 0
    """Classes of the last argument, if it holds labels: a vector of the first rows."""

    @property
    def name(self) -> str:
        """The function and its sizes."""
        kind = str(self.dtype).removeprefix("torch.")
        return f"{self.function.__name__} {self.rows}x{self.features} {kind}"

    def inputs(self, device: str, tiny: bool = False) -> tuple[Tensor, ...]:
        """Random arguments; tiny ones are of f16, which Triton's interpreter has."""
        rows, features = (32, 32) if tiny else (self.rows, self.features)
        dtype = torch.float16 if tiny and self.dtype != torch.float32 else self.dtype
        torch.manual_seed(0)
        made = [
            torch.randn(shape, device=device, dtype=torch.float32)
            .mul_(shape[-2] ** -0.5 if len(shape) > 1 else 1.0)
            .to(dtype)
            for shape in self.shapes(rows, features)
        ]
        if self.labels:
            classes = made[-1].shape[-1]
            made[-1] = torch.randint(0, classes, (rows,), device=device)
        return tuple(made)


def rms(x: Tensor, g: Tensor) -> Tensor:
    """A root mean square norm, computed in f32."""
    wide = x.float()
    scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
    return (wide * scale).to(x.dtype) * g


def mlp(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    """Two linear layers, a relu between them."""
    return torch.relu(x @ w1 + b1) @ w2 + b2


def gated_mlp(x: Tensor, gate: Tensor, up: Tensor, down: Tensor) -> Tensor:
    """The feed-forward layer of llama."""
    return (F.silu(x @ gate) * (x @ up)) @ down


def norm_linear(x: Tensor, g: Tensor, w: Tensor) -> Tensor:
    """A norm, then a linear layer."""
    return rms(x, g) @ w


def norm_linear_gelu(x: Tensor, g: Tensor, b: Tensor, w: Tensor) -> Tensor:
    """A layer norm, a linear layer, a gelu."""
    return F.gelu(F.layer_norm(x, g.shape, g, b) @ w)


def linear_residual_norm(x: Tensor, w: Tensor, r: Tensor, g: Tensor) -> Outputs:
    """A linear layer with a residual, and its norm; both are stored."""
    h = x @ w + r
    return h, rms(h, g)


def residual_norm(x: Tensor, y: Tensor, g: Tensor, b: Tensor) -> Outputs:
    """A residual and its layer norm; both are stored."""
    h = x + y
    return h, F.layer_norm(h, g.shape, g, b)


def linear_norm(x: Tensor, w: Tensor, g: Tensor) -> Tensor:
    """A long sum into few features, and their norm."""
    return rms(x @ w, g)


def router(x: Tensor, w: Tensor) -> Tensor:
    """The weights of experts."""
    return torch.softmax((x @ w).float(), -1)


def pooled(x: Tensor, w: Tensor, v: Tensor) -> Tensor:
    """A softmax between two matmuls."""
    return torch.softmax(x @ w, -1) @ v


def normed_pooled(x: Tensor, w: Tensor, v: Tensor, g: Tensor) -> Tensor:
    """A softmax between two matmuls, and a norm."""
    return rms(torch.softmax(x @ w, -1) @ v, g)


def attention_projection(q: Tensor, k: Tensor, v: Tensor, w: Tensor) -> Tensor:
    """Attention of 16 heads, and a linear layer for each."""
    scores = (q @ k.transpose(-1, -2)) * q.shape[-1] ** -0.5
    return (torch.softmax(scores.float(), -1).to(q.dtype) @ v) @ w


def projections(x: Tensor, g: Tensor, q: Tensor, k: Tensor, v: Tensor) -> Outputs:
    """Queries, keys and values of a norm."""
    h = rms(x, g)
    return h @ q, h @ k, h @ v


def head_loss(x: Tensor, w: Tensor, labels: Tensor) -> Tensor:
    """The last layer of a language model, and its loss."""
    return F.cross_entropy((x @ w).float(), labels)


def loss_and_size(x: Tensor, labels: Tensor) -> Outputs:
    """A cross entropy, and the size of its log-sum-exps."""
    wide = x.float()
    size = torch.logsumexp(wide, -1)
    return F.cross_entropy(wide, labels), (size * size).mean()


def divergence(x: Tensor, y: Tensor) -> Tensor:
    """The Kullback-Leibler divergence of two softmaxes."""
    p, q = torch.log_softmax(x.float(), -1), torch.log_softmax(y.float(), -1)
    return (p.exp() * (p - q)).sum(-1)


def statistics(x: Tensor) -> Outputs:
    """Mean, variance and maximum of rows."""
    wide = x.float()
    mean = wide.mean(-1)
    return mean, (wide - mean[:, None]).pow(2).mean(-1), wide.amax(-1)


def contrast(x: Tensor, y: Tensor) -> Tensor:
    """All products of two sets of unit vectors."""
    a, b = F.normalize(x.float(), dim=-1), F.normalize(y.float(), dim=-1)
    return a.to(x.dtype) @ b.to(x.dtype).T


def gate(x: Tensor, w: Tensor, y: Tensor) -> Tensor:
    """A linear layer that scales a tensor."""
    return torch.sigmoid(x @ w) * y


def low_rank(x: Tensor, w: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """A linear layer with an adapter of rank 16."""
    return x @ w + (x @ a) @ b


def adam(p: Tensor, g: Tensor, m: Tensor, v: Tensor) -> Outputs:
    """A step of Adam."""
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v.abs() + 0.001 * g * g
    return p - 1e-3 * m / (v.sqrt() + 1e-8), m, v


def layers(x: Tensor, *weights: Tensor) -> Tensor:
    """Equal layers: a norm, a linear layer, a relu, a residual."""
    for g, w in zip(weights[::2], weights[1::2], strict=True):
        x = x + torch.relu(rms(x, g) @ w)
    return x


def convolutions(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor) -> Tensor:
    """Two convolutions, a scale and a relu between them."""
    h = torch.relu(F.conv2d(x, w1, padding=1) * b1[:, None, None])
    return F.conv2d(h, w2, padding=1)


def convolution_norm(x: Tensor, w: Tensor, g: Tensor, b: Tensor) -> Tensor:
    """A convolution, a group norm, a silu."""
    return F.silu(F.group_norm(F.conv2d(x, w, padding=1), 4, g, b))


def pointwise_convolutions(x: Tensor, w1: Tensor, w2: Tensor) -> Tensor:
    """Two convolutions of one pixel, a gelu between them."""
    return F.conv2d(F.gelu(F.conv2d(x, w1)), w2)


def _square(m: int, n: int) -> tuple[Shape, ...]:
    return ((m, n), (n,), (n, n))


def _image(m: int, n: int) -> Shape:
    """Images of 28 x 28, or of 8 x 8 where the rows are few."""
    side = 28 if m > 32 else 8
    return (max(m // (side * side), 1), n, side, side)


_WORKS = (
    Work(mlp, lambda m, n: ((m, n), (n, 4 * n), (4 * n,), (4 * n, n), (n,))),
    Work(mlp, lambda m, n: ((m, n), (n, n), (n,), (n, n), (n,)), rows=128),
    Work(gated_mlp, lambda m, n: ((m, n), (n, 4 * n), (n, 4 * n), (4 * n, n))),
    Work(norm_linear, _square),
    Work(norm_linear, _square, rows=64, features=4096),
    Work(norm_linear_gelu, lambda m, n: ((m, n), (n,), (n,), (n, 4 * n))),
    Work(linear_residual_norm, lambda m, n: ((m, n), (n, n), (m, n), (n,))),
    Work(
        linear_residual_norm,
        lambda m, n: ((m, n), (n, n), (m, n), (n,)),
        rows=16384,
        features=128,
    ),
    Work(residual_norm, lambda m, n: ((m, n), (m, n), (n,), (n,)), features=4096),
    Work(linear_norm, lambda m, n: ((m, 8 * n), (8 * n, n), (n,)), features=256),
    Work(router, lambda m, n: ((m, n), (n, max(n // 32, 16))), features=2048),
    Work(pooled, lambda m, n: ((m, n), (n, n), (n, n)), features=128),
    Work(normed_pooled, lambda m, n: ((m, n), (n, n), (n, n), (n,)), features=256),
    Work(
        attention_projection,
        lambda m, n: ((16, m, n), (16, m, n), (16, m, n), (16, n, n)),
        rows=2048,
        features=64,
    ),
    Work(projections, lambda m, n: ((m, n), (n,), (n, n), (n, n), (n, n))),
    Work(head_loss, lambda m, n: ((m, n), (n, 8 * n), (m, 8 * n)), labels=8),
    Work(loss_and_size, lambda m, n: ((m, 32 * n), (m, 32 * n)), labels=32),
    Work(divergence, lambda m, n: ((m, 32 * n), (m, 32 * n))),
    Work(statistics, lambda m, n: ((m, 8 * n),), dtype=torch.float32),
    Work(contrast, lambda m, n: ((m, n), (m, n)), features=512),
    Work(gate, lambda m, n: ((m, n), (n, n), (m, n))),
    Work(low_rank, lambda m, n: ((m, n), (n, n), (n, 16), (16, n))),
    Work(adam, lambda m, n: ((m, n),) * 4, dtype=torch.float32),
    Work(layers, lambda m, n: ((m, n), *(((n,), (n, n)) * 4)), rows=8192, features=128),
    Work(layers, lambda m, n: ((m, n), *(((n,), (n, n)) * 4)), rows=2048),
    Work(
        convolutions,
        lambda m, n: (_image(m, n), (n, n, 3, 3), (n,), (n, n, 3, 3)),
        rows=25088,
        features=128,
        dtype=torch.float16,
    ),
    Work(
        convolution_norm,
        lambda m, n: (_image(m, n), (n, n, 3, 3), (n,), (n,)),
        rows=25088,
        features=128,
        dtype=torch.float16,
    ),
    Work(
        pointwise_convolutions,
        lambda m, n: (_image(m, n), (4 * n, n, 1, 1), (n, 4 * n, 1, 1)),
        rows=25088,
        features=128,
        dtype=torch.float16,
    ),
)

WORKS: dict[str, Work] = {work.name: work for work in _WORKS}
"""By their names."""
