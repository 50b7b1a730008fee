"""Axes: dimensions that run together, and the names of their sizes.

A kernel is easier to read when the rows of `a` and the rows of `out` are both `M` and
both are cut in tiles of `BLOCK_M`. Dimensions of tiles and buffers that must run
together (one is loaded into the other, added to it, contracted with it, walked by the
same loop) form an *axis*; an axis has a letter.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.codegen.analysis.elements.atoms import Atom, Runtime
from tilewright.codegen.analysis.elements.tiles import kept_dims
from tilewright.codegen.analysis.elements.views import Access
from tilewright.codegen.kernel.named_sizes import free_name
from tilewright.ir.dialects import arith, scf, vector
from tilewright.ir.dialects.kernel import shape_of
from tilewright.ir.dialects.vector import (
    ContractOp,
    MultiReductionOp,
    ShapeCastOp,
    StepOp,
    TransposeOp,
)
from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.ir.structured.contractions import vector_contraction

_TRAILING = ("B", "M", "N")
"""Letters of the last dimensions of the buffer of highest rank, without a dot."""
_BATCHES = ("B", "H")
"""Letters of the dimensions before those of matrices: batches, heads."""
_FURTHER = ("K", "L", "P", "Q", "R", "S", "T", "U", "V", "W")


@dataclass(frozen=True)
class TileDim:
    """A dimension of a tile value."""

    value: SSAValue
    dim: int


@dataclass(frozen=True)
class BufferDim:
    """A dimension of the base buffer, as one transfer sees it."""

    op: Operation
    dim: int


@dataclass
class Axes:
    """The axes of one kernel, and the sizes named after them."""

    accesses: list[Access] = field(default_factory=list[Access])
    _axes: DisjointSets[Hashable] = field(default_factory=DisjointSets[Hashable])
    _letters: dict[Hashable, str] = field(default_factory=dict[Hashable, str])
    _extents: dict[str, int] = field(default_factory=dict[str, int])
    _blocks: dict[str, int] = field(default_factory=dict[str, int])
    _further: dict[str, int] = field(default_factory=dict[str, int])
    _runtime: dict[Atom, str] = field(default_factory=dict[Atom, str])
    """The names of numbers that the caller passes."""

    def add_access(self, access: Access, tile: SSAValue) -> None:
        """Join a tile's dimensions with the buffer's and with their indices."""
        self.accesses.append(access)
        for dim, (start, lane) in enumerate(
            zip(access.starts, access.lanes, strict=True)
        ):
            node = BufferDim(access.op, dim)
            self._axes.find(node)
            if lane is not None:
                self._join(node, TileDim(tile, access.tile_dims[lane]))
            for atom in start.terms:
                self._join(node, atom)

    def add_op(self, op: Operation) -> None:
        """Join the dimensions that an op iterates over together."""
        match op:
            case ContractOp():
                self._add_contract(op)
            case TransposeOp():
                for dim, source in enumerate(op.order):
                    self._join(TileDim(op.result, dim), TileDim(op.vector, source))
            case MultiReductionOp():
                kept = [
                    dim
                    for dim in range(len(shape_of(op.source.type)))
                    if dim not in op.dims
                ]
                for dim, source in enumerate(kept):
                    self._join(TileDim(op.dest, dim), TileDim(op.source, source))
                    self._join(TileDim(op.dest, dim), TileDim(op.acc, dim))
            case vector.BroadcastOp():
                self._add_broadcast(op.source, op.vector)
            case scf.ForOp():
                for inner, outer, result in zip(
                    op.body.block.args[1:], op.iter_args, op.res, strict=True
                ):
                    self._join_all([inner, outer, result])
            case scf.YieldOp():
                parent = op.parent_op()
                if isinstance(parent, scf.ForOp | scf.IfOp):
                    for value, result in zip(op.arguments, parent.results, strict=True):
                        self._join_all([value, result])
            case scf.IfOp():
                pass
            case ShapeCastOp() | vector.TransferReadOp() | vector.TransferWriteOp():
                pass
            case _:
                self._join_all([*op.operands, *op.results])

    def choose_letters(self, dots: Iterable[ContractOp]) -> None:
        """Give every axis a letter: M, N, K after the dots, then by position."""
        self._join_successive_loops()
        for dot in dots:
            loops = vector_contraction(dot)
            if not (loops.rows or loops.columns):
                continue
            for letter, operand, own, named in (
                ("B", dot.result, loops.acc, loops.batch),
                ("M", dot.result, loops.acc, loops.rows),
                ("N", dot.result, loops.acc, loops.columns),
                ("K", dot.lhs, loops.lhs, loops.summed),
            ):
                kept = kept_dims(operand.type)
                for loop in named:
                    if loop in own:
                        dim = kept[own.index(loop)]
                        self._letter(TileDim(operand, dim), letter)
        shared: dict[tuple[SSAValue, int], str] = {}
        for access in sorted(self.accesses, key=lambda a: -len(a.starts)):
            rank = len(access.starts)
            for dim in range(rank):
                place = len(_TRAILING) - rank + dim
                letter = _TRAILING[place] if place >= 0 else "B"
                node = BufferDim(access.op, dim)
                # Successive loops over one buffer dimension share its letter.
                known = shared.get((access.base, dim))
                if known is not None and access.lanes[dim] is not None:
                    self._letters.setdefault(self._axes.find(node), known)
                self._letter(node, letter)
                if access.lanes[dim] is not None:
                    own = self.letter_of(access.op, dim)
                    shared.setdefault((access.base, dim), own)

    def _join_successive_loops(self) -> None:
        """Make one axis of loops that walk one dimension of a buffer in turn."""
        first: dict[tuple[SSAValue, int, int], Atom] = {}
        for access in self.accesses:
            for dim, start in enumerate(access.starts):
                for atom in start.terms:
                    if atom.level > 0 and atom.quotient is None:
                        place = (access.base, dim, atom.level)
                        self._join(first.setdefault(place, atom), atom)

    def letter_of_atom(self, atom: Atom) -> str | None:
        """The letter of the axis that an index or a size belongs to, if any."""
        if atom in self._runtime:
            return self._runtime[atom].partition("_")[0]
        return self._letters.get(self._axes.find(atom))

    def letter_of_lane(self, value: SSAValue, dim: int) -> str | None:
        """The letter of a tile's dimension, if it has one."""
        return self._letters.get(self._axes.find(TileDim(value, dim)))

    def letter_of(self, op: Operation, dim: int) -> str:
        """The letter of a buffer's dimension, as one transfer sees it."""
        return self._letters[self._axes.find(BufferDim(op, dim))]

    def extent(self, op: Operation, dim: int, size: int) -> str:
        """The name of a buffer's extent along one of its dimensions."""
        taken = self._runtime.values()
        return free_name(self._extents, self.letter_of(op, dim), size, taken)

    def name_runtime(self, atom: Atom, wanted: str) -> str:
        """The name of a number that the caller passes; the first name wanted stays."""
        name, number = wanted, 1
        while atom not in self._runtime:
            if name not in self._extents and name not in self._runtime.values():
                self._runtime[atom] = name
            number += 1
            name = f"{wanted}_{number}"
        return self._runtime[atom]

    def extent_name(self, letter: str | None, size: int) -> str | None:
        """The name of an extent of this size on an axis, if there is one."""
        return _find_name(self._extents, letter, size)

    def block_name(self, letter: str | None, size: int) -> str | None:
        """The name of a tile extent of this size on an axis, if there is one."""
        return _find_name(self._blocks, letter, size)

    def block(self, letter: str | None, size: int) -> str | None:
        """The name of a tile's extent along an axis."""
        if letter is None or size == 1:
            return None
        return free_name(self._blocks, f"BLOCK_{letter}", size)

    def step(self, letter: str | None, size: int) -> None:
        """Name the step of indices on an axis, unless it is the extent of a tile."""
        if letter is None or size == 1 or self.block_name(letter, size) is not None:
            return
        if self.extent_name(letter, size) is None:
            free_name(self._blocks, f"STEP_{letter}", size)

    def other(self, name: str, size: int) -> str:
        """A named size that belongs to no axis."""
        return free_name(self._further, name, size)

    def tile_extents(self, value: SSAValue) -> list[str]:
        """Names of a payload tile's extents; an extent without a name is empty."""
        sizes = shape_of(value.type)
        return [
            self.block(self.letter_of_lane(value, dim), sizes[dim]) or ""
            for dim in kept_dims(value.type)
        ]

    def name_size(self, atom: Atom, wanted: str, names: Mapping[SSAValue, str]) -> str:
        """Name a number that the caller passes; an extent is named after its axis.

        `names` are the names of the function's arguments.
        """
        while atom.quotient is not None and len(atom.quotient.dividend.terms) == 1:
            atom = next(iter(atom.quotient.dividend.terms))
        key = atom.runtime
        if key is None:
            return wanted
        if isinstance(key, Runtime) and key.dim is None:
            wanted = names[key.argument]
        return self.name_runtime(atom, wanted)

    @property
    def constants(self) -> dict[str, int]:
        """All named sizes: extents, blocks, then the others."""
        extents = sorted(self._extents.items(), key=lambda item: letter_order(item[0]))
        blocks = sorted(
            self._blocks.items(),
            key=lambda item: (letter_order(item[0].split("_")[1]), item[0]),
        )
        return dict(extents) | dict(blocks) | self._further

    def _add_contract(self, op: ContractOp) -> None:
        loops: dict[int, TileDim] = {}
        # The result has the accumulator's map; the accumulator itself may be a constant
        # that other contractions start from too.
        tiles = (op.lhs, op.rhs, op.result)
        for attribute, tile in zip(op.indexing_maps, tiles, strict=True):
            for dim, expr in enumerate(attribute.data.results):
                if isinstance(expr, AffineDimExpr):
                    node = TileDim(tile, dim)
                    self._join(loops.setdefault(expr.position, node), node)
        self._join_all([op.acc, op.result])

    def _add_broadcast(self, source: SSAValue, result: SSAValue) -> None:
        if isinstance(source.owner, StepOp):
            return
        sizes, wide = shape_of(source.type), shape_of(result.type)
        lead = len(wide) - len(sizes)
        for dim, size in enumerate(sizes):
            if size == wide[lead + dim]:
                self._join(TileDim(source, dim), TileDim(result, lead + dim))

    def _join_all(self, values: list[SSAValue]) -> None:
        # One constant may fill tiles that have nothing else to do with each other, and
        # the numbers of lanes may count along any dimension.
        tiles = [
            value
            for value in values
            if isinstance(value.type, VectorType)
            and not isinstance(value.owner, arith.ConstantOp | StepOp)
        ]
        for tile in tiles[1:]:
            if shape_of(tile.type) == shape_of(tiles[0].type):
                for dim in range(len(shape_of(tile.type))):
                    self._join(TileDim(tiles[0], dim), TileDim(tile, dim))

    def _letter(self, node: Hashable, wanted: str) -> None:
        root = self._axes.find(node)
        if root in self._letters:
            return
        taken = set(self._letters.values())
        numbered = (f"{wanted}{number}" for number in range(2, 1000))
        near = _BATCHES if wanted in _BATCHES else ()
        for letter in (wanted, *near, *_FURTHER, *numbered):
            if letter not in taken:
                self._letters[root] = letter
                return

    def _join(self, first: Hashable, second: Hashable) -> None:
        """Join the axes of two dimensions."""
        self._axes.union_left(first, second)


def letter_order(name: str) -> tuple[int, str]:
    """A sort key: batch, rows, columns, reduction, then the others."""
    known = "BHMNK"
    return (known.index(name[0]) if name[0] in known else len(known), name)


def _find_name(table: dict[str, int], letter: str | None, size: int) -> str | None:
    for name, value in table.items():
        if value == size and letter in name.split("_")[:2]:
            return name
    return None
