"""Jobs that end well or badly, for the tests of the server's workers."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass

from tilewright.tuning.workers.processes import limit_memory


@dataclass(frozen=True)
class Sleep:
    seconds: float

    def run(self) -> int:
        time.sleep(self.seconds)
        return os.getpid()


@dataclass(frozen=True)
class Crash:
    def run(self) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)


@dataclass(frozen=True)
class Hog:
    def run(self) -> int:
        limit_memory(1 << 28)
        return len(bytearray(1 << 30))
