"""tilewright: compile a payload under a schedule to Triton kernels, and tune it.

    program = tilewright.compile("payload.mlir", "schedule.tw", BM=128)
    out = program(a, b)
    print(tilewright.plan("payload.mlir").text)
    tuned = tilewright.tune("payload.mlir", budget="60s")
    s = tilewright.schedule("linear")        # a schedule built in Python

This folder is the public package: `program.py` (the above), `artefact.py`
(a folder that runs without the compiler), `schedule_builder.py`, `pipeline.py`, `api/`
(`tune`, `check`, `space`, `search`), `cli/` and `commands/` (the command line),
`inspect/` and `check_schedule/`. `ir`, `frontend`, `transforms`, `schedules`,
`codegen`, `planning`, `tuning`, `torch_backend` and `explorer` are links to the folders
beside it; it may import them all. `examples` and `docs` are links too: data that a
wheel brings along. Names are imported when they are first used: `import tilewright`
stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tilewright.version import __version__

if TYPE_CHECKING:
    from tilewright.api.check import check, space
    from tilewright.api.search import Search, search
    from tilewright.api.tune import tune
    from tilewright.api.tune_result import TuneResult
    from tilewright.artefact import build_artefact as build
    from tilewright.autotuner import TritonAutoTuner, tune_triton
    from tilewright.explorer.notebook.view import view
    from tilewright.frontend.builder import Payload
    from tilewright.ir.errors import CompileWarning, UserError
    from tilewright.planning.plan import Plan
    from tilewright.program import Program
    from tilewright.program import compile_program as compile
    from tilewright.program import plan_payload as plan
    from tilewright.schedule_builder import ScheduleBuilder, schedule, to_python
    from tilewright.schedules.schedule import Schedule
    from tilewright.torch_backend.diagnosis.bisection import bisect
    from tilewright.torch_backend.diagnosis.explanation import explain
    from tilewright.torch_backend.diagnosis.profiling import profile
    from tilewright.torch_backend.from_torch import from_torch

_HOMES = {
    "check": ("tilewright.api.check", "check"),
    "search": ("tilewright.api.search", "search"),
    "space": ("tilewright.api.check", "space"),
    "tune": ("tilewright.api.tune", "tune"),
    "Search": ("tilewright.api.search", "Search"),
    "TritonAutoTuner": ("tilewright.autotuner", "TritonAutoTuner"),
    "TuneResult": ("tilewright.api.tune_result", "TuneResult"),
    "tune_triton": ("tilewright.autotuner", "tune_triton"),
    "bisect": ("tilewright.torch_backend.diagnosis.bisection", "bisect"),
    "build": ("tilewright.artefact", "build_artefact"),
    "compile": ("tilewright.program", "compile_program"),
    "explain": ("tilewright.torch_backend.diagnosis.explanation", "explain"),
    "from_torch": ("tilewright.torch_backend.from_torch", "from_torch"),
    "plan": ("tilewright.program", "plan_payload"),
    "schedule": ("tilewright.schedule_builder", "schedule"),
    "to_python": ("tilewright.schedule_builder", "to_python"),
    "view": ("tilewright.explorer.notebook.view", "view"),
    "profile": ("tilewright.torch_backend.diagnosis.profiling", "profile"),
    "CompileWarning": ("tilewright.ir.errors", "CompileWarning"),
    "Payload": ("tilewright.frontend.builder", "Payload"),
    "Plan": ("tilewright.planning.plan", "Plan"),
    "Program": ("tilewright.program", "Program"),
    "Schedule": ("tilewright.schedules.schedule", "Schedule"),
    "ScheduleBuilder": ("tilewright.schedule_builder", "ScheduleBuilder"),
    "UserError": ("tilewright.ir.errors", "UserError"),
}

__all__ = [
    "CompileWarning",
    "Payload",
    "Plan",
    "Program",
    "Schedule",
    "ScheduleBuilder",
    "Search",
    "TritonAutoTuner",
    "TuneResult",
    "UserError",
    "__version__",
    "bisect",
    "build",
    "check",
    "compile",
    "explain",
    "from_torch",
    "plan",
    "profile",
    "schedule",
    "search",
    "space",
    "to_python",
    "tune",
    "tune_triton",
    "view",
]


def __dir__() -> list[str]:
    """The public names, those not imported yet too."""
    return sorted({*globals(), *_HOMES})


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tilewright' has no attribute '{name}'")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)
