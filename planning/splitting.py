"""Chains with few rows and a long dimension: several programs share each row.

One query and 65,536 keys are one row. `split_stream` cuts the keys into chunks, which
are streamed in parallel and merged at the end. The planner does it first, so that the
chunks and the merge are ordinary ops of the payload that it plans.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.ir.errors import SilenceableFailure
from tilewright.planning.analysis.dataflow import Shapes, analyse
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import Stream
from tilewright.planning.grouping.streams import find_streams
from tilewright.planning.preparation import Prepared, prepared_by
from tilewright.planning.writing.lines import action, match_ops, suppressed
from tilewright.schedules.language.syntax import Statement

FULL = 3
"""Programs for each multiprocessor that keep the memory busy."""
SHORTEST = 64
"""The least length of a chunk."""
LONG = 1024
"""Shorter dimensions are streamed in one loop."""
ROWS = 64
"""The rows that one program of the rolling form computes."""
PART_BYTES = 4
"""Of an element of a chunk's sums, which are written and read again."""
CHEAP_MERGE = 0.25
"""Parts up to this share of the bytes that the chain reads cost little to merge."""
BUSY = 0.5
"""With this share of the multiprocessors busy, a costly merge does not pay."""


def split_long_rows(
    prepared: Prepared, target: Target, shapes: Shapes | None
) -> Prepared:
    """The payload with its long chains of few rows in chunks, and the statements."""
    analysis = analyse(prepared.payload, shapes=shapes)
    if not any(_may_be_long(facts) for facts in analysis.plannable):
        return prepared
    statements: list[Statement] = []
    for stream in find_streams(analysis).chains:
        chunks = chunks_of(stream, target) if _reduces(stream) else None
        if chunks is None:
            continue
        statements += _statements(stream, chunks)
    try:
        return prepared_by(prepared, statements)
    except SilenceableFailure:
        return prepared


def _may_be_long(facts: OpFacts) -> bool:
    """Whether an op may end a chain along a long dimension; finding chains is slow."""
    dims = facts.contraction
    if facts.role != Role.CONTRACTION or dims is None:
        return False
    return any(facts.extents[loop] >= LONG for loop in dims.k)


def _reduces(stream: Stream) -> bool:
    """Whether a chain has a reduction beside its matmuls: chunks have few results."""
    return any(facts.role == Role.REDUCTION for facts in stream.ops)


def _statements(stream: Stream, chunks: int) -> list[Statement]:
    """Cut a chain into chunks; its scale goes into the exponentials first."""
    powers = [
        facts
        for facts in stream.ops
        if any(op.name == "math.exp" for op in facts.op.body.block.ops)
    ]
    statements: list[Statement] = [match_ops("ops")]
    if powers:
        statements += [
            action("pick", "ops", "at", _numbers(powers), to=("powers",)),
            suppressed("root", action("exp2", "powers")),
        ]
    sums = (stream.matmul, *stream.others)
    return [
        *statements,
        action("pick", "ops", "at", _numbers(sums), to=("sums",)),
        action("split_stream", "sums", "into", chunks),
    ]


def _numbers(ops: Sequence[OpFacts]) -> list[int]:
    return sorted(facts.number for facts in ops)


def chunks_of(stream: Stream, target: Target) -> int | None:
    """How many chunks a chain is cut into; None if its rows fill the GPU."""
    matmul = stream.matmul
    if stream.length < LONG or stream.loop in matmul.open_loops:
        return None
    programs = 1
    for loop in matmul.parallel:
        if loop in stream.columns:
            continue
        extent = matmul.extents[loop]
        is_row = stream.rows and loop == stream.rows[-1]
        programs *= -(-extent // ROWS) if is_row else extent
    wanted = FULL * target.sms // programs
    divisors = [
        n
        for n in range(2, stream.length // SHORTEST + 1)
        if stream.length % n == 0 and n <= wanted
    ]
    if programs > BUSY * target.sms:
        divisors = [n for n in divisors if _merges_cheaply(stream, n)]
    return max(divisors, default=None)


def _merges_cheaply(stream: Stream, chunks: int) -> bool:
    """Whether the parts of all chunks are few bytes beside what the chain reads."""
    matmul = stream.matmul
    parts = 2 * chunks * PART_BYTES * matmul.count(matmul.parallel)
    made = {result for facts in stream.ops for result in facts.op.results}
    read = {
        operand.value: operand.bytes
        for facts in stream.ops
        for operand in facts.inputs
        if operand.value not in made
    }
    return parts <= CHEAP_MERGE * sum(read.values())
