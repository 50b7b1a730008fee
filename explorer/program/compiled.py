"""What Triton's compiler makes of the source, as further steps."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.codegen.program import GeneratedProgram
from tilewright.explorer.program.line_tables import source_lines
from tilewright.explorer.program.recording import Recording
from tilewright.explorer.program.request import ProgramRequest
from tilewright.ir.errors import UserError

TITLES = {
    "ttir": "TTIR",
    "ttgir": "TTGIR",
    "llir": "LLVM IR",
    "ptx": "PTX",
    "sass": "SASS",
}
"""The levels in the order of compilation, and what the page calls them."""


def add_code(
    request: ProgramRequest,
    program: GeneratedProgram,
    recording: Recording,
    progress: Callable[[str], None],
) -> str:
    """Add a step for each level; returns why there is none, if there is none."""
    from tilewright.codegen.runtime.compiled_code import heading
    from tilewright.codegen.runtime.source_cache import source_directory
    from tilewright.tuning.workers.jobs import CodeJob
    from tilewright.tuning.workers.one_job import in_worker

    target = request.target
    if target is None or not program.kernels:
        return "" if target is None else "the program only calls libraries"
    levels = tuple(level for level in TITLES if level in request.compiled)
    progress(f"compiling to {', '.join(levels)}")
    try:
        job = CodeJob(program, target, source_directory(), levels)
        found = in_worker("compile", job, limit=300.0).value
    except UserError as error:
        return f"no {', '.join(levels)}: {error.fact}"
    for level in levels:
        text: list[str] = []
        lines: list[int | None] = []
        for code in found[level]:
            text += [heading(code.kernel, target, level), *code.text.splitlines()]
            lines += [None, *source_lines(level, code.text)]
        step = recording.add_text(TITLES[level], "compiler", "\n".join(text))
        step.facts["source_lines"] = lines
        step.level = level
    return ""
