"""A product in fp8 and in int8: how far off the results are."""

# %% The product, and a schedule with the format left open.
import torch

import tilewright
from tilewright.payloads import Payload

product = Payload("product")
a = product.input("a", (128, 256), "f32")
b = product.input("b", (256, 128), "f32")
product.output(a @ b)

SCHEDULE = """
schedule fewer_bits(root) {
  mm = match "linalg.matmul" in root
  choose format {
    exact { }
    fp8   { quantize mm to `f8E4M3FN` per_channel = true }
    int8  { quantize mm to `i8` per_channel = true }
  }
}
"""

# %% Each choice is a program of its own.
device = "cuda" if torch.cuda.is_available() else "cpu"
x, y = torch.randn(128, 256, device=device), torch.randn(256, 128, device=device)
exact = x.double() @ y.double()
size = exact.square().mean().sqrt()
for form in ("exact", "fp8", "int8"):
    program = tilewright.compile(product, SCHEDULE, format=form)
    error = (program(x, y).double() - exact).square().mean().sqrt() / size
    print(f"{form}: off by {error.item():.2g} of the results' size")
