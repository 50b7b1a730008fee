"""A writer of functions of generics, for the payloads of kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from fuzz.schedules.cases import Case


@dataclass
class Text:
    """The text of a function under construction."""

    random: Random
    arguments: list[tuple[str, str, tuple[int, ...]]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    count: int = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def argument(self, shape: Sequence[int], dtype: str) -> str:
        name = f"%a{len(self.arguments)}"
        self.arguments.append((name, dtype, tuple(shape)))
        return name

    def filled(self, shape: Sequence[int], dtype: str) -> str:
        zero, empty, name = self.name(), self.name(), self.name()
        of = kind(shape, dtype)
        self.lines += [
            f"{zero} = arith.constant {'0.0' if is_float(dtype) else '0'} : {dtype}",
            f"{empty} = tensor.empty() : {of}",
            f"{name} = linalg.fill ins({zero} : {dtype}) outs({empty} : {of}) -> {of}",
        ]
        return name

    def generic(
        self,
        loops: int,
        ins: Sequence[tuple[str, str, Sequence[int]]],
        outs: Sequence[tuple[str, str, Sequence[int]]],
        reduced: Sequence[int],
        body: Sequence[str],
        yields: Sequence[tuple[str, str]],
    ) -> list[str]:
        """A `linalg.generic`; operands are name, type and the loops that run there."""
        over = ", ".join(f"d{i}" for i in range(loops))
        maps = ", ".join(
            f"affine_map<({over}) -> ({', '.join(f'd{i}' for i in of)})>"
            for _, _, of in [*ins, *outs]
        )
        kinds = ", ".join(
            '"reduction"' if i in reduced else '"parallel"' for i in range(loops)
        )
        scalars = [
            *(f"%x{i}: {element_of(of)}" for i, (_, of, _) in enumerate(ins)),
            *(f"%y{i}: {dtype}" for i, (_, dtype) in enumerate(yields)),
        ]
        result = self.name()
        many = f":{len(outs)}" if len(outs) > 1 else ""
        types = ", ".join(of for _, of, _ in outs)
        given = ""
        if ins:
            names = ", ".join(name for name, _, _ in ins)
            given = f"ins({names} : {', '.join(of for _, of, _ in ins)}) "
        self.lines.append(
            f"{result}{many} = linalg.generic {{indexing_maps = [{maps}], "
            f"iterator_types = [{kinds}]}} {given}"
            f"outs({', '.join(name for name, _, _ in outs)} : {types}) {{\n"
            f"  ^bb0({', '.join(scalars)}):\n"
            + "".join(f"    {line}\n" for line in body)
            + f"    linalg.yield {', '.join(n for n, _ in yields)} : "
            + f"{', '.join(d for _, d in yields)}\n  }} -> "
            + (f"({types})" if many else types)
        )
        return [f"{result}#{i}" for i in range(len(outs))] if many else [result]

    def case(self, name: str, returned: Sequence[tuple[str, str]], whole: bool) -> Case:
        given = ", ".join(
            f"{n}: {kind(shape, dtype) if shape != (-1,) else dtype}"
            for n, dtype, shape in self.arguments
        )
        types = ", ".join(of for _, of in returned)
        body = "\n".join(f"  {line}" for line in self.lines)
        names = ", ".join(n for n, _ in returned)
        text = (
            f"func.func @f({given}) -> ({types}) {{\n{body}\n"
            f"  return {names} : {types}\n}}\n"
        )
        shapes = tuple(() if s == (-1,) else s for _, _, s in self.arguments)
        return Case(
            name, text, tuple(d for _, d, _ in self.arguments), (shapes,), whole
        )


def element_of(of: str) -> str:
    return of.removeprefix("tensor<").rstrip(">").split("x")[-1]


def kind(shape: Sequence[int], dtype: str) -> str:
    return f"tensor<{'x'.join([*map(str, shape), dtype])}>"


def is_float(dtype: str) -> bool:
    return not dtype.startswith("i")
