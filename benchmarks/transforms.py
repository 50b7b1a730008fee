"""Time the transformations: tile, fuse, a loop over k, vectors, hoisting, buffers.

    python benchmarks/transforms.py --out benchmarks/results/transforms.json
    python benchmarks/transforms.py --profile attention

The schedules are upstream's ops alone, over payloads that are parsed already. Times are
medians of processor time, in milliseconds; `verified` verifies after every step as
`tilewright opt` does, `plain` does not, as a tuner. `growth` is the time a layer takes
among 16 in one module over the time of a layer by itself: 1 is linear. Processor time
grows by a third where others keep the processors busy: `load_average` tells. Then the
wall times of single steps mean nothing.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import os
import platform
import pstats
import statistics
import sys
import time
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from xdsl.dialects.builtin import ModuleOp

from harness.timing import command_line, environment, write_json
from tilewright.frontend.builder import Payload, attention, linear
from tilewright.ir.text import parse_module
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import ScheduleRun, run_schedule

COPIES = (1, 4, 16)
OP = "!transform.any_op"

TO_BUFFERS = f"""
    transform.apply_patterns to %f {{
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.fold_arith_extension
      transform.apply_patterns.canonicalization
    }} : {OP}
    transform.apply_cse to %f : {OP}
    %loops = transform.structured.match ops{{["scf.for"]}} in %f : ({OP}) -> {OP}
    transform.apply_licm to %loops : {OP}
    transform.loop.hoist_loop_invariant_subsets %loops : {OP}
    transform.apply_patterns to %f {{
      transform.apply_patterns.canonicalization
    }} : {OP}
    transform.apply_cse to %f : {OP}
    transform.structured.eliminate_empty_tensors %f : {OP}
"""

LINEAR = f"""
    %tail = transform.structured.match ops{{["linalg.generic"]}} in %f : ({OP}) -> {OP}
    %mm = transform.structured.match ops{{["linalg.matmul"]}} in %f : ({OP}) -> {OP}
    %fill = transform.structured.match ops{{["linalg.fill"]}} in %f : ({OP}) -> {OP}
    %t, %g = transform.structured.tile_using_forall %tail tile_sizes [64, 128]
      (mapping = [#gpu.block<y>, #gpu.block<x>]) : ({OP}) -> ({OP}, {OP})
    %m, %g1 = transform.structured.fuse_into_containing_op %mm into %g
      : ({OP}, {OP}) -> ({OP}, {OP})
    %i, %g2 = transform.structured.fuse_into_containing_op %fill into %g1
      : ({OP}, {OP}) -> ({OP}, {OP})
    %k, %loop = transform.structured.tile_using_for %m tile_sizes [0, 0, 32]
      : ({OP}) -> ({OP}, {OP})
    transform.structured.vectorize %k vector_sizes [64, 128, 32] : {OP}
    transform.structured.vectorize %i vector_sizes [64, 128] : {OP}
    transform.structured.vectorize %t vector_sizes [64, 128] : {OP}
"""

ATTENTION = f"""
    %r = transform.structured.match ops{{["func.return"]}} in %f : ({OP}) -> {OP}
    %last = transform.get_producer_of_operand %r[0] : ({OP}) -> {OP}
    %t, %g = transform.structured.fuse %last tile_sizes [1, 64] {{use_forall}}
      : ({OP}) -> ({OP}, {OP})
    transform.apply_patterns to %f {{
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.canonicalization
    }} : {OP}
    transform.apply_cse to %f : {OP}
    %all = transform.structured.match interface{{LinalgOp}} in %f : ({OP}) -> {OP}
    transform.foreach %all : {OP} {{
    ^bb0(%op: {OP}):
      transform.structured.vectorize %op : {OP}
    }}
"""


def linear_layer() -> Payload:
    """relu(x w + b): the tiles divide no size."""
    p = Payload("layer")
    x, w = p.input("x", (1000, 1000), "f16"), p.input("w", (1000, 1000), "f16")
    p.output(linear(x, w, bias=p.input("b", (1000,), "f16"), activation="relu"))
    return p


def attention_layer() -> Payload:
    """softmax(q k^T / sqrt(64)) v for 32 heads of 256 tokens."""
    p = Payload("layer")
    q, k, v = (p.input(name, (32, 256, 64), "f16") for name in "qkv")
    p.output(attention(q, k, v))
    return p


LAYERS = {"linear": (linear_layer, LINEAR), "attention": (attention_layer, ATTENTION)}
"""What is timed: a payload, and what is done to one function before the buffers."""


def payload_of(name: str, copies: int) -> ModuleOp:
    """Copies of a layer, a function each."""
    text = LAYERS[name][0]().text()
    functions = [text.replace("@layer(", f"@layer{i}(") for i in range(copies)]
    return parse_module("\n".join(functions), "payload.mlir", schedule_context())


def schedule_of(name: str) -> ModuleOp:
    """The schedule for each function, then buffers for all."""
    text = f"""
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @layer(%f: {OP} {{transform.readonly}}) {{
    {LAYERS[name][1]}{TO_BUFFERS}
    transform.yield
  }}
  transform.named_sequence @__transform_main(%root: {OP} {{transform.consumed}}) {{
    %fs = transform.structured.match ops{{["func.func"]}} in %root : ({OP}) -> {OP}
    transform.foreach %fs : {OP} {{
    ^bb0(%f: {OP}):
      transform.include @layer failures(propagate) (%f) : ({OP}) -> ()
    }}
    %b = transform.bufferization.one_shot_bufferize layout{{IdentityLayoutMap}} %root
      {{bufferize_function_boundaries = true, allow_return_allocs_from_loops = true}}
      : ({OP}) -> {OP}
    %gs = transform.structured.match ops{{["func.func"]}} in %b : ({OP}) -> {OP}
    transform.apply_patterns to %gs {{
      transform.apply_patterns.canonicalization
    }} : {OP}
    transform.apply_cse to %gs : {OP}
    transform.yield
  }}
}}"""
    return parse_module(text, "schedule.mlir", schedule_context())


def timed(
    schedule: ModuleOp, payload: ModuleOp, verify: bool
) -> tuple[float, ScheduleRun]:
    """Processor time of one run over a copy, in milliseconds, and the run."""
    module = payload.clone()
    gc.collect()
    gc.disable()
    start = time.process_time()
    run = run_schedule(schedule, module, verify_steps=verify)
    seconds = time.process_time() - start
    gc.enable()
    return seconds * 1e3, run


def time_layer(name: str, repeat: int) -> dict[str, Any]:
    """A layer by itself and among others of its kind."""
    schedule = schedule_of(name)
    rows: dict[str, Any] = {}
    for copies in COPIES:
        payload = payload_of(name, copies)
        verified, plain = (
            statistics.median(
                timed(schedule, payload, verify)[0] for _ in range(repeat)
            )
            for verify in (True, False)
        )
        rows[str(copies)] = {"verified_ms": verified, "plain_ms": plain}
    first, last = (rows[str(copies)] for copies in (COPIES[0], COPIES[-1]))
    return {
        "copies": rows,
        "growth": {
            key: last[key] / COPIES[-1] / first[key]
            for key in ("verified_ms", "plain_ms")
        },
        "steps_ms": steps_of(schedule, payload_of(name, 1), repeat),
    }


def steps_of(schedule: ModuleOp, payload: ModuleOp, repeat: int) -> dict[str, float]:
    """The median wall time of each kind of op in one run, the slowest first."""
    samples: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(repeat):
        sums: defaultdict[str, float] = defaultdict(float)
        for ran in timed(schedule, payload, False)[1].ran:
            sums[ran.op.name.removeprefix("transform.")] += ran.seconds * 1e3
        for name, milliseconds in sums.items():
            samples[name].append(milliseconds)
    medians = {name: statistics.median(times) for name, times in samples.items()}
    return dict(sorted(medians.items(), key=lambda item: -item[1]))


def profile(name: str) -> None:
    """Where the time of one layer goes, function by function."""
    schedule, payload = schedule_of(name), payload_of(name, 4)
    timed(schedule, payload, False)
    profiler = cProfile.Profile()
    profiler.enable()
    timed(schedule, payload, False)
    profiler.disable()
    pstats.Stats(profiler).sort_stats("tottime").print_stats(30)
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(50)


def show(document: dict[str, Any]) -> None:
    """A table for people."""
    for name, layer in document["layers"].items():
        for copies, row in layer["copies"].items():
            print(
                f"{name:10} x{copies:3} {row['verified_ms']:8.1f} ms verified "
                f"{row['plain_ms']:8.1f} ms plain"
            )
        print(f"{name:10} growth {layer['growth']['plain_ms']:.2f}")
        for step, milliseconds in list(layer["steps_ms"].items())[:8]:
            print(f"{'':10} {milliseconds:8.2f} ms {step}")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--profile", choices=LAYERS)
    given = parser.parse_args()
    if given.profile is not None:
        profile(given.profile)
        return 0
    document = {
        "environment": {
            **environment(),
            "cpus": os.cpu_count(),
            "load_average": os.getloadavg()[0],
            "machine": platform.machine(),
            "xdsl": version("xdsl"),
        },
        "command": command_line(),
        "repeat": given.repeat,
        "layers": {name: time_layer(name, given.repeat) for name in LAYERS},
    }
    show(document)
    if given.out is not None:
        write_json(given.out, document)
    return 0


if __name__ == "__main__":
    sys.exit(main())
