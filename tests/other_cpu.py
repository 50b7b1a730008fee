"""Runs the tests of numbers as on other processors: `make test-other-cpu`.

numpy, OpenBLAS and torch choose their code by the instructions of the processor. Each
run takes some of them away, so that a result that one processor decided shows. A run
that would change nothing on this machine is skipped, and so are all of them where the
processor is not an x86.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

TESTS = Path(__file__).parent

CHOSEN = (
    "ir/interpreter",
    "codegen/numbers",
    "codegen/emit/test_standalone.py",
    "codegen/runtime/test_interpreter_fixes.py",
    "transforms/structured/quantize",
    "transforms/structured/stream",
    "tuning/search",
    "torch_backend/ops",
    "program/test_program_on_cpu.py",
)
"""The tests that compare numbers, below `tests/`."""


def removable() -> dict[str, bool]:
    """The features that numpy can do without here, and whether each needs AVX512."""
    umath = np._core._multiarray_umath  # pyright: ignore
    has: Mapping[str, bool] = umath.__cpu_features__
    return {
        name: "AVX512" in name or name == "X86_V4"
        for name in umath.__cpu_dispatch__
        if has.get(name)
    }


def processors() -> Iterator[tuple[str, dict[str, str]]]:
    """The processors to imitate, each with its environment."""
    names = removable()
    wide = [name for name, is_avx512 in names.items() if is_avx512]
    if wide:
        yield (
            "without AVX512",
            {
                "NPY_DISABLE_CPU_FEATURES": " ".join(wide),
                "OPENBLAS_CORETYPE": "Haswell",
                "ATEN_CPU_CAPABILITY": "avx2",
            },
        )
    if names:
        yield (
            "without AVX2",
            {
                "NPY_DISABLE_CPU_FEATURES": " ".join(names),
                "OPENBLAS_CORETYPE": "Nehalem",
                "OPENBLAS_NUM_THREADS": "1",
                "ATEN_CPU_CAPABILITY": "default",
            },
        )


def main(options: list[str]) -> int:
    """Run the chosen tests once for each processor; 1 where a run failed."""
    if platform.machine() not in ("x86_64", "AMD64"):
        print(f"skipped: {platform.machine()} has no AVX to do without")
        return 0
    folders = [str(TESTS / name) for name in CHOSEN]
    pytest = [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "worksteal"]
    failed = 0
    for name, environment in processors():
        print(f"{name}: {environment}", flush=True)
        command = [*pytest, "-m", "not slow", *folders, *options]
        done = subprocess.run(command, env={**os.environ, **environment}, check=False)
        failed |= done.returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
