"""Compiled graphs whose parts can be timed.

While this is installed, a graph has two functions: its own, and one with ticks. The
switch says which of them is called. Nothing in tilewright knows of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from unittest import mock

import torch

from harness.host_time import ticks
from tilewright.codegen.runtime.lean import launch as lean
from tilewright.torch_backend.runtime import runners
from tilewright.torch_backend.runtime.graph_function import GraphSource


@dataclass
class Switch:
    """What calls of graphs do, and how long the graphs of a call took."""

    is_ticking: bool = False
    inside: float = 0.0
    """Seconds inside of graphs' functions, since this was last set to 0."""
    launchers: dict[int, Callable[..., Any]] = field(default_factory=dict)
    """Launchers with ticks, by the ids of those without."""
    kept: list[Any] = field(default_factory=list)
    """Keeps the ids valid."""


@contextmanager
def watched_graphs() -> Generator[Switch]:
    """Give graphs that are compiled meanwhile a function with ticks too."""
    switch = Switch()
    real_function, real_lean = GraphSource.function, runners.lean_launcher

    def function(source: GraphSource) -> Any:
        return _switched(source, real_function, switch)

    def launcher(*given: Any) -> Any:
        plain = real_lean(*given)
        switch.launchers[id(plain)] = _with_ticks(real_lean, *given)
        switch.kept.append(plain)
        return plain

    with (
        mock.patch.object(GraphSource, "function", function),
        mock.patch.object(runners, "lean_launcher", launcher),
        _timed_inductor(switch),
    ):
        yield switch


def _with_ticks(make: Callable[..., Any], *given: Any) -> Any:
    """A lean launcher whose text has ticks."""
    real = lean.LeanText.text
    with mock.patch.object(
        lean.LeanText, "text", lambda self: ticks.ticked(real(self))
    ):
        return make(*given)


def _switched(source: GraphSource, make: Callable[..., Any], switch: Switch) -> Any:
    plain = make(source)
    names = frozenset(source.empty)
    scope = {
        name: switch.launchers.get(id(value), value)
        for name, value in source.scope.items()
    }
    text = ticks.ticked(source.text, names)
    timed = make(replace(source, text=text, scope=scope))

    def run(args: list[Any]) -> Any:
        if switch.is_ticking:
            ticks.start()
            return timed(args)
        started = time.perf_counter()
        made = plain(args)
        switch.inside += time.perf_counter() - started
        return made

    run._boxed_call = True  # pyright: ignore[reportFunctionMemberAccess]
    return run


@contextmanager
def _timed_inductor(switch: Switch) -> Generator[None]:
    """The same time for the graphs of torch's own compiler."""
    from torch._inductor.output_code import CompiledFxGraph

    real = CompiledFxGraph.__call__

    def call(self: Any, inputs: Any) -> Any:
        started = time.perf_counter()
        made = real(self, inputs)
        switch.inside += time.perf_counter() - started
        return made

    with mock.patch.object(CompiledFxGraph, "__call__", call):
        yield


def synchronize() -> None:
    """Wait for the GPU, if there is one."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()
