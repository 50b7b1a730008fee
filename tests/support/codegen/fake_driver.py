"""A Triton driver without a GPU: kernels are compiled, launches are recorded."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from triton.backends.compiler import GPUTarget
from triton.runtime import driver


@dataclass(frozen=True)
class Launch:
    """A recorded launch."""

    function: Any
    """The driver's number of the compiled kernel."""
    grid: tuple[int, ...]
    stream: int
    arguments: tuple[Any, ...]
    """Tensors as addresses; descriptors as the fields that the hardware reads."""


@dataclass
class FakeDriver:
    """The part of a driver that launches use."""

    backend: str = "cuda"
    device: int = 0
    stream: int = 0
    launches: list[Launch] = field(default_factory=list)
    loaded: int = 0

    @property
    def utils(self) -> FakeDriver:
        return self

    def get_current_target(self) -> GPUTarget:
        return GPUTarget(self.backend, 90, 32)

    def get_current_device(self) -> int:
        return self.device

    def get_current_stream(self, device: int) -> int:
        return 100 * device + self.stream

    def get_device_properties(self, device: int) -> dict[str, int]:
        return {"max_shared_mem": 232448}

    def load_binary(self, *binary: Any) -> tuple[int, ...]:
        self.loaded += 1
        return self.loaded, self.loaded, 32, 0, 1024

    def launcher_cls(self, source: Any, metadata: Any) -> Any:
        def run(
            x: int,
            y: int,
            z: int,
            stream: int,
            function: int,
            packed: Any,
            launch_metadata: Any,
            enter: Any,
            leave: Any,
            *arguments: Any,
        ) -> None:
            for hook in (enter, leave):
                if hook is not None:
                    hook(launch_metadata)
            passed = tuple(map(_passed, arguments))
            self.launches.append(Launch(function, (x, y, z), stream, passed))

        return run


def _passed(argument: Any) -> Any:
    if hasattr(argument, "data_ptr"):
        return argument.data_ptr()
    if hasattr(argument, "base"):
        base = argument.base
        return base.data_ptr(), base.dtype, *argument.shape, *argument.strides
    return argument


@contextlib.contextmanager
def fake_driver() -> Iterator[FakeDriver]:
    """Make it Triton's driver within a `with` block."""
    before = driver._active
    fake = FakeDriver()
    driver.set_active(fake)  # pyright: ignore[reportArgumentType]
    try:
        yield fake
    finally:
        driver._active = before
