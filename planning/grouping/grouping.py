"""Grouping: which ops of a payload share a kernel.

Each op starts as a group of its own, and each chain that can be streamed as one. The
search (`search.py`) then merges groups, as far as `legality.py` allows it and `cost.py`
finds it faster.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.candidates import Compared
from tilewright.planning.grouping.changes import NO_CHANGES, Changes, OpenDecision
from tilewright.planning.grouping.cost import Cost, Estimate
from tilewright.planning.grouping.equal import Signatures
from tilewright.planning.grouping.group import Decision, Group, Stream
from tilewright.planning.grouping.homes import Homes
from tilewright.planning.grouping.legality import why_not
from tilewright.planning.grouping.open_decisions import open_decisions
from tilewright.planning.grouping.search import DOUBT, Search
from tilewright.planning.grouping.streams import NO_CHAINS, Streams, find_streams

UNKNOWN = "no kernel is known that streams it"
REFUSED = "its kernel was refused"


@dataclass(frozen=True)
class Grouping:
    """The kernels of a payload, and the ops that several of them compute."""

    groups: tuple[Group, ...]
    """In program order of their sinks."""
    shared: tuple[OpFacts, ...]
    """Ops that are computed in every kernel that reads them."""
    decisions: tuple[OpenDecision, ...] = ()
    """What could be decided otherwise; whether it should is up to estimates."""
    streams: Streams = NO_CHAINS
    """The chains that may be streamed, for groups under other changes."""


def group_ops(
    analysis: Analysis,
    target: Target,
    seconds: Estimate = lambda group: 0.0,
    *,
    streams: Streams | None = None,
    unstreamed: Collection[int] = (),
    changes: Changes = NO_CHANGES,
    with_decisions: bool = False,
) -> Grouping:
    """Group the ops of a payload into kernels.

    `seconds` has the estimate of a group's best sketch, infinite without one. `streams`
    are the chains of reductions that may be one kernel; by default, those that are
    estimated faster so, without those whose last matmuls have the numbers `unstreamed`.
    What `changes` ask for comes before the estimates; a change that no kernel can have
    is left out. The result has the open decisions if it is `with_decisions`.
    """
    cost = Cost(target, seconds)
    search = None
    if streams is None:
        found = find_streams(analysis)
        refused = {s: REFUSED for s in found.chains if s.matmul.number in unstreamed}
        search, streams = _settled(analysis, cost, found.without(refused))
    if search is None or changes:
        search, streams = _searched(analysis, cost, streams, changes)
    _explain(search, streams)
    groups = sorted(search.homes.groups, key=lambda group: group.sink.number)
    shared = tuple(_shared(search.homes))
    decisions = open_decisions(search, shared) if with_decisions else ()
    return Grouping(tuple(groups), shared, decisions, streams)


def _searched(
    analysis: Analysis, cost: Cost, streams: Streams, changes: Changes = NO_CHANGES
) -> tuple[Search, Streams]:
    """A search over all ops that has ended, and the chains that kernels stream."""
    while True:
        alone = (_alone(facts) for facts in analysis.plannable)
        homes = Homes(analysis, alone, changes)
        refused = _start_streams(homes, streams)
        _place_fills(homes, analysis.plannable)
        for group in homes.groups:
            if group.stream is not None and math.isinf(cost.seconds([group])):
                refused[group.stream] = UNKNOWN
        if not refused:
            break
        streams = streams.without(refused)
    search = Search(homes, cost)
    search.run()
    return search, streams


def _settled(
    analysis: Analysis, cost: Cost, streams: Streams
) -> tuple[Search, Streams]:
    """A search that has ended, with the chains that are faster in one loop than apart.

    What comes before and after a chain may share kernels with parts of it. So where the
    chain is streamed, its kernel and those around it are compared with the kernels that
    the search finds for the same ops without the loop.
    """
    streams, compared = _faster_alone(streams, analysis, cost)
    while True:
        search, streams = _searched(analysis, cost, streams)
        refused = _slower_around(search, cost, compared)
        if not refused:
            return search, streams
        streams = streams.without(refused)


def _slower_around(
    search: Search, cost: Cost, alone: Mapping[Stream, Compared]
) -> dict[Stream, str]:
    """The chains whose ops, with the ops of the kernels around, are faster apart."""
    homes, refused = search.homes, dict[Stream, str]()
    signatures, known = Signatures(), dict[Hashable, Compared]()
    for group in homes.groups:
        if group.stream is None or not (around := homes.around(group)):
            continue
        groups = [group, *around]
        key = tuple(map(signatures.of, groups))
        if key not in known:
            ops = {facts: None for each in groups for facts in each.ops}
            others = [each.stream for each in around if each.stream is not None]
            apart = _seconds_apart(
                homes.analysis,
                cost,
                sorted(ops, key=lambda facts: facts.number),
                Streams(tuple(others), {}),
            )
            known[key] = Compared(cost.seconds(groups), apart)
        both = known[key]
        doubt = DOUBT * alone[group.stream].apart
        if both.apart < both.together + (0.0 if math.isinf(doubt) else doubt):
            refused[group.stream] = f"with the kernels around: {both.words}"
    return refused


def _faster_alone(
    streams: Streams, analysis: Analysis, cost: Cost
) -> tuple[Streams, dict[Stream, Compared]]:
    """The chains whose ops alone are faster in one loop, and what was compared.

    The kernels apart are those that the search finds for the ops of the chain. Of two
    chains with a common op the one that saves more is kept.
    """
    refused: dict[Stream, str] = {}
    faster: dict[Stream, Compared] = {}
    signatures, known = Signatures(), dict[Hashable, Compared]()
    for stream in streams.chains:
        ops = _with_fills(stream, analysis)
        homes = Homes(analysis, map(_alone, ops))
        reasons = _start_streams(homes, Streams((stream,), {}))
        if reasons:
            refused |= reasons
            continue
        _place_fills(homes, ops)
        (whole,) = (group for group in homes.groups if group.stream is stream)
        key = signatures.of(whole)
        if key not in known:
            together = cost.seconds(list(homes.groups))
            known[key] = Compared(together, _seconds_apart(analysis, cost, ops))
        compared = known[key]
        if math.isinf(compared.together):
            refused[stream] = UNKNOWN
        elif compared.together > (1 - DOUBT) * compared.apart:
            refused[stream] = compared.words
        else:
            faster[stream] = compared
    taken = set[OpFacts]()
    for stream in sorted(faster, key=lambda each: -faster[each].saved):
        if taken.isdisjoint(stream.ops):
            taken |= stream.ops
        else:
            refused[stream] = "a part of the chain is streamed elsewhere"
    return streams.without(refused), faster


def _with_fills(stream: Stream, analysis: Analysis) -> list[OpFacts]:
    """The ops of a chain and the fills that they start from, in program order."""
    fills = {
        made
        for facts in stream.ops
        for _, made in analysis.producers(facts)
        if made.role == Role.FILL
    }
    return sorted(stream.ops | fills, key=lambda facts: facts.number)


def _seconds_apart(
    analysis: Analysis,
    cost: Cost,
    ops: Sequence[OpFacts],
    streams: Streams = NO_CHAINS,
) -> float:
    """The time of some ops in kernels that stream no other chains than given ones."""
    homes = Homes(analysis, map(_alone, ops))
    _start_streams(homes, streams)
    _place_fills(homes, ops)
    Search(homes, cost).run()
    return cost.seconds(list(homes.groups))


def _alone(facts: OpFacts) -> Group:
    """A group of one op."""
    return Group([facts], leaving={facts})


def _start_streams(homes: Homes, streams: Streams) -> dict[Stream, str]:
    """Make a group of each chain; the chains that are none, with the reasons."""
    refused: dict[Stream, str] = {}
    for stream in streams.chains:
        ops = sorted(stream.ops, key=lambda facts: facts.number)
        parts = [homes.of[facts][0] for facts in ops]
        parts[-1].stream = stream
        whole = homes.merged(parts)
        reason = whole if isinstance(whole, str) else why_not(homes, parts, whole)
        if isinstance(whole, str) or reason is not None:
            refused[stream] = reason or ""
            continue
        for facts in ops:
            if facts not in whole.sinks:
                reader = next(filter(whole.has, homes.analysis.readers(facts)))
                whole.decisions.append(Decision(facts, reader, True, "streamed"))
        homes.replace(parts, [whole])
    return refused


def _place_fills(homes: Homes, ops: Iterable[OpFacts]) -> None:
    """Compute the fills of some ops in the groups that read them."""
    for facts in ops:
        if facts.role == Role.FILL and not homes.analysis.escapes(facts):
            _place_fill(homes, facts)


def _place_fill(homes: Homes, facts: OpFacts) -> None:
    """Compute a fill in every group that reads it; a factor of a matmul is stored."""
    (own,) = homes.of[facts]
    readers = homes.readers(own)
    if any(
        use.reader.role == Role.CONTRACTION and use.position < len(use.reader.inputs)
        for use in homes.analysis.uses(facts)
    ):
        return
    found: list[Group] = []
    for reader in readers:
        both = homes.merged([own, reader])
        if isinstance(both, str):
            return
        both.leaving.discard(facts)
        both.decisions = reader.decisions
        found.append(both)
    if found:
        homes.replace([own, *readers], found)


def _shared(homes: Homes) -> list[OpFacts]:
    """The ops of several groups, and the fills that they alone read."""
    found = {facts for facts, groups in homes.of.items() if len(groups) > 1}
    for facts in homes.of:
        if facts.role == Role.FILL and homes.of[facts]:
            if not found.isdisjoint(homes.analysis.readers(facts)):
                found.add(facts)
    return sorted(found, key=lambda facts: facts.number)


def _explain(search: Search, streams: Streams) -> None:
    """Tell each group why it does not compute what it reads."""
    homes = search.homes
    for group in homes.groups:
        for facts in group.ops:
            for _, made in homes.analysis.producers(facts):
                if group.has(made) or made not in homes.of:
                    continue
                for home in homes.of[made]:
                    words = search.refused.get(frozenset((home, group)))
                    if words is None:
                        continue
                    if facts in streams.resisting:
                        words += f"; not streamed: {streams.resisting[facts]}"
                    group.decisions.append(Decision(made, facts, False, words))
