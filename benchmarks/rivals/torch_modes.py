"""A function run by torch: eager, and by torch.compile in each of its modes.

Each mode compiles its own copy of the function. Dynamo keeps compiled code with the
code object, so modes share nothing. Resetting dynamo between them instead would drop
those compiled before, which would then compile again amid the timed rounds.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

COMPILE_NOTE = "host time of guards and launches is not counted"
GRAPH_NOTE = (
    "CUDA graph: returns a static buffer, and copies its inputs into static ones"
)
TMA_NOTE = "max-autotune-no-cudagraphs that may also choose inductor's TMA template"


@dataclass(frozen=True)
class Mode:
    """A way to run a function with torch; `seconds` is how long compiling may take."""

    name: str
    seconds: float
    output: str = "fresh"
    note: str = ""
    mode: str | None = None
    tma: bool = False


# Cheapest first: what does not fit the time budget is at the end.
MODES = (
    Mode("eager", 1),
    Mode("compile", 30, note=COMPILE_NOTE),
    Mode(
        "max-autotune-no-cudagraphs",
        75,
        note=COMPILE_NOTE,
        mode="max-autotune-no-cudagraphs",
    ),
    Mode("max-autotune-tma", 75, note=TMA_NOTE, tma=True),
    Mode("max-autotune", 75, output="static", note=GRAPH_NOTE, mode="max-autotune"),
)


def copy_function(function: types.FunctionType, name: str) -> types.FunctionType:
    """A function with a code object of its own, and so compiled code of its own."""
    code = function.__code__.replace(co_name=f"{function.__name__}_{name}")
    return types.FunctionType(
        code,
        function.__globals__,
        code.co_name,
        function.__defaults__,
        function.__closure__,
    )


def build(
    function: types.FunctionType,
    mode: Mode,
    backend: str | Callable[..., Any] | None = None,
) -> Callable[..., torch.Tensor]:
    """The function in that mode; `backend` replaces inductor, for dry runs."""
    if mode.name == "eager":
        return function
    arguments: dict[str, Any] = {"dynamic": False, "fullgraph": True}
    if backend is not None:
        arguments["backend"] = backend
    elif mode.tma:
        from torch._inductor import list_mode_options

        options = list_mode_options("max-autotune-no-cudagraphs")
        arguments["options"] = options | {"triton.enable_persistent_tma_matmul": True}
    elif mode.mode is not None:
        arguments["mode"] = mode.mode
    copied = copy_function(function, mode.name.replace("-", "_"))
    return torch.compile(copied, **arguments)


def graphs_compiled() -> int:
    """How many graphs dynamo has compiled so far; must not grow while timing."""
    from torch._dynamo.utils import counters

    return counters["stats"]["unique_graphs"]
