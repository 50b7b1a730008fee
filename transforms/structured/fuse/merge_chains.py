"""Merges chains of element-wise ops into one op each.

Before:
    %a = linalg.generic ins(%x, %y) ... { addf }
    %b = linalg.generic ins(%a) ... { exp }
    %c = linalg.generic ins(%b, %x) ... { mulf }

After:
    %c = linalg.generic ins(%x, %y) ... { addf, exp, mulf }

A payload of thousands of small ops is planned and compiled much faster so; its kernels
are the same. Upstream's pass `linalg-fuse-elementwise-ops` does more: here every result
but the last has one reader, which has the same loops, so nothing is computed again.
Only conversions to wider types are: each reader then reads fewer bytes.

Ops that read a product or a reduction directly stay as they are. Which kernel computes
them is a choice of its own, and a library may compute them with the product.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.utils.hints import isa

from tilewright.ir.dialects.linalg import (
    FillOp,
    GenericOp,
    StructuredOp,
    YieldOp,
    maps_attribute,
)
from tilewright.ir.dialects.tensor import EmptyOp
from tilewright.ir.structured.bodies import WIDENINGS, is_elementwise

MOST_MERGED = 48
"""The ops that one op is made of: kernels with longer bodies compile slowly."""


def merge_chains(module: ModuleOp) -> int:
    """Merge the chains of a payload; the number of ops that are gone."""
    ops = [op for op in module.walk() if isinstance(op, GenericOp)]
    chains: dict[GenericOp, list[GenericOp]] = {}
    last: dict[GenericOp, GenericOp] = {}
    for op in reversed(ops):
        if not _may_merge(op):
            continue
        reader = _only_reader(op)
        sink = None if reader is None else last.get(reader)
        if reader is None or sink is None or len(chains[sink]) >= MOST_MERGED:
            chains[op] = [op]
            last[op] = op
        else:
            chains[sink].append(op)
            last[op] = sink
    before = len(ops)
    for sink, members in chains.items():
        if sink.parent is None:
            continue  # A widening that all readers have now.
        for part in _parts(members):
            if len(part) > 1 or any(_widened(value) for value in part[0].inputs):
                _merge(part[::-1])
    return before - sum(isinstance(op, GenericOp) for op in module.walk())


def _parts(members: Sequence[GenericOp]) -> list[list[GenericOp]]:
    """The parts of a chain, later ones first: each has one sink, which others may read.

    A widening that was merged into its readers gave its source more readers than the
    chain of the source, which is merged after them, was found with.
    """
    parts: list[list[GenericOp]] = []
    for op in members:
        reader = _only_reader(op)
        part = next((part for part in parts if reader in part), None)
        if part is None:
            parts.append([op])
        else:
            part.append(op)
    return parts


def _may_merge(op: GenericOp) -> bool:
    """Whether an op computes one result, element by element, of what is stored."""
    if len(op.results) != 1 or not op.inputs or not is_elementwise(op):
        return False
    maps = list(op.maps)
    if maps[-1] != AffineMap.identity(op.get_num_loops()):
        return False
    if op.body.block.args[-1].uses:
        return False
    return not any(_reduces(value.owner) for value in op.operands)


def _reduces(owner: Operation | Block) -> bool:
    """Whether a value comes from an op that is not element-wise."""
    if not isinstance(owner, StructuredOp) or isinstance(owner, FillOp):
        return False
    return not is_elementwise(owner)


def _widened(value: SSAValue) -> GenericOp | None:
    """The op that only converts a tensor to a wider type, if it makes a value."""
    op = value.owner
    if not isinstance(op, GenericOp) or not _may_merge(op) or len(op.inputs) != 1:
        return None
    maps = list(op.maps)
    body = list(op.body.block.ops)
    is_widening = len(body) == 2 and isinstance(body[0], WIDENINGS)
    return op if is_widening and maps[0] == maps[1] else None


def _only_reader(op: GenericOp) -> GenericOp | None:
    """The op that alone reads a result, all of it, by the same loops."""
    uses = list(op.results[0].uses)
    readers = {use.operation for use in uses}
    if len(readers) != 1:
        return None
    (reader,) = readers
    if not isinstance(reader, GenericOp) or reader.parent is not op.parent:
        return None
    identity = AffineMap.identity(op.get_num_loops())
    maps = list(reader.maps)
    is_same = reader.get_num_loops() == op.get_num_loops() and all(
        use.index < len(reader.inputs) and maps[use.index] == identity for use in uses
    )
    return reader if is_same else None


def _merge(members: Sequence[GenericOp]) -> None:
    """Replace ops in program order, the last of which is the sink, by one."""
    sink = members[-1]
    inner = {op.results[0] for op in members[:-1]}
    places: dict[tuple[SSAValue, AffineMap], int] = {}
    kinds: list[Attribute] = []
    for op in members:
        for value, map_ in zip(op.inputs, op.maps, strict=False):
            narrow = None if value in inner else _widened(value)
            value = value if narrow is None else narrow.inputs[0]
            if value not in inner and (value, map_) not in places:
                places[value, map_] = len(places)
                assert isa(value.type, TensorType)
                kinds.append(value.type.element_type)
    block = Block(arg_types=[*kinds, sink.body.block.args[-1].type])
    made: dict[SSAValue, SSAValue] = {}
    for op in members:
        _copy_body(op, block, places, made)
    block.add_op(YieldOp(made[sink.results[0]]))
    new = GenericOp(
        [value for value, _ in places],
        list(sink.outputs),
        Region(block),
        maps_attribute([*(map_ for _, map_ in places), list(sink.maps)[-1]]),
        sink.get_iterator_types(),
        [sink.results[0].type],
    )
    new.location = sink.location
    new.results[0].name_hint = sink.results[0].name_hint
    parent = sink.parent
    assert parent is not None
    parent.insert_op_before(new, sink)
    sink.results[0].replace_all_uses_with(new.results[0])
    for op in reversed(members):
        if op.parent is not None:
            _erase(op)


def _erase(op: Operation) -> None:
    """Erase an op, and the widenings and empty tensors that only it read."""
    given = {value.owner for value in op.operands}
    op.detach()
    op.erase()
    for one in given:
        if isinstance(one, GenericOp | EmptyOp) and not one.results[0].uses:
            if isinstance(one, EmptyOp) or _widened(one.results[0]) is not None:
                _erase(one)


def _copy_body(
    op: GenericOp,
    block: Block,
    places: dict[tuple[SSAValue, AffineMap], int],
    made: dict[SSAValue, SSAValue],
) -> None:
    """Append a body to a block, and note the element that it yields."""
    body = op.body.block
    values: dict[SSAValue, SSAValue] = {}
    for argument, value, map_ in zip(body.args, op.inputs, op.maps, strict=False):
        inner = made.get(value)
        if inner is None and (narrow := _widened(value)) is not None:
            element = block.args[places[narrow.inputs[0], map_]]
            widening = narrow.body.block.ops.first
            assert widening is not None
            inner = _copied(widening, {widening.operands[0]: element}, block)
        values[argument] = block.args[places[value, map_]] if inner is None else inner
    for nested in body.ops:
        if isinstance(nested, YieldOp):
            made[op.results[0]] = values.get(nested.operands[0], nested.operands[0])
            return
        _copied(nested, values, block)


def _copied(op: Operation, values: dict[SSAValue, SSAValue], block: Block) -> SSAValue:
    copy = op.clone(values)
    copy.location = op.location
    block.add_op(copy)
    return copy.results[0]
