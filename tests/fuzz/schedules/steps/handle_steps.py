"""Steps that make handles and parameters from others, or only read the payload."""

from __future__ import annotations

from fuzz.schedules.drawing import ANY, PARAM, Draw

VALUE = "!transform.any_value"


def annotate(d: Draw) -> None:
    """A mark on a loop or a structured op."""
    if (target := d.handle([*d.loops(), *d.grids(), *d.structured()])) is not None:
        d.do("annotate", f'{target} "mark" : {d.session.types[target]}', [target])


def navigate(d: Draw) -> None:
    """Handles from handles: the producers, the consumers, the loops around."""
    if (target := d.handle(d.structured(), many=0.05)) is None:
        return
    verb, where = d.random.choice(
        [
            ("get_producer_of_operand", "[0]"),
            ("get_consumers_of_result", "[0]"),
            ("get_parent_op", '{op_name = "scf.for"}'),
            ("get_parent_op", '{op_name = "func.func"}'),
            ("get_parent_op", '{allow_empty_results, op_name = "scf.forall"}'),
            ("get_parent_op", "{isolated_from_above}"),
            ("loop.get_parent_for", ""),
            ("loop.get_parent_for", "{num_loops = 2}"),
        ]
    )
    of = d.session.types[target]
    d.do(verb, f"{target}{where} : ({of}) -> {ANY}", [target], d.names(1))


def values(d: Draw) -> None:
    """The operands or the results of an op, and the op they come from."""
    if (target := d.handle(d.structured(), many=0.1)) is None:
        return
    verb = d.random.choice(["get_operand", "get_result"])
    which = d.random.choice(["0", "all", "except(0)", "-1"])
    of, made = d.session.types[target], d.names(1)
    rest = f"{target}[{which}] : ({of}) -> {VALUE}"
    if d.do(verb, rest, [target], made) and d.chance(0.7):
        rest = f"{made[0]} : ({VALUE}) -> {ANY}"
        d.do("get_defining_op", rest, made, d.names(1))


def merge(d: Draw) -> None:
    """Merge two handles, then select ops of one name."""
    ops = [*d.structured(), *d.loops()]
    one, other = d.handle(ops), d.handle(ops)
    if one is None or other is None:
        return
    made = d.names(1)
    word = "deduplicate " if d.chance(0.7) else ""
    of = d.session.types[one]
    if of != d.session.types[other]:
        return
    if not d.do("merge_handles", f"{word}{one}, {other} : {of}", [one, other], made):
        return
    if d.chance(0.5) and of == ANY:
        name = d.random.choice(ops).name
        rest = f'"{name}" in {made[0]} : ({ANY}) -> {ANY}'
        d.do("select", rest, made, d.names(1))


def cast(d: Draw) -> None:
    """Cast a handle to a more specific type, mostly the right one."""
    if (target := d.handle(d.structured(), many=0)) is None:
        return
    name = d.session.ops(target)[0].name if d.chance(0.9) else "linalg.fill"
    of = d.session.types[target]
    if of == ANY:
        d.do(
            "cast", f'{target} : {of} to !transform.op<"{name}">', [target], d.names(1)
        )


def look(d: Draw) -> None:
    """Count ops, verify them, or emit a remark at each."""
    target = d.handle([*d.structured(), *d.loops()], many=0.5)
    if target is None:
        return
    of = d.session.types[target]
    match d.random.randrange(3):
        case 0:
            made = d.names(1)
            rest = f"{target} : ({of}) -> {PARAM}"
            if d.do("num_associations", rest, [target], made):
                rest = f'{made[0]}, "so many" : {PARAM}'
                d.do("debug.emit_param_as_remark", rest, made)
        case 1:
            d.do("verify", f"{target} : {of}", [target])
        case _:
            d.do("debug.emit_remark_at", f'{target}, "here" : {of}', [target])


def match_by_kind(d: Draw) -> None:
    """Matching by interface, result type or attribute."""
    root = d.session.root
    found = d.structured()
    how = d.random.choice(["interface{LinalgOp}", "interface{TilingInterface}"])
    if found and d.chance(0.5):
        op = d.random.choice(found)
        how = f'ops{{["{op.name}"]}}'
        if d.chance(0.5):
            how += " attributes{mark}"
        elif op.results:
            how += f" filter_result_type = {op.results[0].type}"
    rest = f"{how} in {root} : ({d.session.types[root]}) -> {ANY}"
    d.do("structured.match", rest, [root], d.names(1))
