"""The kernels of a compiled segment: what each computes, from where, and how fast.

A kernel's work is the planner's group: its ops, its bytes and its arithmetic. The ops
of a payload have places, which every transformation keeps: they lead from a launch to
the group, to the nodes of the graph and to the lines of the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from torch.fx import Node
from xdsl.ir import Operation

from tilewright.codegen.describe.launches import launches
from tilewright.codegen.program import KernelInfo
from tilewright.codegen.targets import Target
from tilewright.compiled_program import Program
from tilewright.ir.errors import Place
from tilewright.ir.text import place_of
from tilewright.planning.analysis.bounds import kernel_bound
from tilewright.planning.analysis.facts import Role
from tilewright.planning.grouping.group import Group
from tilewright.planning.plan import PLANNED, Plan, PlannedKernel
from tilewright.torch_backend.compiling.payload_lines import nodes_by_line
from tilewright.torch_backend.compiling.planned_program import PAYLOAD
from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.torch_backend.lowering.model_lines import model_module, model_place
from tilewright.torch_backend.lowering.node_call import op_name, short_name
from tilewright.tuning.model.cost import estimate_kernel
from tilewright.tuning.model.library_cost import estimate_call


@dataclass(frozen=True)
class Launch:
    """One launch of a program, or one library call."""

    position: int
    """Its place among the program's launches and calls."""
    name: str
    """The kernel, or the function of torch."""
    lines: frozenset[int]
    """The lines of the payload's ops that it computes."""
    schedule: Place | None
    """The statement of the schedule that made it."""
    seconds: float
    """The cost model's estimate."""
    bound: str
    """The term of the estimate that is largest."""


@dataclass(frozen=True)
class Kernel:
    """The launches that compute one of the planner's groups; one launch usually."""

    launches: tuple[Launch, ...]
    group: Group | None
    """None if the planner has no group for it."""
    planned: PlannedKernel | None
    nodes: tuple[Node, ...]
    """The nodes of the graph whose ops it computes."""
    flops: int
    moved_bytes: int
    least_seconds: float
    """Its arithmetic or its bytes at the GPU's full rate, whichever takes longer."""
    fits_cache: bool
    """Whether its bytes take longer, and fit the L2 cache."""

    @property
    def name(self) -> str:
        """The names of the launches."""
        return " + ".join(dict.fromkeys(launch.name for launch in self.launches))

    @property
    def seconds(self) -> float:
        """The cost model's estimate."""
        return sum(launch.seconds for launch in self.launches)

    @property
    def bound(self) -> str:
        """What the longest launch waits for: compute, memory, latency, ..."""
        return max(self.launches, key=lambda launch: launch.seconds).bound

    @property
    def ops(self) -> tuple[str, ...]:
        """The ATen ops, `aten.` and overloads left out, each once.

        A kernel that computes none of them says how it moves their elements.
        """
        names = dict.fromkeys(short_name(op_name(node)) for node in self.nodes)
        move = None if self.group is None else _move_of(self.group)
        return tuple(names if move is None else (f"{name} ({move})" for name in names))

    @property
    def places(self) -> tuple[Place, ...]:
        """The model's lines, each once."""
        return places_of(self.nodes)

    @property
    def modules(self) -> tuple[str, ...]:
        """The paths of the model's modules, each once."""
        found = (model_module(node) for node in self.nodes)
        return tuple(dict.fromkeys(path for path in found if path is not None))

    @property
    def schedule(self) -> Place | None:
        """The statement of the schedule that made its first launch."""
        return next((one.schedule for one in self.launches if one.schedule), None)


def _move_of(group: Group) -> str | None:
    """What a kernel is that only moves elements; None for others."""
    ops = [facts for facts in group.ops if facts.role != Role.FILL]
    if not ops or any(facts.role != Role.MOVEMENT for facts in ops):
        return None
    reads = [operand.loops for facts in ops for operand in facts.inputs]
    orders = [[loop for loop in loops if loop is not None] for loops in reads]
    return "copy" if all(order == sorted(order) for order in orders) else "transpose"


def places_of(nodes: Sequence[Node]) -> tuple[Place, ...]:
    """The model's lines of nodes, each once, in their order."""
    found = (model_place(node) for node in nodes)
    lines = {(place.file, place.line): place for place in found if place is not None}
    return tuple(lines.values())


def kernels_of(lowered: Lowered, program: Program) -> list[Kernel]:
    """The kernels of a program that was planned, in the order of their launches."""
    plan = program.plan
    assert plan is not None
    groups = [(k, group) for k in plan.kernels for group in k.groups]
    parts: dict[int, list[Launch]] = {}
    homes: dict[int, tuple[PlannedKernel, Group] | None] = {}
    repeated: dict[str, int] = {}
    for launch in launches_of(program, plan.target):
        turn = repeated[launch.name] = repeated.get(launch.name, -1) + 1
        home = _home(plan, groups, launch, turn)
        key = -1 - launch.position if home is None else id(home[1])
        parts.setdefault(key, []).append(launch)
        homes[key] = home
    nodes = nodes_by_line(lowered)
    return [_kernel(tuple(parts[key]), homes[key], nodes, plan.target) for key in parts]


def launches_of(program: Program, target: Target) -> Iterator[Launch]:
    """The launches and library calls of a program in order, with their estimates."""
    built = program.built
    statements = [] if program.plan is None else program.plan.text.split("\n")
    for launched in launches(built.program):
        place = launched.place
        schedule = None
        if place is not None and place.file == PLANNED:
            # Later schedules have the same name, so that the place has their text.
            schedule = replace(place, text=statements[place.line - 1])
        info = launched.info
        if isinstance(info, KernelInfo):
            cost = estimate_kernel(info, None, target)
            computed = [at for at in launched.computes if at.file == PAYLOAD]
        else:
            cost = estimate_call(info, target)
            computed = launched.computes
        yield Launch(
            launched.position,
            launched.name,
            frozenset(at.line for at in computed),
            schedule,
            cost.seconds,
            cost.limit,
        )


def _home(
    plan: Plan,
    groups: Sequence[tuple[PlannedKernel, Group]],
    launch: Launch,
    turn: int,
) -> tuple[PlannedKernel, Group] | None:
    """The group that a launch computes; `turn` counts launches of the same name.

    Equal groups share one kernel, whose lines are those of the first.
    """
    at = plan.kernel_at(launch.schedule) if launch.schedule is not None else None
    if at is not None and len(at.groups) > 1 and turn < len(at.groups):
        return at, at.groups[turn]
    fitting = [pair for pair in groups if at is None or pair[0] is at]
    shared = [len(launch.lines & _lines(group)) for _, group in fitting]
    if at is None and not any(shared):
        return None
    return fitting[shared.index(max(shared))] if fitting else None


def _lines(group: Group) -> set[int]:
    """The lines of the ops that a group has, fills left out."""
    ops = [facts.op for facts in group.ops if facts.role != Role.FILL]
    found = (_payload_line(each) for op in ops for each in op.walk())
    return {line for line in found if line is not None}


def _payload_line(op: Operation) -> int | None:
    place = place_of(op)
    return place.line if place is not None and place.file == PAYLOAD else None


def _kernel(
    launches: tuple[Launch, ...],
    home: tuple[PlannedKernel, Group] | None,
    nodes: Mapping[int, Node],
    target: Target,
) -> Kernel:
    planned, group = home or (None, None)
    lines = {line for launch in launches for line in launch.lines}
    flops = moved = 0
    least = arithmetic = 0.0
    if group is not None:
        lines = _lines(group) or lines
        flops, moved = group.flops, group.moved_bytes
        bound = kernel_bound(group.ops, moved, target)
        arithmetic, least = bound.arithmetic_seconds, bound.seconds
    own = list(dict.fromkeys(nodes[line] for line in sorted(lines) if line in nodes))
    return Kernel(
        launches,
        group,
        planned,
        tuple(dict.fromkeys(own)),
        flops,
        moved,
        least,
        fits_cache=arithmetic < least and moved <= target.l2_bytes,
    )
