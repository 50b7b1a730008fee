"""Element-wise chains, activations, gates, masks."""

from __future__ import annotations

import torch
from torch.nn import functional as F

from small_modules.case import Case

ROWS = ((64, 256),), ((8192, 4096),)
TWO = ((64, 256), (64, 256)), ((8192, 4096), (8192, 4096))
WITH_BIAS = ((64, 256), (256,)), ((8192, 4096), (4096,))
IMAGES = ((2, 16, 14, 14),), ((32, 64, 56, 56),)

CASES = (
    Case("gelu", lambda x: F.gelu(x), *ROWS),
    Case("tanh gelu", lambda x: F.gelu(x, approximate="tanh"), *ROWS),
    Case("silu gate", lambda x, y: F.silu(x) * y, *TWO),
    Case("mish and scale", lambda x, b: F.mish(x + b) * 0.5, *WITH_BIAS),
    Case("quick gelu", lambda x: x * torch.sigmoid(1.702 * x), *ROWS),
    Case("squared relu", lambda x: F.relu(x).square(), *ROWS),
    Case("hard swish", lambda x: F.hardswish(x) + F.hardsigmoid(x), *IMAGES),
    Case("chunked gate", lambda x: torch.mul(*x.chunk(2, -1)), *ROWS),
    Case("gated gelu", lambda x: (lambda a, b: F.gelu(a) * b)(*x.chunk(2, -1)), *ROWS),
    Case("residual, scaled", lambda x, y: x + 0.3 * torch.tanh(y), *TWO),
    Case("clamp and where", lambda x, y: torch.where(x > 0, x.clamp(max=2), y), *TWO),
    Case("lerp", lambda x, y: torch.lerp(x, y, 0.25), *TWO),
    Case("soft cap", lambda x: 30 * torch.tanh(x / 30), *ROWS),
    Case("two results", lambda x, y: (x * y, x + y), *TWO),
    Case("sum of outer", lambda x, y: x[:, :1] + y[:1], *TWO),
    Case("cast and back", lambda x: (x.float().exp() + 1).log().to(x.dtype), *ROWS),
    Case(
        "channel scale",
        lambda x, s: x * s[:, :, None, None],
        *((((2, 16, 14, 14), (2, 16)), ((32, 64, 56, 56), (32, 64)))),
    ),
    Case("dropout mask", lambda x, m: x * (m > 0) / 0.9, *TWO),
    Case("polynomial", lambda x: ((x * 0.1 + 0.2) * x + 0.3) * x + 0.4, *ROWS),
    Case("softplus", lambda x: F.softplus(x) - F.logsigmoid(x), *ROWS),
)
