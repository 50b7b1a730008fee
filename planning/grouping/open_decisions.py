"""What the search has decided and could have decided otherwise.

Decisions of equal groups are one: a network of equal layers has those of one layer.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence

from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.changes import Change, Kind, OpenDecision
from tilewright.planning.grouping.equal import Signatures
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.search import Search


def open_decisions(
    search: Search, shared: Sequence[OpFacts]
) -> tuple[OpenDecision, ...]:
    """The decisions of a search that has ended, the nearest first."""
    signatures = Signatures()
    found: dict[Hashable, tuple[list[Change], float]] = {}
    for key, change, ratio in (
        *_merges(search, signatures),
        *_copies(search, signatures, shared),
        *_left_out(search, signatures),
    ):
        if math.isfinite(ratio):
            changes, least = found.get(key, ([], ratio))
            found[key] = [*changes, change], min(ratio, least)
    decisions = [
        OpenDecision(frozenset(changes), ratio) for changes, ratio in found.values()
    ]
    return tuple(sorted(decisions, key=lambda one: (one.ratio, min(one.changes))))


Found = Iterator[tuple[Hashable, Change, float]]
"""What equal decisions have in common, the change, and its time over that without."""


def _merges(search: Search, signatures: Signatures) -> Found:
    """Merges that were made: each could be left out."""
    for group in search.homes.groups:
        places = {facts: place for place, facts in enumerate(group.ops)}
        for made in group.decisions:
            reader = made.reader
            if made.taken and made.producer in places and reader in places:
                key = signatures.of(group), places[made.producer], places[reader]
                ops = made.producer.number, reader.number
                yield key, Change(Kind.APART, ops), made.ratio


def _copies(search: Search, signatures: Signatures, shared: Sequence[OpFacts]) -> Found:
    """Ops that several kernels compute: each could be stored."""
    for facts in shared:
        if facts.number in search.recomputed:
            homes = search.homes.of[facts]
            key = tuple((signatures.of(g), g.ops.index(facts)) for g in homes)
            change = Change(Kind.STORED, (facts.number,))
            yield key, change, search.recomputed[facts.number]


def _left_out(search: Search, signatures: Signatures) -> Found:
    """Changes that were slower, and could be made all the same."""
    groups = search.homes.groups
    for candidate, ratio in search.slower:
        if all(group in groups for group in candidate.before):
            sides = candidate.before, candidate.after
            key = candidate.change.kind, *(_signed(signatures, s) for s in sides)
            yield key, candidate.change, ratio


def _signed(signatures: Signatures, groups: Sequence[Group]) -> Hashable:
    return tuple(signatures.of(group) for group in groups)
