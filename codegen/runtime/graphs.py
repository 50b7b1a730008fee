"""CUDA graphs: a call of a program is captured once and replayed with one launch.

Kernels of a few microseconds end before Python has launched the next one; a graph
launches all of them at once. A graph is not the default: its gain depends on the
program, and it is bound to the tensors that it was captured with.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tilewright.ir.errors import UserError


class CapturedProgram:
    """A captured call; every replay writes its results to the same tensors.

    captured = program.graph(a, b)
    a.copy_(new)
    out = captured()        # read out before the next call writes it again
    """

    def __init__(
        self,
        name: str,
        launcher: Callable[..., Any],
        arguments: tuple[Any, ...],
        prepared: list[Any],
        current_device: Callable[[], int],
    ):
        """Capture a call of a launcher; `prepared` are the checked arguments."""
        import torch

        for given, used in zip(arguments, prepared, strict=True):
            if used is not given:
                raise UserError(
                    f"{name}: a graph reads its tensors where they are, and one of "
                    "them would be copied first",
                    remedy="give contiguous tensors with aligned addresses",
                )
        tensors = [value for value in prepared if isinstance(value, torch.Tensor)]
        if not tensors or tensors[0].device.type != "cuda":
            raise UserError(f"{name}: CUDA graphs need tensors on a CUDA device")
        self._name = name
        self._arguments = prepared
        self._device = tensors[0].get_device()
        self._current_device = current_device
        with torch.cuda.device(self._device):
            launch = functools.partial(launcher, *prepared)
            self._graph, self.results = capture(launch)

    def __call__(self, *arguments: Any) -> Any:
        """Replay on the current stream of the device, and return the results.

        Arguments are optional; they must be those of the capture.
        """
        if arguments and not self._are_mine(arguments):
            raise UserError(
                f"{self._name}: this graph was captured with other tensors",
                remedy="copy the data into those, or capture again",
            )
        if self._device == self._current_device():
            self._graph.replay()
            return self.results
        import torch

        with torch.cuda.device(self._device):
            self._graph.replay()
        return self.results

    def _are_mine(self, arguments: tuple[Any, ...]) -> bool:
        import torch

        if len(arguments) != len(self._arguments):
            return False
        return all(
            given.data_ptr() == mine.data_ptr() and given.shape == mine.shape
            if isinstance(given, torch.Tensor) and isinstance(mine, torch.Tensor)
            else given == mine
            for given, mine in zip(arguments, self._arguments, strict=True)
        )


def capture(call: Callable[[], Any]) -> tuple[Any, Any]:
    """Capture a call on the current device; returns the graph and the results.

    Warm-up and capture use one stream, since some caches belong to a stream.
    """
    import torch

    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        # Calls before the capture; the first one compiles and makes the constants.
        for _ in range(2):
            call()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        results = call()
    return graph, results
