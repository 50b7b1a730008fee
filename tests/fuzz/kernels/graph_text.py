"""The text of a graph under construction: its values, and ops that are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from fuzz.kernels.text import Text, is_float, kind

SIZES = (1, 3, 8, 17, 32, 40, 65)
LARGEST = 8
"""Element-wise ops cut their numbers to this size, so that all types hold them."""
DTYPES = ("f32", "f32", "f32", "f16", "i32")


@dataclass(frozen=True)
class Value:
    """A tensor of the graph; all have the same element type."""

    name: str
    shape: tuple[int, ...]


@dataclass
class GraphText:
    """Two arguments to begin with, one of them a square; `values` has what there is."""

    random: Random
    values: list[Value] = field(default_factory=list[Value])

    def __post_init__(self) -> None:
        random = self.random
        self.text, self.dtype = Text(random), random.choice(DTYPES)
        self.n, self.m = random.choice(SIZES), random.choice(SIZES)
        for shape in [(self.n, self.n), random.choice([(self.n, self.m), (self.m,)])]:
            self.values.append(Value(self.text.argument(shape, self.dtype), shape))

    def type(self, value: Value) -> str:
        return kind(value.shape, self.dtype)

    def kind(self, shape: Sequence[int]) -> str:
        return kind(shape, self.dtype)

    def pick(self, fits: Callable[[Value], bool] = lambda value: True) -> Value:
        """A value, a recent one more often; the first one if none fits."""
        fitting = [v for v in self.values if fits(v)]
        if not fitting:
            return self.values[0]
        recent = fitting[-3:] if self.random.random() < 0.7 else fitting
        return self.random.choice(recent)

    def of_shape(self, shape: tuple[int, ...]) -> Value:
        """A value of a shape, a new one now and then."""
        fitting = [v for v in self.values if v.shape == shape]
        if fitting and self.random.random() < 0.85:
            return self.random.choice(fitting[-3:])
        if self.random.random() < 0.5:
            return Value(self.text.argument(shape, self.dtype), shape)
        return Value(self.text.filled(shape, self.dtype), shape)

    def destination(self, shape: tuple[int, ...]) -> Value:
        """What an op writes into: mostly a value that has other readers."""
        if self.random.random() < 0.2:
            return Value(self.text.filled(shape, self.dtype), shape)
        return self.of_shape(shape)

    def line(self, shape: Sequence[int], text: str) -> Value:
        """Write an op with one result, and keep it."""
        made = Value(self.text.name(), tuple(shape))
        self.text.lines.append(f"{made.name} = {text}")
        self.values.append(made)
        return made

    def op(self, word: str) -> str:
        words = {"max": "maximumf", "min": "minimumf"}
        integer = {"max": "maxsi", "min": "minsi"}
        if is_float(self.dtype):
            return f"arith.{words.get(word, word + 'f')}"
        return f"arith.{integer.get(word, word + 'i')}"

    def number(self, value: int) -> str:
        return f"{value}.0" if is_float(self.dtype) else str(value)

    def bounded(self, body: list[str], name: str) -> str:
        """A scalar, cut to the range that every type holds."""
        tag = len(body)
        of = self.dtype
        body += [
            f"%h{tag} = arith.constant {self.number(LARGEST)} : {of}",
            f"%l{tag} = arith.constant {self.number(-LARGEST)} : {of}",
            f"%u{tag} = {self.op('min')} {name}, %h{tag} : {of}",
            f"%b{tag} = {self.op('max')} %u{tag}, %l{tag} : {of}",
        ]
        return f"%b{tag}"

    def maps(self, value: Value, extents: Sequence[int]) -> list[int]:
        """The loop along each dimension, of the same extent, in any order."""
        used: list[int] = []
        for size in value.shape:
            fitting = [i for i, e in enumerate(extents) if e == size and i not in used]
            used.append(self.random.choice(fitting))
        return used

    def fits(self, value: Value, extents: Sequence[int]) -> bool:
        left = list(extents)
        for size in value.shape:
            if size not in left:
                return False
            left.remove(size)
        return True

    def generic(
        self,
        extents: Sequence[int],
        ins: Sequence[Value],
        outs: Sequence[tuple[Value, list[int]]],
        reduced: Sequence[int],
    ) -> None:
        random, body = self.random, list[str]()
        of = self.dtype
        yields: list[tuple[str, str]] = []
        given = [f"%x{i}" for i in range(len(ins))]
        for position in range(len(outs)):
            tag = f"{position}"
            if reduced:
                some = random.choice(given)
                verb = random.choice(("max", "min"))
                body.append(f"%s{tag} = {self.op(verb)} %y{tag}, {some} : {of}")
                yields.append((f"%s{tag}", of))
                continue
            all_given = [*given, *(f"%y{i}" for i in range(len(outs)))]
            left, right = random.choice(given), random.choice(all_given)
            if random.random() < 0.2:
                yields.append((left, of))
                continue
            verb = random.choice(("add", "sub", "max"))
            body.append(f"%s{tag} = {self.op(verb)} {left}, {right} : {of}")
            yields.append((self.bounded(body, f"%s{tag}"), of))
        names = self.text.generic(
            len(extents),
            [(v.name, self.type(v), self.maps(v, extents)) for v in ins],
            [(v.name, self.type(v), order) for v, order in outs],
            reduced,
            body,
            yields,
        )
        for name, (out, _) in zip(names, outs, strict=True):
            self.values.append(Value(name, out.shape))

    def slice(self, shape: Sequence[int]) -> tuple[str, tuple[int, ...]]:
        """A part of a tensor, as its text and its shape."""
        random = self.random
        offsets: list[int] = []
        sizes: list[int] = []
        strides: list[int] = []
        for size in shape:
            step = random.choice((1, 1, 1, 2))
            start = random.randrange(size)
            most = (size - start + step - 1) // step
            offsets.append(start)
            sizes.append(random.randint(1, most))
            strides.append(step)
        return f"{offsets} {sizes} {strides}", tuple(sizes)
