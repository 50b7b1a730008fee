"""A payload and a schedule: compile them, call the program, look inside."""

# %% Compile: the payload says what to compute, the schedule how.
from pathlib import Path

import torch

import tilewright

example = Path(tilewright.__file__).parent / "examples" / "matmul_relu"
program = tilewright.compile(example / "payload.mlir", example / "tile_fuse.tw")
print(program.report)

# %% Call it with torch tensors. Without a GPU it runs in an interpreter, and says so.
device = "cuda" if torch.cuda.is_available() else "cpu"
a = torch.randn(512, 512, device=device).half()
b = torch.randn(512, 512, device=device).half()
out = program(a, b)
exact = (a.float() @ b.float()).relu()
print(f"largest error against torch: {(out.float() - exact).abs().max().item():.3g}")

# %% Look inside: the steps of the schedule, the IR after one of them, the kernel.
for step in program.steps:
    print(step.title)
print("\n".join(program.steps[1].text().splitlines()[:12]))
print(program.source.split("def matmul_relu(")[0])
