"""Handles, sizes and lines for steps drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from xdsl.ir import Operation

from fuzz.schedules.session import ANY, Line, Session
from tilewright.ir.dialects import func, scf
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.structured.loops import is_reduction
from tilewright.transforms.structured.tile.one_tile import known_ranges

FOR = '!transform.op<"scf.for">'
PARAM = "!transform.param<i64>"
SIZES = (0, 1, 2, 3, 4, 5, 7, 8, 16, 32)


@dataclass
class Draw:
    """A session and a random generator, from which steps draw."""

    session: Session
    random: Random
    count: int = 0

    # -- dice --------------------------------------------------------------------

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def name(self) -> str:
        self.count += 1
        return f"%h{self.count}"

    def names(self, count: int) -> list[str]:
        return [self.name() for _ in range(count)]

    # -- payload -----------------------------------------------------------------

    def find(self, keep: Callable[[Operation], bool]) -> list[Operation]:
        return [op for op in self.session.module.walk() if keep(op)]

    def structured(self) -> list[Operation]:
        return self.find(lambda op: isinstance(op, StructuredOp))

    def tileable(self) -> list[Operation]:
        return self.find(lambda op: isinstance(op, StructuredOp | SoftmaxOp))

    def loops(self) -> list[Operation]:
        return self.find(lambda op: isinstance(op, scf.ForOp))

    def grids(self) -> list[Operation]:
        return self.find(lambda op: isinstance(op, ForallOp))

    def functions(self) -> list[Operation]:
        return self.find(lambda op: isinstance(op, func.FuncOp))

    # -- lines -------------------------------------------------------------------

    def do(
        self,
        verb: str,
        rest: str,
        uses: Sequence[str],
        makes: Sequence[str] = (),
        *,
        sequences: str = "",
        is_whole: bool = True,
    ) -> bool:
        """Run `makes = transform.verb rest`."""
        head = f"{', '.join(makes)} = " if makes else ""
        used = tuple(dict.fromkeys(uses))
        text = f"{head}transform.{verb} {rest}"
        return self.session.do(Line(text, used, tuple(makes), sequences, is_whole))

    def types(self, handles: Sequence[str]) -> str:
        return ", ".join(self.session.types[handle] for handle in handles)

    def one(
        self, verb: str, target: str, rest: str = "", results: int = 0
    ) -> list[str] | None:
        """`verb %target rest : (type) -> (types)`, or without results `: type`."""
        made = self.names(results)
        of = self.session.types[target]
        kinds = ", ".join([ANY] * results)
        signature = f"({of}) -> ({kinds})" if results else of
        if results == 1:
            signature = f"({of}) -> {ANY}"
        done = self.do(verb, f"{target} {rest} : {signature}", [target], made)
        return made if done else None

    # -- handles -----------------------------------------------------------------

    def handle(self, ops: Sequence[Operation], *, many: float = 0.2) -> str | None:
        """A handle to one of these ops, or sometimes to several."""
        if not ops:
            return None
        known = set(ops)
        live = [
            name
            for name in self.session.live()
            if known.issuperset(self.session.ops(name))
        ]
        if live and self.chance(0.35):
            return self.random.choice(live)
        return self.match(self.random.choice(ops).name, many)

    def match(self, name: str, many: float = 0.2, kind: str = ANY) -> str | None:
        """A handle to ops of one name, mostly to one of them."""
        made, root = self.name(), self.session.root
        rest = f'ops{{["{name}"]}} in {root} : ({self.session.types[root]}) -> {kind}'
        if not self.do("structured.match", rest, [root], [made]):
            return None
        count = len(self.session.ops(made))
        if count < 2 or self.chance(many):
            return made
        parts = self.names(count)
        of = f"({kind}) -> ({', '.join([kind] * count)})"
        if not self.do("split_handle", f"{made} : {of}", [made], parts):
            return None
        return self.random.choice(parts)

    def exact(self, op: Operation) -> str | None:
        """A handle to exactly this op."""
        for name in self.session.live():
            if self.session.ops(name) == (op,):
                return name
        made = self.match(op.name, many=1.0)
        if made is None or len(found := self.session.ops(made)) == 1:
            return made
        parts = self.names(len(found))
        of = f"({ANY}) -> ({', '.join([ANY] * len(found))})"
        if not self.do("split_handle", f"{made} : {of}", [made], parts):
            return None
        return next(part for part in parts if self.session.ops(part) == (op,))

    def function(self) -> str | None:
        """A handle to a function, or to the root."""
        if self.chance(0.2):
            return self.session.root
        return self.match("func.func")

    def loop(self, many: float = 0.2) -> str | None:
        """A handle declared to point at `scf.for`."""
        if not self.loops():
            return None
        return self.match("scf.for", many, FOR)

    def parameter(self, value: int) -> str | None:
        made = self.name()
        done = self.do("param.constant", f"{value} : i64 -> {PARAM}", [], [made])
        return made if done else None

    # -- sizes -------------------------------------------------------------------

    def extents(self, target: str) -> list[int | None]:
        """The extents of the first op's loops, where they are known."""
        ops = self.session.ops(target)
        if not ops:
            return []
        op = ops[0]
        if isinstance(op, StructuredOp):
            ranges = known_ranges(op)
            return [extent if isinstance(extent, int) else None for extent in ranges]
        if isinstance(op, SoftmaxOp):
            shape = op.results[0].type.get_shape()  # pyright: ignore
            return [size if size >= 0 else None for size in shape]
        return []

    def reductions(self, target: str) -> list[bool]:
        """Which loops of the first op reduce."""
        ops = self.session.ops(target)
        if not ops or not isinstance(ops[0], StructuredOp):
            return []
        return [is_reduction(ops[0], i) for i in range(len(self.extents(target)))]

    def size(self, extent: int | None) -> int:
        """A tile size for a loop."""
        choices = [*SIZES]
        if extent is not None and extent > 0:
            choices += [extent, extent, (extent + 1) // 2, extent + 1]
        return self.random.choice(choices)

    def sizes(self, target: str, zeros: float = 0.35) -> list[int]:
        """Tile sizes for the loops of a target: too few now and then, rarely wrong."""
        extents = self.extents(target)
        drawn = [0 if self.chance(zeros) else self.size(extent) for extent in extents]
        if self.chance(0.15):
            drawn = drawn[: self.random.randint(0, len(drawn))]
        if self.chance(0.03):
            drawn.append(4)
        return drawn

    def written(self, sizes: Sequence[int]) -> tuple[str, list[str]]:
        """Sizes as text, some of them as parameters; and those parameters."""
        words: list[str] = []
        used: list[str] = []
        for size in sizes:
            parameter = self.parameter(size) if self.chance(0.08) else None
            if parameter is not None:
                used.append(parameter)
            words.append(parameter or str(size))
        return f"[{', '.join(words)}]", used
