"""The search for kernels: groups merge while one kernel is faster than several.

A candidate has the groups before and after a change: several groups become one, or all
groups that read an element-wise op compute it. `legality.py` refuses some. The others
wait in a queue, those that may save the most first, and `cost.py` compares them.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterable, Sequence

from tilewright.planning.analysis.facts import ALONE, OpFacts, Role
from tilewright.planning.grouping.candidates import Candidate, Compared
from tilewright.planning.grouping.changes import Change, Kind
from tilewright.planning.grouping.cost import Cost
from tilewright.planning.grouping.group import POINTWISE, Decision, Group
from tilewright.planning.grouping.homes import Homes
from tilewright.planning.grouping.joining import as_one
from tilewright.planning.grouping.legality import (
    out_of_order,
    read_early,
    why_apart,
    why_not,
)

MOST_GROUPS = 5
"""The groups of one candidate: where two are slower as one, a third may help, as all of
a softmax of long rows is faster than any two of its ops."""
NEAREST = 3
"""How many groups of equal size, and how many other readers of each tensor it reads, a
group is compared to: those that are nearest in program order."""
DOUBT = 0.05
"""The share of their time that groups which pass nothing on must save as one kernel,
and those whose matmul would compute a factor in its loop: the estimates of
`planning/model` are no better than that."""
TIE = 0.02
"""The share by which a kernel may be slower than several that pass something on: it
takes less memory, and estimates do not tell such times apart."""


class Search:
    """One search, over the groups of `homes`, which it changes."""

    def __init__(self, homes: Homes, cost: Cost):
        self.homes = homes
        self.cost = cost
        self.refused: dict[frozenset[Group], str] = {}
        """Why groups are not one kernel."""
        self.slower: list[tuple[Candidate, float]] = []
        """What was possible and did not pay, and its time over that without it."""
        self.recomputed: dict[int, float] = {}
        """Ops that were copied, and the time without that over the time with it."""
        self._queue: list[tuple[float, int, Candidate, Compared | None]] = []
        self._count = itertools.count()
        self._seen: set[frozenset[object]] = set()
        self._early: dict[tuple[Group, ...], OpFacts] = {}
        """Groups that another group reads too early, and the op that it reads."""
        self._waiting: list[tuple[Group, ...]] = []
        """Groups that another one stands between, which may merge with a later one."""

    def run(self) -> None:
        """Make the changes that save time, then those that are asked for."""
        for group in list(self.homes.groups):
            self._offer(group)
        self._run()
        for change in sorted(self.homes.changes):
            found = self._asked_for(change)
            if found is not None:
                self._take(found, "asked for", math.inf)
                self._run()

    def _run(self) -> None:
        """Make the changes that save time, the largest saving first."""
        while self._queue or self._merge_waiting() or self._copy_all():
            _, _, candidate, compared = heapq.heappop(self._queue)
            if any(group not in self.homes.groups for group in candidate.before):
                continue
            if compared is None:
                compared = Compared(
                    self.cost.seconds(candidate.after),
                    self.cost.seconds(candidate.before),
                )
                if not self._pays(candidate, compared):
                    self._refuse(candidate, compared)
                    continue
                saved = compared.saved
                if self._queue and _order(saved, candidate) > self._queue[0][0]:
                    self._push(saved, candidate, compared)
                    continue
            self._take(candidate, compared.words, compared.gain)

    def _asked_for(self, change: Change) -> Candidate | None:
        """The candidate that a change asks for; None if it is impossible by now."""
        groups = self.homes.groups
        if change.kind == Kind.JOINED:
            parts = tuple(g for g in groups if g.sink.number in change.ops)
            return self._merge(parts) if len(parts) == len(change.ops) else None
        if change.kind == Kind.RECOMPUTED:
            for group in groups:
                for facts in group.leaving:
                    if facts.number in change.ops:
                        return self._copy(facts, (group,), group)
        return None

    def _pays(self, candidate: Candidate, compared: Compared) -> bool:
        """Whether a change is worth it."""
        together, apart = compared.together, compared.apart
        if math.isinf(together):
            return False
        before = candidate.before
        passes = any(
            one in self.homes.readers(each) for each in before for one in before
        )
        if any(group.prologues for group in candidate.after):
            return together < (1 - DOUBT) * apart
        if passes and len(candidate.after) == 1:
            return together <= (1 + TIE) * apart
        return together < (1 if passes else 1 - DOUBT) * apart

    def _take(self, candidate: Candidate, words: str, gain: float) -> None:
        """Make a change, and queue what it makes possible."""
        before, after = candidate.before, candidate.after
        if candidate.change.kind == Kind.RECOMPUTED:
            self.recomputed[candidate.change.ops[0]] = gain
        for group in after:
            parts = [each for each in before if group.has(each.sink)]
            for part in parts:
                group.decisions += part.decisions
            for part in parts:
                if part.sink is not group.sink:
                    reader = self._reader(part, group)
                    made = Decision(part.sink, reader, True, words, gain)
                    group.decisions.append(made)
        self.homes.replace(before, after)
        for group in after:
            self._offer(group)

    def _reader(self, part: Group, group: Group) -> OpFacts:
        """An op of a group that reads a part of it, or the group's sink."""
        found = (
            reader
            for reader in self.homes.analysis.readers(part.sink)
            if group.has(reader) and not part.has(reader)
        )
        return next(found, group.sink)

    def _push(
        self, saved: float, candidate: Candidate, compared: Compared | None = None
    ) -> None:
        """Queue a candidate by what it saves; if it was compared, by the estimate."""
        order = _order(saved, candidate)
        heapq.heappush(self._queue, (order, next(self._count), candidate, compared))

    def _refuse(self, candidate: Candidate, compared: Compared) -> None:
        """Remember the reason, and look at the groups together with one more."""
        self.refused[frozenset(candidate.before)] = compared.words
        if math.isfinite(compared.together):
            self.slower.append((candidate, compared.loss))
        if len(candidate.after) > 1 or len(candidate.before) == MOST_GROUPS:
            return
        for other in self._near(candidate.before):
            if not self._is_new((*candidate.before, other)):
                continue
            more = self._merge((*candidate.before, other))
            if more is not None:
                self._push(self.cost.saved_at_most(more.before, more.after), more)
                return

    def _near(self, parts: Sequence[Group]) -> list[Group]:
        """The groups that read some groups or are read by them, most bytes first."""
        passed: dict[Group, int] = {}
        for part in parts:
            for facts in part.leaving:
                for reader in self.homes.analysis.readers(facts):
                    for home in self.homes.of[reader]:
                        passed[home] = passed.get(home, 0) + facts.written_bytes
            for facts in self._read(part):
                for home in self.homes.of[facts]:
                    passed[home] = passed.get(home, 0) + facts.written_bytes
        near = [group for group in passed if group not in parts]
        return sorted(near, key=lambda group: -passed[group])

    def _is_new(self, things: Sequence[object]) -> bool:
        """Whether these were not looked at before."""
        key = frozenset(things)
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def _offer(self, group: Group) -> None:
        """Queue the changes of a group."""
        for other in itertools.chain(self._neighbours(group), self._alike(group)):
            if self._is_new((group, other)):
                found = self._merge((group, other))
                if found is not None:
                    saved = self.cost.saved_at_most(found.before, found.after)
                    self._push(saved, found)

    def _merge_waiting(self) -> bool:
        """Queue merges that others were in the way of; whether there are any."""
        waiting, self._waiting = self._waiting, []
        for parts in waiting:
            if all(part in self.homes.groups for part in parts):
                found = self._merge(parts)
                if found is not None:
                    self._push(self.cost.saved_at_most(parts, found.after), found)
        return bool(self._queue)

    def _copy_all(self) -> bool:
        """Queue all copies, once no groups merge any more; whether there are any."""
        for group in self.homes.groups:
            for facts in group.leaving:
                self._offer_copy(facts, (group,), group)
        for parts, facts in self._early.items():
            if all(part in self.homes.groups for part in parts):
                both = self.homes.merged(parts)
                assert isinstance(both, Group)
                both.leaving.discard(facts)
                if why_not(self.homes, parts, both) is None:
                    self._offer_copy(facts, parts, both)
        return bool(self._queue)

    def _offer_copy(
        self, facts: OpFacts, parts: tuple[Group, ...], group: Group
    ) -> None:
        """Queue a copy that was not looked at before."""
        if not self._is_new((facts, parts, *self._copying(facts, parts))):
            return
        found = self._copy(facts, parts, group)
        if found is not None:
            self._push(self.cost.saved_at_most(found.before, found.after), found)

    def _merge(self, parts: tuple[Group, ...]) -> Candidate | None:
        """Some groups as one, if they may be."""
        both = why_apart(self.homes, parts) or self.homes.merged(parts)
        reason = both if isinstance(both, str) else why_not(self.homes, parts, both)
        if reason is not None or isinstance(both, str):
            self.refused[frozenset(parts)] = reason or ""
            if isinstance(both, Group):
                early = read_early(self.homes, parts, both)
                if early is not None:
                    self._early[parts] = early[0]
                if out_of_order(self.homes, parts, both) is not None:
                    self._waiting.append(parts)
            return None
        sinks = sorted(part.sink.number for part in parts)
        return Candidate(parts, (both,), Change(Kind.JOINED, tuple(sinks)))

    def _read(self, group: Group) -> dict[OpFacts, None]:
        """The ops of other groups that a group reads."""
        return {
            made: None
            for facts in group.ops
            for _, made in self.homes.analysis.producers(facts)
            if not group.has(made) and made in self.homes.of
        }

    def _neighbours(self, group: Group) -> dict[Group, None]:
        """The groups that read a group, that it reads, or that read what it reads.

        Of the last ones, those which are near in program order.
        """
        homes = self.homes
        found = dict.fromkeys(homes.readers(group))
        for facts in self._read(group):
            found.update(dict.fromkeys(homes.of[facts]))
        for operand in group.outside_inputs():
            readers = {
                home: None
                for use in operand.value.uses
                if (reader := homes.analysis.by_op.get(use.operation)) in homes.of
                for home in homes.of[reader]
                if home is not group
            }
            found.update(dict.fromkeys(_nearest(group, readers)))
        found.pop(group, None)
        return found

    def _alike(self, group: Group) -> list[Group]:
        """Near groups of the same size: one launch may do for both."""
        sink = group.sink
        if group.contractions or sink.role in ALONE:
            return []
        alike = self.homes.of_size(sink.extents)
        return _nearest(group, (one for one in alike if not one.contractions))

    def _copy(
        self, facts: OpFacts, parts: tuple[Group, ...], group: Group
    ) -> Candidate | None:
        """The change that all groups which read an op of a group compute it themselves.

        The group is in place of some `parts`. What only this op needs of it goes.
        """
        homes = self.homes
        chain = self._chain(facts, parts, group)
        readers = self._copying(facts, parts)
        after = self._without(facts, group)
        if after is None or not chain or not readers:
            return None
        if not after and len(readers) == 1:
            return None  # a merge does the same
        own = Group([op for op in group.ops if op in chain], group.places)
        for reader in readers:
            both = homes.merged((own, reader))
            if isinstance(both, str):
                return None
            both.leaving -= chain
            if both.prologues & chain or why_not(homes, (own, reader), both):
                return None
            after.append(both)
        change = Change(Kind.RECOMPUTED, (facts.number,))
        return Candidate((*parts, *readers), tuple(after), change)

    def _copying(self, facts: OpFacts, parts: tuple[Group, ...]) -> list[Group]:
        """The groups beside some that read an op as it is."""
        homes_of_readers = {
            home: None
            for reader in self.homes.analysis.readers(facts)
            for home in self.homes.of[reader]
            if home not in parts and not home.has(facts)
        }
        return [home for home in homes_of_readers if _reads(home, facts)]

    def _chain(
        self, facts: OpFacts, parts: tuple[Group, ...], group: Group
    ) -> set[OpFacts]:
        """An op that a group stores for others, and the ops of it that it is made of.

        Empty if other groups cannot compute it as well.
        """
        homes, analysis = self.homes, self.homes.analysis
        if (
            facts.role not in POINTWISE
            or len(facts.op.results) > 1
            or analysis.escapes(facts)
            or homes.is_shared(facts, parts)
            or Change(Kind.STORED, (facts.number,)) in homes.changes
        ):
            return set()
        chain, made = {facts}, set(facts.op.operands)
        for member in reversed(group.ops):
            if member in chain or made.isdisjoint(member.op.results):
                continue
            if member.role not in (*POINTWISE, Role.FILL):
                return set()
            chain.add(member)
            made.update(member.op.operands)
        return chain

    def _without(self, facts: OpFacts, group: Group) -> list[Group] | None:
        """What is left of a group that need not store an op: one group, or none.

        None if no kernel has the results that are left.
        """
        leaving = group.leaving - {facts}
        kept, read = set(leaving), {v for each in leaving for v in each.op.operands}
        for member in reversed(group.ops):
            if not read.isdisjoint(member.op.results):
                kept.add(member)
                read.update(member.op.operands)
        ops = [member for member in group.ops if member in kept]
        if not ops:
            return []
        rest = as_one((Group(ops, group.places, stream=group.stream),), leaving)
        return [rest] if isinstance(rest, Group) else None


def _nearest(group: Group, others: Iterable[Group]) -> list[Group]:
    """The groups whose sinks are nearest in program order."""
    number = group.sink.number
    found = sorted(
        (other for other in others if other is not group),
        key=lambda other: abs(other.sink.number - number),
    )
    return found[:NEAREST]


def _reads(group: Group, facts: OpFacts) -> bool:
    """Whether an op of a group reads an op's results as they are."""
    return not group.read.isdisjoint(facts.op.results)


def _order(saved: float, candidate: Candidate) -> float:
    """What comes first: the largest saving in seconds, factors of matmuls at last.

    An op that a matmul's loop could compute may as well end the kernel before it.
    """
    return any(group.prologues for group in candidate.after) - saved
