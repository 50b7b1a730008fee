"""The host's side of a call on a machine without a GPU.

Graphs are compiled as for an H200, on tensors of the CPU. The launchers are the lean
ones, and a launch is a call of a C function that does nothing. A convolution allocates
its result. Results are wrong, and library calls take another time than on a GPU;
everything else is what the host does.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

import torch

from tilewright.codegen.runtime.lean import launch as lean
from tilewright.torch_backend.runtime import kept_graph, runners

OPTIONS = {"placement": "gpu", "target": "h200", "interpreter": "kernels"}


@contextmanager
def without_gpu() -> Generator[None]:
    """Launch nothing, by lean launchers, for tensors on the CPU."""
    nothing = "".format  # takes any arguments, in C

    def launch(self: Any, key: Any, *_: Any) -> None:
        self[key] = nothing, (0,) * 9

    def call_of(program: Any, device: torch.device, *orders: Any) -> Any:
        loaded = program.loaded
        return runners.lean_launcher(
            loaded.program, loaded.plain_launcher, device, loaded, *orders
        )

    with ExitStack() as stack:
        for owner, name, value in (
            (lean, "_launches_directly", lambda: True),
            (lean._Site, "launch", launch),
            (lean._Site, "describe", launch),
            (runners, "call_of", call_of),
            (kept_graph, "call_of", call_of),
            (torch, "convolution", _allocated),
        ):
            stack.enter_context(mock.patch.object(owner, name, value))
        yield


_known: dict[Any, tuple[tuple[int, ...], tuple[int, ...]]] = {}


def _allocated(image: torch.Tensor, filters: torch.Tensor, *given: Any) -> torch.Tensor:
    """The memory of a convolution's result, in the layout of its operands."""
    key = image.shape, image.stride(), filters.shape, str(given)
    found = _known.get(key)
    if found is None:
        like = torch.ops.aten.convolution.default(
            image.to("meta"), filters.to("meta"), *given
        )
        last = torch.channels_last
        if like.dim() == 4 and image.is_contiguous(memory_format=last):
            like = like.contiguous(memory_format=last)
        found = _known[key] = tuple(like.shape), like.stride()
    return torch.empty_strided(*found, dtype=image.dtype, device=image.device)
