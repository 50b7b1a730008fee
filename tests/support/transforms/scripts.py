"""The scripts of `data/scripts`, and the payloads that they run over.

A script is a module with a schedule. Its payload is in the module, or is one of
`examples/payloads`, which its head names. The head is a comment:

    // What it shows, in a line.
    // payload: attention at batch=2, sequence=48
    // level: buffers
    // fewer: memref.copy

`payload` names an example, and sizes at which it is quick to run; real MLIR and we are
compared on the example as it is. `level` and `fewer` say what must be the same.
"""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType

from support.paths import DATA, EXAMPLES

FOLDER = DATA / "scripts"
PAYLOADS = EXAMPLES / "payloads"


def _load_examples() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "example_payloads", PAYLOADS / "generate.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


examples = _load_examples()


@dataclass(frozen=True)
class Script:
    """A file of `data/scripts`."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem

    @cached_property
    def schedule(self) -> str:
        """The file as it is."""
        return self.path.read_text()

    @cached_property
    def level(self) -> str:
        """The level of its result: `tensors` or `buffers`."""
        found = self._head("level")
        assert found is not None, f"{self.name} does not say how far it goes"
        return found

    @cached_property
    def fewer(self) -> tuple[str, ...]:
        """The ops of which our result has fewer; docs/upstream.md says why."""
        return tuple((self._head("fewer") or "").replace(",", " ").split())

    @cached_property
    def example(self) -> str | None:
        """The example that is its payload; None if the file has a payload."""
        found = self._head("payload")
        return found.split(" at ")[0] if found is not None else None

    @cached_property
    def text(self) -> str:
        """Payload and schedule in one module."""
        if self.example is None:
            return self.schedule
        return self._with((PAYLOADS / f"{self.example}.mlir").read_text())

    @cached_property
    def small(self) -> str:
        """The same with a payload that is quick to run."""
        if self.example is None:
            return self.schedule
        head = self._head("payload")
        assert head is not None
        sizes = dict(re.findall(r"(\w+)=(\d+)", head))
        function, settings = examples.FILES[self.example]
        given = settings | {name: int(size) for name, size in sizes.items()}
        return self._with(examples.EXAMPLES[function](**given).text())

    def _head(self, word: str) -> str | None:
        found = re.search(rf"^// {word}: (.+)$", self.schedule, re.MULTILINE)
        return found[1] if found is not None else None

    def _with(self, payload: str) -> str:
        schedule = self.schedule.rstrip()
        assert schedule.endswith("}")
        return f"{schedule[:-1]}\n{payload}}}\n"


SCRIPTS = [Script(path) for path in sorted(FOLDER.glob("*.mlir"))]
