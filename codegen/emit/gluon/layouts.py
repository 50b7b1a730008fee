"""Layouts of registers as Python."""

from __future__ import annotations

from xdsl.ir import Attribute

from tilewright.codegen.source.python_text import Call, Expression, Group, Literal, Name
from tilewright.ir.dialects.warps import (
    DEPTH,
    WARP_GROUP,
    MmaLayout,
    OperandLayout,
    SliceLayout,
    WholeLayout,
)

_ROWS = 16
"""Rows of a product that one warp has."""

_LANES = 32

WHOLE = "whole"
"""The name of the layout of lines that each warp has whole."""


class LayoutNames:
    """The layouts of products that a function names."""

    def __init__(self) -> None:
        self.used: dict[str, MmaLayout] = {}
        self.has_lines = False

    def expression(self, layout: Attribute | None) -> Expression:
        """A layout, by the name of its product's layout."""
        match layout:
            case MmaLayout():
                depth = layout.depth.value.data
                name = f"mma_{layout.columns.value.data}"
                name += "" if depth == DEPTH else f"_{depth}"
                self.used[name] = layout
                return Name(name)
            case SliceLayout():
                axis = Literal(str(layout.axis.value.data))
                return Call("gl.SliceLayout", (axis, self.expression(layout.parent)))
            case WholeLayout():
                self.has_lines = True
                return Name(WHOLE)
            case OperandLayout():
                assert isinstance(layout.parent, MmaLayout)
                # A lane has 32 bits of a row side by side.
                width = Literal(str(layout.parent.depth.value.data // 8))
                return Call(
                    "gl.DotOperandLayout",
                    (Literal("0"), self.expression(layout.parent)),
                    (("k_width", width),),
                )
            case _:
                raise AssertionError(f"no layout: {layout}")


def line(warps: int) -> Expression:
    """The layout of a line that each warp has whole: the warps lie across it."""
    tile = Call(
        "gl.BlockedLayout",
        tuple(_numbers(sizes) for sizes in ([1, 1], [_LANES, 1], [1, warps], [1, 0])),
    )
    return Call("gl.SliceLayout", (Literal("1"), tile))


def definition(layout: MmaLayout) -> Expression:
    """The layout of a product, whose warps lie along the rows."""
    shape = [_ROWS, layout.columns.value.data, layout.depth.value.data]
    return Call(
        "gl.NVMMADistributedLayout",
        (),
        (
            ("version", _numbers([3, 0])),
            ("warps_per_cta", _numbers([WARP_GROUP, 1])),
            ("instr_shape", _numbers(shape)),
        ),
    )


def _numbers(values: list[int]) -> Group:
    return Group(tuple(Literal(str(value)) for value in values))
