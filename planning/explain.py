"""What the planner found and decided, in words: ops, fusions, kernels.

print(explain(plan(payload, target)))
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from tilewright.ir.phrases import in_units
from tilewright.ir.text import place_of
from tilewright.planning.analysis.bounds import bound_of, holds_row, reuses, row_bytes
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import Decision, Group
from tilewright.planning.kernels import Candidate, PlannedKernel
from tilewright.planning.plan import UNSURE, Plan
from tilewright.planning.sketches.library.calls import library_for
from tilewright.planning.sketches.library.family import why_no_sketch
from tilewright.planning.sketches.library.sketches import LibraryAndKernel, LibraryCalls
from tilewright.planning.structure import region_names

OPS = "Ops (loops in brackets are reduced; bytes and limit are those of the op alone)"

KERNELS = (
    "Kernels (the planner's model compares sketches; the first one is the default; a "
    "library's call comes first unless another is at least "
    f"{UNSURE - 1:.0%} faster; the last column is the estimate of the generated kernel)"
)

STRUCTURES = (
    "Structures (times by the planner's model; the first one is the default; `|` "
    "stands between kernels)"
)

LIBRARIES = "Libraries (what was considered for matmuls and convolutions)"

OP_COLUMNS: tuple[str, ...] = (
    "op",
    "name",
    "line",
    "role",
    "loops",
    "flops",
    "bytes",
    "flop/B",
    "limit",
    "reads again",
    "kernel",
)


def explain(plan: Plan) -> str:
    """Tables of ops, of the fusions that were considered, of kernels and libraries."""
    tables = {
        OPS: _op_rows(plan),
        "Fusions (times by the planner's model)": _fusion_rows(plan),
        KERNELS: _kernel_rows(plan),
        LIBRARIES: _library_rows(plan),
    }
    if plan.regions:
        tables[STRUCTURES] = _structure_rows(plan)
    parts = [
        f"{title}\n\n{_table(rows) if len(rows) > 1 else 'none'}"
        for title, rows in tables.items()
    ]
    return "\n\n".join(parts) + "\n"


def _op_rows(plan: Plan) -> list[list[str]]:
    """A row for each op; ops of equal kernels are shown once."""
    homes = _homes(plan)
    repeated = {
        facts for k in plan.kernels for group in k.groups[1:] for facts in group.ops
    }
    first = {facts for kernel in plan.kernels for facts in kernel.group.ops}
    rows = [list(OP_COLUMNS)]
    for facts in plan.analysis.ops:
        if facts in repeated and facts not in first:
            continue
        moved = facts.read_bytes + facts.written_bytes
        bound = bound_of(facts, plan.target)
        place = place_of(facts.op)
        rows.append(
            [
                str(facts.number),
                facts.name,
                str(place.line) if place is not None else "",
                facts.role,
                _loops(facts),
                in_units(facts.flops, ""),
                in_units(moved, "B"),
                f"{facts.intensity:.3g}",
                bound.limit() if facts.role != Role.FILL else "",
                _reuse(plan, facts),
                ", ".join(str(number) for number in homes.get(facts, ())) or "none",
            ]
        )
    return rows


def _structure_rows(plan: Plan) -> list[list[str]]:
    """A row for each cover of each region."""
    rows = [["choice", "branch", "us", "kernels"]]
    for name, region in zip(region_names(plan.regions), plan.regions, strict=True):
        for cover in region.covers:
            time = f"{cover.seconds * 1e6:.1f}"
            rows.append([name, cover.label, time, cover.in_words()])
    return rows


def _homes(plan: Plan) -> dict[OpFacts, list[int]]:
    """The kernels that compute each op."""
    found: dict[OpFacts, list[int]] = {}
    for kernel in plan.kernels:
        for group in kernel.groups:
            for facts in group.ops:
                found.setdefault(facts, []).append(kernel.number)
    return found


def _loops(facts: OpFacts) -> str:
    """`2048 x 1024 x [512]`; `?` after an extent that is assumed."""
    words: list[str] = []
    for loop, extent in enumerate(facts.extents):
        size = f"{extent}?" if loop in facts.open_loops else str(extent)
        words.append(f"[{size}]" if loop in facts.reduced else size)
    return " x ".join(words) or "none"


def _reuse(plan: Plan, facts: OpFacts) -> str:
    """Which operands are read again along which loops, or where a row fits."""
    if facts.reduced and facts.role == Role.REDUCTION:
        where = holds_row(facts, plan.target)
        return f"a row is {in_units(row_bytes(facts), 'B')}: {where}"
    names: dict[SSAValue, str] = {
        result: producer.name
        for producer in plan.analysis.ops
        for result in producer.op.results
    }
    words: list[str] = []
    for reuse in reuses(facts):
        value = reuse.operand.value
        name = names.get(value) or value.name_hint or "an operand"
        loops = ", ".join(f"d{loop}" for loop in reuse.loops)
        words.append(f"{name} along {loops} ({reuse.times}x)")
    return "; ".join(words)


def _fusion_rows(plan: Plan) -> list[list[str]]:
    rows = [["producer", "reader", "fused", "reason"]]
    for kernel in plan.kernels[:40]:
        for decision in kernel.group.decisions:
            rows.append(_decision(decision))
    return rows


def _decision(decision: Decision) -> list[str]:
    reader = decision.reader.name if decision.reader is not None else ""
    taken = "yes" if decision.taken else "no"
    return [decision.producer.name, reader, taken, decision.reason]


def _kernel_rows(plan: Plan) -> list[list[str]]:
    rows = [["kernel", "ops", "bytes", "sketch", "model", "point", "generated"]]
    for kernel in plan.kernels:
        head = [_number(kernel), _names(kernel.group)]
        head.append(in_units(kernel.group.moved_bytes, "B"))
        if not kernel.candidates:
            rows.append([*head, "none: the default schedules it", "", "", ""])
        generated = _generated(plan, kernel)
        for candidate in kernel.candidates:
            rows.append([*head, *_candidate(candidate), generated])
            head, generated = ["", "", ""], ""
        for candidate in kernel.slower:
            label, *rest = _candidate(candidate)
            rows.append([*head, f"{label} (left out)", *rest, ""])
    return rows


def _generated(plan: Plan, kernel: PlannedKernel) -> str:
    """The estimate of the kernel that was generated, if it was."""
    made = plan.estimate
    found = None if made is None else made.kernels.get(kernel.number)
    return "" if found is None else f"{found.seconds * 1e6:.1f} us: {found.limit}"


def _library_rows(plan: Plan) -> list[list[str]]:
    """The library that was considered for each matmul, and what became of it."""
    rows = [["op", "kernel", "library", "verdict"]]
    for refused in plan.refused_calls:
        name = (
            refused.name
            if refused.line is None
            else f"{refused.name}, line {refused.line}"
        )
        rows.append([name, "", refused.library, f"refused: {refused.reason}"])
    for kernel in plan.kernels:
        for facts in kernel.group.ops:
            if facts.role in (Role.CONTRACTION, Role.WINDOW):
                verdict = _verdict(plan, kernel, facts)
                library = library_for(facts)
                rows.append([facts.name, str(kernel.number), library, verdict])
    return rows


def _verdict(plan: Plan, kernel: PlannedKernel, matmul: OpFacts) -> str:
    compared = kernel.considered
    calls = [
        c for c in compared if isinstance(c.sketch, LibraryCalls | LibraryAndKernel)
    ]
    if not calls:
        return f"refused: {why_no_sketch(plan.analysis, kernel.group, matmul)}"
    first, best = calls[0], compared[0]
    told = f"{first.sketch.label}, {first.seconds * 1e6:.1f} us"
    if first is best:
        return f"chosen: {told}"
    return f"considered: {told}; {best.sketch.label} takes {best.seconds * 1e6:.1f} us"


def _number(kernel: PlannedKernel) -> str:
    times = len(kernel.groups)
    return f"{kernel.number}, {times} times" if times > 1 else str(kernel.number)


def _names(group: Group) -> str:
    names = [facts.name for facts in group.ops if facts.role != Role.FILL]
    names = names or [group.sink.name]
    shown = ", ".join(names[:6])
    return shown if len(names) <= 6 else f"{shown}, {len(names) - 6} more"


def _candidate(candidate: Candidate) -> list[str]:
    point = ", ".join(f"{name} {value}" for name, value in candidate.point.items())
    return [candidate.sketch.label, f"{candidate.seconds * 1e6:.1f} us", point]


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns; the first row is the head."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    lines.insert(1, "-" * max(len(line.rstrip()) for line in lines))
    return "\n".join(line.rstrip() for line in lines)
