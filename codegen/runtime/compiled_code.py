"""The code of a program's kernels at Triton's own levels, down to the instructions.

    ttir   Triton's dialect, as its front end makes it
    ttgir  with layouts for a target: where Triton places data and pipelines loops
    llir   LLVM IR
    ptx    NVIDIA's virtual instructions
    sass   the instructions of the card

Compiles ahead of time, which needs no GPU. Call it in a worker process, as with
`compile.py`.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.compile import (
    compiled_launches,
    compiling_for,
    different,
    example,
)
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.codegen.targets import Target

LEVELS = ("ttir", "ttgir", "llir", "ptx", "sass")
"""The levels in the order of compilation."""


@dataclass(frozen=True)
class KernelCode:
    """The text of one kernel at a level."""

    kernel: str
    text: str


def heading(kernel: str, target: Target, level: str) -> str:
    """The comment above the code of a kernel, in the language of a level."""
    return f"{';' if level == 'llir' else '//'} {kernel} for {target.name}"


def compiled_code(
    program: GeneratedProgram, target: Target, directory: Path, levels: Sequence[str]
) -> dict[str, list[KernelCode]]:
    """The code of every kernel that the launcher starts, in launch order, by level.

    Sizes that the program leaves open are nominal, as in `compile_program`.
    """
    arguments = [example(spec.sized({})) for spec in program.arguments]
    with compiling_for(target):
        made = different(compiled_launches(program, directory, arguments))
    return {
        level: [KernelCode(one.name, _text(one.kernel, level)) for one in made]
        for level in levels
    }


def _text(kernel: Any, level: str) -> str:
    if level == "sass":
        return disassembled(kernel.asm["cubin"])
    if level not in kernel.asm:
        raise UserError(
            f"Triton kept no {level} of this kernel",
            remedy=f"it has {', '.join(sorted(kernel.asm))}",
        )
    return str(kernel.asm[level])


def disassembled(cubin: bytes) -> str:
    """The instructions of a binary, by NVIDIA's cuobjdump."""
    from triton import knobs

    try:
        tool = knobs.nvidia.cuobjdump.path
    except RuntimeError as error:
        raise _no_disassembler(str(error)) from error
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        try:
            done = subprocess.run(
                [tool, "-sass", file.name], capture_output=True, text=True, check=False
            )
        except OSError as error:
            raise _no_disassembler(str(error)) from error
    if done.returncode != 0:
        raise _no_disassembler(done.stderr.strip() or f"{tool} failed")
    return done.stdout


def _no_disassembler(reason: str) -> UserError:
    return UserError(
        f"no SASS without cuobjdump: {reason}",
        remedy="Triton's wheels bring it; else install the CUDA toolkit and set "
        "TRITON_CUOBJDUMP_PATH, or use --emit ptx",
    )
