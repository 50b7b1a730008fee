"""The base class of transform ops, and the types of handles and parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, Self

from xdsl.dialects.builtin import LocationAttr, UnknownLoc
from xdsl.dialects.transform import (
    AnyOpType,
    AnyParamType,
    AnyValueType,
    OperationType,
    ParamType,
    TransformHandleType,
    TransformOpHandleType,
    TransformParamHandleType,
    TransformValueHandleType,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_attr_definition

from tilewright.ir.errors import (
    DefiniteFailure,
    Note,
    Place,
    SilenceableFailure,
    UserError,
)
from tilewright.ir.text import place_of

if TYPE_CHECKING:
    from tilewright.transforms.core.foreseen import Foreseen, KnownBefore
    from tilewright.transforms.core.state import TransformState

__all__ = [
    "AffineMapType",
    "AnyOpType",
    "AnyParamType",
    "AnyValueType",
    "OperationType",
    "ParamType",
    "TransformHandleType",
    "TransformOp",
    "TransformOpHandleType",
    "TransformParamHandleType",
    "TransformValueHandleType",
]


@irdl_attr_definition
class AffineMapType(TransformParamHandleType):
    """A parameter that holds affine maps; xDSL's type is not a parameter type."""

    name = "transform.affine_map"


class TransformOp(IRDLOperation, ABC):
    """An op of a schedule.

    `apply` reads payload through the state, computes a plan, rewrites, and sets its
    results. It raises `SilenceableFailure` before it has changed anything.
    """

    VERB: ClassVar[str | None] = None
    """The word that errors begin with, where it is not the last part of the name."""

    FORM: ClassVar[str] = ""
    """Its statement in a `.tw` file, with slots named after its fields, as in
    `stream <target:handle> by <size:param>`; empty without a verb of its own."""

    SUMMARY: ClassVar[str] = ""
    """What the statement does, in one line."""

    TARGET_KIND: ClassVar[str] = ""
    """The op that the type of its handles must name, where upstream requires one; the
    `.tw` language adds the cast."""

    KEEPS_TYPE: ClassVar[bool] = False
    """Whether its results must have the type of its first operand."""

    ANY_TARGET: ClassVar[bool] = False
    """Whether an op on loops, `transform.loop.*`, takes other ops too."""

    ONLY_LOOKS: ClassVar[bool] = False
    """Whether it changes nothing: without its results it has no effect."""

    TAKES_TWICE: ClassVar[bool] = False
    """Whether a handle that it consumes may point at one op several times."""

    IS_STEP: ClassVar[bool] = True
    """Whether it is a step of its own, or only runs others (include, alternatives)."""

    @property
    def written_as(self) -> str | None:
        """The verb of the line it came from, where the schedule is written in `.tw`.

        xDSL allows no plain fields in the class of an op, so it is kept beside them.
        """
        return vars(self).get("_written_as")

    @written_as.setter
    def written_as(self, verb: str | None) -> None:
        vars(self)["_written_as"] = verb

    @property
    def written_setting(self) -> tuple[str, Place] | None:
        """The key of the `key = value` that it came from in a `.tw` line, and where."""
        return vars(self).get("_written_setting")

    @written_setting.setter
    def written_setting(self, setting: tuple[str, Place] | None) -> None:
        vars(self)["_written_setting"] = setting

    @property
    def included(self) -> tuple[Note, ...]:
        """The includes that were written out around it, the innermost first."""
        return vars(self).get("_included", ())

    @included.setter
    def included(self, includes: tuple[Note, ...]) -> None:
        vars(self)["_included"] = includes

    @property
    def catches_failures(self) -> bool:
        """Whether a run goes on where a step that it runs does not apply."""
        return False

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The operands whose payload this op takes away from other handles."""
        return ()

    def foresee(self, results: Foreseen) -> None:
        """Bind the results to what is known of their payload before a run."""
        results.new_ops()

    def mistakes(self, known: KnownBefore) -> Iterable[UserError]:
        """Errors of the schedule that show before a run."""
        return ()

    @abstractmethod
    def apply(self, state: TransformState) -> None:
        """Change the payload and set the results; see the class."""

    def refuse(
        self, fact: str, payload: Operation | None = None, remedy: str | None = None
    ) -> SilenceableFailure:
        """The failure to raise when this op does not apply to `payload`."""
        return SilenceableFailure(
            f"{self.title()}: {fact}", place_of(self), remedy, _about(payload)
        )

    def broken(
        self, fact: str, payload: Operation | None = None, remedy: str | None = None
    ) -> DefiniteFailure:
        """The failure to raise when the schedule itself is wrong."""
        return DefiniteFailure(
            f"{self.title()}: {fact}", place_of(self), remedy, _about(payload)
        )

    def worded(self, *, mlir: str, tw: str) -> str:
        """A remedy in the language that the line is written in.

        A script names the ops of the dialect, a `.tw` file has verbs.
        """
        return mlir if self.written_as is None else tw

    def location_for(self, payload: Operation) -> LocationAttr:
        """The location of loops that this op makes: its own line, or the payload's."""
        if not isinstance(self.location, UnknownLoc):
            return self.location
        return payload.location

    def title(self) -> str:
        """The word that errors begin with: the verb of its line, or the op's own."""
        return self.written_as or self.VERB or self.name.rpartition(".")[2]

    def clone_without_regions(
        self,
        value_mapper: dict[SSAValue, SSAValue] | None = None,
        block_mapper: dict[Block, Block] | None = None,
        *,
        clone_name_hints: bool = True,
        clone_operands: bool = True,
    ) -> Self:
        """A copy that came from the same line."""
        copy = super().clone_without_regions(
            value_mapper,
            block_mapper,
            clone_name_hints=clone_name_hints,
            clone_operands=clone_operands,
        )
        copy.written_as = self.written_as
        copy.written_setting = self.written_setting
        return copy


def _about(payload: Operation | None) -> list[Note]:
    if payload is None:
        return []
    return [Note(f"the payload op is '{payload.name}'", place_of(payload))]
