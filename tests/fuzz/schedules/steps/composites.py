"""Steps that run other steps, which are drawn blindly and may not apply."""

from __future__ import annotations

from fuzz.schedules.drawing import ANY, Draw


def _attempt(d: Draw, scope: str, prefix: str) -> str:
    """One or two ops on what is found in a scope, whether they fit or not."""
    names = sorted({op.name for op in d.structured()}) or ["linalg.generic"]
    lines: list[str] = []
    for number in range(d.random.randint(1, 2)):
        found = f"%{prefix}{number}"
        name = d.random.choice(names)
        lines.append(
            f'{found} = transform.structured.match ops{{["{name}"]}} in {scope} '
            f": ({ANY}) -> {ANY}"
        )
        lines.append(f"    {_verb(d, found, f'%{prefix}t{number}')}")
    return "\n    ".join(lines)


def _verb(d: Draw, target: str, made: str) -> str:
    size, other = d.random.choice([0, 1, 2, 3, 4]), d.random.choice([1, 2, 5, 8])
    return d.random.choice(
        [
            f"transform.structured.vectorize {target} : {ANY}",
            f"{made} = transform.structured.generalize {target} : ({ANY}) -> {ANY}",
            f"{made}, {made}l = transform.structured.tile_using_for {target} "
            f"tile_sizes [{other}] : ({ANY}) -> ({ANY}, {ANY})",
            f"{made}, {made}g = transform.structured.tile_using_forall {target} "
            f"tile_sizes [{size}, {other}] : ({ANY}) -> ({ANY}, {ANY})",
            f"{made}, {made}l = transform.structured.fuse {target} tile_sizes "
            f"[{other}] : ({ANY}) -> ({ANY}, {ANY})",
        ]
    )


def alternatives(d: Draw) -> None:
    """Attempts on a function, the last of which may be empty."""
    scope = d.match("func.func")
    if scope is None:
        return
    branches: list[str] = []
    for number in range(d.random.randint(1, 3)):
        empty = number > 0 and d.chance(0.4)
        body = "" if empty else _attempt(d, f"%g{number}", f"a{number}_")
        branches.append(
            f"{{\n  ^bb0(%g{number}: {ANY}):\n    {body}\n    transform.yield\n  }}"
        )
    of = d.session.types[scope]
    d.do("alternatives", f"{scope} : {of} {', '.join(branches)}", [scope])


def foreach(d: Draw) -> None:
    """One op on each of several."""
    target = d.handle(d.structured(), many=0.8)
    if target is None:
        return
    of = d.session.types[target]
    body = _verb(d, "%each", "%made")
    d.do(
        "foreach",
        f"{target} : {of} {{\n  ^bb0(%each: {of}):\n    {body}\n    "
        "transform.yield\n  }",
        [target],
        is_whole=False,
    )


def suppressed(d: Draw) -> None:
    """A sequence that skips steps that do not apply."""
    root = d.match("func.func")
    if root is None:
        return
    of = d.session.types[root]
    body = _attempt(d, "%f", "s")
    mode = "suppress" if d.chance(0.8) else "propagate"
    d.do(
        "sequence",
        f"{root} : {of} failures({mode}) {{\n  ^bb0(%f: {of}):\n    {body}\n    "
        "transform.yield\n  }",
        [root],
        is_whole=False,
    )


def include(d: Draw) -> None:
    """A named sequence, called."""
    root = d.match("func.func")
    if root is None:
        return
    name = f"@sub{d.count}"
    mode = "suppress" if d.chance(0.5) else "propagate"
    sequence = (
        f"transform.named_sequence {name}(%f: {ANY} {{transform.readonly}}) {{\n    "
        f"{_attempt(d, '%f', 's')}\n    transform.yield\n}}\n"
    )
    d.do(
        "include",
        f"{name} failures({mode}) ({root}) : ({d.session.types[root]}) -> ()",
        [root],
        sequences=sequence,
        is_whole=False,
    )


def foreach_match(d: Draw) -> None:
    """An action on every op that a matcher takes."""
    names = sorted({op.name for op in d.structured()})
    if not names:
        return
    root, made = d.session.root, d.name()
    number, name = d.count, d.random.choice(names)
    body = _verb(d, "%op", "%made")
    sequences = (
        f"transform.named_sequence @is{number}(%op: {ANY} {{transform.readonly}}) "
        f"-> {ANY} {{\n"
        f'    transform.match.operation_name %op ["{name}"] : {ANY}\n'
        f"    transform.yield %op : {ANY}\n}}\n"
        f"transform.named_sequence @do{number}(%op: {ANY} {{transform.consumed}}) {{\n"
        f"    {body}\n    transform.yield\n}}\n"
    )
    done = d.do(
        "foreach_match",
        f"in {root} @is{number} -> @do{number} : ({d.session.types[root]}) -> {ANY}",
        [root],
        [made],
        sequences=sequences,
        is_whole=False,
    )
    if done:
        d.session.root = made
