"""SSA dominance: a value is used only where it has been computed.

One walk keeps the set of available values. It removes the values of a region when it
leaves the region, and starts with an empty set inside an op isolated from above.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl.dominance import DominanceInfo
from xdsl.traits import IsolatedFromAbove

from tilewright.ir.dialects.unregistered import UnregisteredOp
from tilewright.ir.errors import Note, UserError
from tilewright.ir.parsing.sources import place_of


def check_dominance(root: Operation) -> None:
    """Check every use in `root`'s regions."""
    outside: set[SSAValue] = set()
    above = root.parent_op()
    while above is not None:
        # All values of the regions around the root count as available.
        outside |= {
            value
            for region in above.regions
            for block in region.blocks
            for value in (*block.args, *(r for op in block.ops for r in op.results))
        }
        above = above.parent_op()
    _Walk(outside).regions_of(root)


class _Walk:
    """A walk over regions with the set of values that are available."""

    def __init__(self, available: set[SSAValue]):
        self.available = available

    def regions_of(self, op: Operation) -> None:
        if not op.regions:
            return
        if op.has_trait(IsolatedFromAbove, value_if_unregistered=False):
            _Walk(set()).all_regions(op)
        else:
            self.all_regions(op)

    def all_regions(self, op: Operation) -> None:
        for region in op.regions:
            if len(region.blocks) == 1:
                self.available -= self.block(region.block, op)
            elif region.blocks:
                self.blocks(region, op)

    def block(self, block: Block, parent: Operation) -> set[SSAValue]:
        """Check a block; return the values that it adds."""
        added: set[SSAValue] = set(block.args)
        if _is_graph(parent):
            added |= {result for op in block.ops for result in op.results}
        self.available |= added
        for op in block.ops:
            operands = op._operands  # pyright: ignore[reportPrivateUsage]
            if not self.available.issuperset(operands):
                for index, operand in enumerate(operands):
                    if operand not in self.available:
                        _refuse(op, index, operand)
            if op.regions:
                self.regions_of(op)
            self.available.update(op.results)
            added.update(op.results)
        return added

    def blocks(self, region: Region, parent: Operation) -> None:
        """Check a region with branches: a block may use values of its dominators."""
        defined = {
            block: {*block.args, *(r for op in block.ops for r in op.results)}
            for block in region.blocks
        }
        reachable = _reachable(region)
        if not reachable <= defined.keys():
            return  # a branch into another region, which `check_blocks` reports
        dominance = DominanceInfo(region)
        for block in region.blocks:
            # Like upstream, do not check blocks that are unreachable.
            seen: set[SSAValue] = set()
            for other in region.blocks:
                if block not in reachable or dominance.strictly_dominates(other, block):
                    seen |= defined[other]
            self.available |= seen
            self.available -= self.block(block, parent) | seen


def _is_graph(parent: Operation) -> bool:
    """Whether the ops of its blocks may use each other in any order.

    They may in a module, and in an unregistered op, of which nothing is known.
    """
    return isinstance(parent, ModuleOp | UnregisteredOp)


def _reachable(region: Region) -> set[Block]:
    """The blocks that are reachable from the entry."""
    found: set[Block] = set()
    waiting = [region.blocks[0]]
    while waiting:
        block = waiting.pop()
        if block not in found:
            found.add(block)
            waiting.extend(() if block.last_op is None else block.last_op.successors)
    return found


def _refuse(op: Operation, index: int, operand: SSAValue) -> None:
    name = f" '%{operand.name_hint}'" if operand.name_hint else ""
    owner = operand.owner
    notes: list[Note] = []
    if isinstance(owner, Operation):
        where = "in the same block" if owner.parent is op.parent else "in another block"
        notes = [Note(f"operand defined here ({where})", place_of(owner))]
    isolated = _isolated_between(op, operand)
    if isolated is not None:
        raise UserError(
            f"'{op.name}' op uses the value{name} from outside of '{isolated.name}', "
            "which is isolated from above",
            place_of(op),
            "pass it as an argument",
            notes,
        )
    raise UserError(
        f"'{op.name}' op operand #{index}{name} does not dominate this use",
        place_of(op),
        "define it before",
        notes,
    )


def _isolated_between(op: Operation, operand: SSAValue) -> Operation | None:
    """The isolated op that contains `op` but not `operand`."""
    above = op.parent_op()
    while above is not None:
        if above.has_trait(IsolatedFromAbove) and not above.is_ancestor(operand.owner):
            return above
        above = above.parent_op()
    return None
