"""Counts verdicts by ATen op, and prints them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from tilewright.torch_backend.opinfo.check import Outcome, Verdict

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

    def lines(self) -> Iterator[str]:
        """Totals, failures, refusals, then the missing ops by how many need them."""
        totals: Counter[str] = Counter()
        for found in self.counts.values():
            totals += found
        yield ", ".join(f"{number} {name}" for name, number in totals.most_common())
        for outcome in ("error", "wrong", "no kernel", "refused"):
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
