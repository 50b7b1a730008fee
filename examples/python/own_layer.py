"""A layer built in Python, compiled by default and under a schedule of our own."""

# %% The payload: a linear layer for any number of rows.
import torch

import tilewright
from tilewright.payloads import Payload, linear

layer = Payload("layer")
x = layer.input("x", ("rows", 256), "f16")
w = layer.input("w", (256, 128), "f16")
bias = layer.input("bias", (128,), "f16")
layer.output(linear(x, w, bias=bias, activation="gelu"))
print(layer.text())

# %% The compiler's default schedule, and one that fuses everything into one kernel.
SCHEDULE = """
schedule one_kernel(root) {
  mm   = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  tail = match "linalg.generic" in root

  BM = knob [16, 32, 64]
  tail, grid = tile tail by [BM, 64] onto [block.y, block.x]
  mm, grid   = fuse mm into grid
  fill, grid = fuse fill into grid
}
"""
by_default = tilewright.compile(layer)
one_kernel = tilewright.compile(layer, SCHEDULE, BM=32)
for program in (by_default, one_kernel):
    print(program.report)

# %% Both take any number of rows, and agree with torch.
device = "cuda" if torch.cuda.is_available() else "cpu"
weights = torch.randn(256, 128, device=device).half() / 16
offsets = torch.randn(128, device=device).half()
for rows in (1, 50):
    given = torch.randn(rows, 256, device=device).half()
    exact = torch.nn.functional.gelu(given.float() @ weights.float() + offsets.float())
    for name, program in (("by default", by_default), ("one kernel", one_kernel)):
        error = (program(given, weights, offsets).float() - exact).abs().max().item()
        print(f"{rows} rows, {name}: off by at most {error:.2g}")

# %% The error for a mistake says what is wrong, and what to do.
try:
    one_kernel(torch.randn(50, 255, device=device).half(), weights, offsets)
except tilewright.UserError as error:
    print(error)
