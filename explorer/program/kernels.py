"""The kernels of a program: what each computes, and how long it takes by estimate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.codegen.describe.launches import Launched, launches
from tilewright.codegen.program import CallInfo, GeneratedProgram, KernelInfo
from tilewright.explorer.program.payload_graph import PayloadGraph, all_places
from tilewright.explorer.program.places import Files
from tilewright.ir.errors import Place, UserError
from tilewright.tuning.model.cost import CostBreakdown, estimate_kernel
from tilewright.tuning.model.library_cost import CallCost, estimate_call
from tilewright.tuning.model.occupancy import tile_bytes

if TYPE_CHECKING:
    from tilewright.codegen.runtime.compile import CompiledStats
    from tilewright.codegen.targets import Target

Stats = Mapping[str, "CompiledStats"]


def compiled_stats(
    program: GeneratedProgram, target: Target, progress: Callable[[str], None]
) -> tuple[Stats, str]:
    """The compiler's statistics by kernel; if there are none, the reason."""
    from tilewright.codegen.runtime.source_cache import source_directory
    from tilewright.tuning.workers.jobs import CompileJob
    from tilewright.tuning.workers.one_job import in_worker

    if not program.kernels:
        return {}, ""
    progress(f"compiling for {target.name}")
    try:
        job = CompileJob(program, target, source_directory(), ())
        found = in_worker("compile", job, limit=300.0).value
    except UserError as error:
        return {}, f"Triton did not compile the kernels for {target.name}: {error.fact}"
    return {entry.kernel: entry for entry in found}, ""


def program_picture(
    graph: PayloadGraph,
    program: GeneratedProgram,
    target: Target | None,
    stats: Stats,
    files: Files,
    payload: str,
) -> dict[str, Any]:
    """The fields `nodes`, `arguments`, `results` and `kernels`."""
    owners = dict(all_places(graph))
    kernels: list[dict[str, Any]] = []
    computed: dict[int, list[int]] = {}
    first: dict[str, list[int]] = {}
    for launched in launches(program):
        places = [*launched.computes, *([launched.place] if launched.place else [])]
        keys = [(place.file, place.line, place.column) for place in places]
        nodes = list(dict.fromkeys(owners[key] for key in keys if key in owners))
        if isinstance(launched.info, KernelInfo):
            if launched.name in first:
                nodes = _equal_nodes(first[launched.name], graph, computed)
            first.setdefault(launched.name, nodes)
        for node in nodes:
            computed.setdefault(node, []).append(launched.position)
        facts = _launch(launched, None if program.is_dynamic else target, stats)
        if program.is_dynamic:
            # The numbers are for nominal sizes, which nobody has asked for.
            facts |= {"grid": [], "read": None, "written": None, "moved": None}
            facts["flops"] = None
        facts["schedule"] = _statement(launched, files, payload)
        facts["nodes"] = nodes
        kernels.append(facts)
    _place_merged(graph, computed, kernels)
    return {
        "nodes": [
            {
                "id": node.id,
                "name": node.name,
                "verb": node.verb,
                "type": node.type,
                "bytes": node.bytes,
                "flops": node.flops,
                "place": files.place(node.place),
                "inputs": list(node.inputs),
                "kernel": computed[node.id][0] if node.id in computed else None,
                "kernels": computed.get(node.id, []),
            }
            for node in graph.nodes
        ],
        "arguments": [
            {"name": each.name, "type": each.type, "bytes": each.bytes}
            for each in graph.arguments
        ],
        "results": [
            {
                "name": each.name,
                "type": each.type,
                "bytes": each.bytes,
                "source": each.source,
            }
            for each in graph.results
        ],
        "kernels": kernels,
    }


def _equal_nodes(
    first: Sequence[int], graph: PayloadGraph, computed: Mapping[int, object]
) -> list[int]:
    """The nodes of a kernel's further launch, by those of its first launch.

    Equal kernels are one, whose lines have the places of the first ops. Each later
    launch computes the next ops that are equal to those.
    """
    kinds = {node.id: (node.verb, node.type) for node in graph.nodes}
    free = [node.id for node in graph.nodes if node.id not in computed]
    found: list[int] = []
    for model in first:
        fitting = (node for node in free if kinds[node] == kinds[model])
        if (node := next(fitting, None)) is not None:
            found.append(node)
            free.remove(node)
    return found


def _place_merged(
    graph: PayloadGraph, computed: dict[int, list[int]], kernels: list[dict[str, Any]]
) -> None:
    """Put ops that no line has a place of into the kernel that uses their results.

    A schedule may merge an op with others, as `stream` does with a reduction.
    """
    users: dict[int | str, list[int]] = {}
    for node in graph.nodes:
        for source in node.inputs:
            users.setdefault(source, []).append(node.id)
    for node in reversed(graph.nodes):
        using = [
            computed[user][0] for user in users.get(node.id, ()) if user in computed
        ]
        if node.id not in computed and using:
            computed[node.id] = [min(using)]
            kernels[min(using)]["nodes"].append(node.id)
    order = {node.id: position for position, node in enumerate(graph.nodes)}
    for kernel in kernels:
        kernel["nodes"].sort(key=lambda node: order[node])


def _statement(launched: Launched, files: Files, payload: str) -> list[int] | None:
    """The place of the statement that made the grid; None for one of the default."""
    place: Place | None = launched.place
    return None if place is None or place.file == payload else files.place(place)


def _launch(launched: Launched, target: Target | None, stats: Stats) -> dict[str, Any]:
    info = launched.info
    if isinstance(info, CallInfo):
        return _call(info, target)
    data: dict[str, Any] = {
        "name": info.name,
        "library": None,
        "grid": list(info.grid),
        "warps": info.num_warps,
        "stages": info.num_stages,
        "group": info.group,
        "persistent": info.persistent,
        "read": _moved(info, "load"),
        "written": _moved(info, "store"),
        "flops": sum(2 * d.m * d.n * d.k * d.count for d in info.dots) * info.programs,
        "seconds": None,
        "bound": None,
        "terms": {},
    }
    found = stats.get(info.name)
    if found is not None:
        data |= {
            "registers": found.registers,
            "spills": found.spill_bytes,
            "shared": found.shared_bytes,
            "wgmma": found.wgmma,
            "tma": found.tma_loads,
        }
    if target is not None:
        data |= _estimate(estimate_kernel(info, found, target))
    return data


def _estimate(cost: CostBreakdown) -> dict[str, Any]:
    return {
        "seconds": cost.seconds,
        "bound": cost.limit,
        "memory_bytes": round(cost.hbm_bytes),
        "resident": cost.resident,
        "waves": round(cost.waves, 3),
        "exact": cost.exact,
        "terms": {str(part): seconds for part, seconds in cost.terms.items()},
    }


def _moved(info: KernelInfo, kind: str) -> int:
    per_program = sum(
        tile_bytes(access) * access.count
        for access in info.accesses
        if access.kind == kind
    )
    return per_program * info.programs


def _call(info: CallInfo, target: Target | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": info.function,
        "library": info.function,
        "grid": [],
        "warps": None,
        "stages": None,
        "read": None,
        "written": None,
        "moved": info.bytes_moved + info.bytes_copied,
        "flops": info.flops,
        "seconds": None,
        "bound": None,
        "terms": {},
    }
    if target is not None:
        cost: CallCost = estimate_call(info, target)
        data |= {
            "seconds": cost.seconds,
            "bound": cost.limit,
            "terms": {str(part): seconds for part, seconds in cost.terms.items()},
        }
    return data
