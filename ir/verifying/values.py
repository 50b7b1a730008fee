"""Values of types that the parser reads but this compiler does not support."""

from __future__ import annotations

from xdsl.ir import Attribute, Operation

from tilewright.ir.errors import UserError
from tilewright.ir.parsing.sources import place_of
from tilewright.ir.types import is_vector


def check_values(op: Operation) -> None:
    """Refuse scalable vectors among the results and block arguments of an op."""
    for result in op.results:
        _check(op, result.type)
    for region in op.regions:
        for block in region.blocks:
            for argument in block.args:
                _check(op, argument.type)


def _check(op: Operation, of: Attribute) -> None:
    if is_vector(of) and any(of.get_scalable_dims()):
        raise UserError(
            f"'{op.name}' op defines a value of type '{of}': Triton has no scalable "
            "vectors",
            place_of(op),
            "give every dimension a fixed size",
        )
