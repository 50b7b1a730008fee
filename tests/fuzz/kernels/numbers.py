"""Payloads of integer arithmetic of every width, and reductions of every kind.

Integers wrap the same way at every level. Operands are chosen so that no op has an
undefined result, such as a division by zero or a shift by the width.
"""

from __future__ import annotations

from math import prod
from random import Random

from fuzz.kernels.text import Text, is_float, kind
from fuzz.schedules.cases import Case

SIZES = (1, 3, 7, 16, 17, 33, 64, 65, 100)
WIDTHS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
SIMPLE = ("addi", "subi", "muli", "andi", "ori", "xori")
ORDERED = ("maxsi", "minsi", "maxui", "minui")
DIVIDING = ("divsi", "divui", "remsi", "remui")
SHIFTING = ("shli", "shrsi", "shrui")


def _shape(random: Random, most: int) -> list[int]:
    shape = [random.choice(SIZES) for _ in range(random.randint(1, 3))]
    while prod(shape) > most:
        shape[shape.index(max(shape))] = random.choice((1, 3, 7))
    return shape


def integers(random: Random) -> Case:
    """A few generics of integer arithmetic and casts between widths."""
    text = Text(random)
    shape = _shape(random, 2**12)
    loops = list(range(len(shape)))
    dtype = random.choice(list(WIDTHS))
    name = text.argument(shape, dtype)
    for _ in range(random.randint(1, 2)):
        kept = sorted(random.sample(loops, random.randint(0, len(loops))))
        other = [shape[i] for i in kept]
        ins = [
            (name, kind(shape, dtype), loops),
            (text.argument(other, dtype), kind(other, dtype), kept),
        ]
        body, value = _arithmetic(random, dtype)
        made = random.choice([*WIDTHS, "f32", dtype, dtype])
        if made != dtype:
            body.append(f"%made = arith.{_cast(random, dtype, made)} {value} : ")
            body[-1] += f"{dtype} to {made}"
            value = "%made"
        empty = text.name()
        text.lines.append(f"{empty} = tensor.empty() : {kind(shape, made)}")
        outs = [(empty, kind(shape, made), loops)]
        (name,) = text.generic(len(shape), ins, outs, [], body, [(value, made)])
        dtype = made
        if dtype == "f32":
            break
    return text.case("integers", [(name, kind(shape, dtype))], True)


def _arithmetic(random: Random, dtype: str) -> tuple[list[str], str]:
    body = [
        f"%one = arith.constant 1 : {dtype}",
        f"%five = arith.constant 5 : {dtype}",
    ]
    values = ["%x0", "%x1", "%five"]
    for number in range(random.randint(1, 5)):
        left, right = random.choice(values), random.choice(values)
        verb = random.choice((*SIMPLE, *SIMPLE, *ORDERED, *DIVIDING, *SHIFTING, "cmp"))
        made = f"%s{number}"
        if verb in DIVIDING:
            # Never 0, and never -1: the minimum divided by -1 overflows.
            body.append(f"%b{number} = arith.andi {right}, %five : {dtype}")
            body.append(f"%d{number} = arith.ori %b{number}, %one : {dtype}")
            right = f"%d{number}"
        if verb in SHIFTING:
            body.append(f"%d{number} = arith.andi {right}, %five : {dtype}")
            right = f"%d{number}"
        if verb == "cmp":
            test = random.choice(("slt", "sge", "eq", "ne", "ult", "uge"))
            body.append(f"%t{number} = arith.cmpi {test}, {left}, {right} : {dtype}")
            chosen = f"%t{number}, {left}, {values[-1]} : {dtype}"
            body.append(f"{made} = arith.select {chosen}")
        else:
            body.append(f"{made} = arith.{verb} {left}, {right} : {dtype}")
        values.append(made)
    return body, values[-1]


def _cast(random: Random, given: str, made: str) -> str:
    if is_float(made):
        return random.choice(("sitofp", "uitofp"))
    if WIDTHS[made] < WIDTHS[given]:
        return "trunci"
    return random.choice(("extsi", "extui"))


KINDS = {
    "f32": ("addf", "maximumf", "minimumf", "maxnumf", "minnumf"),
    "f16": ("maximumf", "minimumf", "maxnumf", "minnumf"),
    "bf16": ("maximumf", "minimumf", "maxnumf", "minnumf"),
    "f64": ("addf", "mulf", "maximumf", "minnumf"),
    "i32": ("addi", "muli", "maxsi", "minsi", "maxui", "minui", "andi", "ori", "xori"),
    "i8": ("addi", "maxsi", "minsi"),
    "i64": ("addi", "maxsi", "minsi"),
}


def reductions(random: Random) -> Case:
    """One or two reductions along any dimensions, and ops after them."""
    text = Text(random)
    shape = _shape(random, 2**13)
    dtype = random.choice(list(KINDS))
    loops = list(range(len(shape)))
    reduced = random.sample(loops, random.randint(1, len(shape)))
    kept = [i for i in loops if i not in reduced]
    if random.random() < 0.2:
        random.shuffle(kept)
    result = [shape[i] for i in kept]
    a = text.argument(shape, dtype)
    count = random.choice((1, 1, 2))
    kinds = [random.choice(KINDS[dtype]) for _ in range(count)]
    outs, yields, body = [], [], list[str]()
    for number, verb in enumerate(kinds):
        outs.append((text.argument(result, dtype), kind(result, dtype), kept))
        body.append(f"%r{number} = arith.{verb} %x0, %y{number} : {dtype}")
        yields.append((f"%r{number}", dtype))
    ins = [(a, kind(shape, dtype), loops)]
    names = text.generic(len(shape), ins, outs, reduced, body, yields)
    returned = [(name, kind(result, dtype)) for name in names]
    if random.random() < 0.4:
        of = "f" if is_float(dtype) else "i"
        empty = text.name()
        text.lines.append(f"{empty} = tensor.empty() : {kind(shape, dtype)}")
        ins = [(a, kind(shape, dtype), loops), (names[0], kind(result, dtype), kept)]
        body = [f"%s = arith.sub{of} %x0, %x1 : {dtype}"]
        outs = [(empty, kind(shape, dtype), loops)]
        (name,) = text.generic(len(shape), ins, outs, [], body, [("%s", dtype)])
        returned.append((name, kind(shape, dtype)))
    # Products of whole numbers leave the range that a type holds exactly.
    return text.case("reductions", returned, "mulf" not in kinds)
