"""Positions in brackets: `[all]`, `[0, -1]`, `[except(0)]`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, UnitAttr, i64
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.core.base import TransformOp


@dataclass(frozen=True)
class Positions:
    """A selection of an op's operands, results or loops."""

    listed: tuple[int, ...] = ()
    is_all: bool = False
    is_inverted: bool = False

    @classmethod
    def parse(cls, parser: Parser) -> Positions:
        """`[all]`, `[0, -1]` or `[except(0)]`; negative ones count from the end."""
        with parser.in_square_brackets():
            if parser.parse_optional_keyword("all"):
                return cls(is_all=True)
            if parser.parse_optional_keyword("except"):
                with parser.in_parens():
                    return cls(_integers(parser), is_inverted=True)
            return cls(_integers(parser))

    @classmethod
    def of(
        cls,
        listed: DenseArrayBase[IntegerType],
        is_all: UnitAttr | None,
        is_inverted: UnitAttr | None,
    ) -> Positions:
        """Read the positions from an op's properties."""
        return cls(
            tuple(int(position) for position in listed.get_values()),
            is_all is not None,
            is_inverted is not None,
        )

    def properties(
        self, name: str = "raw_position_list"
    ) -> dict[str, Attribute | None]:
        """The properties of an op that encode the positions."""
        return {
            name: DenseArrayBase.from_list(i64, self.listed),
            "is_all": UnitAttr() if self.is_all else None,
            "is_inverted": UnitAttr() if self.is_inverted else None,
        }

    def __str__(self) -> str:
        """The syntax of the positions."""
        if self.is_all:
            return "[all]"
        listed = ", ".join(map(str, self.listed))
        return f"[except({listed})]" if self.is_inverted else f"[{listed}]"

    def verify(self) -> None:
        """Refuse repeated positions, and positions beside `all`."""
        if self.is_all and (self.listed or self.is_inverted):
            raise VerifyException("expected no positions beside 'all'")
        if not self.is_all and not self.listed:
            raise VerifyException("expected 'all' or positions")
        if len(set(self.listed)) != len(self.listed):
            raise VerifyException("expected each position to be listed once")

    def pick(
        self, user: TransformOp, what: str, op: Operation, count: int
    ) -> list[int]:
        """The selected positions among `count`."""
        if self.is_all:
            return list(range(count))
        picked: list[int] = []
        for raw in self.listed:
            position = raw + count if raw < 0 else raw
            if not 0 <= position < count:
                raise user.refuse(
                    f"there is no {what} {raw}, the op has {count}",
                    op,
                    remedy="positions count from 0, negative ones from the end",
                )
            if position in picked:
                raise user.refuse(
                    f"{what} {position} is listed twice: {self}",
                    op,
                    remedy="negative positions count from the end",
                )
            picked.append(position)
        if self.is_inverted:
            return [position for position in range(count) if position not in picked]
        return picked


def _integers(parser: Parser) -> tuple[int, ...]:
    return tuple(
        parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_integer)
    )
