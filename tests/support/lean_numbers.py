"""Run models by lean launchers on a CPU: `python lean_numbers.py MODEL...`.

A launch that a lean launcher meets for the first time is Triton's own. In Triton's
interpreter each launch is one, so kernels compute what they compute on a GPU, on the
memory and the views of the lean launcher. Needs TRITON_INTERPRET=1.
"""

from __future__ import annotations

import sys
from typing import Any
from unittest import mock

import torch
from triton.runtime import jit

from tilewright.codegen.runtime.lean import launch as lean
from tilewright.torch_backend.runtime import kept_graph, runners
from torch_models.table import MODELS, placed

OPTIONS = {"placement": "gpu", "target": "h200", "interpreter": "kernels"}
_files: list[str] = []


def call_of(program: Any, device: torch.device, orders: Any) -> Any:
    """The lean launcher of a program on the CPU."""
    loaded = program.loaded
    # The interpreter's kernels have another class.
    with mock.patch.object(jit, "JITFunction", object):
        made = lean.lean_launcher(
            loaded.program, loaded.plain_launcher, device, loaded, orders
        )
    _files.append(made.__code__.co_filename)
    return made


def check(name: str) -> None:
    """Compare a model's results with those of eager torch."""
    module, given = placed(MODELS[name].small, "cpu", torch.float32)
    module.eval()
    compiled = torch.compile(module, backend="tilewright", options=OPTIONS)
    with torch.no_grad():
        made, expected = compiled(*given), module(*given)
    torch.testing.assert_close(made, expected, rtol=1e-4, atol=1e-5)
    assert made.stride() == expected.stride()
    assert _files and all(file.startswith("<lean ") for file in _files)


if __name__ == "__main__":
    with (
        mock.patch.object(lean, "_launches_directly", lambda: True),
        mock.patch.object(runners, "call_of", call_of),
        mock.patch.object(kept_graph, "call_of", call_of),
    ):
        for model in sys.argv[1:]:
            torch._dynamo.reset()
            check(model)
            print(model, len(_files))
