"""The passes of code generation as steps for observers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.text import to_text


@dataclass(frozen=True)
class PassStep:
    """A pass that changed the module; its number continues those of the schedule."""

    index: int
    name: str
    """`codegen.store-parts`."""
    seconds: float
    text: str
    """The IR after it."""
    module: ModuleOp

    @property
    def title(self) -> str:
        """`07 codegen.store-parts`."""
        return f"{self.index:02} {self.name}"


PassObserver = Callable[[PassStep], None]


class Passes:
    """Observes code generation; calls the observers after passes that change IR."""

    def __init__(self, module: ModuleOp, steps: int, observers: list[PassObserver]):
        """`steps` is the number of earlier steps, `module` the IR after them."""
        self.seconds: dict[str, float] = {}
        """The time of every pass, also of passes that changed nothing."""
        self.last = steps
        self._observers = observers
        self._text = to_text(module) if observers else ""

    def __call__(self, name: str, seconds: float, module: ModuleOp) -> None:
        """Called by code generation after each pass."""
        name = f"codegen.{name}"
        self.seconds[name] = seconds
        if not self._observers:
            return
        text = to_text(module)
        if text == self._text:
            return
        self._text = text
        self.last += 1
        step = PassStep(self.last, name, seconds, text, module)
        for observer in self._observers:
            observer(step)
