"""Combining kinds of reductions, and the kinds of a contraction's loops."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType
from xdsl.dialects.utils import EnumAttribute
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from tilewright.ir.dialects.enums import Bracketed

ADD = CombiningKindAttr(CombiningKindFlag.ADD)
"""`#vector.kind<add>`, the default of ops that combine."""

_ANY = (CombiningKindFlag.ADD, CombiningKindFlag.MUL)
_FLOATS = (
    CombiningKindFlag.MINNUMF,
    CombiningKindFlag.MAXNUMF,
    CombiningKindFlag.MINIMUMF,
    CombiningKindFlag.MAXIMUMF,
)


class IteratorType(StrEnum):
    """The kind of a contraction's loop."""

    PARALLEL = "parallel"
    REDUCTION = "reduction"


@irdl_attr_definition
class IteratorTypeAttr(Bracketed, EnumAttribute[IteratorType]):
    """`#vector.iterator_type<parallel>`."""

    name = "vector.iterator_type"


def combines(kind: CombiningKindAttr, element: Attribute) -> bool:
    """Whether elements of a type can be combined in this way."""
    if isinstance(element, AnyFloat):
        return kind.data in _ANY or kind.data in _FLOATS
    return isinstance(element, IntegerType | IndexType) and kind.data not in _FLOATS


def verify_combines(kind: CombiningKindAttr, element: Attribute, what: str) -> None:
    """Refuse a kind that the elements do not support, such as `maxsi` of floats."""
    if not combines(kind, element):
        raise VerifyException(
            f"unsupported {what} type '{element}' for kind '{kind.data}'"
        )
