"""Attention with a mask that no library has, in one kernel of flash attention."""

# %% The payload: plain attention. One line says what is special about its scores.
import math
from pathlib import Path

import torch

import tilewright
from tilewright.payloads import Payload, attention, where

BATCH, HEADS, LENGTH, FEATURES = 1, 2, 128, 32


def dilated(s, q, k):
    """A query sees the 16 keys before it, and every fourth key before those."""
    near = q - k < 16
    return where(near | ((q - k) % 4 == 0), s, -math.inf)


layer = Payload("dilated")
shape = (BATCH, HEADS, LENGTH, FEATURES)
q, k, v = (layer.input(name, shape, "f16") for name in "qkv")
layer.output(attention(q, k, v, causal=True, score=dilated))

# %% The schedule is that of causal attention. It does not visit keys after the queries.
EXAMPLES = Path(tilewright.__file__).parent / "examples"
SCHEDULE = EXAMPLES / "attention" / "causal.tw"
program = tilewright.compile(layer, SCHEDULE, BM=32, BN=32)
print(program.source)
print(program.report)

# %% It agrees with attention as torch computes it, scores and all.
device = "cuda" if torch.cuda.is_available() else "cpu"
queries, keys, values = (torch.randn(shape, device=device).half() for _ in range(3))
scores = queries.float() @ keys.float().mT / math.sqrt(FEATURES)
at = torch.arange(LENGTH, device=device)
distance = at[:, None] - at[None, :]
seen = (distance >= 0) & ((distance < 16) | (distance % 4 == 0))
weights = scores.masked_fill(~seen, -math.inf).softmax(-1)
exact = weights @ values.float()
error = (program(queries, keys, values).float() - exact).abs().max().item()
print(f"off by at most {error:.2g}")
