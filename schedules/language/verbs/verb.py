"""A verb of the language: its form, and its translation to transform ops and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.errors import Place
from tilewright.schedules.language.verbs.forms import Form
from tilewright.transforms.op_sources import PREFIX


class Fields(Protocol):
    """The fields of a statement, with its names looked up."""

    def has(self, field: str) -> bool:
        """Whether an optional field was given."""
        ...

    def handle(self, field: str) -> SSAValue:
        """A handle to payload."""
        ...

    def param(self, field: str) -> SSAValue:
        """A parameter; a number becomes one."""
        ...

    def written(self, field: str) -> tuple[str, Place] | None:
        """The key of a `key = value` argument, and where it stands."""
        ...

    def sizes(self, field: str) -> list[SSAValue | int]:
        """Numbers and parameters, as written."""
        ...

    def numbers(self, field: str) -> list[int]:
        """Plain numbers."""
        ...

    def positions(self, field: str) -> list[int]:
        """Plain numbers; negative ones count from the end."""
        ...

    def strings(self, field: str) -> list[str]:
        """One or several strings."""
        ...

    def names(self, field: str, known: Sequence[str]) -> list[str]:
        """Names out of a known set."""
        ...

    def word(self, field: str) -> str:
        """A word out of a known set, which the form has checked."""
        ...

    def flag(self, field: str) -> bool:
        """Whether an option is given and true."""
        ...

    def setting(self, field: str) -> tuple[str, SSAValue | None]:
        """An attribute's name and its value, if it has one."""
        ...

    def settings(self, field: str) -> dict[str, Attribute]:
        """Attributes with constant values."""
        ...

    def op(self, name: str) -> Operation:
        """The op of this name, when the statement's fields are named as the op's."""
        ...


class Writer(Protocol):
    """Writes the operands and attributes of an op as text."""

    def name(self, value: SSAValue) -> str:
        """The name of a handle."""
        ...

    def param(self, value: SSAValue) -> str:
        """The name of a parameter, or its value if it has no name."""
        ...

    def sizes(self, static: Sequence[int], dynamic: Sequence[SSAValue]) -> str:
        """`[0, BM, 32]`."""
        ...

    def constant(self, value: Attribute) -> str:
        """A constant attribute."""
        ...

    def op_fields(self, op: Operation) -> Mapping[str, str] | None:
        """All fields of an op under the op's own names; None if it has a body."""
        ...


FieldTexts: TypeAlias = Mapping[str, str]
"""The fields of a statement as text."""


@dataclass(frozen=True)
class Translation:
    """How a statement becomes transform ops, and such an op a statement again."""

    ops: tuple[str, ...]
    """The ops that the verb is printed for, by name."""
    build: Callable[[Fields], Iterable[Operation]]
    """Makes the ops; each is added to the block before the next is asked for."""
    fields_of: Callable[[Operation, Writer], FieldTexts | None]
    """The fields of the statement for an op; None if this verb cannot express it."""


@dataclass(frozen=True)
class Verb:
    """One entry of the table."""

    form: Form
    translation: Translation
    doc: str

    @property
    def name(self) -> str:
        """The first word of its statements."""
        return self.form.verb

    def statement_for(self, op: Operation, writer: Writer) -> str | None:
        """The statement for an op, if this verb can express it.

        The printer reads every statement back, so a field that the form leaves out is
        noticed there.
        """
        fields = self.translation.fields_of(op, writer)
        if fields is None or not set(self.form.needs) <= fields.keys():
            return None
        return self.form.write(fields)


def verb(translation: Translation, form: str, doc: str) -> Verb:
    """An entry of the table."""
    return Verb(Form(form), translation, doc)


def one_op(name: str) -> Translation:
    """The translation of a verb whose slots are named after the fields of one op."""

    def build(fields: Fields) -> Sequence[Operation]:
        return [fields.op(name)]

    def fields_of(op: Operation, writer: Writer) -> FieldTexts | None:
        return writer.op_fields(op)

    return Translation((PREFIX + name,), build, fields_of)
