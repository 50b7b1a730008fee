"""Tensors that are made without a destination, and structured ops that read them."""

from __future__ import annotations

from random import Random

from support.random_programs.linalg import Written

DTYPE = "f32"


def random_tensors(random: Random) -> Written:
    """A padded, generated or listed tensor, and one or two ops on it."""
    m, n = (random.choice([1, 2, 3, 4, 5, 8]) for _ in range(2))
    rows, columns, lines = random.choice([_padded, _generated, _listed])(random, m, n)
    name, kind = "%made", f"tensor<{rows}x{columns}x{DTYPE}>"
    for number in range(random.randint(1, 2)):
        verb = random.choice(["exp", "abs", "add", "mul"])
        inputs = [name] if verb in ("exp", "abs") else [name, name]
        reads = f"{', '.join(inputs)} : {', '.join([kind] * len(inputs))}"
        lines += [
            f"%e{number} = tensor.empty() : {kind}",
            f"%r{number} = linalg.{verb} ins({reads}) outs(%e{number} : {kind}) "
            f"-> {kind}",
        ]
        name = f"%r{number}"
    body = "\n".join(f"  {line}" for line in lines)
    text = (
        f"func.func @f(%a: tensor<{m}x{n}x{DTYPE}>) -> {kind} {{\n{body}\n"
        f"  return {name} : {kind}\n}}\n"
    )
    return Written(text, (DTYPE,), (((m, n),),))


def _padded(random: Random, m: int, n: int) -> tuple[int, int, list[str]]:
    low, high = ([random.randint(0, 3) for _ in range(2)] for _ in range(2))
    rows, columns = m + low[0] + high[0], n + low[1] + high[1]
    nofold = " nofold" if random.random() < 0.2 else ""
    sides = f"low{low} high{high}"
    return (
        rows,
        columns,
        [
            f"%c = arith.constant {random.choice([0.0, 1.0, -2.0])} : {DTYPE}",
            f"%made = tensor.pad %a{nofold} {sides} {{",
            "^bb0(%i: index, %j: index):",
            f"  tensor.yield %c : {DTYPE}",
            f"}} : tensor<{m}x{n}x{DTYPE}> to tensor<{rows}x{columns}x{DTYPE}>",
        ],
    )


def _generated(random: Random, m: int, n: int) -> tuple[int, int, list[str]]:
    order = random.choice(["%i, %j", "%j, %i"]) if m == n else "%i, %j"
    return (
        m,
        n,
        [
            "%made = tensor.generate {",
            "^bb0(%i: index, %j: index):",
            f"  %x = tensor.extract %a[{order}] : tensor<{m}x{n}x{DTYPE}>",
            f"  %y = arith.addf %x, %x : {DTYPE}",
            f"  tensor.yield %y : {DTYPE}",
            f"}} : tensor<{m}x{n}x{DTYPE}>",
        ],
    )


def _listed(random: Random, m: int, n: int) -> tuple[int, int, list[str]]:
    rows, columns = random.randint(1, 3), random.randint(1, 3)
    lines = ["%c0 = arith.constant 0 : index"]
    lines += [f"%last = arith.constant {m - 1} : index"]
    lines += [
        f"%x = tensor.extract %a[%c0, %c0] : tensor<{m}x{n}x{DTYPE}>",
        f"%y = tensor.extract %a[%last, %c0] : tensor<{m}x{n}x{DTYPE}>",
    ]
    listed = ", ".join(random.choice(["%x", "%y"]) for _ in range(rows * columns))
    kind = f"tensor<{rows}x{columns}x{DTYPE}>"
    return rows, columns, [*lines, f"%made = tensor.from_elements {listed} : {kind}"]
