"""What to say about an op's name that is not known."""

from __future__ import annotations

from difflib import get_close_matches

from xdsl.context import Context

RENAMED = {
    "linalg.init_tensor": "tensor.empty",
    "linalg.elemwise_unary": "linalg.generic or linalg.elementwise",
    "linalg.elemwise_binary": "linalg.generic or linalg.elementwise",
    "tensor.pack": "linalg.pack",
    "tensor.unpack": "linalg.unpack",
    "bufferization.to_memref": "bufferization.to_buffer",
}
"""What tutorials still write, and what it is called today."""


def unknown_op(name: str, context: Context) -> tuple[str, str | None]:
    """Fact and remedy for an op's name that the context does not know."""
    if name in RENAMED:
        return f"there is no '{name}' any more; it is {RENAMED[name]} today", None
    known = [op.name for op in context.loaded_ops]
    near = get_close_matches(name, known, 1)
    return (
        f"the op '{name}' is not supported",
        f"did you mean '{near[0]}'?" if near else None,
    )
