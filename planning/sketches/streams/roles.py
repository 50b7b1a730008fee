"""Streams by warps with roles (docs/warps.md): an open choice beside Triton's kernel.

The default stays Triton's kernel: the model knows no time of the other one. Tuning
measures both.
"""

from __future__ import annotations

from tilewright.codegen.targets import Target
from tilewright.planning.sketches.streams.shape import StreamShape
from tilewright.planning.writing.lines import Lines, action
from tilewright.planning.writing.terms import either, equal, text
from tilewright.schedules.language.syntax import Action

HOPPER = (9, 0)
"""The compute capability that these kernels are written for."""

ROWS = 128
"""The rows of a tile: 64 for each of two groups of warps."""

FEATURES = (64, 128)
"""The columns of the last product for which these kernels were compiled and timed."""

SLOTS = 2
"""Tiles of keys, and of values, in shared memory."""


def may_have_roles(shape: StreamShape, target: Target) -> bool:
    """Whether warps with roles could compute a stream: loaded tiles of 16 bits."""
    kinds = {o.element.name for facts in shape.matmuls for o in facts.inputs}
    return (
        target.capability == HOPPER
        and len(shape.matmuls) == 2
        and kinds <= {"bf16", "f16"}
        and shape.is_described
        and not shape.is_left_computed
        and shape.features in FEATURES
        and shape.rows % ROWS == 0
        and shape.stream.length % ROWS == 0
        and shape.stream.length > ROWS
    )


def require_rows(lines: Lines) -> None:
    """Only tiles of so many rows have two groups of warps."""
    emitter = lines.knob("emitter")
    lines.require(either(equal(emitter, "triton"), equal(lines.knob("BM"), ROWS)))


def choose_emitter(lines: Lines, end: Action | None) -> None:
    """`triton` leaves the loop `loop` as it is, `gluon` delays it and gives roles.

    `end` is a statement that ends both branches.
    """
    roles = [
        action("delay", "loop", to=("loop",)),
        action("stage", "loop", "in", SLOTS),
        action("overlap", "loop", ping_pong=1, pinned=1),
        action("specialize", "grid", consumers=ROWS // 64),
        action("launch", "grid", persistent=1, descriptors=text("where_legal")),
    ]
    ending = [] if end is None else [end]
    lines.choose_among(
        "emitter", {"triton": ending, "gluon": [*roles, *ending]}, "triton"
    )
