"""From a module to its loop nest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from tilewright.ir.dialects import func, kernel, scf, tensor, vector
from tilewright.ir.dialects.linalg import FillOp
from tilewright.ir.launch_attributes.table import STAGES
from tilewright.ir.nest.cuts import cut_of_grid, cut_of_kernel
from tilewright.ir.nest.homes import (
    Where,
    bytes_of,
    element_of,
    home_of,
    in_grid,
    read_shape,
)
from tilewright.ir.nest.live import live_ops
from tilewright.ir.nest.moves import (
    flops_of,
    kind_of,
    read_by,
    written_by,
)
from tilewright.ir.nest.names import Names, type_text, verb_of
from tilewright.ir.nest.tree import (
    GridNode,
    LoopNode,
    Moved,
    Nest,
    Node,
    OpNode,
    traffic_of,
)
from tilewright.ir.nest.trips import known_int, mean_trips
from tilewright.ir.text import place_of
from tilewright.ir.types import is_tensor

Number = Callable[[Operation], int]
"""The number of an op, by which a page knows it."""


def build_nest(module: ModuleOp, number: Number) -> Nest:
    """The loop nest of every function of a module."""
    kernels = {
        op.sym_name.data: op for op in module.ops if isinstance(op, kernel.FuncOp)
    }
    children: list[Node] = []
    for op in module.ops:
        if isinstance(op, func.FuncOp) and op.body.blocks:
            live = live_ops(op.body.block)
            children += _Builder(number, live, kernels).of_block(op.body.block, 1)
    total = traffic_of(children)
    return Nest(children, total.read, total.written, total.kept)


class _Builder:
    """Builds the nest of one function."""

    def __init__(
        self, number: Number, live: set[Operation], kernels: dict[str, kernel.FuncOp]
    ):
        self._number = number
        self._live = live
        self._kernels = kernels
        self._names = Names()
        self._buffers: dict[SSAValue, SSAValue] = {}
        """The launcher's buffer that a parameter of the current kernel is."""

    def of_block(self, block: Block, times: int | None) -> list[Node]:
        """The nodes of a block that is executed some times."""
        nodes: list[Node] = []
        run: list[Operation] = []
        for op in block.ops:
            kind = kind_of(op)
            if kind == "elementwise":
                if op in self._live:
                    run.append(op)
                continue
            if kind is None:
                made = self._of_op(op, times)
            else:
                node = self._single(op, times) if op in self._live else None
                made: list[Node] = [] if node is None else [node]
            if made and run:
                nodes.append(self._of_run(run, times))
                run = []
            nodes += made
        if run:
            nodes.append(self._of_run(run, times))
        return nodes

    def _of_op(self, op: Operation, times: int | None) -> list[Node]:
        match op:
            case scf.ForallOp() if op in self._live:
                return [self._grid(op, times)]
            case scf.ForOp() if op in self._live:
                return [self._loop(op, times)]
            case kernel.LaunchOp():
                return [self._launch(op, times)]
            case kernel.LibraryOp():
                return [self._library(op, times)]
            case scf.InParallelOp():
                return self._inserts(op, times)
            case scf.IfOp() | kernel.EachTileOp() | kernel.LastArriverOp():
                share = op.attributes.get("kernel.one_of")
                if isinstance(share, IntegerAttr) and times is not None:
                    times = max(times // share.value.data, 1)
                blocks = [block for region in op.regions for block in region.blocks]
                return [
                    node for block in blocks for node in self.of_block(block, times)
                ]
            case _:
                return []

    # -- grids and loops -------------------------------------------------------------

    def _grid(self, op: scf.ForallOp, times: int | None) -> GridNode:
        extents = [
            None if n is None else len(range(lower or 0, n, step or 1))
            for lower, n, step in zip(
                map(known_int, op.lower_bounds),
                map(known_int, op.upper_bounds),
                map(known_int, op.steps),
                strict=True,
            )
        ]
        mapping = [] if op.mapping is None else [_mapped(str(a)) for a in op.mapping]
        result, tiles = cut_of_grid(op, self._names)
        node = GridNode(
            self._number(op), "", extents, mapping, tiles, _product(extents), result
        )
        return self._filled(node, op.body.block, times)

    def _launch(self, op: kernel.LaunchOp, times: int | None) -> GridNode:
        body = self._kernels[op.kernel.string_value()]
        arguments = body.body.block.args
        self._buffers = dict(zip(arguments, op.buffers, strict=False))
        self._live = self._live | live_ops(body.body.block)
        extents = [extent if extent >= 0 else None for extent in body.tile_grid]
        result, tiles = cut_of_kernel(body, self._buffers, self._names)
        name = body.sym_name.data
        node = GridNode(
            self._number(op), name, extents, [], tiles, _product(extents), result
        )
        return self._filled(node, body.body.block, times)

    def _filled(self, node: GridNode, block: Block, times: int | None) -> GridNode:
        node.children = self.of_block(block, _times(times, node.programs))
        total = traffic_of(node.children)
        node.read, node.written, node.kept = total.read, total.written, total.kept
        return node

    def _loop(self, op: scf.ForOp, times: int | None) -> LoopNode:
        lower, upper = known_int(op.lb), known_int(op.ub)
        trips = mean_trips(op)
        stages = op.attributes.get(STAGES)
        node = LoopNode(
            self._number(op),
            upper - lower if lower is not None and upper is not None else None,
            known_int(op.step),
            trips,
            stages.value.data if isinstance(stages, IntegerAttr) else None,
            self._names.carried(op),
        )
        node.children = self.of_block(op.body.block, _times(times, trips))
        if in_grid(op):
            carried = [result for result in op.results if _uses_on_chip(result)]
            sizes = [_times(times, bytes_of(result)) for result in carried]
            node.kept = _sum(sizes)
        return node

    # -- ops -------------------------------------------------------------------------

    def _single(self, op: Operation, times: int | None) -> OpNode | None:
        """An op that moves or computes data; None for one that a reader can skip."""
        kind = kind_of(op)
        if kind is None:
            return None
        if kind == "load":
            self._call_loaded(op)
        if _stays_on_chip(op):
            return None
        reads = [self._moved(*pair, times) for pair in read_by(op)]
        if kind == "compute" and (stored := _stored(op)):
            writes = [self._inserted(insert, times) for insert in stored]
        elif isinstance(op, tensor.ParallelInsertSliceOp):
            writes = [self._inserted(op, times)]
        else:
            writes = [self._moved(*pair, times) for pair in written_by(op)]
        result = op.results[0] if op.results else _last_written(op)
        verb = kind if kind in ("load", "store") else verb_of(op)
        if isinstance(op, kernel.AtomicAddOp):
            verb = "add to memory"
        name = self._names.name(result)
        if kind == "store":
            name = next((m.name for m in writes if m is not None), name)
        flops = flops_of(op)
        return OpNode(
            self._number(op),
            [],
            name,
            verb,
            [moved.name for moved in reads if moved is not None],
            type_text(result),
            [moved for moved in reads if moved is not None],
            [moved for moved in writes if moved is not None],
            place_of(op),
            None if flops is None or times is None else flops * times,
            kept=kind == "compute" and not isinstance(op, FillOp) and _is_used(op),
        )

    def _of_run(self, run: Sequence[Operation], times: int | None) -> OpNode:
        """Element-wise ops in a row, as one node; it writes what other ops use."""
        made = {op.results[0] for op in run}
        inside = set(run)
        results = [v for v in made if any(u.operation not in inside for u in v.uses)]
        results = [op.results[0] for op in run if op.results[0] in results]
        results.sort(key=lambda value: not value.name_hint)
        homes = [home_of(value) for op in run for value in op.operands]
        used = [home.value for home in homes if home.where == "chip"]
        read = [value for value in dict.fromkeys(used) if value not in made]
        last = max(results or [run[-1].results[0]], key=lambda v: bytes_of(v) or 0)
        reads = [self._moved(value, value, times) for value in read]
        writes = [self._moved(value, value, times) for value in results]
        verbs = [op.name.partition(".")[2] for op in run]
        return OpNode(
            self._number(run[-1]),
            [self._number(op) for op in run],
            self._names.name(last),
            ", ".join(dict.fromkeys(verbs)),
            [moved.name for moved in reads if moved is not None],
            type_text(last),
            [moved for moved in reads if moved is not None],
            [moved for moved in writes if moved is not None],
            place_of(last.owner),
            None,
            kept=any(_uses_on_chip(value) for value in results),
        )

    def _library(self, op: kernel.LibraryOp, times: int | None) -> OpNode:
        called = op.called
        inside = [value for each in called for value, _ in written_by(each)]
        made = {home_of(value).value for value in inside}
        reads = [
            self._moved(*pair, times)
            for each in called
            for pair in read_by(each)
            if home_of(pair[0]).value not in made
        ]
        last = inside[-1]
        written = self._moved(last, last, times)
        flops = [flops_of(each) for each in called]
        return OpNode(
            self._number(op),
            [self._number(each) for each in called],
            self._names.name(home_of(last).value),
            op.library.data,
            [moved.name for moved in reads if moved is not None],
            type_text(last),
            [moved for moved in reads if moved is not None],
            [] if written is None else [written],
            place_of(called[-1]) if called else place_of(op),
            None if None in flops else sum(f for f in flops if f is not None),
        )

    def _inserts(self, op: scf.InParallelOp, times: int | None) -> list[Node]:
        """The stores of what a grid makes, unless an op above is shown to store it."""
        nodes: list[Node] = []
        for insert in op.region.block.ops:
            if not isinstance(insert, tensor.ParallelInsertSliceOp):
                continue
            maker = insert.source.owner
            if isinstance(maker, Operation) and kind_of(maker) == "compute":
                continue
            made = self._single(insert, times)
            nodes += [] if made is None else [made]
        return nodes

    # -- values ----------------------------------------------------------------------

    def _moved(
        self, base: SSAValue, sized: SSAValue, times: int | None
    ) -> Moved | None:
        """What is moved; None for what is nowhere."""
        home = home_of(base)
        value = home.value
        if (buffer := self._buffers.get(value)) is not None:
            home = home_of(buffer)
            value = home.value
        if home.where is None:
            return None
        return self._of_size(self._names.name(value), sized, home.where, times)

    def _inserted(
        self, op: tensor.ParallelInsertSliceOp, times: int | None
    ) -> Moved | None:
        """What a program puts into the result of its grid."""
        grid, argument = op.dest.owner, op.dest
        assert isinstance(grid, Block) and isinstance(argument, BlockArgument)
        forall = grid.parent_op()
        assert isinstance(forall, scf.ForallOp)
        result = forall.results[argument.index - forall.rank]
        where = "chip" if in_grid(forall) else "memory"
        return self._of_size(self._names.name(result), op.source, where, times)

    def _of_size(
        self, name: str, sized: SSAValue, where: Where, times: int | None
    ) -> Moved | None:
        shape, size = read_shape(sized), bytes_of(sized)
        if size == 0:
            return None
        return Moved(name, shape, str(element_of(sized)), size, where, times)

    def _call_loaded(self, op: Operation) -> None:
        base, _ = next(read_by(op))
        value = home_of(base).value
        value = self._buffers.get(value, value)
        self._names.call(op.results[0], self._names.name(value))


def _stored(op: Operation) -> list[tensor.ParallelInsertSliceOp]:
    """The inserts that put an op's result into the result of the grid around it."""
    uses = [use.operation for result in op.results for use in result.uses]
    return [use for use in uses if isinstance(use, tensor.ParallelInsertSliceOp)]


def _last_written(op: Operation) -> SSAValue:
    return list(written_by(op))[-1][1]


def _is_used(op: Operation) -> bool:
    """Whether another op uses a result on chip, not to store or reduce it."""
    return any(_uses_on_chip(result) for result in op.results)


def _uses_on_chip(value: SSAValue) -> bool:
    for use in value.uses:
        match use.operation:
            case vector.TransferWriteOp() | tensor.InsertSliceOp() as user:
                if any(_uses_on_chip(result) for result in user.results):
                    return True
            case scf.YieldOp() | vector.MultiReductionOp():
                # What only a reduction uses is a part of the reduction.
                pass
            case user:
                if kind_of(user) != "store":
                    return True
    return False


def _stays_on_chip(op: Operation) -> bool:
    """Whether an op makes a vector of a tile on chip, or the reverse."""
    match op:
        case vector.TransferReadOp() if in_grid(op) and is_tensor(op.source.type):
            return home_of(op.source).where != "memory"
        case vector.TransferWriteOp():
            return in_grid(op) and is_tensor(op.source.type)
        case _:
            return False


def _mapped(text: str) -> str:
    """`block.x` of `#gpu.block<x>`."""
    return text.removeprefix("#gpu.").replace("<", ".").removesuffix(">")


def _product(extents: Sequence[int | None]) -> int | None:
    known = [extent for extent in extents if extent is not None]
    return math.prod(known) if len(known) == len(extents) else None


def _sum(sizes: Sequence[int | None]) -> int | None:
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def _times(times: int | None, more: int | None) -> int | None:
    return None if times is None or more is None else times * more
