"""The kernels while they are being found: which groups compute which op."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.changes import NO_CHANGES, Changes, strangers
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.joining import as_one

KEPT_APART = "they are kept apart"


class Homes:
    """The groups so far, and the groups that compute each op."""

    def __init__(
        self,
        analysis: Analysis,
        groups: Iterable[Group],
        changes: Changes = NO_CHANGES,
    ):
        """`changes` say which ops stay apart. Ops in no group are other kernels."""
        self.analysis = analysis
        self.changes = changes
        self._strangers = strangers(changes)
        self.of: defaultdict[OpFacts, list[Group]] = defaultdict(list)
        self.groups: dict[Group, None] = {}
        self._by_size: dict[tuple[int, ...], dict[Group, None]] = {}
        self._readers: dict[Group, list[Group]] = {}
        self.replace((), groups)

    def replace(self, before: Iterable[Group], after: Iterable[Group]) -> None:
        """Put groups into the place of others."""
        for group in before:
            del self.groups[group]
            del self._by_size[group.sink.extents][group]
            for facts in group.ops:
                self.of[facts].remove(group)
        for group in after:
            self.groups[group] = None
            self._by_size.setdefault(group.sink.extents, {})[group] = None
            for facts in group.ops:
                self.of[facts].append(group)
        self._readers.clear()

    def of_size(self, extents: tuple[int, ...]) -> Iterable[Group]:
        """The groups whose sinks have loops of these extents."""
        return self._by_size.get(extents, ())

    def is_shared(self, facts: OpFacts, parts: Sequence[Group]) -> bool:
        """Whether groups beside some compute an op too."""
        return any(home not in parts for home in self.of[facts])

    def is_stored(self, facts: OpFacts, parts: Sequence[Group]) -> bool:
        """Whether a kernel in place of some groups stores an op's result."""
        readers = self.analysis.readers(facts)
        return (
            self.analysis.escapes(facts)
            or any(not self.of[reader] for reader in readers)
            or any(
                home not in parts and not home.has(facts)
                for reader in readers
                for home in self.of[reader]
            )
        )

    def readers(self, group: Group) -> list[Group]:
        """The groups that read what a group stores."""
        if (known := self._readers.get(group)) is None:
            found = {
                home: None
                for facts in group.leaving
                for reader in self.analysis.readers(facts)
                for home in self.of[reader]
                if home is not group and not home.has(facts)
            }
            known = self._readers[group] = list(found)
        return known

    def around(self, group: Group) -> list[Group]:
        """The groups that read what a group stores, or store what it reads."""
        found = dict.fromkeys(self.readers(group))
        for facts in group.ops:
            for _, made in self.analysis.producers(facts):
                if not group.has(made) and made in self.of:
                    found.update(dict.fromkeys(self.of[made]))
        return list(found)

    def between(self, parts: Sequence[Group]) -> Group | None:
        """A group that waits for one of some groups, and that one of them waits for."""
        last = max(group.sink.number for group in parts)
        starts = {start: None for part in parts for start in self.readers(part)}
        for start in starts:
            if start in parts or start.ops[0].number > last:
                continue
            pending, seen = [start], {start}
            while pending:
                for home in self.readers(pending.pop()):
                    if home in parts:
                        return start
                    if home not in seen and home.ops[0].number <= last:
                        seen.add(home)
                        pending.append(home)
        return None

    def merged(self, parts: Sequence[Group]) -> Group | str:
        """Some groups as one kernel, or why their loops do not fit."""
        ops = {facts for group in parts for facts in group.ops}
        if self._strangers:
            numbers = {facts.number for facts in ops}
            for number in numbers & self._strangers.keys():
                if not numbers.isdisjoint(self._strangers[number]):
                    return KEPT_APART
        return as_one(parts, {facts for facts in ops if self.is_stored(facts, parts)})
