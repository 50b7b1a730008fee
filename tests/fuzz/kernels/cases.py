"""Payloads for kernels: sizes larger than a tile and not divisible, every dtype.

They are those of `schedules/cases.py` at sizes where tiles and masks matter, and more:
contractions with every order of operands, with batches and a tail; chains of
element-wise ops with broadcasts, casts, functions and numbers as arguments; views;
graphs that write into tensors which are also read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from random import Random

from fuzz.kernels.graphs import random_graph
from fuzz.kernels.numbers import integers, reductions
from fuzz.kernels.text import Text, is_float, kind
from fuzz.schedules.cases import Case, of_payload, random_layer
from support.random_programs.linalg import Choices, random_linalg
from support.random_programs.made_tensors import random_tensors
from support.random_programs.payloads import Recipe, random_payload

SIZES = (1, 2, 3, 7, 8, 16, 17, 31, 32, 33, 40, 64, 65, 100, 127, 128, 130)
MOST = 2**18
"""Most products of a contraction, so that numpy and Triton's interpreter stay quick."""

LINALG = Choices(
    sizes=(1, 3, 7, 8, 16, 17, 24, 32, 33, 40, 65, 100),
    other_sizes=(1, 2, 5, 16, 33, 70),
    empty=0.01,
    dtypes=("f32", "f32", "f16", "f16", "bf16", "i32", "i8", "f64", "f8E4M3FN"),
    most=2**16,
)
BUILT = Recipe(
    steps=4,
    dtypes=("f32", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "i32", "i8", "f64"),
    sizes=(1, 3, 8, 16, 17, 33, 40, 65),
    largest_rank=3,
    most_elements=2**13,
)


def random_kernel_case(random: Random) -> Case:
    """One of the sources, and a payload of it."""
    sources: list[Callable[[Random], Case]] = [_contraction] * 5 + [_chain] * 3
    sources += [_linalg] * 4 + [_built] * 3 + [_layer] * 3 + [_tensors]
    sources += [integers] * 2 + [reductions] * 2 + [random_graph] * 5
    return random.choice(sources)(random)


def _linalg(random: Random) -> Case:
    written = random_linalg(random, LINALG)
    return Case("linalg", written.text, written.dtypes, written.shapes, True)


def _built(random: Random) -> Case:
    return of_payload("built", random_payload(random, BUILT).payload, True)


def _layer(random: Random) -> Case:
    return random_layer(random, (1, 3, 8, 16, 17, 32, 33, 48, 65, 100))


def _tensors(random: Random) -> Case:
    written = random_tensors(random)
    return Case("tensors", written.text, written.dtypes, written.shapes, True)


# -- contractions ---------------------------------------------------------------------

PAIRS = {
    "f16": ("f32", "f32", "f16"),
    "bf16": ("f32", "f32", "bf16"),
    "f32": ("f32",),
    "f64": ("f64",),
    "f8E4M3FN": ("f32",),
    "f8E5M2": ("f32",),
    "i8": ("i32",),
    "i32": ("i32",),
}
"""Types of operands, and those of the sum."""


def _contraction(random: Random) -> Case:
    """One or two products in any order of operands, and perhaps a tail."""
    text = Text(random)
    dtype = random.choice(list(PAIRS))
    acc = random.choice(PAIRS[dtype])
    sizes = _contraction_sizes(random)
    batches = "".join(x for x in "bg" if x in sizes)
    sums = "".join(x for x in "kl" if x in sizes)
    has_m, has_n = random.random() < 0.93, random.random() < 0.93
    m, n = "m" * has_m, "n" * has_n
    lhs = _ordered(random, batches + m + sums)
    rhs = _ordered(random, batches + sums + n)
    out = _ordered(random, batches + m + n)
    a = text.argument([sizes[x] for x in lhs], dtype)
    b = text.argument([sizes[x] for x in rhs], dtype)
    name = _product(text, a, b, lhs, rhs, out, dtype, acc, sizes)
    shape = [sizes[x] for x in out]
    made = acc
    if random.random() < 0.55:
        name, made = _tail(text, name, shape, acc)
    if random.random() < 0.2 and len(shape) == 2 and shape[0] * shape[1] * 33 < MOST:
        columns = random.choice((7, 16, 33))
        more = {"m": shape[0], "k": shape[1], "n": columns}
        order = random.choice(("kn", "nk"))
        acc = PAIRS[made][0]
        if made in ("i32", "f32", "f16", "bf16", "f64"):
            b = text.argument([more[x] for x in order], made)
            name = _product(text, name, b, "mk", order, "mn", made, acc, more)
            shape, made = [shape[0], columns], acc
    return text.case("contraction", [(name, kind(shape, made))], True)


def _contraction_sizes(random: Random) -> dict[str, int]:
    letters = "mnk"
    letters += random.choice(["", "", "", "b", "b", "bg"])
    letters += random.choice(["", "", "", "", "l"])
    sizes = {x: random.choice(SIZES) for x in letters}
    for x in "bgl":
        if x in sizes:
            sizes[x] = random.choice((1, 2, 3, 5))
    while prod(sizes.values()) > MOST:
        largest = max(sizes, key=sizes.__getitem__)
        sizes[largest] = random.choice([s for s in SIZES if s < sizes[largest]])
    return sizes


def _ordered(random: Random, letters: str) -> str:
    """The usual order mostly, any other now and then."""
    if random.random() < 0.5:
        return letters
    return "".join(random.sample(letters, len(letters)))


def _product(
    text: Text,
    a: str,
    b: str,
    lhs: str,
    rhs: str,
    out: str,
    dtype: str,
    acc: str,
    sizes: dict[str, int],
) -> str:
    letters = sorted({*lhs, *rhs, *out})
    letters = [*(x for x in letters if x in out), *(x for x in letters if x not in out)]
    if text.random.random() < 0.2:
        text.random.shuffle(letters)
    shape = [sizes[x] for x in out]
    fresh = text.random.random() < 0.75
    start = text.filled(shape, acc) if fresh else text.argument(shape, acc)
    body: list[str] = []
    names = ["%x0", "%x1"]
    if dtype != acc:
        widen = "extf" if is_float(dtype) else "extsi"
        body = [f"%w{i} = arith.{widen} %x{i} : {dtype} to {acc}" for i in range(2)]
        names = ["%w0", "%w1"]
    of = "f" if is_float(acc) else "i"
    body += [
        f"%p = arith.mul{of} {names[0]}, {names[1]} : {acc}",
        f"%s = arith.add{of} %y0, %p : {acc}",
    ]

    def at(subscripts: str) -> list[int]:
        return [letters.index(x) for x in subscripts]

    (name,) = text.generic(
        len(letters),
        [
            (a, kind([sizes[x] for x in lhs], dtype), at(lhs)),
            (b, kind([sizes[x] for x in rhs], dtype), at(rhs)),
        ],
        [(start, kind(shape, acc), at(out))],
        [i for i, x in enumerate(letters) if x not in out],
        body,
        [("%s", acc)],
    )
    return name


def _tail(text: Text, name: str, shape: Sequence[int], acc: str) -> tuple[str, str]:
    """Bias, residual, a maximum, a cast: exact where the product is."""
    random = text.random
    loops = list(range(len(shape)))
    ins = [(name, kind(shape, acc), loops)]
    of = "f" if is_float(acc) else "i"
    value, body = "%x0", list[str]()
    for number in range(random.randint(0, 2)):
        kept = sorted(random.sample(loops, random.randint(0, len(loops))))
        if random.random() < 0.5 and loops:
            kept = loops[-1:]
        b = text.argument([shape[i] for i in kept], acc)
        ins.append((b, kind([shape[i] for i in kept], acc), kept))
        body.append(f"%t{number} = arith.add{of} {value}, %x{len(ins) - 1} : {acc}")
        value = f"%t{number}"
    if random.random() < 0.6:
        zero = "0.0" if is_float(acc) else "0"
        most = "arith.maximumf" if is_float(acc) else "arith.maxsi"
        body += [
            f"%zero = arith.constant {zero} : {acc}",
            f"%m = {most} {value}, %zero : {acc}",
        ]
        value = "%m"
    made = random.choice({"f32": ("f32", "f32", "f64")}.get(acc, (acc,)))
    if made != acc:
        body.append(f"%c = arith.extf {value} : {acc} to {made}")
        value = "%c"
    empty = text.name()
    text.lines.append(f"{empty} = tensor.empty() : {kind(shape, made)}")
    out = (empty, kind(shape, made), loops)
    (result,) = text.generic(len(shape), ins, [out], [], body, [(value, made)])
    return result, made


# -- element by element ---------------------------------------------------------------

FUNCTIONS = ("math.exp", "math.tanh", "math.absf", "math.sin", "math.erf", "arith.negf")
FUNCTIONS += ("math.cos", "math.floor", "math.ceil", "math.trunc", "math.roundeven")
FUNCTIONS += ("math.sqrt", "math.log1p", "math.expm1", "math.exp2", "math.round")
ORDERED = ("addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf")


def _chain(random: Random) -> Case:
    """Generics one after the other: broadcasts, casts, functions, numbers, two results.

    Functions are rounded, so results are compared within tolerances.
    """
    text = Text(random)
    rank = random.randint(1, 3)
    shape = [random.choice(SIZES) for _ in range(rank)]
    while prod(shape) > 2**13:
        shape[shape.index(max(shape))] = random.choice((1, 7, 16))
    dtype = random.choice(("f32", "f32", "f16", "bf16", "f64"))
    name = text.argument(shape, dtype)
    returned: list[tuple[str, str]] = []
    for _ in range(random.randint(1, 3)):
        names, dtype = _element_wise(text, name, shape, dtype)
        name = names[0]
        returned = [(each, kind(shape, dtype)) for each in names]
    return text.case("chain", returned, False)


def _element_wise(
    text: Text, name: str, shape: Sequence[int], dtype: str
) -> tuple[list[str], str]:
    random = text.random
    rank = len(shape)
    order = list(range(rank))
    ins: list[tuple[str, str, Sequence[int]]] = [(name, kind(shape, dtype), order)]
    for _ in range(random.randint(0, 2)):
        kept = random.sample(order, random.randint(0, rank))
        kept = kept if random.random() < 0.3 else sorted(kept)
        sizes = [shape[i] for i in kept]
        ins.append((text.argument(sizes, dtype), kind(sizes, dtype), kept))
    body: list[str] = []
    values = [f"%x{i}" for i in range(len(ins))]
    if random.random() < 0.25 and dtype != "f64":
        values.append(text.argument((-1,), dtype))
    if random.random() < 0.4:
        number = random.choice(("0.5", "1.0", "-2.0", "0.1"))
        body.append(f"%c = arith.constant {number} : {dtype}")
        values.append("%c")
    for number in range(random.randint(1, 4)):
        if random.random() < 0.35:
            function = random.choice(FUNCTIONS)
            body.append(f"%s{number} = {function} {values[-1]} : {dtype}")
        elif random.random() < 0.15:
            one, two = random.choice(values), random.choice(values)
            test = random.choice(("ogt", "olt", "oeq", "une", "ult"))
            body += [
                f"%b{number} = arith.cmpf {test}, {one}, {two} : {dtype}",
                f"%s{number} = arith.select %b{number}, {two}, {values[-1]} : {dtype}",
            ]
        else:
            verb = random.choice(ORDERED)
            other = random.choice(values)
            body.append(f"%s{number} = arith.{verb} {values[-1]}, {other} : {dtype}")
        values.append(f"%s{number}")
    made = dtype
    outputs = 2 if random.random() < 0.2 else 1
    results = [values[-1], random.choice(values)][:outputs]
    if random.random() < 0.4:
        made = random.choice({"f32": ("f16", "bf16", "f64")}.get(dtype, ("f32",)))
        wider = {"f64": 3, "f32": 2}
        cast = "extf" if wider.get(made, 1) > wider.get(dtype, 1) else "truncf"
        for number, value in enumerate(results):
            body.append(f"%o{number} = arith.{cast} {value} : {dtype} to {made}")
        results = [f"%o{number}" for number in range(outputs)]
    outs = []
    for _ in range(outputs):
        empty = text.name()
        text.lines.append(f"{empty} = tensor.empty() : {kind(shape, made)}")
        outs.append((empty, kind(shape, made), order))
    names = text.generic(rank, ins, outs, [], body, [(r, made) for r in results])
    return names, made
