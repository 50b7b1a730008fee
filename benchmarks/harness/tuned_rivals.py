"""What people use today, beside a tuned work: torch's modes, and `triton.autotune`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from harness.bench import own_triton_cache

EAGER = "torch eager"
AUTOTUNED = "triton.autotune"


@dataclass(frozen=True)
class Rivals:
    """The rivals of a work, by plain data that another process can be given."""

    work: str
    max_autotune: bool = True
    dry: bool = False
    """Whether torch compiles nothing and hand-written kernels are left out."""

    def calls(
        self, work: Any, tensors: tuple[torch.Tensor, ...]
    ) -> Iterator[tuple[str, Callable[[], Any]]]:
        """Each rival's title and call; its first call compiles or searches."""
        from rivals import autotuned, torch_modes

        yield EAGER, lambda: work.torch(*tensors)
        with own_triton_cache():
            for mode in torch_modes.MODES:
                best = mode.name == "max-autotune-no-cudagraphs"
                if mode.name != "compile" and not best:
                    continue
                if best and (self.dry or not self.max_autotune):
                    continue
                backend = "eager" if self.dry else None
                function = torch_modes.build(work.torch, mode, backend)
                yield f"torch {mode.name}", lambda f=function: f(*tensors)
        call = None if self.dry else autotuned.autotuned(work.name, tensors)
        if call is not None:
            yield AUTOTUNED, call

    def __call__(self) -> Iterator[tuple[str, Callable[[], Any]]]:
        """The same, with inputs of its own; a call waits for the device."""
        from contenders.planned_works.table import table

        work = table(tiny=self.dry)[self.work]
        tensors = work.inputs("cpu" if self.dry else "cuda")
        for title, call in self.calls(work, tensors):
            yield title, lambda c=call: self._finished(c)

    def _finished(self, call: Callable[[], Any]) -> None:
        with torch.no_grad():
            call()
        if not self.dry:
            torch.cuda.synchronize()
