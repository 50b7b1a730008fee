"""Counts verdicts by ATen op, and prints them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from opinfo.check import Outcome, Verdict

_BAD: tuple[Outcome, ...] = ("wrong", "error")


@dataclass
class Tally:
    """Verdicts by ATen op."""

    counts: dict[str, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    details: dict[tuple[str, str], Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    entries: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The OpInfo entries that need each ATen op."""
    left_out: list[str] = field(default_factory=list[str])
    """Entries and types that the time did not suffice for."""

    def add(self, op: str, entry: str, verdict: Verdict) -> None:
        """Count a verdict."""
        self.counts[op][verdict.outcome] += 1
        self.entries[op].add(entry)
        if verdict.detail:
            self.details[op, verdict.outcome][verdict.detail] += 1

    @property
    def failures(self) -> list[str]:
        """The ops that were wrong or ended in an error of ours."""
        return sorted(
            op for op, found in self.counts.items() if any(found[bad] for bad in _BAD)
        )

    @property
    def totals(self) -> Counter[str]:
        """Calls by what became of them."""
        return sum(self.counts.values(), Counter[str]())

    def as_json(self) -> dict[str, Any]:
        """Totals, and for each kind of verdict the ops with their details."""
        kinds: dict[str, dict[str, Any]] = defaultdict(dict)
        for op, found in sorted(self.counts.items()):
            for outcome, number in found.items():
                told = self.details.get((op, outcome), Counter[str]()).most_common(4)
                kinds[outcome][op] = {"calls": number, "details": dict(told)}
        return {"totals": self.totals, "ops": kinds, "left_out": self.left_out}

    def lines(self) -> Iterator[str]:
        """Totals, failures, refusals, then the missing ops by how many need them."""
        totals = self.totals.most_common()
        yield ", ".join(f"{number} {name}" for name, number in totals)
        if self.left_out:
            yield f"no time for {len(self.left_out)} entries and types"
        for outcome in ("error", "wrong", "too slow", "no kernel", "refused"):
            for op, found in sorted(self.counts.items()):
                if found[outcome]:
                    share = f"{found[outcome]} of {found.total()}"
                    yield f"{outcome}: {op}: {share}"
                    reasons = self.details[op, outcome].most_common(4)
                    yield from (f"    {n} x {text}" for text, n in reasons)
        missing = [op for op, found in self.counts.items() if found["missing"]]
        for op in sorted(missing, key=lambda op: (-len(self.entries[op]), op)):
            names = sorted(self.entries[op])
            more = f", ... {len(names) - 5} more" if len(names) > 5 else ""
            yield f"missing: {op}: {', '.join(names[:5])}{more}"
