"""Steps that give structured ops other shapes: padding, flattening, transposing."""

from __future__ import annotations

from xdsl.ir import Operation

from fuzz.schedules.drawing import ANY, Draw
from tilewright.ir.dialects.linalg import StructuredOp

SHAPED = {"tensor.pad", "tensor.generate", "tensor.from_elements"}


def _zeros(op: Operation) -> str:
    """A zero for each operand."""
    zeros: list[str] = []
    for operand in op.operands:
        kind = str(getattr(operand.type, "element_type", operand.type))
        zeros.append(f"{'0' if kind.startswith('i') else '0.0'} : {kind}")
    return f"[{', '.join(zeros)}]"


def pad(d: Draw) -> None:
    """Pad some loops with zeros; refused if a reduction would include the zeros."""
    target = d.handle(d.structured(), many=0.05)
    if target is None:
        return
    reduced = d.reductions(target)
    often = [0.25 if is_reduced else 0.7 for is_reduced in reduced]
    loops = [at for at, chance in enumerate(often) if d.chance(chance)]
    options = [
        f"padding_dimensions = {loops}",
        f"padding_values = {_zeros(d.session.ops(target)[0])}",
    ]
    if d.chance(0.3):
        kind = d.random.choice(["linalg.copy", "none"])
        options.append(f'copy_back_op = "{kind}"')
    if d.chance(0.2):
        options.append("use_prescribed_tensor_shapes")
    if d.chance(0.2):
        flags = [d.random.randint(0, 1) for _ in d.session.ops(target)[0].operands]
        options.append(f"nofold_flags = {flags}")
    rest = ""
    if loops and d.chance(0.6):
        multiples = [d.random.choice([1, 2, 4, 5, 8]) for _ in loops]
        rest = f"pad_to_multiple_of {multiples} "
    d.one("structured.pad", target, f"{rest}{{{', '.join(options)}}}", 3)


def flatten_elementwise(d: Draw) -> None:
    """Flatten an op, mostly one with parallel loops only."""
    found = [
        op
        for op in d.structured()
        if isinstance(op, StructuredOp)
        and (d.chance(0.1) or "reduction" not in str(op.get_iterator_types()))
    ]
    if (target := d.handle(found)) is not None:
        d.one("structured.flatten_elementwise", target, "", 1)


def transpose_matmul(d: Draw) -> None:
    """Transpose one factor of a product."""
    names = {"linalg.matmul", "linalg.batch_matmul"}
    if (target := d.handle(d.find(lambda op: op.name in names))) is not None:
        side = d.random.choice(["", "<lhs>", "<rhs>"])
        d.one("structured.transpose_matmul", target, side, 1)


def rewrite_in_destination_passing_style(d: Draw) -> None:
    """Rewrite an op that makes a tensor without a destination."""
    found = d.find(lambda op: op.name in SHAPED)
    if not found and d.chance(0.05):
        found = d.structured()
    if (target := d.handle(found, many=0.1)) is not None:
        d.one("structured.rewrite_in_destination_passing_style", target, "", 1)


def vectorize_children(d: Draw) -> None:
    """Vectorize everything in a function, then apply patterns."""
    if (target := d.match("func.func")) is None:
        return
    flags = [
        "vectorize_padding",
        "vectorize_nd_extract",
        "fold_type_extensions_into_contract",
        "disable_multi_reduction_to_contract_patterns",
        "disable_transfer_permutation_map_lowering_patterns",
    ]
    chosen = [flag for flag in flags if d.chance(0.25)]
    options = f"{{{', '.join(chosen)}}}" if chosen else ""
    verb = "structured.vectorize_children_and_apply_patterns"
    d.one(verb, target, options, 1)


def forall_to_parallel(d: Draw) -> None:
    """A grid on buffers as a parallel loop, and that as nested ones."""
    target = d.handle(d.grids(), many=0.05)
    if target is None:
        return
    made = d.one("loop.forall_to_parallel", target, "", 1)
    if made is not None and d.chance(0.5):
        d.one("loop.parallel_for_to_nested_fors", made[0], "", 1)


def map_forall_to_blocks(d: Draw) -> None:
    """The grid of a function becomes a launch."""
    if not d.grids() or (target := d.match("func.func")) is None:
        return
    of = d.session.types[target]
    d.do(
        "gpu.map_forall_to_blocks",
        f"{target} generate_gpu_launch : ({of}) -> {ANY}",
        [target],
        d.names(1),
    )
