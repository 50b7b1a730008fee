"""Statements with blocks, as context managers: choose, try, for each and the others."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Any

from tilewright.ir.errors import UserError
from tilewright.schedules.builder.call_site import CallSite, call_site
from tilewright.schedules.builder.given import need_name, need_text
from tilewright.schedules.builder.recording import Block, Recording
from tilewright.schedules.builder.references import placed
from tilewright.schedules.builder.values import (
    Binding,
    Bound,
    Condition,
    Handle,
    Number,
    Reference,
    binding,
    need_bound,
    reference,
)
from tilewright.schedules.language.syntax import (
    Body,
    Branch,
    Choose,
    ForEach,
    Guarded,
    Literal,
    Name,
    Operator,
    Permute,
    Statement,
    Try,
    Yield,
)


class BlockStatement:
    """A statement with blocks; `results` are what its blocks yield."""

    def __init__(self, recording: Recording, word: str, given: Sequence[Bound] = ()):
        self._recording = recording
        self._site: CallSite = call_site()
        handles = [need_bound(one, word) for one in given]
        self._given = [recording.current(one, self._site.place) for one in handles]
        self._results: list[Any] = []
        self._before = recording.variables()
        """What variables stood for before the statement."""

    @property
    def results(self) -> tuple[Any, ...]:
        """What the statement gives: a handle for each value that its blocks yield."""
        names = call_site().names or ()
        if len(names) == len(self._results):
            for bound, name in zip(self._results, names, strict=True):
                bound.wanted = name or bound.wanted
                self._recording.assign(bound, name)
        return tuple(self._results)

    def _targets(self, statements: Sequence[Statement]) -> tuple[Binding, ...]:
        """New names for what a block yields, called as in the block."""
        last = statements[-1] if statements else None
        values = last.values if isinstance(last, Yield) else ()
        block = self._recording.block
        for value in values:
            if isinstance(value, Reference):
                like = value.of
                self._results.append(type(like)(like.wanted, block, like.kind))
            else:
                self._results.append(Number("number", block))
        return tuple(map(binding, self._results))

    @contextmanager
    def _inside(self, block: Block) -> Generator[Block]:
        """Add statements to a block; nothing remains of one that raises an error."""
        self._recording.enter(block, self._before)
        try:
            yield block
        finally:
            self._recording.leave(block)

    def _block(self, title: str, word: str) -> Block:
        """A new block of the statement."""
        remedy = f"yield it with s.yield_({{name}}), and use the results of '{word}'"
        return Block(title, remedy, owner=self)


class Chosen:
    """The branch that a `choose` takes, to compare with a label in a condition."""

    def __init__(self, name: str):
        self.name = need_name(name, "a choice", 's.choose("loads")')

    def __eq__(self, label: str) -> Condition:  # pyright: ignore
        """The branch is taken: `s.require((loads == "pointers") | (BM <= 64))`."""
        return self._compared("==", label)

    def __ne__(self, label: str) -> Condition:  # pyright: ignore
        """Another branch is taken."""
        return self._compared("!=", label)

    def __hash__(self) -> int:
        """By identity: `==` makes a condition."""
        return id(self)

    def _compared(self, sign: str, label: str) -> Condition:
        text = need_text(label, f"a label of '{self.name}'", '"pointers"')
        return Condition(Operator(sign, (Name(self.name), Literal(text))))


class Choice(BlockStatement, Chosen):
    """A branch to choose: `with s.choose("loads") as loads: ...`."""

    def __init__(self, recording: Recording, name: str, default: str | None):
        super().__init__(recording, "choose")
        Chosen.__init__(self, name)
        self._default = default
        self._branches: list[Branch] = []

    def __enter__(self) -> Choice:
        """Begin to add branches."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Add the statement, unless a branch raised an error."""
        if error is not None:
            return
        first = self._branches[0].body if self._branches else ()
        default = None if self._default is None else Name(self._default)
        targets = self._targets(first)
        made = Choose(targets, Name(self.name), tuple(self._branches), default)
        self._recording.add(made, self._site)

    @contextmanager
    def branch(self, label: str) -> Generator[None]:
        """Add a branch; what is done inside is done if it is chosen."""
        place = call_site().place
        label = need_name(label, "a branch", 'loads.branch("pointers")')
        title = f"branch '{label}' of choose '{self.name}'"
        with self._inside(self._block(title, "choose")) as block:
            yield
        made = Branch(Name(label), tuple(block.statements))
        self._branches.append(placed(made, place))


class Permutation(BlockStatement, Chosen):
    """Steps in an order to choose: `with s.permute("steps") as steps: ...`."""

    def __init__(self, recording: Recording, name: str):
        super().__init__(recording, "permute")
        Chosen.__init__(self, name)
        self._branches: list[Branch] = []
        self._assigned: dict[str, Bound] = {}
        self._statements = recording.block.statements
        self._index = 0

    def __enter__(self) -> Permutation:
        """Begin to add steps."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Add the statement, unless a step raised an error."""
        if error is None:
            self._index = len(self._statements)
            made = Permute((), Name(self.name), tuple(self._branches))
            self._recording.add(made, self._site)

    @contextmanager
    def step(self, label: str) -> Generator[None]:
        """Add a step; all steps run, one after the other."""
        place = call_site().place
        label = need_name(label, "a step", 'steps.step("tiles")')
        block = self._block(f"step '{label}' of permute '{self.name}'", "permute")
        self._recording.enter(block)
        try:
            yield
        finally:
            self._assigned |= self._recording.leave(block)
        made = Branch(Name(label), tuple(block.statements))
        self._branches.append(placed(made, place))

    @property
    def results(self) -> tuple[Any, ...]:
        """What the steps have made of the variables on the left of the assignment.

        `mm, grid = steps.results`: steps in any order assign the same variables.
        """
        site = call_site()
        made: list[Any] = []
        for name in site.names or (None,):
            like = self._assigned.get(name or "")
            if like is None:
                raise UserError(
                    f"permute '{self.name}': no step assigns {name or 'a variable'}",
                    site.place,
                    "assign the results to variables that the steps assign",
                )
            bound = type(like)(like.wanted, self._recording.block, like.kind)
            bound.same_as = like
            self._recording.assign(bound, name)
            made.append(bound)
        statement = self._statements[self._index]
        assert isinstance(statement, Permute)
        targets = tuple(placed(binding(one), site.place) for one in made)
        self._statements[self._index] = replace(statement, targets=targets)
        return tuple(made)


class Attempt(BlockStatement):
    """The first branch that applies: `with s.try_(func) as attempt: ...`."""

    def __init__(self, recording: Recording, scope: Handle | None):
        super().__init__(recording, "try_", () if scope is None else (scope,))
        self._branches: list[Body] = []

    def __enter__(self) -> Attempt:
        """Begin to add branches."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Add the statement, unless a branch raised an error."""
        if error is not None:
            return
        first = self._branches[0].statements if self._branches else ()
        scope = reference(self._given[0]) if self._given else None
        made = Try(self._targets(first), scope, tuple(self._branches))
        self._recording.add(made, self._site)

    @contextmanager
    def branch(self) -> Generator[None]:
        """Add a branch: it is tried if those before it do not apply."""
        place = call_site().place
        with self._inside(self._block("a branch of a 'try'", "try")) as block:
            yield
        self._branches.append(placed(Body(tuple(block.statements)), place))


class OneBlock(BlockStatement):
    """A statement with one block: `with s.suppress(func): ...`."""

    def __init__(self, recording: Recording, word: str, handles: Sequence[Bound]):
        super().__init__(recording, word, handles)
        self._word = word
        self._body = self._block(f"a '{word}'", word)

    def __enter__(self) -> tuple[Any, ...]:
        """Begin the block; gives the handles as they are called in it."""
        self._recording.enter(self._body)
        return tuple(self._given)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Add the statement, unless the block raised an error."""
        self._recording.leave(self._body)
        if error is None:
            body = placed(Body(tuple(self._body.statements)), self._site.place)
            self._recording.add(self._statement(body), self._site)

    def _statement(self, body: Body) -> Statement:
        names = tuple(map(reference, self._given))
        return Guarded(self._targets(body.statements), self._word, names, body)


class Loop(OneBlock):
    """A block that runs for each op: `with s.for_each(xs) as (x,): ...`."""

    def __init__(self, recording: Recording, over: Sequence[Any], shortest: bool):
        super().__init__(recording, "for each", over)
        self._shortest = shortest
        self._items: tuple[Any, ...] = ()

    def __enter__(self) -> tuple[Any, ...]:
        """Begin the block; gives a handle to one op of each."""
        super().__enter__()
        names = call_site().names or ()
        if len(names) != len(self._given):
            names = (None,) * len(self._given)
        self._items = tuple(
            type(over)(name or f"one_{over.wanted}", self._body, over.kind)
            for over, name in zip(self._given, names, strict=True)
        )
        for item, name in zip(self._items, names, strict=True):
            self._recording.assign(item, name)
        return self._items

    def _statement(self, body: Body) -> Statement:
        return ForEach(
            self._targets(body.statements),
            tuple(map(binding, self._items)),
            tuple(map(reference, self._given)),
            self._shortest,
            body,
        )
