"""Grouping: from the last op to the first, each joins the kernel of its readers.

An op whose readers are all in one kernel is fused into it where the rules of `rules.py`
allow it. An op whose readers are in several kernels is computed again in each, or
stored once, whichever moves fewer bytes. What does not join starts a kernel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tilewright.codegen.targets import Target
from tilewright.ir.phrases import in_units
from tilewright.planning.analysis.dataflow import Analysis, Use
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.equal import equal_groups
from tilewright.planning.grouping.fusion import Fusion, Uses
from tilewright.planning.grouping.group import Decision, Group
from tilewright.planning.grouping.producers import join_producers
from tilewright.planning.grouping.row_results import join_row_results
from tilewright.planning.grouping.rules import against, repeated
from tilewright.planning.grouping.sibling_products import join_siblings
from tilewright.planning.grouping.siblings import merge_siblings
from tilewright.planning.grouping.streams import (
    Streams,
    against_tail,
    find_streams,
    streams_without_kernel,
)
from tilewright.planning.grouping.tails import POINTWISE, Tails, chain_inputs


@dataclass(frozen=True)
class Grouping:
    """The kernels of a payload, and the ops that several of them compute."""

    groups: tuple[Group, ...]
    """In program order of their sinks."""
    shared: tuple[OpFacts, ...]
    """Ops that are computed in every kernel that reads them."""


def group_ops(
    analysis: Analysis,
    target: Target,
    has_sketch: Callable[[Group], bool] = lambda group: True,
    seconds: Callable[[Group], float] = lambda group: 0.0,
    *,
    streaming: bool = True,
) -> Grouping:
    """Group the ops of a payload into kernels.

    A group that `has_sketch` refuses is taken apart. `seconds` has the estimate of a
    group's best sketch. Without `streaming`, no group computes a chain of reductions
    that ends in a product.
    """
    apart: dict[OpFacts, str] = {}
    streams = find_streams(analysis) if streaming else Streams({}, {})
    while True:
        builder = _Builder(analysis, target, apart, streams)
        for facts in reversed(analysis.plannable):
            builder.place(facts)
        if refused := streams_without_kernel(builder.groups, streams, has_sketch):
            streams = streams.without(refused)
            continue
        found = {
            facts: reason
            for group in builder.groups
            for facts, reason in repeated(group, target)
            if facts not in apart
        }
        for groups in equal_groups(builder.groups, builder.shared):
            if len(groups[0].ops) > 1 and not has_sketch(groups[0]):
                for group in groups:
                    for facts in _to_take_out(group):
                        words = "no kernel is known that computes both"
                        found.setdefault(facts, words)
        found = {facts: words for facts, words in found.items() if facts not in apart}
        if not found:
            break
        apart |= found
    whole = join_row_results(analysis, builder.groups)
    ordered = sorted(whole, key=lambda group: group.sink.number)
    joined = join_siblings(ordered, builder.shared, has_sketch)
    merged = merge_siblings(analysis, joined, has_sketch)
    groups = join_producers(analysis, merged, seconds)
    homes = Counter(facts for group in groups for facts in group.ops)
    shared = [
        facts for facts in builder.shared if homes[facts] > 1 or facts.role == Role.FILL
    ]
    return Grouping(tuple(groups), tuple(shared))


def _to_take_out(group: Group) -> Iterator[OpFacts]:
    """The op that a group without a sketch loses: a prologue, or a heavy one."""
    fused = [facts for facts in group.fused if facts.role != Role.FILL]
    heavy = [facts for facts in fused if facts.reduced]
    for facts in [*group.prologues, *heavy, *reversed(fused)]:
        yield facts
        return


class _Builder:
    """One attempt; ops that are `apart` are not fused into their readers."""

    def __init__(
        self,
        analysis: Analysis,
        target: Target,
        apart: dict[OpFacts, str],
        streams: Streams,
    ):
        self.analysis = analysis
        self.target = target
        self.apart = apart
        self.streams = streams
        self.tails = Tails(analysis, streams.by_op)
        self.groups: list[Group] = []
        self.shared: list[OpFacts] = []
        self.homes: dict[OpFacts, list[Group]] = {}

    def place(self, facts: OpFacts) -> None:
        """Put an op into the kernels of its readers, or into one of its own."""
        uses = self.analysis.uses(facts)
        homes: dict[Group, None] = {}
        for use in uses:
            for group in self.homes[use.reader]:
                homes[group] = None
        escapes = self.analysis.escapes(facts)
        if facts.role == Role.FILL and homes and not escapes:
            self.place_fill(facts, uses, list(homes))
            return
        stream = self.streams.by_op.get(facts)
        if len(homes) > 1 and not escapes and stream is None:
            if self.recompute(facts, uses, list(homes)):
                return
        # One kernel computes it; if there are others, it is stored, and they read it.
        stored = escapes or len(homes) > 1
        for group in sorted(
            homes,
            key=lambda g: (stream is None or g.stream is not stream, g.sink.number),
        ):
            if self.join(facts, uses, group, stored):
                return
        home = next((g for g in self.groups if stream and g.stream is stream), None)
        if home is None:
            self.start(facts)
        else:
            self.add_sink(facts, home)

    def add_sink(self, facts: OpFacts, group: Group) -> None:
        """Compute an op of a streamed chain that only other kernels read.

        Its producers, which are placed next, join its axes to those of the group.
        """
        group.ops = sorted([*group.ops, facts], key=lambda each: each.number)
        sinks = [*group.also_sinks, facts, group.sink]
        group.also_sinks = [
            sink for sink in dict.fromkeys(sinks) if sink is not group.sink
        ]
        group.leaving.add(facts)
        self.homes[facts] = [group]

    def start(self, facts: OpFacts) -> Group:
        """A kernel whose sink is this op."""
        group = Group([facts], leaving={facts}, stream=self.streams.by_op.get(facts))
        self.groups.append(group)
        self.homes[facts] = [group]
        return group

    def place_fill(
        self, facts: OpFacts, uses: Sequence[Use], groups: Sequence[Group]
    ) -> None:
        """Compute a fill in every kernel that reads it; a factor is stored."""
        inside = {group: _inside(uses, group) for group in groups}
        if any(_is_factor(use) for use in uses) or any(
            group.against_axes(facts, inside[group]) for group in groups
        ):
            self.start(facts)
            return
        for group in groups:
            group.add(facts, inside[group])
        self.homes[facts] = list(groups)
        readers = {reader for uses in inside.values() for reader, _ in uses}
        if len(groups) > 1 or readers & set(self.shared):
            self.shared.append(facts)

    def join(
        self, facts: OpFacts, uses: Sequence[Use], group: Group, stored: bool
    ) -> bool:
        """Fuse an op into one kernel, if nothing speaks against it."""
        inside = _inside(uses, group)
        reason = self.reason(facts, inside, group, stored)
        reader = inside[0][0]
        words = reason or f"saves {in_units(2 * facts.written_bytes, 'B')} of traffic"
        stream = self.streams.by_op.get(facts)
        if reason is not None and reader in self.streams.resisting:
            words += f"; not streamed: {self.streams.resisting[reader]}"
        if reason is None and stream is not None and stream is group.stream:
            words += "; streamed"
        group.decisions.append(Decision(facts, reader, reason is None, words))
        if reason is not None:
            return False
        group.add(facts, inside)
        self.homes[facts] = [group]
        if stored:
            group.leaving.add(facts)
        if stream is not None:
            group.stream = stream
            return True
        if any(_is_in_loop(reader, group) for reader, _ in inside):
            group.prologues.add(facts)
        return True

    def reason(
        self,
        facts: OpFacts,
        inside: Uses,
        group: Group,
        stored: bool,
    ) -> str | None:
        """What speaks against computing an op in a kernel."""
        if any(reader in self.shared for reader, _ in inside):
            # Shared ops are fused last: what they read must be stored by then.
            return "its reader is computed in several kernels"
        return (
            self.gathered(facts, group)
            or self.cycle(facts, group)
            or self.early_reader(facts, group)
            or self.rule_against(facts, inside, group, stored)
        )

    def gathered(self, facts: OpFacts, group: Group) -> str | None:
        """Whether an op of the group reads elements that other programs compute."""
        for reader in self.analysis.gatherers(facts):
            if group.has(reader):
                return f"'{reader.name}' reads it at computed places, once it is stored"
        return None

    def early_reader(self, facts: OpFacts, group: Group) -> str | None:
        """Whether another kernel reads the op before the place of the group's grid.

        Such a reader cannot read what the grid stores: the op would stay behind, with
        no kernel planned for it.
        """
        for reader in self.analysis.readers(facts):
            if reader.number < group.sink.number and not group.has(reader):
                return f"'{reader.name}' reads it before this kernel's last op"
        return None

    def rule_against(
        self,
        facts: OpFacts,
        inside: Uses,
        group: Group,
        stored: bool,
    ) -> str | None:
        """The rule or the axes that speak against it, whatever the order of kernels."""
        reason = self.apart.get(facts) or group.against_axes(facts, inside)
        stream = self.streams.by_op.get(facts)
        if reason is None and stream is not None:
            if stream is group.stream:
                return None
            reason = against_tail(self.analysis, stream, group)
        fusion = Fusion(self.tails, facts, inside, group, stored, self.target)
        return reason or against(fusion)

    def cycle(self, facts: OpFacts, group: Group) -> str | None:
        """Whether another kernel reads the op and is read by the group."""
        last = group.ops[-1].number
        pending = [r for r in self.analysis.readers(facts) if not group.has(r)]
        seen: set[Group] = {group}
        while pending:
            reader = pending.pop()
            for home in self.homes[reader]:
                # Results go to later ops: what begins after the group is no input.
                if home in seen or home.ops[0].number > last:
                    continue
                seen.add(home)
                later = [r for op in home.ops for r in self.analysis.readers(op)]
                if any(group.has(each) for each in later):
                    return f"'{reader.name}' is in a kernel that comes between"
                pending.extend(later)
        return None

    def recompute(
        self, facts: OpFacts, uses: Sequence[Use], groups: Sequence[Group]
    ) -> bool:
        """Compute an element-wise op in each kernel, if that moves fewer bytes."""
        if facts.role not in POINTWISE or len(facts.op.results) > 1:
            return False
        if any(map(_is_factor, uses)):
            return False  # the loop of a product has no place for a copy
        read = [self.further_bytes(facts, group) for group in groups]
        if sum(read) > min(read) + len(groups) * facts.written_bytes:
            return False
        inside = {group: _inside(uses, group) for group in groups}
        # No cycle can come of it: a kernel that computes the op does not wait for it.
        if any(self.rule_against(facts, inside[g], g, False) for g in groups):
            return False
        for group in groups:
            group.add(facts, inside[group])
            words = "computed again here: this moves fewer bytes than storing it"
            group.decisions.append(Decision(facts, inside[group][0][0], True, words))
        self.homes[facts] = list(groups)
        self.shared.append(facts)
        return True

    def further_bytes(self, facts: OpFacts, group: Group) -> int:
        """The bytes that a kernel reads for an op alone, to compute it."""
        known = {operand.value for operand in group.outside_inputs()}
        needed = chain_inputs(self.analysis, facts)
        return sum(each.bytes for each in needed if each.value not in known)


def _is_factor(use: Use) -> bool:
    """Whether a product multiplies an operand, other than adding to it."""
    is_input = use.position < len(use.reader.inputs)
    return is_input and use.reader.role == Role.CONTRACTION


def _is_in_loop(reader: OpFacts, group: Group) -> bool:
    """Whether an op reads its operands in the inner loop of a product."""
    return reader.role == Role.CONTRACTION or reader in group.prologues


def _inside(uses: Sequence[Use], group: Group) -> list[tuple[OpFacts, int]]:
    """The uses in a group, as readers and operand positions."""
    return [(use.reader, use.position) for use in uses if group.has(use.reader)]
