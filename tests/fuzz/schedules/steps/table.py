"""Steps drawn at random, one function a transformation, and how often each is drawn."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.schedules.drawing import ANY, Draw
from fuzz.schedules.steps import composites, handle_steps, shape_steps, stream_steps
from fuzz.schedules.steps.loop_steps import (
    coalesce,
    forall_to_for,
    fuse_sibling,
    loops_to_grid,
    outline,
    peel,
    pipeline,
    unroll,
    unroll_and_jam,
)
from fuzz.schedules.steps.tile_steps import (
    fuse,
    fuse_into_containing_op,
    tile_reduction_using_for,
    tile_reduction_using_forall,
    tile_using_for,
    tile_using_forall,
)
from tilewright.ir.dialects.linalg import GenericOp, SoftmaxOp
from tilewright.transforms.cleanup.groups import GROUPS

Stepper = Callable[[Draw], object]


def generalize(d: Draw) -> None:
    if (target := d.handle(d.structured())) is not None:
        d.one("structured.generalize", target, "", 1)


def interchange(d: Draw) -> None:
    target = d.handle(d.find(lambda op: isinstance(op, GenericOp)))
    if target is None:
        return
    loops = len(d.extents(target))
    order = d.random.sample(range(loops), loops)
    d.one("structured.interchange", target, f"iterator_interchange = {order}", 1)


def split(d: Draw) -> None:
    target = d.handle(d.structured())
    if target is None or not (extents := d.extents(target)):
        return
    dimension = d.random.randrange(len(extents))
    after = d.size(extents[dimension])
    of = d.session.types[target]
    d.do(
        "structured.split",
        f"{target} after {after} {{dimension = {dimension}}} : {of}",
        [target],
        d.names(1),
    )


def split_reduction(d: Draw) -> None:
    target = d.handle(d.structured(), many=0.05)
    if target is None:
        return
    extents, reduced = d.extents(target), d.reductions(target)
    lengths = [
        e
        for e, r in zip(extents, reduced, strict=True)
        if r and e is not None and e > 1
    ]
    length = lengths[0] if lengths else 4
    factors = [f for f in range(2, length + 1) if length % f == 0] or [2]
    factor = d.random.choice(factors if d.chance(0.9) else [3])
    place = d.random.randint(0, max(len(reduced) - sum(reduced), 0))
    options = [f"split_factor = {factor}", f"insert_split_dimension = {place}"]
    for option in ("inner_parallel", "use_scaling_algorithm", "use_alloc"):
        if d.chance(0.2):
            options.append(option)
    d.one("structured.split_reduction", target, f"{{{', '.join(options)}}}", 4)


def decompose_interface(d: Draw) -> None:
    found = d.find(lambda op: isinstance(op, SoftmaxOp))
    if (target := d.handle(found)) is not None:
        d.one("structured.decompose_interface", target, "", 1)


def vectorize(d: Draw) -> None:
    target = d.handle(d.structured(), many=0.4)
    if target is None:
        return
    if d.chance(0.5):
        d.one("structured.vectorize", target)
        return
    sizes = [
        d.random.choice([max(e, 1), 1 << max(e - 1, 0).bit_length()])
        if e is not None
        else d.random.choice([8, 16, 32])
        for e in d.extents(target)
    ]
    if d.chance(0.05) and sizes:
        sizes[0] = max(1, sizes[0] // 2)
    text, used = d.written(sizes)
    d.do(
        "structured.vectorize",
        f"{target} vector_sizes {text} : {d.types([target, *used])}",
        [target, *used],
    )


def vectorize_everything(d: Draw) -> None:
    """Vectorize all structured ops, one kind after the other, as before hoisting."""
    for name in sorted({op.name for op in d.structured()}):
        if (target := d.match(name, many=1.0)) is not None:
            d.one("structured.vectorize", target)


RUN_BY_DEFAULT = sorted(set(GROUPS) - {"vector.transfer_to_scf"})
"""Groups that need no option here to run as upstream runs them."""


def apply_patterns(d: Draw) -> None:
    target = d.function()
    if target is None:
        return
    groups = d.random.sample(RUN_BY_DEFAULT, d.random.randint(1, 4))
    if d.chance(0.5):
        groups.append("canonicalization")
    names = " ".join(f"transform.apply_patterns.{group}" for group in groups)
    of = d.session.types[target]
    options = " {apply_cse}" if d.chance(0.2) else ""
    d.do("apply_patterns", f"to {target} {{ {names} }}{options} : {of}", [target])


def _to(verb: str, word: str = "to ") -> Stepper:
    def step(d: Draw) -> None:
        if (target := d.function()) is not None:
            of = d.session.types[target]
            d.do(verb, f"{word}{target} : {of}", [target])

    return step


def _on_loop(verb: str, word: str = "", any_kind: bool = False) -> Stepper:
    def step(d: Draw) -> None:
        if any_kind and d.chance(0.3):
            target = d.handle(d.grids())
        else:
            target = d.loop()
        if target is not None:
            d.do(verb, f"{word}{target} : {d.session.types[target]}", [target])

    return step


def hoist_redundant_vector_transfers(d: Draw) -> None:
    if (target := d.match("func.func")) is not None:
        d.one("structured.hoist_redundant_vector_transfers", target, "", 1)


def empty_tensor_to_alloc_tensor(d: Draw) -> None:
    if not d.find(lambda op: op.name == "tensor.empty"):
        return
    kind = '!transform.op<"tensor.empty">'
    target = d.match("tensor.empty", kind=kind)
    if target is not None:
        made = '!transform.op<"bufferization.alloc_tensor">'
        d.do(
            "bufferization.empty_tensor_to_alloc_tensor",
            f"{target} : ({kind}) -> {made}",
            [target],
            d.names(1),
        )


def one_shot_bufferize(d: Draw) -> None:
    root = d.session.root
    options = ["bufferize_function_boundaries = true"]
    if d.chance(0.9):
        options.append("allow_return_allocs_from_loops = true")
    layout = "layout{IdentityLayoutMap} " if d.chance(0.8) else ""
    made = d.name()
    done = d.do(
        "bufferization.one_shot_bufferize",
        f"{layout}{root} {{{', '.join(options)}}} : ({d.types([root])}) -> {ANY}",
        [root],
        [made],
    )
    if done:
        d.session.root = made


def _one_op(verb: str) -> Stepper:
    """A verb that takes a structured op and gives a handle."""

    def step(d: Draw) -> None:
        if (target := d.handle(d.structured(), many=0.1)) is not None:
            d.one(f"structured.{verb}", target, "", 1)

    return step


def insert_slice_to_copy(d: Draw) -> None:
    inserted = ("tensor.insert_slice", "tensor.parallel_insert_slice")
    found = [op for op in d.session.module.walk() if op.name in inserted]
    if (target := d.handle(found, many=0.1)) is not None:
        d.one("structured.insert_slice_to_copy", target, "", 1)


def registered_pass(d: Draw) -> None:
    if (target := d.function()) is None:
        return
    name = d.random.choice(
        ["canonicalize", "cse", "loop-invariant-code-motion", "scf-forall-to-for"]
    )
    of = d.session.types[target]
    made = d.name()
    done = d.do(
        "apply_registered_pass",
        f'"{name}" to {target} : ({of}) -> {ANY}',
        [target],
        [made],
    )
    if done and target == d.session.root:
        d.session.root = made


TENSORS: dict[Stepper, int] = {
    tile_using_for: 8,
    tile_using_forall: 8,
    tile_reduction_using_for: 4,
    tile_reduction_using_forall: 4,
    fuse: 5,
    fuse_into_containing_op: 9,
    generalize: 3,
    _one_op("specialize"): 2,
    _one_op("scalarize"): 1,
    insert_slice_to_copy: 1,
    interchange: 3,
    split: 4,
    split_reduction: 4,
    decompose_interface: 4,
    peel: 2,
    forall_to_for: 2,
    fuse_sibling: 2,
    unroll: 1,
    coalesce: 1,
    loops_to_grid: 1,
    outline: 1,
    handle_steps.navigate: 2,
    handle_steps.annotate: 1,
    handle_steps.values: 1,
    handle_steps.merge: 1,
    handle_steps.cast: 1,
    handle_steps.look: 1,
    handle_steps.match_by_kind: 1,
    shape_steps.pad: 4,
    shape_steps.flatten_elementwise: 2,
    shape_steps.transpose_matmul: 2,
    shape_steps.rewrite_in_destination_passing_style: 3,
    _to("apply_cse"): 1,
    _to("apply_dce"): 1,
    apply_patterns: 3,
    registered_pass: 1,
    _on_loop("apply_licm", "to ", True): 1,
    composites.alternatives: 2,
    composites.foreach: 2,
    composites.suppressed: 2,
    composites.include: 1,
    composites.foreach_match: 1,
    _to("structured.eliminate_empty_tensors", ""): 1,
    empty_tensor_to_alloc_tensor: 1,
    vectorize: 2,
    **stream_steps.SELDOM,
}
"""Steps on structured ops and the loops around them."""

CHAINS: dict[Stepper, int] = {**TENSORS, **stream_steps.OFTEN}
"""The same, for payloads with chains of reductions."""

VECTORS: dict[Stepper, int] = {
    vectorize: 6,
    vectorize_everything: 6,
    shape_steps.vectorize_children: 4,
    shape_steps.rewrite_in_destination_passing_style: 1,
    apply_patterns: 8,
    _to("apply_cse"): 3,
    _on_loop("apply_licm", "to ", True): 3,
    _on_loop("loop.hoist_loop_invariant_subsets", "", True): 5,
    _to("structured.eliminate_empty_tensors", ""): 3,
    _on_loop("loop.promote_if_one_iteration"): 2,
    peel: 2,
    unroll: 2,
    coalesce: 1,
    pipeline: 2,
    fuse_sibling: 1,
    forall_to_for: 1,
    empty_tensor_to_alloc_tensor: 1,
    composites.suppressed: 1,
    registered_pass: 1,
}
"""Steps on vectors."""

BUFFERS: dict[Stepper, int] = {
    apply_patterns: 6,
    _to("apply_cse"): 3,
    _to("apply_dce"): 1,
    hoist_redundant_vector_transfers: 4,
    _one_op("convert_to_loops"): 2,
    _on_loop("apply_licm", "to ", True): 3,
    _on_loop("loop.promote_if_one_iteration"): 2,
    peel: 2,
    unroll: 3,
    unroll_and_jam: 4,
    coalesce: 2,
    pipeline: 4,
    fuse_sibling: 3,
    forall_to_for: 2,
    shape_steps.forall_to_parallel: 2,
    shape_steps.map_forall_to_blocks: 1,
    outline: 1,
    handle_steps.match_by_kind: 1,
    registered_pass: 1,
}
"""Steps on buffers."""


def draw_step(d: Draw, table: dict[Stepper, int]) -> None:
    """Run one step of a table."""
    (step,) = d.random.choices(list(table), list(table.values()))
    step(d)
