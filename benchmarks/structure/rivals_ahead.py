"""Compiles what torch's max-autotune will choose among, in a process of its own.

    python benchmarks/structure/rivals_ahead.py 'gate 4096x1024 bfloat16'

Inductor compiles every candidate before it times them. Here they are compiled and not
timed: every candidate is said to take a millisecond, and the GPU stays free for others.
Triton's cache keeps what was compiled (TRITON_CACHE_DIR), so that the process that
times the work for real compiles little. Inductor's own cache (TORCHINDUCTOR_CACHE_DIR)
must be another folder there: it keeps the choice that was made.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any


def compile_ahead(name: str, seconds: float) -> str:
    """Compile the candidates of a work in a process; what went wrong, if anything."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [sys.executable, __file__, name],
                env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": folder},
                capture_output=True,
                text=True,
                check=False,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return f"not compiled in {seconds:.0f} s"
    lines = done.stderr.strip().splitlines()
    return "" if done.returncode == 0 else (lines[-1] if lines else "it failed")


def _untimed(*_: Any, **__: Any) -> float:
    return 1.0


def main(name: str) -> None:
    """Compile one work by max-autotune, nothing timed."""
    sys.path[0] = str(Path(__file__).parents[1])
    import torch
    from torch._inductor.runtime.benchmarking import benchmarker

    from structure.works import WORKS

    for timing in ("benchmark", "benchmark_gpu", "benchmark_gpu_with_cuda_graph"):
        setattr(benchmarker, timing, _untimed)
    work = WORKS[name]
    compiled = torch.compile(work.function, mode="max-autotune-no-cudagraphs")
    compiled(*work.inputs("cuda"))


if __name__ == "__main__":
    main(sys.argv[1])
