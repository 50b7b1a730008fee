"""Compile Triton kernels for sm_90 without a GPU and read what they need.

A driver that only names the target stands in for the real one, so the JIT specializes
and compiles as it would on the machine, and never launches.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import triton
from triton.backends.compiler import GPUTarget

SHARED_MEMORY_LIMIT = 232_448


@dataclass(frozen=True)
class _CompilingDriver:
    capability: int

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", self.capability, 32)

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int) -> int:
        return 0


@dataclass(frozen=True)
class Resources:
    """The resources of an SM that a compiled kernel takes."""

    registers: int
    stack_bytes: int
    shared_bytes: int
    tensor_core_ops: int
    bulk_copies: int

    @property
    def problem(self) -> str:
        """Why this kernel should not be timed; empty when it may."""
        if self.stack_bytes:
            return "SPILLS"
        return "TOO LARGE" if self.shared_bytes > SHARED_MEMORY_LIMIT else ""


def compile_only(capability: int = 90) -> None:
    """Compile for that GPU from now on, whether or not it is here."""
    triton.runtime.driver.set_active(_CompilingDriver(capability))


def resources(kernel: Any) -> Resources:
    """Read registers, stack and shared memory off a compiled kernel."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(kernel.asm["cubin"])
        file.flush()
        command = [triton.knobs.nvidia.cuobjdump.path, "-res-usage", file.name]
        run = subprocess.run(command, capture_output=True, text=True)
    usage = re.search(r"REG:(\d+) STACK:(\d+)", run.stdout + run.stderr)
    if usage is None:
        raise RuntimeError(f"cuobjdump says nothing of registers: {run.stderr.strip()}")
    return Resources(
        registers=int(usage[1]),
        stack_bytes=int(usage[2]),
        shared_bytes=kernel.metadata.shared,
        tensor_core_ops=kernel.asm["ptx"].count("wgmma.mma_async"),
        bulk_copies=kernel.asm["ptx"].count("cp.async.bulk.tensor"),
    )


def report(title: str, compile_kernels: Callable[[], Iterable[Any]]) -> bool:
    """Compile, print one line a kernel, and tell whether any should be dropped."""
    started = time.perf_counter()
    try:
        found = [resources(kernel) for kernel in compile_kernels()]
    except Exception as error:
        first_line = (str(error).splitlines() or [""])[0]
        print(f"{title:60s} FAILS {type(error).__name__}: {first_line}", flush=True)
        return True
    seconds = time.perf_counter() - started
    for r in found:
        print(
            f"{title:60s} {seconds:5.1f} s  registers {r.registers:3d}"
            f"  stack {r.stack_bytes:4d}  shared {r.shared_bytes:6d}"
            f"  wgmma {r.tensor_core_ops:3d}  bulk {r.bulk_copies:2d}  {r.problem}",
            flush=True,
        )
    return any(r.problem for r in found)
