"""Hand-written programs for the tuning tests, like those of the code generator.

The tests of compiling, workers and the tuner use real Triton text that does not depend
on the code generator.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from tilewright.codegen.program import (
    Access,
    DotWork,
    GeneratedProgram,
    KernelInfo,
    TensorSpec,
)
from tilewright.tuning.results.tuning_result import Trial
from tilewright.tuning.workers.pools import Finished, Pool, wait


@dataclass(frozen=True)
class Sample:
    """What the pipeline would return."""

    program: GeneratedProgram
    seconds: Mapping[str, float] = field(default_factory=lambda: {"emit": 0.0})


@dataclass
class Watcher:
    """Remembers what it saw; interrupts after a number of trials, if told to."""

    stop_after: int | None = None
    phases: list[str] = field(default_factory=list[str])
    trials: list[Trial] = field(default_factory=list["Trial"])

    def on_phase(self, name: str) -> None:
        self.phases.append(name)

    def on_trial(self, trial: Trial) -> None:
        self.trials.append(trial)
        if self.stop_after is not None and len(self.trials) >= self.stop_after:
            raise KeyboardInterrupt


ADD_ONE = """\
import torch
import triton
import triton.language as tl


@triton.jit
def add_one(source, target, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    tl.store(target + offsets, tl.load(source + offsets, mask=inside) + 1, mask=inside)


def launch(a):
    out = torch.empty_like(a)
    add_one[({programs},)](a, out, a.numel(), BLOCK={block}, num_warps={warps})
    return out
"""

MATMUL = """\
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def matmul(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, num_stages={stages}):
        total = tl.dot(a.load([row, k]), b.load([k, column]), total)
    c.store([row, column], total.to(tl.bfloat16))


def launch(a, b):
    m, k = a.shape
    n = b.shape[1]
    c = torch.empty((m, n), dtype=torch.bfloat16, device=a.device)
    matmul[({m} // {bm}, {n} // {bn})](
        TensorDescriptor.from_tensor(a, [{bm}, {bk}]),
        TensorDescriptor.from_tensor(b, [{bk}, {bn}]),
        TensorDescriptor.from_tensor(c, [{bm}, {bn}]),
        k,
        BM={bm},
        BN={bn},
        BK={bk},
        num_warps={warps},
    )
    return c
"""


@dataclass(frozen=True)
class Sleep:
    """A job that sleeps."""

    seconds: float

    def run(self) -> None:
        time.sleep(self.seconds)


@dataclass(frozen=True)
class StartTool:
    """A job that starts a slow tool, as Triton starts ptxas."""

    def run(self) -> int:
        return subprocess.Popen(["sleep", "60"]).pid


def key_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def elementwise(
    n: int = 4096, block: int = 1024, warps: int = 4, name: str = "a"
) -> GeneratedProgram:
    programs = -(-n // block)
    text = ADD_ONE.format(programs=programs, block=block, warps=warps)
    info = KernelInfo(
        name="add_one",
        grid=(programs,),
        num_warps=warps,
        num_stages=1,
        group=1,
        dots=(),
        accesses=(
            Access("load", name, (block,), "f32", 1, n % block != 0, False),
            Access("store", "out", (block,), "f32", 1, n % block != 0, False),
        ),
    )
    return GeneratedProgram(
        text=text,
        entry="launch",
        arguments=(TensorSpec(name, (n,), "f32"),),
        results=(TensorSpec("out", (n,), "f32"),),
        kernels=(info,),
        key=key_of(text),
    )


def matmul_info(
    m: int,
    n: int,
    k: int,
    bm: int,
    bn: int,
    bk: int,
    warps: int = 8,
    stages: int = 3,
    group: int = 1,
    descriptor: bool = True,
) -> KernelInfo:
    steps = -(-k // bk)
    return KernelInfo(
        name="matmul",
        grid=(-(-m // bm), -(-n // bn)),
        num_warps=warps,
        num_stages=stages,
        group=group,
        dots=(DotWork(bm, bn, bk, "bf16", steps),),
        accesses=(
            Access("load", "a", (bm, bk), "bf16", steps, False, descriptor),
            Access("load", "b", (bk, bn), "bf16", steps, False, descriptor),
            Access("store", "c", (bm, bn), "bf16", 1, False, descriptor),
        ),
    )


def matmul(
    size: int = 512,
    bm: int = 128,
    bn: int = 128,
    bk: int = 64,
    warps: int = 4,
    stages: int = 3,
) -> GeneratedProgram:
    text = MATMUL.format(
        m=size, n=size, bm=bm, bn=bn, bk=bk, warps=warps, stages=stages
    )
    return GeneratedProgram(
        text=text,
        entry="launch",
        arguments=(
            TensorSpec("a", (size, size), "bf16"),
            TensorSpec("b", (size, size), "bf16"),
        ),
        results=(TensorSpec("c", (size, size), "bf16"),),
        kernels=(matmul_info(size, size, size, bm, bn, bk, warps, stages),),
        key=key_of(text),
    )


def broken(body: str, name: str = "a") -> GeneratedProgram:
    """A program whose launcher runs `body` (indented by four) instead of a kernel."""
    text = f"import os\nimport time\nimport torch\n\n\ndef launch(a):\n{body}\n"
    return GeneratedProgram(
        text=text,
        entry="launch",
        arguments=(TensorSpec(name, (8,), "f32"),),
        results=(TensorSpec("out", (8,), "f32"),),
        kernels=(),
        key=key_of(text),
    )


def drain(pool: Pool, seconds: float = 60.0) -> dict[int, Finished]:
    """Wait for every job of a pool; return the finished jobs by ticket."""
    until = time.monotonic() + seconds
    done: dict[int, Finished] = {}
    while pool.pending and time.monotonic() < until:
        done |= {finished.ticket: finished for finished in wait([pool], 1.0)}
    assert pool.pending == 0
    return done


@dataclass(frozen=True)
class Die:
    """Ends its process, or the server that forked it."""

    how: str

    def run(self) -> int:
        if self.how == "exit":
            os._exit(7)
        if self.how == "server":
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(60.0)
        return os.getppid()
