"""Random functions of linalg ops as text, with features that the builder never uses.

These are dynamic sizes and empty tensors, named contractions of every kind, generics
with any projected maps, several outputs and `linalg.index`, accumulators that are
arguments, movement, reductions and softmax. Numbers are small whole numbers that the
types hold exactly (except after softmax), so every order of summation gives the same
bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from random import Random

from support.random_programs.linalg_bodies import EXACT, MADE, Body, arith_op, is_float

LARGEST = 2
"""Inputs are whole numbers up to this."""


@dataclass(frozen=True)
class Choices:
    """Ranges and probabilities of random choices."""

    sizes: Sequence[int] = (1, 2, 3, 4, 5, 7, 8, 8, 12, 16, 17)
    other_sizes: Sequence[int] = (0, 1, 2, 5, 9)
    """Sizes of dynamic dimensions for a second run of the function."""
    empty: float = 0.04
    """The probability that a size is 0."""
    dtypes: Sequence[str] = ("f32", "f32", "f32", "f16", "bf16", "i32", "i8")
    most: int = 4096
    """Most iterations of a generic."""


@dataclass(frozen=True)
class Written:
    """A module's text, and shapes for its arguments."""

    text: str
    dtypes: tuple[str, ...]
    shapes: tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True)
class Dim:
    """A size, static or dynamic in the text, with its value at run time."""

    name: str
    dynamic: bool
    sizes: tuple[int, ...]

    def __str__(self) -> str:
        return "?" if self.dynamic else str(self.sizes[0])


@dataclass(frozen=True)
class Value:
    """A tensor: its name, dimensions, element type and largest number."""

    name: str
    dims: tuple[Dim, ...]
    dtype: str
    bound: int

    @property
    def type(self) -> str:
        return tensor(self.dims, self.dtype)


def tensor(dims: Sequence[Dim], dtype: str) -> str:
    return f"tensor<{'x'.join([*map(str, dims), dtype])}>"


def random_linalg(random: Random, choices: Choices = Choices()) -> Written:  # noqa: B008
    """A function of one to four ops."""
    return _Writer(random, choices).write()


@dataclass
class _Writer:
    random: Random
    choices: Choices
    arguments: list[Value] = field(default_factory=list[Value])
    values: list[Value] = field(default_factory=list[Value])
    lines: list[str] = field(default_factory=list[str])
    count: int = 0

    def write(self) -> Written:
        self.dims = [self._dim(name) for name in "abcd"]
        self.new_argument(self.some_dims(self.random.randint(1, 3)))
        steps = [
            self.contraction,
            self.contraction,
            self.generic,
            self.generic,
            self.generic,
            self.pointwise,
            self.movement,
            self.reduction,
            self.softmax,
            self.part,
        ]
        for _ in range(self.random.randint(1, 4)):
            self.random.choice(steps)()
        made = [v for v in self.values if v not in self.arguments]
        if not made:
            self.pointwise()
            made = [self.values[-1]]
        returned = [made[-1]]
        if self.random.random() < 0.3:
            returned.append(self.random.choice(made))
        return self._text(returned)

    def _dim(self, name: str) -> Dim:
        random = self.random
        empty = random.random() < self.choices.empty
        size = 0 if empty else random.choice(self.choices.sizes)
        if random.random() < 0.2:
            return Dim(name, True, (size, random.choice(self.choices.other_sizes)))
        return Dim(name, False, (size, size))

    def _text(self, returned: Sequence[Value]) -> Written:
        given = ", ".join(f"{v.name}: {v.type}" for v in self.arguments)
        types = ", ".join(v.type for v in returned)
        head = [
            *(
                f"%c{i} = arith.constant {i} : index"
                for i in range(max(len(v.dims) for v in self.arguments))
            ),
            *(
                f"%size_{dim.name} = tensor.dim {value.name}, %c{at} : {value.type}"
                for dim in self.dims
                if dim.dynamic
                for value, at in self._holders(dim)[:1]
            ),
        ]
        body = "\n".join(f"  {line}" for line in [*head, *self.lines])
        names = ", ".join(v.name for v in returned)
        text = (
            f"func.func @f({given}) -> ({types}) {{\n{body}\n"
            f"  return {names} : {types}\n}}\n"
        )
        asked = range(2 if any(d.dynamic for d in self.dims) else 1)
        shapes = tuple(
            tuple(tuple(d.sizes[i] for d in v.dims) for v in self.arguments)
            for i in asked
        )
        return Written(text, tuple(v.dtype for v in self.arguments), shapes)

    def _holders(self, dim: Dim) -> list[tuple[Value, int]]:
        return [(v, v.dims.index(dim)) for v in self.arguments if dim in v.dims]

    # Pieces.

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def some_dims(self, rank: int) -> list[Dim]:
        return [self.random.choice(self.dims) for _ in range(rank)]

    def dtype(self) -> str:
        return self.random.choice(self.choices.dtypes)

    def new_argument(self, dims: Sequence[Dim], dtype: str | None = None) -> Value:
        value = Value(
            f"%a{len(self.arguments)}", tuple(dims), dtype or self.dtype(), LARGEST
        )
        self.arguments.append(value)
        self.values.append(value)
        return value

    def pick(self, least_rank: int = 0) -> Value:
        fitting = [v for v in self.values if len(v.dims) >= least_rank]
        if not fitting:
            return self.new_argument(self.some_dims(max(least_rank, 1)))
        recent = fitting[-2:] if self.random.random() < 0.7 else fitting
        return self.random.choice(recent)

    def keep(self, name: str, dims: Sequence[Dim], dtype: str, bound: int) -> None:
        self.values.append(Value(name, tuple(dims), dtype, bound))

    def empty(self, dims: Sequence[Dim], dtype: str) -> str:
        name = self.name()
        for dim in dims:
            if dim.dynamic and not self._holders(dim):
                self.new_argument([dim])
        sizes = ", ".join(f"%size_{dim.name}" for dim in dims if dim.dynamic)
        self.lines.append(f"{name} = tensor.empty({sizes}) : {tensor(dims, dtype)}")
        return name

    def constant(self, number: int, dtype: str) -> str:
        name = self.name()
        text = f"{number}.0" if is_float(dtype) else str(number)
        self.lines.append(f"{name} = arith.constant {text} : {dtype}")
        return name

    def filled(self, dims: Sequence[Dim], dtype: str, number: int) -> str:
        start = self.constant(number, dtype)
        empty, name, of = self.empty(dims, dtype), self.name(), tensor(dims, dtype)
        self.lines.append(
            f"{name} = linalg.fill ins({start} : {dtype}) outs({empty} : {of}) -> {of}"
        )
        return name

    def accumulator(
        self, dims: Sequence[Dim], dtype: str, start: int
    ) -> tuple[str, int]:
        """A destination with numbers in it, and the bound of these numbers."""
        if self.random.random() < 0.25:
            return self.new_argument(dims, dtype).name, LARGEST
        return self.filled(dims, dtype, start), abs(start)

    # Ops.

    CONTRACTIONS = {
        "matmul": ("ab", "bc", "ac"),
        "batch_matmul": ("dab", "dbc", "dac"),
        "batch_reduce_matmul": ("dab", "dbc", "ac"),
        "matvec": ("ab", "b", "a"),
        "vecmat": ("b", "bc", "c"),
        "batch_matvec": ("dab", "db", "da"),
        "batch_vecmat": ("db", "dbc", "dc"),
        "dot": ("b", "b", ""),
    }

    def contraction(self) -> None:
        """A named product of two tensors, the first one made before."""
        left = self.pick()
        fitting = [
            name
            for name, (a, _, _) in self.CONTRACTIONS.items()
            if len(a) == len(left.dims)
        ]
        if not fitting:
            return
        name = self.random.choice(fitting)
        of_a, of_b, of_c = self.CONTRACTIONS[name]
        letters = dict(zip(of_a, left.dims, strict=True))
        for letter in of_b:
            letters.setdefault(letter, self.random.choice(self.dims))
        length = prod(max(letters[x].sizes) for x in of_a if x not in of_c)
        bound = left.bound * LARGEST * max(length, 1) + LARGEST
        made = "f32" if is_float(left.dtype) else "i32"
        made = "f64" if left.dtype == "f64" else made
        if bound > EXACT[made] or bound > 2**20:
            return
        right = self.new_argument([letters[x] for x in of_b], left.dtype)
        dims = [letters[x] for x in of_c]
        start, most = self.accumulator(dims, made, 0)
        result, of = self.name(), tensor(dims, made)
        self.lines.append(
            f"{result} = linalg.{name} ins({left.name}, {right.name} : {left.type}, "
            f"{right.type}) outs({start} : {of}) -> {of}"
        )
        self.keep(result, dims, made, bound + most)

    def pointwise(self) -> None:
        """A named element-wise op; the other operand is new."""
        a = self.pick()
        b = self.new_argument(a.dims, a.dtype)
        op, bound = self.random.choice(
            [
                ("add", a.bound + LARGEST),
                ("sub", a.bound + LARGEST),
                ("mul", a.bound * LARGEST),
                ("max", max(a.bound, LARGEST)),
            ]
        )
        if bound > EXACT[a.dtype]:
            return
        result = self.name()
        out = self.empty(a.dims, a.dtype)
        self.lines.append(
            f"{result} = linalg.{op} ins({a.name}, {b.name} : {a.type}, {b.type}) "
            f"outs({out} : {a.type}) -> {a.type}"
        )
        self.keep(result, a.dims, a.dtype, bound)

    def movement(self) -> None:
        """A transpose, a broadcast or a copy."""
        a = self.pick(least_rank=1)  # rank 0 transposed makes real MLIR crash
        result = self.name()
        match self.random.choice(["transpose", "broadcast", "copy"]):
            case "transpose":
                order = self.random.sample(range(len(a.dims)), len(a.dims))
                dims = [a.dims[i] for i in order]
                tail = f" permutation = {order}"
            case "broadcast" if len(a.dims) < 3:
                at = self.random.randint(0, len(a.dims))
                dims = [*a.dims[:at], self.random.choice(self.dims), *a.dims[at:]]
                tail = f" dimensions = [{at}]"
            case _:
                out = self.empty(a.dims, a.dtype)
                self.lines.append(
                    f"{result} = linalg.copy ins({a.name} : {a.type}) "
                    f"outs({out} : {a.type}) -> {a.type}"
                )
                return self.keep(result, a.dims, a.dtype, a.bound)
        out = self.empty(dims, a.dtype)
        verb = tail.split()[0].replace("permutation", "transpose")
        verb = verb.replace("dimensions", "broadcast")
        self.lines.append(
            f"{result} = linalg.{verb} ins({a.name} : {a.type}) "
            f"outs({out} : {tensor(dims, a.dtype)}){tail}"
        )
        self.keep(result, dims, a.dtype, a.bound)

    def reduction(self) -> None:
        """`linalg.reduce` by one op along some dimensions."""
        a = self.pick(least_rank=1)
        rank = len(a.dims)
        axes = sorted(self.random.sample(range(rank), self.random.randint(1, rank)))
        kind = self.random.choice(["add", "max", "min"])
        length = prod(max(a.dims[i].sizes) for i in axes)
        bound = a.bound * max(length, 1) if kind == "add" else max(a.bound, 100)
        if bound + LARGEST > EXACT[a.dtype]:
            return
        dims = [dim for i, dim in enumerate(a.dims) if i not in axes]
        start = {"add": 0, "max": -100, "min": 100}[kind]
        out, most = self.accumulator(dims, a.dtype, start)
        result, of = self.name(), tensor(dims, a.dtype)
        self.lines.append(
            f"{result} = linalg.reduce {{ {arith_op(kind, a.dtype)} }} "
            f"ins({a.name} : {a.type}) outs({out} : {of}) dimensions = {axes}"
        )
        self.keep(result, dims, a.dtype, bound + most)

    def softmax(self) -> None:
        """`linalg.softmax` of something in f32; nothing exact comes after it."""
        fitting = [v for v in self.values if v.dtype == "f32" and v.dims]
        if not fitting or self.random.random() < 0.6:
            return
        a = self.random.choice(fitting)
        axis = self.random.randrange(len(a.dims))
        if 0 in a.dims[axis].sizes:
            return
        result, out = self.name(), self.empty(a.dims, "f32")
        self.lines.append(
            f"{result} = linalg.softmax dimension({axis}) ins({a.name} : {a.type}) "
            f"outs({out} : {a.type}) -> {a.type}"
        )
        self.keep(result, a.dims, "f32", 1)

    def part(self) -> None:
        """A slice, or a slice put into something, where the sizes are known."""
        a = self.pick(least_rank=1)
        if any(d.dynamic or d.sizes[0] < 2 for d in a.dims):
            return
        at = self.random.randrange(len(a.dims))
        size = a.dims[at].sizes[0]
        start = self.random.randint(0, size - 1)
        length = self.random.randint(1, size - start)
        offsets = [start if i == at else 0 for i in range(len(a.dims))]
        sizes = [length if i == at else d.sizes[0] for i, d in enumerate(a.dims)]
        dims = [Dim(f"p{s}", False, (s, s)) for s in sizes]
        where = f"{offsets} {sizes} {[1] * len(sizes)}"
        result = self.name()
        if self.random.random() < 0.5:
            self.lines.append(
                f"{result} = tensor.extract_slice {a.name}{where} : {a.type} to "
                f"{tensor(dims, a.dtype)}"
            )
            return self.keep(result, dims, a.dtype, a.bound)
        b = self.new_argument(dims, a.dtype)
        self.lines.append(
            f"{result} = tensor.insert_slice {b.name} into {a.name}{where} : {b.type} "
            f"into {a.type}"
        )
        self.keep(result, a.dims, a.dtype, max(a.bound, b.bound))

    # Generics.

    def generic(self) -> None:
        """Any projected maps, one or two outputs, perhaps reductions."""
        random = self.random
        inputs = [self.pick() for _ in range(random.choice([1, 1, 2, 2, 3]))]
        loops: list[Dim] = []
        maps: list[list[int]] = []
        for value in inputs:
            maps.append(self._mapped(value, loops))
        most = prod(max(d.sizes) for d in loops)
        if not loops or len(loops) > 4 or most > self.choices.most:
            return
        reduced = [i for i in range(len(loops)) if random.random() < 0.35]
        parallel = [i for i in range(len(loops)) if i not in reduced]
        floats = any(is_float(v.dtype) for v in inputs)
        made = random.choice(
            [d for d in self.choices.dtypes if is_float(d) == floats and d in MADE]
        )
        outputs = random.choice([1, 1, 1, 2])
        body = Body(random, made)
        scalars = [
            body.converted(f"%x{i}", v.dtype, v.bound) for i, v in enumerate(inputs)
        ]
        if random.random() < 0.15:
            loop = random.randrange(len(loops))
            scalars.append(body.index(loop, max(loops[loop].sizes)))
        length = prod(max(loops[i].sizes) for i in reduced)
        outs: list[str] = []
        out_maps: list[list[int]] = []
        yields: list[str] = []
        bounds: list[int] = []
        for position in range(outputs):
            order = random.sample(parallel, len(parallel))
            dims = [loops[i] for i in order]
            expression = body.expression(scalars)
            if reduced:
                kind = random.choice(["add", "max", "min"])
                if kind == "add" and expression.bound * max(length, 1) > EXACT[made]:
                    kind = "max"
                start = {"add": 0, "max": -100, "min": 100}[kind]
                out, most = self.accumulator(dims, made, start)
                factor = max(length, 1) if kind == "add" else 1
                combined = body.combine(kind, f"%y{position}", expression.name)
                yields.append(combined)
                bounds.append(expression.bound * factor + most)
            elif (
                random.random() < 0.2 and expression.bound + LARGEST + 1 <= EXACT[made]
            ):
                out, most = self.accumulator(dims, made, 1)
                yields.append(body.combine("add", expression.name, f"%y{position}"))
                bounds.append(expression.bound + most)
            else:
                out = self.empty(dims, made)
                yields.append(expression.name)
                bounds.append(expression.bound)
            outs.append(out)
            out_maps.append(order)
        if max(bounds) > EXACT[made]:
            return
        self._write_generic(
            inputs, maps, outs, out_maps, loops, reduced, made, body.lines, yields
        )
        names = self.lines[-1]
        result = self.name()
        many = f":{outputs}" if outputs > 1 else ""
        self.lines[-1] = f"{result}{many} = {names}"
        for position, (order, bound) in enumerate(zip(out_maps, bounds, strict=True)):
            name = f"{result}#{position}" if many else result
            self.keep(name, [loops[i] for i in order], made, bound)

    def _mapped(self, value: Value, loops: list[Dim]) -> list[int]:
        """Which loop runs over each dimension of an operand; new loops where needed."""
        used: list[int] = []
        for dim in value.dims:
            fitting = [i for i, d in enumerate(loops) if d == dim and i not in used]
            if fitting and self.random.random() < 0.75:
                used.append(self.random.choice(fitting))
            else:
                loops.append(dim)
                used.append(len(loops) - 1)
        return used

    def _write_generic(
        self,
        inputs: Sequence[Value],
        maps: Sequence[Sequence[int]],
        outs: Sequence[str],
        out_maps: Sequence[Sequence[int]],
        loops: Sequence[Dim],
        reduced: Sequence[int],
        made: str,
        body: Sequence[str],
        yields: Sequence[str],
    ) -> None:
        over = ", ".join(f"d{i}" for i in range(len(loops)))
        written = ", ".join(
            f"affine_map<({over}) -> ({', '.join(f'd{i}' for i in m)})>"
            for m in [*maps, *out_maps]
        )
        kinds = ", ".join(
            '"reduction"' if i in reduced else '"parallel"' for i in range(len(loops))
        )
        out_types = [tensor([loops[i] for i in m], made) for m in out_maps]
        scalars = ", ".join(
            [
                *(f"%x{i}: {v.dtype}" for i, v in enumerate(inputs)),
                *(f"%y{i}: {made}" for i in range(len(outs))),
            ]
        )
        results = ", ".join(out_types)
        results = f"({results})" if len(outs) > 1 else results
        types = ", ".join([made] * len(outs))
        self.lines.append(
            f"linalg.generic {{indexing_maps = [{written}], iterator_types = "
            f"[{kinds}]}} ins({', '.join(v.name for v in inputs)} : "
            f"{', '.join(v.type for v in inputs)}) outs({', '.join(outs)} : "
            f"{', '.join(out_types)}) {{\n  ^bb0({scalars}):\n"
            + "".join(f"    {line}\n" for line in body)
            + f"    linalg.yield {', '.join(yields)} : {types}\n  }} -> {results}"
        )
