"""The schedule language as a tree: what `parser.py` makes and `lower.py` reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from tilewright.ir.errors import Place

NOWHERE = Place("<schedule>", 1, 1)


@dataclass(frozen=True)
class Node:
    """Anything that was written; where does not matter for equality."""

    place: Place = field(default=NOWHERE, compare=False, kw_only=True, repr=False)


# -- values ----------------------------------------------------------------------


@dataclass(frozen=True)
class Name(Node):
    """A handle, a knob, a word of a verb; dots are part of it (`block.x`)."""

    text: str


@dataclass(frozen=True)
class Literal(Node):
    """A number, a string or a truth value."""

    value: int | float | str | bool


@dataclass(frozen=True)
class Setting(Node):
    """`key = value`; a quoted key is an attribute's name."""

    key: str
    value: Value
    quoted: bool = False


@dataclass(frozen=True)
class Items(Node):
    """`[a, b, c]`."""

    items: tuple[Argument, ...]


@dataclass(frozen=True)
class Call(Node):
    """`merge(a, b)`."""

    function: Name
    arguments: tuple[Value, ...]


Value: TypeAlias = Name | Literal | Items | Call
Argument: TypeAlias = Value | Setting


# -- conditions ------------------------------------------------------------------


@dataclass(frozen=True)
class Operator(Node):
    """An operator or a function on conditions: `BM * BN`, `not a`, `abs(x)`."""

    sign: str
    operands: tuple[Condition, ...]


Condition: TypeAlias = Name | Literal | Operator


# -- statements ------------------------------------------------------------------


@dataclass(frozen=True)
class Knob(Node):
    """`BM = knob [64, 128]`."""

    target: Name
    options: Items
    label: str | None = None


@dataclass(frozen=True)
class Constant(Node):
    """`BM = 128`."""

    target: Name
    value: Literal


@dataclass(frozen=True)
class Action(Node):
    """`tiled, grid = tile mm by [BM, BN]`: a verb and what it is given."""

    targets: tuple[Name, ...]
    verb: Name
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Assign(Node):
    """`grids = merge(g, h)`."""

    targets: tuple[Name, ...]
    call: Call


@dataclass(frozen=True)
class Include(Node):
    """`include to_vectors(func)`."""

    targets: tuple[Name, ...]
    call: Call


@dataclass(frozen=True)
class Require(Node):
    """`require BM * BN <= 128 * 128`."""

    condition: Condition


@dataclass(frozen=True)
class Yield(Node):
    """`yield mm, grid`: what a branch or a sequence passes out."""

    values: tuple[Value, ...]


@dataclass(frozen=True)
class Branch(Node):
    """A labelled branch of a `choose`; `end` is its closing brace."""

    label: Name
    body: tuple[Statement, ...]
    end: Place = field(default=NOWHERE, compare=False, kw_only=True, repr=False)


@dataclass(frozen=True)
class Choose(Node):
    """`mm, grid = choose placement { ... }`."""

    targets: tuple[Name, ...]
    name: Name
    branches: tuple[Branch, ...]


Statement: TypeAlias = (
    Knob | Constant | Action | Assign | Include | Require | Yield | Choose
)


# -- definitions -----------------------------------------------------------------


@dataclass(frozen=True)
class Parameter(Node):
    """An argument of a schedule or sequence: a handle, or `name: param`."""

    name: Name
    kind: Name | None = None


@dataclass(frozen=True)
class Definition(Node):
    """A schedule (where a run begins) or a sequence (what others include)."""

    is_schedule: bool
    name: Name
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    end: Place = field(default=NOWHERE, compare=False, kw_only=True, repr=False)


@dataclass(frozen=True)
class File(Node):
    """All definitions of a text."""

    definitions: tuple[Definition, ...]
