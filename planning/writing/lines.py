"""The statements of a planned schedule: trees, and a line of text for each.

lines.do("fuse", name, "into", "grid", to=(name, "grid"))
lines.do("launch", "grid", warps=lines.knob("warps"))
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from tilewright.ir.errors import Place
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.group import Group
from tilewright.planning.writing.names import is_taken
from tilewright.planning.writing.terms import Given, Term, term, tree
from tilewright.schedules.language.comments.notes import OPEN
from tilewright.schedules.language.printing.tree_text import statement_text
from tilewright.schedules.language.syntax import (
    Action,
    Assign,
    Body,
    Branch,
    Call,
    Choose,
    Constant,
    ForEach,
    Guarded,
    Include,
    Items,
    Knob,
    Literal,
    Name,
    Require,
    Setting,
    Statement,
    Target,
    Value,
)

PLANNED = "<planned>"
"""The file name of a planned schedule in the places of its statements."""
WIDTH = 100
"""The longest line of a planned schedule."""

AnyStatement = TypeVar("AnyStatement", bound=Statement)


class Lines:
    """Statements of a planned schedule, as they are written."""

    def __init__(
        self,
        suffix: str = "",
        depth: int = 1,
        shared: Collection[OpFacts] = (),
        above: int = 0,
    ):
        self.suffix = suffix
        self.words: Mapping[str, str] = {}
        """The branches that were best for this kernel, by the names of choices."""
        self.shared = shared
        self.depth = depth
        self.above = above
        """The lines of the schedule above the first of these."""
        self.kernel: int | None = None
        """The number of the kernel that the statements are part of."""
        self.text: list[str] = []
        self.statements: list[Statement] = []
        """The statements of the block that is being written."""

    # -- text --------------------------------------------------------------------

    def line(self, text: str = "") -> None:
        """Write a line that is no statement by itself."""
        self.text.append("  " * self.depth + text if text else "")

    def comment(self, text: str, about_open: str = "") -> None:
        """Write a comment, on as many lines as it needs.

        What is `about_open` holds as long as no choice is made.
        """
        width = WIDTH - 2 * self.depth
        lines = [f"// {line}" for line in textwrap.wrap(text, width - 3)]
        if lines and about_open and len(lines[-1]) + len(about_open) + 5 <= width:
            lines[-1] += f" {OPEN} {about_open}"
        else:
            wrapped = textwrap.wrap(about_open, width - 4)
            lines += [f"{OPEN} {line}" for line in wrapped]
        for line in lines:
            self.line(line)

    def place(self, ahead: int = 0) -> Place:
        """The place of what is written next, or of a column after its beginning."""
        line, column = self.above + len(self.text) + 1, 2 * self.depth + 1
        return Place(PLANNED, line, column + ahead, part=self.part)

    @property
    def part(self) -> str | None:
        """The name of the kernel, which places carry."""
        return None if self.kernel is None else kernel_part(self.kernel)

    # -- statements --------------------------------------------------------------

    def do(
        self, verb: str, *arguments: Given, to: Sequence[str] = (), **settings: Term
    ) -> None:
        """A statement with a verb; `to` has the names that it binds."""
        self.add(action(verb, *arguments, to=to, **settings))

    def add(self, statement: Statement) -> None:
        """Write a statement on a line of its own."""
        self.statements.append(self._placed(statement))
        self.line(statement_text(statement))

    def _placed(self, statement: AnyStatement, ahead: int = 0) -> AnyStatement:
        """A statement with its place: that of its verb, as the parser gives it."""
        if isinstance(statement, Guarded):
            (inner,) = statement.body.statements
            inside = self._placed(inner, statement_text(statement).index("{") + 2)
            body = replace(statement.body, statements=(inside,))
            return replace(statement, body=body, place=self.place(ahead))
        if isinstance(statement, Action | Assign | Include) and statement.targets:
            names = [target.text for target in statement.targets]
            ahead += len(", ".join(names)) + len(" = ")
        return replace(statement, place=self.place(ahead))

    def constant(self, name: str, value: int) -> None:
        """`name = value`."""
        self.add(Constant(Target(name), Literal(value)))

    def merge(self, name: str, ops: Sequence[OpFacts]) -> None:
        """`name = merge(a, b)`."""
        handles = tuple(Name(facts.name) for facts in ops)
        self.add(Assign((Target(name),), Call(Name("merge"), handles)))

    def knobs(self, knobs: Mapping[str, tuple[Sequence[int], int]]) -> None:
        """Numbers that stay open: options and a default; several fit on a line."""
        line = ""
        for name, (options, default) in knobs.items():
            items = Items(tuple(map(Literal, options)))
            knob = Knob(Target(name), items, default=Literal(default))
            text = statement_text(knob)
            longer = f"{line}    {text}" if line else text
            if line and len(longer) + 2 * self.depth > WIDTH:
                self.line(line)
                longer = text
            line = longer
            here = self.place(len(line) - len(text))
            target = replace(knob.target, place=here)
            self.statements.append(replace(knob, target=target, place=here))
        if line:
            self.line(line)

    def require(self, condition: Value) -> None:
        """`require BM * BN <= 4096 * warps`."""
        self.add(Require(condition))

    def include(self, sequence: str, handle: str) -> None:
        """Run a sequence of the library."""
        self.add(Include((), Call(Name(sequence), (Name(handle),))))

    def knob(self, name: str) -> str:
        """A knob's name in this schedule: several kernels may have a knob `BM`."""
        assert is_taken(name), f"no op may be called '{name}': add it to CHOICES"
        return name + self.suffix

    # -- statements with blocks --------------------------------------------------

    @contextmanager
    def block(self, head: str) -> Generator[list[Statement]]:
        """Lines between braces, and the statements of these lines."""
        self.line(head + " {")
        self.depth += 1
        outer, self.statements = self.statements, []
        yield self.statements
        self.statements = outer
        self.depth -= 1
        self.line("}")

    @contextmanager
    def suppress(self, handle: str) -> Generator[None]:
        """Steps that are passed over where they do not apply."""
        here = self.place()
        with self.block(f"suppress {handle}") as body:
            yield
        self.statements.append(replace(suppressed(handle, *body), place=here))

    @contextmanager
    def for_each(self, names: Sequence[str], handles: Sequence[str]) -> Generator[None]:
        """Statements that run once for each op of some handles."""
        here = self.place()
        head = f"for each {', '.join(names)} in {', '.join(handles)}"
        with self.block(head) as body:
            yield
        self.statements.append(
            ForEach(
                (),
                tuple(map(Name, names)),
                tuple(map(Name, handles)),
                False,
                Body(tuple(body), end=here),
                place=here,
            )
        )

    def choose(
        self, name: str, branches: Mapping[str, Action | None], default: str
    ) -> None:
        """A choice between statements; a branch that was measured is the default."""
        word = self.words.get(name, default)
        with self.choice(name, word if word in branches else default) as made:
            for label, statement in branches.items():
                here, text, body = self.place(), f"{label} {{ }}", ()
                if statement is not None:
                    text = f"{label} {{ {statement_text(statement)} }}"
                    body = (self._placed(statement, len(label) + 3),)
                made.append(Branch(Name(label), body, place=here, end=here))
                self.line(text)

    def choose_among(
        self, name: str, branches: Mapping[str, Sequence[Action]], default: str
    ) -> None:
        """A choice between lists of statements, as `choose`."""
        word = self.words.get(name, default)
        with self.choice(name, word if word in branches else default) as made:
            for label, statements in branches.items():
                if not statements:
                    here = self.place()
                    made.append(Branch(Name(label), (), place=here, end=here))
                    self.line(f"{label} {{ }}")
                    continue
                with self.branch(label, made):
                    for statement in statements:
                        self.add(statement)

    @contextmanager
    def choice(self, name: str, default: str) -> Generator[list[Branch]]:
        """A choice whose branches are written inside."""
        here, made = self.place(), list[Branch]()
        with self.block(f"choose {self.knob(name)} default {default}"):
            yield made
        self.statements.append(
            Choose((), Name(self.knob(name)), tuple(made), Name(default), place=here)
        )

    @contextmanager
    def branch(self, label: str, made: list[Branch]) -> Generator[None]:
        """One branch of a choice."""
        here = self.place()
        with self.block(label) as body:
            yield
        made.append(Branch(Name(label), tuple(body), place=here, end=here))

    # -- what many sketches do ---------------------------------------------------

    def fuse(self, name: str, grid: str) -> None:
        """Fuse an op into a grid or a loop."""
        self.do("fuse", name, "into", grid, to=(name, grid))

    def fuse_all(self, ops: Sequence[OpFacts], grid: str) -> None:
        """Fuse ops into a grid, the last one first; shared ones come later."""
        for facts in sorted(ops, key=lambda f: -f.number):
            if facts not in self.shared:
                self.fuse(facts.name, grid)

    def merge_into(self, loop: str, other: str) -> None:
        """Fuse another loop into one, which keeps its name."""
        self.do("fuse_sibling", other, "into", loop, to=(loop,))

    def inline(self, producer: str, reader: str) -> None:
        """Make an op a part of its reader's body."""
        self.do("inline", producer, "into", reader, to=(reader,))

    def rewrite(self, verb: str, name: str, *arguments: Given) -> None:
        """A statement whose result has the name of what it rewrites."""
        self.do(verb, name, *arguments, to=(name,))

    def recompute_in_loops(self, ops: Sequence[OpFacts], grid: str) -> None:
        """Compute ops of a grid in each loop that reads them, the last op first.

        Ops that several kernels compute are copied into their loops at the end. That
        takes slices of the ops themselves, where the loops have slices of slices.
        """
        for facts in ops:
            if facts not in self.shared:
                self.rewrite("recompute", facts.name)
        if any(facts in self.shared for facts in ops):
            slices = "tensor.merge_consecutive_insert_extract_slice"
            self.do("patterns", grid, [slices])

    def launch(self, grid: str = "grid", /, **settings: Term) -> None:
        """How a grid is launched; a setting `warps` is the knob unless given."""
        given: dict[str, Term] = {"warps": self.knob("warps"), **settings}
        self.do("launch", grid, to=(), **given)

    def pipeline(self, loop: str, **settings: Term) -> None:
        """How a loop is pipelined."""
        self.do("pipeline", loop, to=(), **settings)

    def in_one_block(self, name: str, grid: str) -> None:
        """A grid of one program."""
        self.do("tilewright.in_one_block", name, to=(name, grid))

    def tile_sink(self, group: Group, sizes: Sequence[Term], grid: str) -> None:
        """Tile the loops of the sinks onto blocks; 0 leaves a loop whole.

        `sizes` are the sink's; the loops of other sinks along the same axes have the
        same sizes, and all grids become one. Where a sketch has collapsed the sink's
        loops, it has collapsed those of the other sinks alike.
        """
        self.tile_op(group.sink.name, sizes, grid)
        by_axis = {
            group.axis(group.sink, loop): size for loop, size in enumerate(sizes)
        }
        for other in group.also_sinks:
            own = sizes
            if len(sizes) == len(group.sink.extents):
                axes = (group.axis(other, loop) for loop in range(len(other.extents)))
                own = [by_axis.get(axis, 0) for axis in axes]
            self.tile_op(other.name, own, f"{grid}_{other.name}")
            self.merge_into(grid, f"{grid}_{other.name}")

    def tile_op(self, name: str, sizes: Sequence[Term], grid: str) -> None:
        """Tile an op's loops onto blocks; 0 leaves a loop whole."""
        rank = sum(size != 0 for size in sizes)
        mapping = [f"block.{axis}" for axis in _axes(rank)]
        self.do("tile", name, "by", trimmed(sizes), "onto", mapping, to=(name, grid))

    def tile_loop(self, name: str, sizes: Sequence[Term], *loops: str) -> None:
        """Tile an op's loops, one inside the other; 0 leaves a loop whole."""
        self.do("tile", name, "by", trimmed(sizes), to=(name, *loops))

    def tile_reduction(
        self, name: str, sizes: Sequence[Term], start: str, end: str, loop: str
    ) -> None:
        """Reduce in steps with an accumulator for every lane.

        `start` and `end` are the names of what fills and what combines the lanes.
        """
        self.do("tile_reduction", name, "by", list(sizes), to=(start, name, end, loop))


def action(
    verb: str, *arguments: Given, to: Sequence[str] = (), **settings: Term
) -> Action:
    """A statement with a verb, to be written."""
    given = [tree(each) for each in arguments]
    given += [Setting(key, term(value)) for key, value in settings.items()]
    return Action(tuple(map(Target, to)), Name(verb), tuple(given))


def match_ops(name: str) -> Action:
    """The statement that finds all structured ops."""
    return action("match", "implementing", ["LinalgOp"], "in", "root", to=(name,))


def merged(ops: Sequence[OpFacts]) -> Name | Call:
    """Several ops as one handle."""
    names = [Name(facts.name) for facts in ops]
    return names[0] if len(names) == 1 else Call(Name("merge"), tuple(names))


def trimmed(sizes: Sequence[Term]) -> list[Term]:
    """Tile sizes without the zeros at their end."""
    kept = list(sizes)
    while kept and kept[-1] == 0:
        kept.pop()
    return kept


def kernel_part(number: int) -> str:
    """How the places of a kernel's statements call it."""
    return f"kernel {number}"


def suppressed(handle: str, *body: Statement) -> Guarded:
    """Statements that are passed over where they do not apply."""
    return Guarded((), "suppress", (Name(handle),), Body(body))


def _axes(rank: int) -> list[str]:
    """The dimensions of a grid, outermost first: x, y and z, or as many as needed."""
    if rank <= 3:
        return ["z", "y", "x"][3 - rank :]
    return [f"linear_dim_{number}" for number in reversed(range(rank))]
