"""Make the level files anew: python tests/data/levels/generate.py (needs mlir-opt-22).

Each case is the template with sizes, input type and branch filled in; real MLIR runs
its schedule and prints the function after each level.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

HERE = Path(__file__).parent

# name: (m, n, k, input type, branch: 0 the tail fused into the tiles, 1 apart)
CASES = {
    "ragged_f16": (200, 104, 136, "f16", 0),
    "ragged_bf16": (200, 104, 136, "bf16", 0),
    "ragged_f32": (200, 104, 136, "f32", 0),
    "dividing_f16": (128, 192, 64, "f16", 0),
    "separate_f16": (200, 104, 136, "f16", 1),
}


def generate(name: str, m: int, n: int, k: int, dtype: str, branch: int) -> None:
    """Write `<case>_<level>.mlir` for every level of one case."""
    text = (HERE / "linear.mlir.template").read_text()
    for letter, size in (("M", m), ("N", n), ("K", k)):
        text = re.sub(rf"(?<=[<x]){letter}(?=x)", str(size), text)
    text = text.replace("xT>", f"x{dtype}>").replace("BRANCH", str(branch))
    done = subprocess.run(
        ["mlir-opt-22", "--transform-interpreter", "-o", "/dev/null"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    parts = re.split(r"\[\[\[ IR printer: (\w+) \]\]\]\n", done.stdout)
    for level, body in zip(parts[1::2], parts[2::2], strict=True):
        header = f"// {m}x{n}x{k} {dtype}, made by generate.py with mlir-opt-22.\n"
        (HERE / f"{name}_{level}.mlir").write_text(header + body.rstrip() + "\n")


if __name__ == "__main__":
    for case, values in CASES.items():
        generate(case, *values)
