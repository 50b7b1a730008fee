"""A schedule that is built in Python, statement by statement.

s = BuiltSchedule("linear")
mm, tail = s.match("linalg.matmul"), s.match("linalg.generic")
BM = s.knob("BM", [64, 128])
tail, grid = s.tile(tail, [BM, 128], onto=["block.y", "block.x"])
mm, grid = s.fuse(mm, grid)
print(s.to_tw())
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Never, Self

from tilewright.ir.errors import UserError
from tilewright.ir.notebook_html import text_html
from tilewright.schedules.builder.block_methods import BlockMethods
from tilewright.schedules.builder.call_site import CallSite, assigned_name, call_site
from tilewright.schedules.builder.decisions import DecisionMethods
from tilewright.schedules.builder.expressions import Functions
from tilewright.schedules.builder.given import (
    need_count,
    need_list,
    need_name,
    need_pairs,
    need_text,
    unknown_method,
)
from tilewright.schedules.builder.naming import settled_names
from tilewright.schedules.builder.recording import (
    Block,
    Recording,
    bound_as,
    kind_named,
    spare_names,
)
from tilewright.schedules.builder.references import names_a_choice, placed, renamed
from tilewright.schedules.builder.signatures import RESULTS, Signature
from tilewright.schedules.builder.trees import Attributes, Given, value_tree
from tilewright.schedules.builder.values import (
    Arithmetic,
    Bound,
    Condition,
    Handle,
    Mlir,
    Number,
    Options,
    Scalar,
    binding,
    operand,
)
from tilewright.schedules.builder.verbs import Verbs, signature_text
from tilewright.schedules.language.syntax import (
    Action,
    Argument,
    Assign,
    Call,
    Constant,
    Definition,
    File,
    Import,
    Include,
    Items,
    Knob,
    Literal,
    Name,
    Operator,
    Parameter,
    Require,
    Setting,
    Target,
)
from tilewright.schedules.language.verbs.attribute_text import kind_type
from tilewright.schedules.library.imports import with_imports
from tilewright.schedules.schedule import Schedule, read_tree


class BuiltSchedule(Verbs, BlockMethods, DecisionMethods, Functions):
    """A schedule under construction; each method adds a statement."""

    def __init__(self, name: str = "schedule"):
        name = need_name(name, "schedule", 'tilewright.schedule("linear")')
        self._recording = Recording(name, call_site().place)
        self._read: tuple[int, Schedule, list[UserError]] | None = None
        self._kinds: tuple[str, ...] = ()
        """The kinds of the next statement's results."""

    def __repr__(self) -> str:
        """Its name and the number of its statements."""
        count = len(self._recording.main.statements)
        return f"<schedule {self._recording.name}: {count} statements>"

    def _repr_html_(self) -> str:
        """Its text, or what is wrong with it, for notebooks."""
        schedule, errors = self.read()
        if not errors:
            return schedule._repr_html_()  # pyright: ignore[reportPrivateUsage]
        return text_html(repr(self)[1:-1], "\n".join(map(str, errors)))

    if not TYPE_CHECKING:
        # Type checkers report unknown methods themselves.

        def __getattr__(self, name: str) -> Never:
            """Refuse a method that does not exist, with one that does."""
            raise unknown_method(name, [n for n in dir(type(self)) if n[0] != "_"])

    @property
    def root(self) -> Handle:
        """The whole payload."""
        return self._recording.root

    # -- choices and numbers -----------------------------------------------------

    def knob(
        self,
        name: str,
        options: Sequence[Scalar | Arithmetic] | Options,
        *,
        default: Scalar | None = None,
    ) -> Number:
        """Leave a value open: `BM = s.knob("BM", [64, 128])`.

        Options are a list, `s.pow2(16, 256)` or `s.range(16, 256, 16)`; they may depend
        on other knobs and on the payload. `default` is the value if nobody chooses one.
        """
        if isinstance(options, Options):
            items = options.tree
        else:
            listed = need_list(options, "knob", 's.knob("BM", [64, 128])')
            items = Items(tuple(map(operand, listed)))
        name = need_text(name, "knob", 's.knob("BM", [64, 128])')
        chosen = None if default is None else Literal(default)
        number = Number(assigned_name() or name, self._recording.block)
        return self._numbered(Knob(binding(number), items, name, chosen), number)

    def number(self, value: Arithmetic | Scalar, name: str | None = None) -> Number:
        """Name a number: `BK = s.number(BM / 2)`; the variable's name is its name."""
        given = name or assigned_name() or "number"
        given = need_name(given, "number", 's.number(BM / 2, "BK")')
        tree = operand(value)
        if not isinstance(tree, Literal | Operator):
            tree = Operator("+", (tree, Literal(0)))
        number = Number(given, self._recording.block)
        return self._numbered(Constant(binding(number), tree), number)

    def _numbered(self, statement: Knob | Constant, number: Number) -> Number:
        site = call_site()
        statement = self._recording.known(statement, site.place)
        (of,) = self._recording.results(statement)
        number.kind = bound_as(of, number.wanted, self._recording.block).kind
        self._recording.add(statement, site)
        self._recording.assign(number, assigned_name())
        return number

    def require(self, condition: Condition | bool) -> None:
        """Allow only points at which a condition holds."""
        site = call_site()
        statement = self._recording.known(Require(operand(condition)), site.place)
        if not names_a_choice(statement):
            self._recording.results(statement)
        self._recording.add(statement, site)

    def mlir(self, text: str) -> Mlir:
        """An attribute or a type in MLIR's syntax: `s.mlir("bf16")`."""
        return Mlir(need_text(text, "mlir", 's.mlir("bf16")'))

    # -- sequences ---------------------------------------------------------------

    @contextmanager
    def sequence(self, name: str, **kinds: str) -> Generator[tuple[Any, ...]]:
        """Define a sequence to include: `with s.sequence("f", op="op") as (op,): ...`.

        Each keyword is a parameter with its kind: `op`, `value`, `param`, `scf.for`.
        """
        recording, place = self._recording, call_site().place
        name = need_name(name, "sequence", 's.sequence("f", op="op")')
        block = Block(
            f"sequence '{name}'", "give it to the sequence, or match it there"
        )
        given: list[Bound] = []
        parameters: list[Parameter] = []
        for parameter, words in kinds.items():
            text = need_text(words, f"the kind of '{parameter}'", f'{parameter}="op"')
            kind = placed(kind_named(text), place)
            bound = bound_as(kind_type(kind), parameter, block)
            given.append(bound)
            written = None if words == "op" else kind
            parameters.append(Parameter(binding(bound), written))
        outside, recording.open = recording.open, [block]
        try:
            yield tuple(given)
        finally:
            recording.open = outside
        body = tuple(block.statements)
        made = Definition(False, Name(name), tuple(parameters), body)
        made = renamed(made, settled_names(made))
        recording.sequences.append(placed(made, place))

    def import_(self, source: str, as_: str | None = None) -> None:
        """Use the sequences of another file: `s.import_("gemm")` of the library.

        `s.import_("parts/tails.tw", "t")` is a file beside this one in Python, whose
        sequences are then called `t.NAME`.
        """
        recording, site = self._recording, call_site()
        source = need_text(source, "import_", 's.import_("gemm")')
        alias = None
        if as_ is not None:
            alias = Name(need_name(as_, "import_", 's.import_("parts.tw", "p")'))
        made = placed(Import(source, source.endswith(".tw"), alias), site.place)
        for error in with_imports(File((), (), (made,)), recording.place.file).errors:
            raise error
        recording.imports.append(made)

    def include(
        self,
        name: str,
        *arguments: Bound | Arithmetic | Scalar,
        suppress: bool = False,
    ) -> tuple[Any, ...]:
        """Run a sequence of this schedule or of an import; gives its results.

        `suppress` skips steps that do not apply.
        """
        site = call_site()
        name = need_text(name, "include", 's.include("NAME", handle)')
        values = tuple(value_tree(argument) for argument in arguments)
        statement = Include((), Call(Name(name), values), suppress)
        statement = self._recording.known(statement, site.place)
        types = self._recording.results(statement)
        made = self._recording.bound(types, site, ())
        statement = replace(statement, targets=tuple(map(binding, made)))
        self._recording.add(statement, site)
        return tuple(made)

    # -- verbs and ops -----------------------------------------------------------

    def giving(self, *kinds: str) -> Self:
        """Say the kinds of the next statement's results: `"scf.for"`, `value`, ...

        `loop = s.giving("scf.for").match("scf.for")`.
        """
        usage = 's.giving("scf.for")'
        self._kinds = tuple(need_text(kind, "giving", usage) for kind in kinds)
        return self

    def op(
        self,
        name: str,
        *operands: Bound | Arithmetic | Scalar,
        results: int | None = None,
        attributes: Attributes | None = None,
        **fields: Given,
    ) -> tuple[Any, ...]:
        """Any transform op by its name: `s.op("structured.split", mm, dimension=0)`.

        Operands come in their order, other fields by name. An op with any number of
        results gives as many as there are names for them, or `results`.
        """
        site = call_site()
        name = need_text(name, "op", 's.op("structured.split", mm, dimension=0)')
        given: list[Argument] = [value_tree(each) for each in operands]
        given += [Setting(key, value_tree(value)) for key, value in fields.items()]
        for key, value in need_pairs(attributes, "attributes", '{"wide": True}'):
            constant = operand(True if value is None else value)
            given.append(Setting(key, constant, quoted=True))
        names = len(site.names or ())
        if results is not None:
            names = need_count(results, "op")
        return tuple(self._action(name, given, site, names))

    def do(self, signature: Signature, given: Mapping[str, Any]) -> Any:
        """Add the statement of a verb, and give its results."""
        site = call_site()
        given = dict(given)
        count = 0
        if signature.counts_names:
            count = given.pop(RESULTS, None) or len(site.names or ())
        for parameter in signature.parameters:
            if parameter.is_root and given.get(parameter.name) is None:
                given[parameter.name] = self.root
        try:
            arguments = signature.arguments(given)
            made = self._action(signature.verb.name, arguments, site, count)
        except UserError as error:
            raise _in_python(error, signature) from error
        if signature.result_count == 0:
            return None
        return made[0] if signature.result_count == 1 else tuple(made)

    def call(self, function: str, handles: tuple[Any, ...]) -> Any:
        """Add a function call, and give its result."""
        site = call_site()
        values = tuple(value_tree(handle) for handle in handles)
        statement = Assign((), Call(Name(function), values))
        statement = self._recording.known(statement, site.place)
        types = self._recording.results(statement)
        made = self._recording.bound(types, site, [function])
        statement = replace(statement, targets=tuple(map(binding, made)))
        self._recording.add(statement, site)
        return made[0]

    def _action(
        self,
        verb: str,
        arguments: Sequence[Argument],
        site: CallSite,
        count: int = 0,
    ) -> list[Bound]:
        """Add a statement with a verb; `count` names are bound if it needs them."""
        statement = Action((), Name(verb), tuple(arguments))
        statement = self._recording.known(statement, site.place)
        written = [placed(kind_named(kind), site.place) for kind in self._kinds]
        self._kinds = ()
        known = [*written, *([None] * (count - len(written)))]
        targets = [Target(f"result_{n}", kind) for n, kind in enumerate(known)]
        types = self._recording.results(statement, targets)
        made = self._recording.bound(types, site, spare_names(statement, self.root))
        pairs = zip(made, [*written, *([None] * len(made))], strict=False)
        bound = tuple(binding(one, kind) for one, kind in pairs)
        self._recording.add(replace(statement, targets=bound), site)
        return made

    # -- the schedule ------------------------------------------------------------

    def tree(self) -> File:
        """The statements as a tree of the language."""
        recording = self._recording
        if len(recording.open) > 1:
            raise UserError(
                f"{recording.block.title} is still open",
                call_site().place,
                "leave its 'with' first",
            )
        root = Parameter(binding(recording.root))
        body = tuple(recording.main.statements)
        main = Definition(True, Name(recording.name), (root,), body)
        main = renamed(main, settled_names(main))
        file = recording.file(placed(main, recording.place))
        return replace(file, decisions=recording.decisions(recording.place))

    def read(self) -> tuple[Schedule, list[UserError]]:
        """The schedule and its errors, read again after a further statement."""
        recording = self._recording
        count = len(recording.main.statements) + len(recording.rules)
        if self._read is None or self._read[0] != count:
            schedule, errors = read_tree(self.tree(), "", recording.place.file)
            self._read = count, schedule, errors
        return self._read[1], self._read[2]

    @property
    def errors(self) -> list[UserError]:
        """All mistakes that show before a run, with the lines of Python they are in."""
        return self.read()[1]

    @property
    def schedule(self) -> Schedule:
        """The schedule, to run; raises the first of its errors."""
        schedule, errors = self.read()
        if errors:
            raise errors[0]
        return schedule

    def to_tw(self) -> str:
        """The schedule in the `.tw` language."""
        return self.schedule.to_tw()

    def to_mlir(self, resolved: bool = True) -> str:
        """The schedule in MLIR's transform dialect; see `Schedule.to_mlir`."""
        return self.schedule.to_mlir(resolved)


def _in_python(error: UserError, signature: Signature) -> UserError:
    """An error whose remedy shows the method, in place of the statement of `.tw`."""
    usage = f"write: {signature.verb.form.usage}"
    if error.remedy is None or not error.remedy.startswith(usage):
        return error
    remedy = f"write: s.{signature_text(signature)}"
    return type(error)(error.fact, error.place, remedy, error.notes)
