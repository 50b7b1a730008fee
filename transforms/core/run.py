"""The run that applies a transform op, as the op and an observer see it.

`interpreter.py` runs schedules. Ops that run other ops, report something, or look up a
named sequence ask `state.run`, which is a `Run`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, SSAValue

from tilewright.ir.errors import Note, Place, UserError
from tilewright.transforms.core.base import TransformOp


@dataclass(frozen=True)
class Step:
    """One transform op that was applied: its number, name and place."""

    index: int
    op: TransformOp
    place: Place | None
    is_default: bool = False
    """Whether the compiler added it to finish what the schedule left open."""
    took_back: str | None = None
    """Which failed attempt it undid, if it did nothing else."""
    seconds: float = 0.0
    """How long it took, without verification and observers."""
    records: Sequence[object] = ()
    """What the op said about its work (`TransformState.record`), for observers."""
    undone_after: int | None = None
    """The last step that still counts, if it undid later ones."""

    @property
    def name(self) -> str:
        """The op's name without the dialect."""
        name = self.op.name.removeprefix("transform.")
        return name if self.took_back is None else f"{name} ({self.took_back})"


class Observer(Protocol):
    """Told after each step that may have changed payload."""

    def __call__(self, step: Step, payload: ModuleOp) -> None:
        """Look at the payload; it changes again with the next step."""
        ...


class Run(Protocol):
    """A schedule that is being run over a payload."""

    @property
    def schedule(self) -> ModuleOp:
        """The schedule."""
        ...

    @property
    def steps(self) -> list[Step]:
        """The steps so far."""
        ...

    @property
    def warnings(self) -> list[UserError]:
        """Legal but probably unintended steps, with their places."""
        ...

    @property
    def remarks(self) -> list[Note]:
        """Steps that did not apply and were suppressed, with the reason."""
        ...

    @property
    def as_upstream(self) -> bool:
        """Whether scripts do what upstream does, even where a kernel could be wrong."""
        ...

    @property
    def running(self) -> list[str]:
        """The named sequences that are under way, the innermost last."""
        ...

    def run_block(
        self, block: Block, *, suppress: bool = False
    ) -> tuple[SSAValue, ...]:
        """Run the ops of a block; the values its terminator yields."""
        ...

    def run_op(self, op: TransformOp) -> None:
        """Run one op."""
        ...

    def took_back(self, op: TransformOp, what: str, standing: int) -> None:
        """Tell the observers that the steps after number `standing` were taken back."""
        ...

    def sequence(self, user: TransformOp, name: str) -> NamedSequenceOp:
        """The named sequence called `name`."""
        ...
