"""Random functions of torch, as source: one statement a line, all valid in torch.

drawn = draw_function(7)
print(drawn.source)       # def f(a0, a1): ...
drawn.function(*drawn.inputs())

Tensors have one to four dimensions or none, of floats, integers and booleans. A line
that eager torch refuses is left out, so every function runs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import torch

FLOATS = ("float32", "float32", "float32", "float16", "bfloat16")
INTEGERS = ("int32", "int64")
SIZES = (1, 2, 3, 5, 8, 17)
MOST_ELEMENTS = 2**12
LARGEST = 1e4
"""A line whose numbers are larger is left out: f16 ends at 65504."""


@dataclass(frozen=True)
class Argument:
    """A tensor argument."""

    name: str
    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True)
class Drawn:
    """A function, its arguments and its text."""

    seed: int
    arguments: tuple[Argument, ...]
    lines: tuple[str, ...]
    returned: tuple[str, ...]

    @property
    def source(self) -> str:
        """The function, as a file."""
        names = ", ".join(one.name for one in self.arguments)
        body = "".join(f"    {line}\n" for line in self.lines)
        given = "\n".join(
            f"# {one.name}: {one.dtype}{list(one.shape)}" for one in self.arguments
        )
        returned = ", ".join(self.returned)
        head = "import torch\nfrom torch.nn import functional as F\n"
        return f"{head}\n{given}\ndef f({names}):\n{body}    return ({returned},)\n"

    @property
    def function(self) -> Callable[..., Any]:
        """The function."""
        scope: dict[str, Any] = {}
        exec(compile(self.source, f"<torch function {self.seed}>", "exec"), scope)
        return scope["f"]

    def inputs(self) -> list[torch.Tensor]:
        """Tensors for the arguments; a call may write them, so they are new ones."""
        return [_tensor(one, self.seed) for one in self.arguments]


def _tensor(one: Argument, seed: int) -> torch.Tensor:
    """Random numbers for an argument, always the same for a seed."""
    generator = torch.Generator().manual_seed(10 * seed + int(one.name[1:]))
    dtype = getattr(torch, one.dtype)
    if one.dtype == "bool":
        return torch.rand(one.shape, generator=generator) < 0.5
    if not dtype.is_floating_point:
        return torch.randint(0, 5, one.shape, generator=generator).to(dtype)
    return torch.randn(one.shape, generator=generator).to(dtype)


def draw_function(seed: int) -> Drawn:
    """The function of a seed."""
    return _Writer(seed, Random(seed)).write()


@dataclass
class _Writer:
    seed: int
    random: Random
    arguments: list[Argument] = field(default_factory=list[Argument])
    lines: list[str] = field(default_factory=list[str])
    values: dict[str, torch.Tensor] = field(default_factory=dict[str, torch.Tensor])

    def write(self) -> Drawn:
        random = self.random
        self.scope: dict[str, Any] = {"torch": torch, "F": torch.nn.functional}
        for _ in range(random.randint(1, 3)):
            self.argument()
        wanted = random.randint(2, 8)
        for _ in range(6 * wanted):
            if len(self.lines) >= wanted:
                break
            self.step()
        made = [name for name in self.values if not name.startswith("a")]
        made = made or list(self.values)
        returned = [made[-1]]
        if random.random() < 0.4:
            returned.append(random.choice(list(self.values)))
        return Drawn(
            self.seed, tuple(self.arguments), tuple(self.lines), tuple(returned)
        )

    def argument(self) -> None:
        random = self.random
        rank = random.choice((0, 1, 1, 2, 2, 2, 3, 3, 4))
        shape = tuple(random.choice(SIZES) for _ in range(rank))
        if self.arguments and random.random() < 0.5:
            shape = tuple(
                size if random.random() < 0.8 else 1
                for size in random.choice(self.arguments).shape
            )
        dtype = random.choice((*FLOATS, *FLOATS, *INTEGERS, "bool"))
        one = Argument(f"a{len(self.arguments)}", shape, dtype)
        self.arguments.append(one)
        self.values[one.name] = _tensor(one, self.seed)

    def step(self) -> None:
        """Draw one line; keep it if eager torch runs it and its numbers are small."""
        name = f"t{len(self.lines)}"
        text, is_statement = self.drawn_line(name)
        line = text if is_statement else f"{name} = {text}"
        scope, made = {**self.scope, **self.values}, None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(line, scope)
            made = scope[name]
            # A statement may have written what views show: all are looked at.
            fits = all(_fits(one) for one in (made, *self.values.values()))
        except Exception:
            fits = False
        if fits and made is not None:
            self.lines.append(line)
            self.values[name] = made
        elif is_statement:
            self._run_again()

    def _run_again(self) -> None:
        """Compute all values anew: a statement that is left out has written some."""
        scope = {**self.scope}
        scope |= {one.name: _tensor(one, self.seed) for one in self.arguments}
        for line in self.lines:
            exec(line, scope)
        self.values = {name: scope[name] for name in self.values}

    # -- lines ------------------------------------------------------------------------

    def pick(self, fits: Callable[[torch.Tensor], bool] = lambda value: True) -> str:
        names = [name for name, value in self.values.items() if fits(value)]
        names = names or list(self.values)
        recent = names[-3:] if self.random.random() < 0.7 else names
        return self.random.choice(recent)

    def drawn_line(self, name: str) -> tuple[str, bool]:
        """An expression, or a statement that binds the name."""
        kinds: Sequence[Callable[[], str]] = (
            *[self.unary] * 3,
            *[self.binary] * 5,
            *[self.reduction] * 5,
            *[self.view] * 4,
            *[self.join] * 2,
            *[self.product] * 2,
            *[self.indexed] * 3,
            *[self.choice] * 2,
            *[self.row] * 2,
            self.cast,
            self.made,
        )
        if self.random.random() < 0.08:
            return self.in_place(name), True
        return self.random.choice(kinds)(), False

    def axis(self, name: str) -> int:
        rank = max(self.values[name].dim(), 1)
        return self.random.randrange(-rank, rank)

    def unary(self) -> str:
        x = self.pick()
        verb = self.random.choice(
            (
                *("torch.exp", "torch.tanh", "torch.abs", "torch.neg", "torch.sin"),
                *("torch.sigmoid", "torch.relu", "F.gelu", "F.silu", "torch.sign"),
                *("torch.floor", "torch.round", "torch.square", "torch.logical_not"),
                *("torch.isnan", "torch.reciprocal", "torch.log1p", "torch.sqrt"),
            )
        )
        return f"{verb}({x})"

    def binary(self) -> str:
        x, y = self.pick(), self.pick()
        if self.random.random() < 0.35:
            y = self.random.choice(("2", "0.5", "-1", "True", "3.0"))
        verb = self.random.choice(
            (
                *("{x} + {y}", "{x} - {y}", "{x} * {y}", "{x} / {y}", "{x} // {y}"),
                *("torch.maximum({x}, {y})", "torch.minimum({x}, {y})"),
                *("{x} > {y}", "{x} <= {y}", "{x} == {y}", "{x} != {y}", "{y} - {x}"),
                *("torch.remainder({x}, {y})", "torch.pow({x}, {y})", "{x} & {y}"),
                *("torch.logical_or({x}, {y})", "torch.atan2({x}, {y})"),
                *("torch.add({x}, {y}, alpha=2)", "torch.clamp({x}, max={y})"),
            )
        )
        return verb.format(x=x, y=y)

    def reduction(self) -> str:
        x = self.pick()
        verb = self.random.choice(
            (
                *("sum", "sum", "mean", "amax", "amin", "prod", "any", "all", "max"),
                *("argmax", "argmin", "var", "std", "logsumexp", "norm", "min"),
            )
        )
        if self.random.random() < 0.4 and verb not in ("logsumexp",):
            return f"{x}.{verb}()"
        axis, keep = self.axis(x), self.random.random() < 0.5
        at: object = axis
        if (
            verb in ("sum", "mean", "amax", "amin", "var")
            and self.random.random() < 0.3
        ):
            other = self.axis(x)
            at = tuple(dict.fromkeys((axis, other)))
        text = f"{x}.{verb}(dim={at}, keepdim={keep})"
        return (
            f"{text}.{self.random.choice(('values', 'indices'))}"
            * (verb in ("max", "min"))
            or text
        )

    def view(self) -> str:
        x = self.pick()
        value = self.values[x]
        rank = value.dim()
        axis = self.axis(x)
        size = value.shape[axis] if rank else 1
        start = self.random.randrange(size)
        stop = self.random.randint(start + 1, size) if size else 1
        order = list(range(rank))
        self.random.shuffle(order)
        return self.random.choice(
            (
                f"{x}.transpose({axis}, {self.axis(x)})",
                f"{x}.permute({order})",
                f"{x}.reshape(-1)",
                f"{x}.unsqueeze({axis})",
                f"{x}.squeeze()",
                f"{x}.narrow({axis}, {start}, {stop - start})",
                f"{x}.select({axis}, {start})",
                f"{x}[..., ::2]",
                f"{x}[..., {start}:]",
                f"{x}.flip({axis})",
                f"{x}.expand(2, *{x}.shape)",
                f"{x}.flatten(1)",
                f"{x}.diagonal()",
                f"torch.roll({x}, 1, {axis})",
                f"{x}.contiguous()",
                f"torch.broadcast_to({x}, {self.pick()}.shape)",
                f"{x}.chunk(2, {axis})[0]",
                f"{x}.unfold({axis}, 2, 1)",
            )
        )

    def join(self) -> str:
        x = self.pick()
        same = [
            name
            for name, value in self.values.items()
            if value.shape == self.values[x].shape
        ]
        y, axis = self.random.choice(same), self.axis(x)
        low, high = self.random.randint(0, 2), self.random.randint(0, 2)
        return self.random.choice(
            (
                f"torch.cat([{x}, {y}], {axis})",
                f"torch.stack([{x}, {y}], {axis})",
                f"torch.cat([{x}, {self.pick()}], {axis})",
                f"F.pad({x}, ({low}, {high}))",
                f"F.pad({x}, ({low}, {high}, {high}, {low}), value=1.0)",
                f"{x}.repeat(*[2] * {x}.dim())",
            )
        )

    def product(self) -> str:
        x, y = self.pick(lambda v: v.dim() > 0), self.pick(lambda v: v.dim() > 0)
        return self.random.choice(
            (
                f"{x} @ {y}",
                f"{x} @ {y}.transpose(-1, -2)",
                f"{x}.transpose(-1, -2) @ {y}",
                f"torch.outer({x}.reshape(-1)[:8], {y}.reshape(-1)[:8])",
                f"torch.dot({x}.reshape(-1)[:4], {y}.reshape(-1)[:4])",
                f"F.linear({x}, {y})",
            )
        )

    def indexed(self) -> str:
        x = self.pick(lambda v: v.dim() > 0)
        axis = self.axis(x)
        integers = self.pick(lambda v: v.dtype in (torch.int64, torch.int32))
        masks = self.pick(lambda v: v.dtype == torch.bool)
        index = f"({integers}.long().reshape(-1)[:4] % {x}.shape[{axis}])"
        return self.random.choice(
            (
                f"torch.index_select({x}, {axis}, {index})",
                f"{x}[{index.replace(f'[{axis}]', '[0]')}]",
                f"torch.gather({x}, {axis}, torch.zeros_like({x}, dtype=torch.long))",
                f"torch.take_along_dim({x}, torch.argsort({x}, {axis}), {axis})",
                f"torch.where({masks}, {x}, {self.pick()})",
                f"{x}.masked_fill({masks}, 0)",
                f"torch.index_add({x}, {axis}, {index}, "
                f"torch.index_select({x}, {axis}, {index}))",
                f"torch.scatter_add({x}, {axis}, "
                f"torch.zeros_like({x}, dtype=torch.long), {x})",
                f"torch.index_put({x}, ({index.replace(f'[{axis}]', '[0]')},), "
                f"torch.ones((), dtype={x}.dtype))",
                f"torch.tril({x})",
                f"F.one_hot({integers}.long() % 5, 5)",
            )
        )

    def choice(self) -> str:
        x, y = self.pick(), self.pick()
        return self.random.choice(
            (
                f"torch.where({x} > 0, {x}, {y})",
                f"torch.where({x} > {y}, {x}, 0)",
                f"{x}.clamp(-1, 1)",
                f"torch.clamp_min({x}, 0)",
                f"torch.lerp({x}, {y}, 0.25)",
                f"torch.addcmul({x}, {y}, {y})",
                f"F.threshold({x}, 0.1, 2.0)",
            )
        )

    def row(self) -> str:
        x = self.pick()
        axis = self.axis(x)
        return self.random.choice(
            (
                f"torch.softmax({x}, {axis})",
                f"torch.log_softmax({x}, {axis})",
                f"torch.cumsum({x}, {axis})",
                f"torch.cumprod({x}, {axis})",
                f"torch.cummax({x}, {axis}).values",
                f"F.layer_norm({x}, {x}.shape[-1:])",
                f"F.normalize({x}, dim={axis})",
                f"torch.sort({x}, {axis}).values",
                f"torch.diff({x}, dim={axis})",
            )
        )

    def cast(self) -> str:
        dtype = self.random.choice((*FLOATS, *INTEGERS, "bool"))
        return f"{self.pick()}.to(torch.{dtype})"

    def made(self) -> str:
        x = self.pick()
        return self.random.choice(
            (
                f"torch.zeros_like({x})",
                f"torch.arange({x}.numel(), dtype=torch.float32)",
                f"torch.full({x}.shape[:1], 2.0)",
                "torch.tensor(1.5)",
                f"torch.ones({x}.shape[-1:], dtype=torch.int64)",
                "torch.eye(3)",
            )
        )

    def in_place(self, name: str) -> str:
        """A statement that writes into a copy, a part of one, or an argument.

        What it reads is not what it writes: eager torch leaves open which is first.
        """
        x, y = self.pick(), self.pick()
        # Elements of an expanded or unfolded view share memory: torch's own capture
        # differs from eager torch where they are written.
        is_own = self.values[x].is_contiguous() and self.random.random() < 0.2
        made = f"{name} = {x}" if is_own else f"{name} = {x}.clone()"
        verb = self.random.choice(
            (
                f"{name}.add_({y})",
                f"{name}.mul_(2)",
                f"{name}[..., :1] = {y}",
                f"{name}[0] += {y}",
                f"{name}.copy_({y})",
                f"{name}.zero_()",
                f"{name}.fill_(1)",
                f"{name}.transpose(0, -1).add_({name}.clone())",
                f"{name}[..., 1:] = {name}[..., :-1].clone()",
                f"{name}.index_fill_(0, torch.tensor([0]), 1)",
                f"{name}.masked_fill_({name} > 0, 0)",
            )
        )
        return f"{made}; {verb}"


def _fits(value: Any) -> bool:
    """Whether a value is a tensor of moderate size and numbers, and not empty."""
    if not isinstance(value, torch.Tensor) or value.dim() > 5:
        return False
    if not 0 < value.numel() <= MOST_ELEMENTS or value.is_complex():
        return False
    wide = value.double()
    return bool((wide.abs() <= LARGEST).all())
