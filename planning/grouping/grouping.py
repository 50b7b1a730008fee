"""Grouping: from the last op to the first, each joins the kernel of its readers.

An op whose readers are all in one kernel is fused into it where the rules of `rules.py`
allow it. An op whose readers are in several kernels is computed again in each, or
stored once, whichever moves fewer bytes. What does not join starts a kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis, Use
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import Decision, Group
from tilewright.planning.grouping.rules import against, repeated
from tilewright.planning.grouping.siblings import join_siblings


@dataclass(frozen=True)
class Grouping:
    """The kernels of a payload, and the ops that several of them compute."""

    groups: tuple[Group, ...]
    """In program order of their sinks."""
    shared: tuple[OpFacts, ...]
    """Ops that are computed in every kernel that reads them."""


def group_ops(analysis: Analysis, target: Target) -> Grouping:
    """Group the ops of a payload into kernels."""
    apart: dict[OpFacts, str] = {}
    while True:
        builder = _Builder(analysis, target, apart)
        for facts in reversed(list(analysis.plannable())):
            builder.place(facts)
        found = {
            facts: reason
            for group in builder.groups
            for facts, reason in repeated(group, target)
            if facts not in apart
        }
        if not found:
            break
        apart |= found
    ordered = sorted(builder.groups, key=lambda group: group.sink.number)
    return Grouping(join_siblings(ordered, builder.shared), tuple(builder.shared))


class _Builder:
    """One attempt; ops that are `apart` are not fused into their readers."""

    def __init__(self, analysis: Analysis, target: Target, apart: dict[OpFacts, str]):
        self.analysis = analysis
        self.target = target
        self.apart = apart
        self.groups: list[Group] = []
        self.shared: list[OpFacts] = []
        self.homes: dict[OpFacts, list[Group]] = {}

    def place(self, facts: OpFacts) -> None:
        """Put an op into the kernels of its readers, or into one of its own."""
        uses = self.analysis.uses(facts)
        homes: dict[Group, None] = {}
        for use in uses:
            for group in self.homes.get(use.reader, ()):
                homes[group] = None
        escapes = self.analysis.escapes(facts)
        if facts.role == Role.FILL and homes and not escapes:
            self.place_fill(facts, uses, list(homes))
            return
        if len(homes) == 1 and self.join(facts, uses, next(iter(homes)), escapes):
            return
        if len(homes) > 1 and not escapes and self.recompute(facts, uses, list(homes)):
            return
        if len(homes) > 1:
            # One kernel computes and stores it; the others read the result.
            for group in sorted(homes, key=lambda g: g.sink.number)[:1]:
                if self.join(facts, uses, group, True):
                    return
        self.start(facts)

    def start(self, facts: OpFacts) -> Group:
        """A kernel whose sink is this op."""
        group = Group([facts])
        self.groups.append(group)
        self.homes[facts] = [group]
        return group

    def place_fill(
        self, facts: OpFacts, uses: Sequence[Use], groups: Sequence[Group]
    ) -> None:
        """Compute a fill in every kernel that reads it."""
        inside = {group: _inside(uses, group) for group in groups}
        if any(group.against_axes(facts, inside[group]) for group in groups):
            self.start(facts)
            return
        for group in groups:
            group.add(facts, inside[group])
        self.homes[facts] = list(groups)
        if len(groups) > 1:
            self.shared.append(facts)

    def join(
        self, facts: OpFacts, uses: Sequence[Use], group: Group, stored: bool
    ) -> bool:
        """Fuse an op into one kernel, if nothing speaks against it."""
        inside = _inside(uses, group)
        reason = self.reason(facts, inside, group, stored)
        reader = inside[0][0]
        words = reason or f"saves {size(2 * facts.written_bytes)} of traffic"
        group.decisions.append(Decision(facts, reader, reason is None, words))
        if reason is not None:
            return False
        group.add(facts, inside)
        self.homes[facts] = [group]
        if any(reader.role == Role.CONTRACTION for reader, _ in inside):
            group.prologues.add(facts)
        return True

    def reason(
        self,
        facts: OpFacts,
        inside: Sequence[tuple[OpFacts, int]],
        group: Group,
        stored: bool,
    ) -> str | None:
        """What speaks against computing an op in a kernel."""
        return self.cycle(facts, group) or self.rule_against(
            facts, inside, group, stored
        )

    def rule_against(
        self,
        facts: OpFacts,
        inside: Sequence[tuple[OpFacts, int]],
        group: Group,
        stored: bool,
    ) -> str | None:
        """The rule or the axes that speak against it, whatever the order of kernels."""
        return (
            self.apart.get(facts)
            or group.against_axes(facts, inside)
            or against(self.analysis, facts, inside, group, stored, self.target)
        )

    def cycle(self, facts: OpFacts, group: Group) -> str | None:
        """Whether another kernel reads the op and is read by the group."""
        pending = [facts]
        seen: set[Group] = {group}
        while pending:
            for use in self.analysis.uses(pending.pop()):
                for home in self.homes.get(use.reader, ()):
                    if home in seen:
                        continue
                    seen.add(home)
                    if any(
                        group.has(later.reader)
                        for member in home.ops
                        for later in self.analysis.uses(member)
                        if not home.has(later.reader)
                    ):
                        return f"'{use.reader.name}' is in a kernel that comes between"
                    pending.extend(home.ops)
        return None

    def recompute(
        self, facts: OpFacts, uses: Sequence[Use], groups: Sequence[Group]
    ) -> bool:
        """Compute an element-wise op in each kernel, if that moves fewer bytes."""
        if facts.role not in (Role.ELEMENTWISE, Role.MOVEMENT):
            return False
        result = facts.written_bytes
        stored = facts.read_bytes + result + (len(groups) - 1) * result
        if len(groups) * facts.read_bytes > stored:
            return False
        inside = {group: _inside(uses, group) for group in groups}
        # No cycle can come of it: a kernel that computes the op does not wait for it.
        if any(self.rule_against(facts, inside[g], g, False) for g in groups):
            return False
        for group in groups:
            group.add(facts, inside[group])
            group.repeated.add(facts)
            words = "computed again here: this moves fewer bytes than storing it"
            group.decisions.append(Decision(facts, inside[group][0][0], True, words))
        self.homes[facts] = list(groups)
        self.shared.append(facts)
        return True


def _inside(uses: Sequence[Use], group: Group) -> list[tuple[OpFacts, int]]:
    """The uses in a group, as readers and operand positions."""
    return [(use.reader, use.position) for use in uses if group.has(use.reader)]


def size(count: int) -> str:
    """A number of bytes in words."""
    for unit in ("B", "KB", "MB"):
        if count < 1000:
            return f"{count} {unit}"
        count //= 1000
    return f"{count} GB"
