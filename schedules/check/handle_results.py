"""The atoms that the results of each transform op stand for.

There is one rule for each op whose results have a known place: a match finds ops inside
its target, tiling puts the tiled op inside its loops, a split gives parts. The results
of other ops are only known to lie in the same module.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue

from tilewright.schedules.check.atoms import (
    FUNCTION,
    MODULE,
    NOTHING,
    STATEMENTS,
    Atom,
    Atoms,
    Kinds,
    Knowledge,
    is_one,
)
from tilewright.transforms.core.base import (
    OperationType,
    TransformHandleType,
    TransformOp,
    TransformParamHandleType,
)
from tilewright.transforms.handles.match import Interface, MatchOp
from tilewright.transforms.handles.navigation import (
    GetParentOp,
    GetResultOp,
)
from tilewright.transforms.handles.split_handle import SplitHandleOp
from tilewright.transforms.loop.get_parent_for import GetParentForOp
from tilewright.transforms.structured.fuse.fuse_into_containing_op import FusionOp
from tilewright.transforms.structured.tile.tile_using_for import TileUsingForOp
from tilewright.transforms.structured.tile.tile_using_forall import TileUsingForallOp

Handles: TypeAlias = dict[SSAValue, Atoms]

_LOOP: Kinds = frozenset({"scf.for"})
_GRID: Kinds = frozenset({"scf.forall"})

_STAYS = ("transform.structured.", "transform.loop.", "transform.tilewright.")
"""Results of these ops lie in everything that their target lay in ..."""
_GOES = frozenset(
    {
        "transform.structured.hoist_pad",
        "transform.structured.hoist_pad.build_packing_loop_nest",
        "transform.structured.hoist_redundant_vector_transfers",
        "transform.structured.hoist_redundant_vector_broadcasts",
        "transform.loop.outline",
        "transform.tilewright.outline_equal",
    }
)
"""... except for these ops."""


def set_results(
    op: TransformOp, known: Knowledge, handles: Handles, dead: Container[Atom]
) -> None:
    """Bind the results of an op to the atoms it finds or makes."""
    _Results(op, known, handles, dead).set()


class _Results:
    def __init__(
        self,
        op: TransformOp,
        known: Knowledge,
        handles: Handles,
        dead: Container[Atom],
    ):
        self.op = op
        self.known = known
        self.handles = handles
        self.dead = dead

    def set(self) -> None:
        """Apply the op's own rule, or the rule for any op."""
        rule = _RULES.get(self.op.name, _any_op)
        rule(self)

    def of(self, value: SSAValue) -> Atoms:
        """The atoms of an operand."""
        return self.handles.get(value, NOTHING)

    def make(
        self,
        result: SSAValue,
        inside: Iterable[Atoms] = (),
        kinds: Kinds | None = None,
    ) -> Atoms:
        """Bind a result to a new atom."""
        if isinstance(result.type, OperationType):
            kinds = frozenset({result.type.operation.data})
        atoms = frozenset([self.known.fresh(result, self.alive(inside), kinds)])
        self.handles[result] = atoms
        return atoms

    def alive(self, groups: Iterable[Atoms]) -> list[Atoms]:
        """The atoms that were not consumed."""
        return [g for g in groups if not any(atom in self.dead for atom in g)]

    def kinds_of(self, atoms: Atoms) -> Kinds | None:
        """The kinds of all of these atoms, if all are known."""
        kinds = [atom.kinds for atom in atoms]
        if not kinds or None in kinds:
            return None
        return frozenset[str]().union(*(kind for kind in kinds if kind is not None))


def _any_op(results: _Results) -> None:
    op, known = results.op, results.known
    operands = [results.of(operand) for operand in op.operands]
    given = [atoms for atoms in operands if atoms]
    around: Sequence[Atoms] = ()
    if given and op.name.startswith(_STAYS) and op.name not in _GOES:
        around = known.around(given[0])
    elif given:
        modules = known.isolated_around(given[0]) + [given[0]]
        around = [m for m in modules if all(a.kinds == MODULE for a in m)]
    for result in op.results:
        if _is_handle(result):
            results.make(result, around)


def _is_handle(value: SSAValue) -> bool:
    return isinstance(value.type, TransformHandleType) and not isinstance(
        value.type, TransformParamHandleType
    )


# -- finding ---------------------------------------------------------------------


def _match(results: _Results) -> None:
    op, known = results.op, results.known
    assert isinstance(op, MatchOp)
    target = results.of(op.target)
    kinds: Kinds | None = None
    if op.ops is not None:
        kinds = frozenset(name.data for name in op.ops)
    found = results.make(op.res, [target], kinds)
    wanted = kinds
    if kinds is None and op.wanted_interface is Interface.LINALG_OP:
        wanted = frozenset({"linalg.*"})
    is_filtered = (
        op.op_attrs is not None
        or op.filter_result_type is not None
        or op.filter_operand_types is not None
        or (kinds is not None and op.wanted_interface is not None)
    )
    if wanted is None or is_filtered:
        return
    # It finds the ops again that earlier handles to such ops point at.
    for atom in list(known.of_kind(wanted, target)):
        if atom not in found and atom not in results.dead:
            known.part(frozenset([atom]), found)
    (new,) = found
    new.every_one_in = target
    _into_functions(results, target, new)


def _into_functions(results: _Results, target: Atoms, found: Atom) -> None:
    """Put ops that are always inside functions into the functions of the target."""
    known = results.known
    if found.kinds == FUNCTION:
        for atom in list(known.of_kind(STATEMENTS, target)):
            known.put_inside(frozenset([atom]), frozenset([found]))
    elif found.kinds and all(is_one(kind, STATEMENTS) for kind in found.kinds):
        for function in known.every(FUNCTION, target):
            if function not in results.dead:
                known.put_inside(frozenset([found]), frozenset([function]))


def _same(results: _Results) -> None:
    op = results.op
    (result,) = op.results
    atoms = (results.of(operand) for operand in op.operands)
    results.handles[result] = NOTHING.union(*atoms)


def _parts(results: _Results) -> None:
    op = results.op
    whole = results.of(op.operands[0])
    kinds = results.kinds_of(whole)
    certain = not isinstance(op, SplitHandleOp) or op.fail_on_payload_too_small is None
    for result in op.results:
        part = results.make(result, [whole], kinds)
        if certain:
            results.known.part(part, whole)


def _parent(results: _Results) -> None:
    op, known = results.op, results.known
    assert isinstance(op, GetParentOp)
    target = results.of(op.target)
    kinds = None if op.op_name is None else frozenset({op.op_name.data})
    isolated = known.isolated_around(target)
    modules = [g for g in isolated if all(a.kinds == MODULE for a in g)]
    parent = results.make(op.parent_handle, modules, kinds)
    if op.allow_empty_results is None:
        known.put_inside(target, parent)
    # Functions do not nest, so the parent is the function that it was matched in.
    for group in isolated:
        if kinds is not None and all(atom.kinds == kinds for atom in group):
            known.part(parent, group)


def _parent_loop(results: _Results) -> None:
    op, known = results.op, results.known
    assert isinstance(op, GetParentForOp)
    target = results.of(op.target)
    isolated = known.isolated_around(target)
    known.put_inside(target, results.make(op.parent_handle, isolated, _LOOP))


def _producer(results: _Results) -> None:
    """The producer is in the same function, perhaps outside the loops."""
    (result,) = results.op.results
    target = results.of(results.op.operands[0])
    results.make(result, results.known.isolated_around(target))


def _consumers(results: _Results) -> None:
    """The users of a value lie where the value lies, or deeper."""
    (result,) = results.op.results
    target = results.of(results.op.operands[0])
    results.make(result, results.known.around(target))


def _results_of(results: _Results) -> None:
    (result,) = results.op.results
    target = results.of(results.op.operands[0])
    results.known.part(results.make(result, [target]), target)


def _definer(results: _Results) -> None:
    """The op that defines a value."""
    op = results.op
    owner = op.operands[0].owner
    if isinstance(owner, GetResultOp):
        results.handles[op.results[0]] = results.of(owner.target)
    else:
        _producer(results)


# -- making ----------------------------------------------------------------------


def _tile(results: _Results) -> None:
    op, known = results.op, results.known
    assert isinstance(op, TileUsingForOp | TileUsingForallOp)
    target = results.of(op.target)
    around = known.around(target)
    loops = op.loops if isinstance(op, TileUsingForOp) else [op.forall_op]
    kinds = _LOOP if isinstance(op, TileUsingForOp) else _GRID
    for loop in loops:
        around = [results.make(loop, around, kinds), *around]
    results.make(op.tiled_op, around, _structured(results.kinds_of(target)))


def _tile_and_fuse(results: _Results) -> None:
    from tilewright.transforms.structured.fuse.fuse import FuseOp

    op = results.op
    assert isinstance(op, FuseOp)
    target = results.of(op.target)
    around = results.known.around(target)
    for loop in op.loops:
        around = [results.make(loop, around), *around]
    results.make(op.transformed, around, _structured(results.kinds_of(target)))


def _structured(kinds: Kinds | None) -> Kinds | None:
    """The kinds of a tile of an op: the same for structured ops."""
    odd = {"linalg.pack", "linalg.unpack", "linalg.softmax"}
    if kinds is None or any(not k.startswith("linalg.") or k in odd for k in kinds):
        return None
    return kinds


def _fuse(results: _Results) -> None:
    op, known = results.op, results.known
    assert isinstance(op, FusionOp)
    loop = results.of(op.containing_op)
    around = known.around(loop)
    again = results.make(op.new_containing_op, around, results.kinds_of(loop))
    known.put_inside(again, loop)
    known.put_inside(loop, again)
    kinds = _structured(results.kinds_of(results.of(op.producer_op)))
    results.make(op.fused_op, [again, *around], kinds)


def _move_out(results: _Results) -> None:
    results.known.moved_out_of(results.of(results.op.operands[0]))
    _any_op(results)


def _outline(results: _Results) -> None:
    results.known.forget_every()
    _any_op(results)


_RULES: Mapping[str, Callable[[_Results], None]] = {
    "transform.structured.match": _match,
    "transform.cast": _same,
    "transform.merge_handles": _same,
    "transform.split_handle": _parts,
    "transform.select": _parts,
    "transform.tilewright.pick": _parts,
    "transform.get_parent_op": _parent,
    "transform.loop.get_parent_for": _parent_loop,
    "transform.get_producer_of_operand": _producer,
    "transform.get_consumers_of_result": _consumers,
    "transform.get_result": _results_of,
    "transform.get_defining_op": _definer,
    "transform.structured.tile_using_for": _tile,
    "transform.structured.tile_using_forall": _tile,
    "transform.structured.fuse": _tile_and_fuse,
    "transform.structured.fuse_into_containing_op": _fuse,
    "transform.tilewright.fuse_all": _fuse,
    "transform.apply_licm": _move_out,
    "transform.structured.hoist_redundant_vector_transfers": _move_out,
    "transform.loop.hoist_loop_invariant_subsets": _move_out,
    "transform.loop.outline": _outline,
    "transform.tilewright.outline_equal": _outline,
    "transform.tilewright.inline_calls": _outline,
}
