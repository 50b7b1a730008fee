"""The tree of a schedule: `parsing/` makes it from text, `lowering/` reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TypeAlias

from tilewright.ir.errors import Place

NOWHERE = Place("<schedule>", 1, 1)

KEYWORDS = (
    "knob",
    "choose",
    "permute",
    "require",
    "include",
    "yield",
    "try",
    "for each",
    "suppress",
    "propagate",
    "matching",
)
"""The words that begin a statement and are not verbs."""

LIBRARY = "library/"
"""The file names of library sequences begin with this."""

CONSTANTS = ("true", "false")
OPERATORS = ("and", "or", "not")
RESERVED = (
    "schedule",
    "sequence",
    "decide",
    "import",
    *KEYWORDS,
    "default",
    "else",
    *CONSTANTS,
    *OPERATORS,
)
"""The words that cannot be names."""

WORDS_OF_STATEMENTS = ("in", "shortest", "of", "as")
"""Words with a meaning inside some statements; they cannot be bound as names."""

MARK = "optional"
"""The option that is written as a `?` after the verb: `match? "linalg.fill"`."""

NUMBER_FUNCTIONS: Mapping[str, str] = {
    "abs": "abs(a)",
    "min": "min(a, b)",
    "max": "max(a, b)",
    "cdiv": "cdiv(a, b)",
    "ceildiv": "ceildiv(a, b)",
    "floordiv": "floordiv(a, b)",
    "is_pow2": "is_pow2(a)",
    "implies": "implies(a, b)",
    "xor": "xor(a, b)",
    "ite": "ite(condition, a, b)",
}
"""The functions of numbers and conditions, and how each is called."""

PAYLOAD_NUMBERS: Mapping[str, str] = {
    "dim": "dim(h, 0)",
    "elem_bits": "elem_bits(h)",
    "count": "count(h)",
}
"""The functions that read a number off the payload, and how each is called."""

OPTION_FUNCTIONS: Mapping[str, str] = {
    "pow2": "pow2(16, 256)",
    "range": "range(16, 256, 16)",
}
"""The functions that list the options of a knob, and how each is called."""


@dataclass(frozen=True)
class Node:
    """Any part of the text; its place does not count for equality."""

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
class Raw(Node):
    """An attribute or a type in MLIR's syntax, between backticks."""

    text: str


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


@dataclass(frozen=True)
class Operator(Node):
    """An operator or a function on numbers: `BM * BN`, `not a`, `abs(x)`."""

    sign: str
    operands: tuple[Value, ...]


Value: TypeAlias = Name | Literal | Raw | Items | Call | Operator
Argument: TypeAlias = Value | Setting


@dataclass(frozen=True)
class Kind(Node):
    """The kind of a name: `"scf.for"`, `value`, `param`, `i32`, ..."""

    text: str
    quoted: bool = False


@dataclass(frozen=True)
class Target(Name):
    """A name that a statement binds, with its kind if one is written."""

    kind: Kind | None = None


# -- statements ------------------------------------------------------------------


@dataclass(frozen=True)
class Knob(Node):
    """`BM = knob [64, 128] default 128`, also written `BM = 128 of [64, 128]`."""

    target: Target
    options: Items | Call
    """A list, or a function that makes one: `pow2(16, 256)`."""
    label: str | None = None
    default: Literal | None = None
    is_short: bool = field(default=False, compare=False, kw_only=True)
    """Whether it is written with `of`."""


@dataclass(frozen=True)
class Constant(Node):
    """`BM = 128`, `BK = BM / 2`."""

    target: Target
    value: Literal | Operator


@dataclass(frozen=True)
class Action(Node):
    """`tiled, grid = tile mm by [BM, BN]`: a verb and its arguments."""

    targets: tuple[Target, ...]
    verb: Name
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Assign(Node):
    """`grids = merge(g, h)`."""

    targets: tuple[Target, ...]
    call: Call


@dataclass(frozen=True)
class Include(Node):
    """`include to_vectors(func)`; `suppress` skips steps that do not apply."""

    targets: tuple[Target, ...]
    call: Call
    suppress: bool = False


@dataclass(frozen=True)
class Require(Node):
    """`require BM * BN <= 128 * 128`."""

    condition: Value


@dataclass(frozen=True)
class Yield(Node):
    """`yield mm, grid`: the results of a branch or a sequence."""

    values: tuple[Value, ...]


@dataclass(frozen=True)
class Branch(Node):
    """A labelled branch of a `choose`; `end` is the place of its closing brace."""

    label: Name
    body: tuple[Statement, ...]
    end: Place = field(default=NOWHERE, compare=False, kw_only=True, repr=False)


@dataclass(frozen=True)
class Choose(Node):
    """`mm, grid = choose placement default fused { ... }`."""

    targets: tuple[Target, ...]
    name: Name
    branches: tuple[Branch, ...]
    default: Name | None = None


@dataclass(frozen=True)
class Permute(Node):
    """`grid = permute steps { a { ... } b { ... } }`: all branches, in any order.

    The names before the `=` are names that the branches bind.
    """

    targets: tuple[Target, ...]
    name: Name
    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class Order(Node):
    """`order = permute [0, 1, 2]`: an order of loops that is chosen."""

    target: Target
    loops: Items


@dataclass(frozen=True)
class Body(Node):
    """Statements between braces; `end` is the place of the closing brace."""

    statements: tuple[Statement, ...]
    end: Place = field(default=NOWHERE, compare=False, kw_only=True, repr=False)


@dataclass(frozen=True)
class Try(Node):
    """`t = try f { ... } else { ... }`: the first branch that applies."""

    targets: tuple[Target, ...]
    scope: Name | None
    branches: tuple[Body, ...]


@dataclass(frozen=True)
class ForEach(Node):
    """`t = for each x in xs { ... }`: the body runs once for each op."""

    targets: tuple[Target, ...]
    names: tuple[Name, ...]
    values: tuple[Value, ...]
    shortest: bool
    body: Body


@dataclass(frozen=True)
class Guarded(Node):
    """`suppress f { ... }`, `propagate f { ... }` and `matching f { ... }`."""

    targets: tuple[Target, ...]
    word: str
    names: tuple[Name, ...]
    body: Body


Statement: TypeAlias = (
    Knob
    | Constant
    | Action
    | Assign
    | Include
    | Require
    | Yield
    | Choose
    | Permute
    | Order
    | Try
    | ForEach
    | Guarded
)


# -- definitions -----------------------------------------------------------------


@dataclass(frozen=True)
class Parameter(Node):
    """An argument of a schedule or sequence: a handle, or `name: param`."""

    name: Name
    kind: Kind | None = None


@dataclass(frozen=True)
class Definition(Node):
    """A schedule, where a run begins, or a sequence, which others include."""

    is_schedule: bool
    name: Name
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    end: Place = field(default=NOWHERE, compare=False, kw_only=True, repr=False)


@dataclass(frozen=True)
class SizeName(Node):
    """`M = x[0]`: a dimension of an argument of the payload."""

    name: Name
    argument: Name
    dim: int


@dataclass(frozen=True)
class SizeRule(Node):
    """`M <= 64 { BM = 16; BN = 64 }`; the rule `else` has no condition."""

    condition: Value | None
    settings: tuple[Statement, ...]


@dataclass(frozen=True)
class Decide(Node):
    """`decide M = x[0] { ... }`: the points of the schedule by sizes."""

    sizes: tuple[SizeName, ...]
    rules: tuple[SizeRule, ...]


@dataclass(frozen=True)
class Import(Node):
    """`import gemm`, `import "file.tw" as parts`: the sequences of another file."""

    source: str
    is_file: bool
    alias: Name | None = None

    @property
    def title(self) -> str:
        """The name before the dot of its sequences."""
        if self.alias is not None:
            return self.alias.text
        return PurePath(self.source).stem if self.is_file else self.source

    @property
    def text(self) -> str:
        """The statement without its alias."""
        return f'import "{self.source}"' if self.is_file else f"import {self.source}"


@dataclass(frozen=True)
class File(Node):
    """All definitions of a text, its decision table, and what it imports."""

    definitions: tuple[Definition, ...]
    decisions: tuple[Decide, ...] = ()
    imports: tuple[Import, ...] = ()
