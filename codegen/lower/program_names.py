"""The names of a program's buffers, kernels and open sizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.atoms import Computed, Given, Linear
from tilewright.codegen.analysis.elements.reshapes import Reshape
from tilewright.codegen.source.escape import plain_name
from tilewright.codegen.source.names import Names, reader_name
from tilewright.ir.dialects import func, memref
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.vector import ContractOp
from tilewright.ir.errors import Place
from tilewright.ir.structured.contractions import vector_contraction
from tilewright.ir.text import place_of

OpNames = Mapping[Place, str]
"""What the ops at places of a payload are called by those who wrote it."""
_MOST_OPS, _LONGEST_OPS = 4, 48
"""The ops and the letters of a kernel's name."""


def buffer_names(function: func.FuncOp) -> dict[SSAValue, str]:
    """A name for every buffer: the payload's own, `out` for results, else `tmp`."""
    block = function.body.block
    taken: set[str] = set()
    names: dict[SSAValue, str] = {}

    def give(value: SSAValue, wanted: str) -> None:
        wanted = plain_name(wanted)
        # xDSL drops name hints of underscores and digits only, such as `_0`.
        wanted = name = wanted if wanted.strip("_0123456789") else "arg"
        number = 1
        while name in taken:
            number += 1
            name = f"{wanted}{number}"
        taken.add(name)
        names[value] = name

    for position, argument in enumerate(block.args):
        hint = argument.name_hint
        give(argument, hint if hint and not hint.isdigit() else f"arg{position}")
    returned = block.last_op
    assert isinstance(returned, func.ReturnOp)
    results: list[SSAValue] = []
    for value in returned.operands:
        while isinstance(value.owner, memref.CastOp):
            value = value.owner.source
        results.append(value)
    for op in block.ops:
        if isinstance(op, Reshape):
            default = "out" if op.result in results else "view"
            give(op.result, reader_name(op.result.name_hint) or default)
        if isinstance(op, memref.AllocOp | memref.GetGlobalOp):
            written = _name_of_windows(op.memref) or "tmp"
            default = "out" if op.memref in results else written
            if isinstance(op, memref.GetGlobalOp):
                default = "constant"
            give(op.memref, reader_name(op.memref.name_hint) or default)
    return names


def _name_of_windows(buffer: SSAValue) -> str | None:
    """The payload's name of the last named tile of a buffer."""
    names = [
        reader_name(use.operation.result.name_hint)
        for use in buffer.uses
        if isinstance(use.operation, memref.SubviewOp)
    ]
    return next((name for name in reversed(names) if name is not None), None)


class KernelNames:
    """Names for a program's kernels, each given once.

    They are `f_kernel`, or `f_dot_kernel` and `f_pointwise_kernel` where there are
    several. Kernels of ops that have names are called by those: `addmm_gelu_kernel`.
    """

    def __init__(self, entry: str, grids: Sequence[ForallOp], op_names: OpNames):
        self.entry = entry
        self.is_only = len(grids) == 1
        self.op_names = op_names
        self.counts = Counter[str]()

    def name(self, grid: ForallOp) -> str:
        """A name for the kernel of a grid that has none yet."""
        joint = "_"
        if ops := _names_inside(grid, self.op_names):
            called = _joined(ops)
        elif self.is_only:
            called = self.entry
        else:
            called, joint = f"{self.entry}_{_kind(grid)}", ""
        self.counts[called] += 1
        number = self.counts[called]
        return f"{called}{joint}{number}_kernel" if number > 1 else f"{called}_kernel"


def _names_inside(grid: ForallOp, op_names: OpNames) -> list[str]:
    """The names of the payload's ops that a grid computes, in the payload's order."""
    places = {place_of(op) for op in grid.walk()} if op_names else set[Place | None]()
    known = [place for place in places if place is not None and place in op_names]
    known.sort(key=lambda place: (place.line, place.column))
    return list(dict.fromkeys(plain_name(op_names[place]) for place in known))


def _joined(ops: Sequence[str]) -> str:
    """The first ops by name, and how many follow: names of files have limits, too."""
    shown = list(ops[:_MOST_OPS])
    while len(shown) > 1 and len("_".join(shown)) > _LONGEST_OPS:
        shown.pop()
    more = len(ops) - len(shown)
    return "_".join([*shown, f"and_{more}_more"] if more else shown)


def _kind(grid: ForallOp) -> str:
    inside = {op.name for op in grid.walk()}
    contractions = [op for op in grid.walk() if isinstance(op, ContractOp)]
    if any(vector_contraction(op).is_product for op in contractions):
        return "dot"
    if contractions or inside & {"vector.multi_reduction", "vector.reduction"}:
        return "reduce"
    return "pointwise"


def size_names(
    wanted: Iterable[tuple[Given, str | None]],
    shapes: Iterable[Sequence[Linear]],
    taken: set[str],
) -> dict[Given, str]:
    """A name for every open size of the arguments, whose extents are `shapes`.

    `wanted` has the numbers that kernels take, with their names there.
    Extents that the payload ties together are one number, and have one name. Two
    that it does not tie have different names, also where two kernels call both `M`.
    """
    free = Names(taken)
    names: dict[Given, str] = {}
    for key, name in wanted:
        if _is_size(key) and key not in names and name is not None:
            names[key] = free.fresh(name)
    for sizes in shapes:
        for letter, size in zip(_letters(len(sizes)), sizes, strict=True):
            key = only_number(size)
            if key is not None and key not in names:
                # No kernel takes it, but callers refer to it.
                names[key] = free.fresh(letter)
    return names


def _letters(rank: int) -> str:
    """The names of a tensor's extents: rows M, columns N, batches B."""
    return "B" * (rank - 2) + "MN"[-rank:] if rank else ""


def _is_size(key: Given) -> bool:
    """Whether a number follows from the shapes of the arguments."""
    return isinstance(key, Computed) or key.dim is not None


def only_number(size: Linear) -> Given | None:
    """The number of the caller that a size equals, if it is one."""
    if size.constant or list(size.terms.values()) != [1]:
        return None
    return next(iter(size.terms)).runtime
