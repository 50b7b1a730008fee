"""A schedule, read from a `.tw` file, an `.mlir` file, or a file with its payload."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Operation

from tilewright.ir.errors import Place, UserError
from tilewright.ir.notebook_html import text_html
from tilewright.ir.parsing.sources import remember_source
from tilewright.ir.text import (
    STDIN,
    parse_module,
    place_of,
    read_text,
    source_name,
    to_text,
)
from tilewright.schedules.check.check import (
    check_module,
    check_partial,
    in_order,
)
from tilewright.schedules.check.matches import unknown_names
from tilewright.schedules.entry import named_entry, need_entry
from tilewright.schedules.includes import note_includes
from tilewright.schedules.language.comments.notes import Comments
from tilewright.schedules.language.lowering.lower import (
    NAMED_SEQUENCES,
    Lowered,
    lower,
)
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.language.printing.printer import print_schedule
from tilewright.schedules.language.syntax import (
    RESERVED,
    Definition,
    File,
    Name,
    Parameter,
    Statement,
)
from tilewright.schedules.language.verbs.vocabulary import BY_NAME
from tilewright.schedules.library.imports import with_imports
from tilewright.schedules.library.prelude import (
    definitions,
    sequences,
    sequences_of,
)
from tilewright.schedules.resolve import resolved, without_constraints
from tilewright.schedules.size_table import SizeTable, read_table
from tilewright.transforms.control.choices.bind import bind
from tilewright.transforms.control.choices.defaults import (
    bind_with_defaults,
    default_point,
)
from tilewright.transforms.control.choices.open_choices import Choice, choices
from tilewright.transforms.control.choices.open_choices import (
    open_choices as choices_left_open,
)
from tilewright.transforms.control.choices.short_names import full_names
from tilewright.transforms.control.choices.values import Value
from tilewright.transforms.control.declared_sequence import DeclaredSequenceOp
from tilewright.transforms.control.sequence import SequenceOp
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import ENTRY

TABLE = "tilewright.decide"
"""The attribute of an MLIR module that holds the schedule's table, as `.tw` text."""


@dataclass(frozen=True)
class Schedule:
    """A module of transform IR with a `@__transform_main`, its name and its text."""

    module: ModuleOp
    name: str
    source: str
    point: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """The choices that were bound, besides those written in the text."""
    entry: str = ENTRY
    """The sequence that a run begins with."""
    table: SizeTable | None = None
    """The points of the schedule by sizes, where its text has them."""

    # -- reading -----------------------------------------------------------------

    @staticmethod
    def from_path(path: Path | str, entry: str = ENTRY) -> Schedule:
        """Read a `.tw` or `.mlir` file whose run begins at the sequence `entry`.

        Raises the first error; `read_path` gives all of them.
        """
        schedule, errors = Schedule.read_path(path, entry)
        if errors:
            raise errors[0]
        return schedule

    @staticmethod
    def read_path(
        path: Path | str, entry: str = ENTRY
    ) -> tuple[Schedule, list[UserError]]:
        """Read a `.tw` or `.mlir` file; gives the schedule and all errors in it.

        `-` reads standard input, in the language of `.tw` files.
        """
        path = Path(path)
        if path == STDIN:
            return read_schedule(read_text(path), source_name(path), entry)
        if path.suffix not in {".tw", ".mlir"}:
            raise UserError(
                f"{path}: not a schedule", remedy="give a .tw or a .mlir file"
            )
        return read_schedule(read_text(path), str(path), entry)

    @staticmethod
    def from_text(text: str, name: str = "schedule.tw", entry: str = ENTRY) -> Schedule:
        """Read a text; errors name the file `name`, and `NAME.mlir` means MLIR.

        Raises the first error; `check_text` gives all of them.
        """
        schedule, errors = read_schedule(text, name, entry)
        if errors:
            raise errors[0]
        return schedule

    @staticmethod
    def of_statements(
        statements: Sequence[Statement],
        name: str = "schedule",
        file: str = "<statements>",
        text: str = "",
    ) -> Schedule:
        """A schedule of statements that were not read from a text.

        `text` is how they are printed: errors show its lines, under the name `file`.
        """
        remember_source(file, text)
        here = Place(file, 1, 1)
        root = Parameter(Name("root", place=here), place=here)
        body = Definition(True, Name(name, place=here), (root,), tuple(statements))
        lowered = lower(File((body,)), definitions())
        for error in lowered.errors:
            raise error
        return Schedule(lowered.module, name, text)

    def _repr_html_(self) -> str:
        """The text, for notebooks."""
        words = {*BY_NAME, *RESERVED}
        return text_html(f"schedule {self.name}", self.source or self.to_tw(), words)

    @staticmethod
    def empty() -> Schedule:
        """A schedule without statements."""
        text = "schedule nothing(root) { }"
        return Schedule.of_statements((), "nothing", "empty.tw", text)

    @staticmethod
    def split(module: ModuleOp) -> tuple[ModuleOp, Schedule | None]:
        """Copies of the payload and the schedule of a module that may hold both."""
        payload = module.clone()
        held: list[Operation] = []
        for op in list(payload.ops):
            if isinstance(op, NamedSequenceOp | DeclaredSequenceOp | SequenceOp):
                held.append(op)
            elif isinstance(op, ModuleOp) and NAMED_SEQUENCES in op.attributes:
                nested = [
                    o
                    for o in op.ops
                    if isinstance(o, NamedSequenceOp | DeclaredSequenceOp)
                ]
                held += nested
                if len(nested) == len(op.body.ops):
                    op.detach()
        for op in held:
            op.detach()
        payload.attributes.pop(NAMED_SEQUENCES, None)
        if not held:
            return payload, None
        schedule = ModuleOp(named_entry(held), {NAMED_SEQUENCES: UnitAttr()})
        schedule.sym_name = module.sym_name
        schedule.location = module.location
        return payload, Schedule(schedule, _name_of(module), to_text(schedule))

    def starting_at(self, name: str, entry: str) -> tuple[Schedule, list[UserError]]:
        """The same schedule with another entry, and the errors in it.

        `name` is the file that errors name.
        """
        remedy = f"add 'transform.named_sequence @{entry}(%root: !transform.any_op)'"
        need_entry(self.module, name, entry, remedy)
        return replace(self, entry=entry), check_module(self.module, entry)

    # -- choices -----------------------------------------------------------------

    @property
    def choice_names(self) -> set[str]:
        """The names of all choices, made or open."""
        return {op.choice_name for op in choices(self.module)}

    def open_choices(self) -> list[Choice]:
        """The choices that are still open, each with its default if it has one."""
        return choices_left_open(self.module)

    def full_point(self, point: Mapping[str, Value]) -> Mapping[str, Value]:
        """The point with full names: `BM` may stand for the one `BM_tiles` reached."""
        if point.keys() <= self._choice_names:
            return point
        return full_names(self.module, point, self.entry)

    @cached_property
    def _choice_names(self) -> frozenset[str]:
        return frozenset(op.choice_name for op in choices(self.module))

    def defaults(self, point: Mapping[str, Value]) -> dict[str, Value]:
        """The choices that a run at a point reaches and that their defaults close."""
        return default_point(self.module, self.full_point(point), self.entry)

    def bound(self, point: Mapping[str, Value]) -> ModuleOp:
        """A copy of the module to run: the choices of a point, defaults for others."""
        module = self.module.clone()
        bind_with_defaults(module, self.full_point(point), self.entry)
        return module

    def with_point(self, point: Mapping[str, Value]) -> Schedule:
        """The schedule with the choices of a point.

        Choices not in it stay open, and keep their defaults. A table is dropped: the
        point takes its place.
        """
        module = self.module.clone()
        point = self.full_point(point)
        bind(module, point)
        table = None if point else self.table
        bound = {**self.point, **point}
        return replace(self, module=module, point=bound, table=table)

    def with_defaults(self, point: Mapping[str, Value]) -> Schedule:
        """The schedule with the choices of a point, and defaults for the others."""
        point = self.full_point(point)
        return self.with_point({**self.defaults(point), **point})

    # -- writing -----------------------------------------------------------------

    def to_mlir(self, resolved: bool = True) -> str:
        """The upstream form.

        `mlir-opt --transform-interpreter` runs it once every choice is made. It cannot
        run constraints, so they are left out unless `resolved` is false.
        """
        return to_text(without_constraints(self.module) if resolved else self.module)

    def to_tw(self, *, device: str | None = None, time: datetime | None = None) -> str:
        """The schedule as `.tw` text, with the choices that were made.

        Open choices stay open; the header says where the schedule came from. Once one
        is made, comments that are about open choices (`//?`) are left out.
        """
        module = resolved(self.module)
        made = [op.choice_name for op in choices(self.module)]
        left = {choice.name for choice in self.open_choices()}
        header: list[str] = []
        picked = {name: None for name in made if name not in left}
        if picked or device is not None or time is not None:
            header.append(f"from the schedule '{self.name}'")
            shown = [
                f"{name} = {self.point[name]}" for name in picked if name in self.point
            ]
            if shown:
                header.append(f"point: {', '.join(shown)}")
        if device is not None:
            header.append(f"device: {device}")
        if time is not None:
            header.append(f"time: {time.isoformat(sep=' ', timespec='seconds')}")
        # Most commands write no schedule.
        from tilewright.schedules.source_comments import read_comments

        comments = read_comments(self.module, self.source)
        if header:
            comments.drop_header()
        if picked:
            comments.drop_open()
        text = print_schedule(
            module, self.name, sequences(), header, sequences_of, comments
        )
        if self.table is not None and left:
            text += "\n" + self.table_text(comments)
        return text

    def table_text(self, comments: Comments) -> str:
        """The table, as it is written if it is the one of the text."""
        assert self.table is not None
        written = comments.table or self.table.written
        if written:
            decisions = parse(written, "<table>").decisions
            if read_table(decisions, self.open_choices())[0] == self.table:
                return written
        return self.table.text()


def check_text(text: str, name: str, entry: str = ENTRY) -> list[UserError]:
    """All errors of a schedule, in the order of its text."""
    try:
        _, errors = read_schedule(text, name, entry)
    except UserError as error:
        return [error]
    return errors


def read_schedule(
    text: str, name: str, entry: str = ENTRY
) -> tuple[Schedule, list[UserError]]:
    """A schedule and its errors; raises an error if the text cannot be parsed."""
    if name.endswith(".mlir"):
        return _read_mlir(text, name, entry)
    return read_tree(parse(text, name), text, name, entry)


def read_tree(
    parsed: File, text: str, name: str, entry: str = ENTRY
) -> tuple[Schedule, list[UserError]]:
    """The schedule of a tree, and its errors; `text` is how the tree is printed."""
    lowered = lowered_tree(parsed, name)
    if entry == lowered.name:
        entry = ENTRY
    schedule = Schedule(lowered.module, lowered.name, text, entry=entry)
    if lowered.errors:
        partial = check_partial(lowered.module)
        errors = [*lowered.errors, *partial, *unknown_names(lowered.module)]
        note_includes(errors, lowered.module, entry)
        return schedule, errors
    table, errors = read_table(parsed.decisions, schedule.open_choices())
    if errors:
        return schedule, errors
    schedule = replace(schedule, table=table)
    remedy = f"add: schedule {Path(name).stem}(root) {{ ... }}"
    need_entry(lowered.module, name, entry, remedy)
    # A name that no op has finds nothing in any payload. Upstream accepts it, so it is
    # an error in this language alone.
    errors = [*check_module(lowered.module, entry), *unknown_names(lowered.module)]
    note_includes(errors, lowered.module, entry)
    return schedule, in_order(errors)


def lowered_tree(parsed: File, name: str) -> Lowered:
    """Transform IR of a tree; `name` is its path, where its imports are looked for."""
    imported = with_imports(parsed, name)
    if imported.errors:
        return Lowered(Schedule.empty().module, "nothing", imported.errors)
    return lower(imported.file, {**definitions(), **imported.definitions})


def _read_mlir(text: str, name: str, entry: str) -> tuple[Schedule, list[UserError]]:
    module = parse_module(text, name, schedule_context())
    _, schedule = Schedule.split(module)
    if schedule is None:
        remedy = f"add 'transform.named_sequence @{entry}(%root: !transform.any_op)'"
        raise UserError(f"{name} holds no schedule", remedy=remedy)
    schedule = replace(schedule, source=text)
    written = module.attributes.get(TABLE)
    if isinstance(written, StringAttr):
        decisions = parse(written.data, f"{name}, the table").decisions
        table, errors = read_table(decisions, schedule.open_choices())
        if errors:
            return schedule, errors
        if table is not None:
            table = replace(table, written=written.data)
        schedule = replace(schedule, table=table)
    return schedule.starting_at(name, entry)


def _name_of(module: ModuleOp) -> str:
    """The module's symbol or its file's name, as a name of the language."""
    if module.sym_name is not None:
        return module.sym_name.data
    place = place_of(module)
    stem = Path(place.file).stem if place is not None else ""
    return stem if stem.isidentifier() else "main"
