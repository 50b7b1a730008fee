"""Random bodies of generics, whose numbers the element types hold exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

EXACT = {
    "f64": 2**53,
    "f32": 2**24,
    "f16": 2**11,
    "bf16": 2**8,
    "f8E4M3FN": 2**4,
    "f8E5M2": 2**3,
    "i32": 2**31 - 1,
    "i8": 2**7 - 1,
}
"""The largest whole number up to which a type holds all of them."""


def is_float(dtype: str) -> bool:
    return not dtype.startswith("i")


@dataclass(frozen=True)
class Scalar:
    name: str
    bound: int


@dataclass
class Body:
    """The body of a generic: scalars of one type."""

    random: Random
    dtype: str
    lines: list[str] = field(default_factory=list[str])

    def add(self, text: str) -> str:
        name = f"%s{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def converted(self, name: str, dtype: str, bound: int) -> Scalar:
        """A scalar in the body's type; one that is too large for it is cut to size."""
        cast = _cast(dtype, self.dtype)
        if bound > EXACT[self.dtype]:
            one = self.add(f"arith.constant {_number(1, dtype)} : {dtype}")
            less = self.add(f"arith.constant {_number(-1, dtype)} : {dtype}")
            name = self.add(f"{arith_op('min', dtype)} {name}, {one} : {dtype}")
            name = self.add(f"{arith_op('max', dtype)} {name}, {less} : {dtype}")
            bound = 1
        if cast == "by_f32":
            name = self.add(f"arith.extf {name} : {dtype} to f32")
            return Scalar(self.add(f"arith.truncf {name} : f32 to {self.dtype}"), bound)
        if cast is not None:
            name = self.add(f"arith.{cast} {name} : {dtype} to {self.dtype}")
        return Scalar(name, bound)

    def index(self, loop: int, size: int) -> Scalar:
        """The number of a loop's iteration, as one of two."""
        index = self.add(f"linalg.index {loop} : index")
        wide = self.add(f"arith.index_cast {index} : index to i32")
        one = self.add("arith.constant 1 : i32")
        low = self.add(f"arith.andi {wide}, {one} : i32")
        return self.converted(low, "i32", 1)

    def combine(self, kind: str, left: str, right: str) -> str:
        return self.add(f"{arith_op(kind, self.dtype)} {left}, {right} : {self.dtype}")

    def expression(self, scalars: Sequence[Scalar]) -> Scalar:
        """A few operators over the scalars."""
        result = self.random.choice(scalars)
        for _ in range(self.random.randint(0, 3)):
            other = self.random.choice(scalars)
            kind = self.random.choice(["add", "sub", "mul", "max", "min", "select"])
            bound = {
                "add": result.bound + other.bound,
                "sub": result.bound + other.bound,
                "mul": result.bound * other.bound,
            }.get(kind, max(result.bound, other.bound))
            if bound > min(EXACT[self.dtype], 2**12):
                continue
            if kind == "select":
                compare = "cmpf ogt" if is_float(self.dtype) else "cmpi sgt"
                test = self.add(
                    f"arith.{compare}, {result.name}, {other.name} : {self.dtype}"
                )
                name = self.add(
                    f"arith.select {test}, {other.name}, {result.name} : {self.dtype}"
                )
            else:
                name = self.combine(kind, result.name, other.name)
            result = Scalar(name, bound)
        return result


def _number(value: int, dtype: str) -> str:
    return f"{value}.0" if is_float(dtype) else str(value)


def arith_op(kind: str, dtype: str) -> str:
    floats = {"max": "maximumf", "min": "minimumf"}
    integers = {"max": "maxsi", "min": "minsi"}
    known = floats if is_float(dtype) else integers
    return f"arith.{known.get(kind, kind + ('f' if is_float(dtype) else 'i'))}"


_WIDTH = {"f64": 64, "f32": 32, "f16": 16, "bf16": 16, "i32": 32, "i8": 8}
_WIDTH |= {"f8E4M3FN": 8, "f8E5M2": 8}
MADE = {"f64", "f32", "f16", "bf16", "i32", "i8"}
"""The types that generics compute in; fp8 is too narrow to stay exact."""


def _cast(given: str, made: str) -> str | None:
    """The arith op between two types; two floats of one width go by way of f32."""
    if given == made:
        return None
    if is_float(given) and is_float(made):
        if _WIDTH[given] == _WIDTH[made]:
            return "by_f32"
        return "extf" if _WIDTH[made] > _WIDTH[given] else "truncf"
    if is_float(given):
        return "fptosi"
    if is_float(made):
        return "sitofp"
    return "extsi" if _WIDTH[made] > _WIDTH[given] else "trunci"
