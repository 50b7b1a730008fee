"""A record of what the compiler makes of models, works and small modules."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from harness.gate.size import product_size

KINDS = ("works", "modules", "models")
ROOT = Path(__file__).parents[3]


def record(options: argparse.Namespace) -> int:
    """Describe every program, in processes; write the record as results come."""
    jobs = list(_jobs(options))
    kept: dict[str, Any] = {
        "commit": _commit(),
        "command": ["benchmarks/gate.py", *sys.argv[1:]],
        "size": product_size(ROOT),
        "programs": {},
    }
    context = multiprocessing.get_context("spawn")
    started = time.perf_counter()
    with ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        rivals = options.rivals
        waiting = {
            pool.submit(_described, *job, options.times, rivals): job for job in jobs
        }
        for done, future in enumerate(as_completed(waiting), start=1):
            kind, name = waiting[future]
            kept["programs"][f"{kind}: {name}"] = found = future.result()
            options.out.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
            elapsed = time.perf_counter() - started
            words = found.get("error") or (
                f"{found['kernels']} kernels, {found['us']:.1f} us"
            )
            print(f"{elapsed:6.0f} s {done}/{len(jobs)} {name}: {words}", flush=True)
    failed = [name for name, one in kept["programs"].items() if "error" in one]
    print(f"{len(jobs) - len(failed)} of {len(jobs)} programs in {options.out}")
    return int(bool(failed))


def _jobs(options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The kind and name of each program that the options ask for."""
    for kind in options.kinds.split(","):
        if kind not in KINDS:
            raise SystemExit(f"gate.py: no kind '{kind}'; write {', '.join(KINDS)}")
        names = [name for name in _names(kind) if re.search(options.only, name)]
        for name in names[:: options.every]:
            yield kind, name


def _names(kind: str) -> list[str]:
    if kind == "works":
        from contenders.planned_works.table import table

        return list(table())
    if kind == "modules":
        from small_modules.table import table as modules

        return list(modules())
    from torch_models.table import MODELS

    return [
        f"{name}, {use}"
        for name, model in MODELS.items()
        for use in ("inference", "training")
        if use == "inference" or model.trains
    ]


def _described(kind: str, name: str, times: bool, rivals: bool) -> dict[str, Any]:
    """What becomes of a program; an error is part of the record."""
    describe = {"works": _work, "modules": _module, "models": _model}[kind]
    try:
        found = describe(name, times)
        return found | _beside_rivals(name) if rivals and kind == "modules" else found
    except Exception as error:
        place = traceback.format_exc().strip().splitlines()[-3].strip()
        return {"error": f"{type(error).__name__}: {str(error)[:300]} ({place})"}


def _work(name: str, times: bool) -> dict[str, Any]:
    """A payload, planned and built."""
    import tilewright
    from contenders.planned_works.table import table

    work = table()[name]
    started = time.process_time()
    made = tilewright.compile(work.payload)
    seconds = time.process_time() - started
    program = made.built.program
    found = {
        "kernels": len(program.kernels),
        "calls": len(program.calls),
        "us": made.estimate("h200").milliseconds * 1e3,
        "compile_s": round(seconds, 3),
        "refusals": len(made.refusals),
    }
    if times:
        given = work.inputs("cuda")
        found["measured_us"] = _measured(lambda: made(*given))
    return found


def _module(name: str, times: bool) -> dict[str, Any]:
    """A function of torch, through the door."""
    from small_modules.table import table

    module = table()[name]
    device = "cuda" if times else "cpu"
    inputs = module.inputs(device) if times else module.blank_inputs()
    return _explained(module.function, inputs, backward=False, times=times)


def _beside_rivals(name: str) -> dict[str, Any]:
    """Our time and those of eager torch and torch.compile, on this machine."""
    import torch

    from harness.gate.rivals import beside_rivals
    from small_modules.table import table

    module = table()[name]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return beside_rivals(module.function, module.inputs(device))


def _model(name: str, times: bool) -> dict[str, Any]:
    """A torch model of a usual size, in bf16."""
    import torch

    from torch_models.table import MODELS, placed

    title, _, use = name.rpartition(", ")
    module, inputs = placed(
        MODELS[title].usual, "cuda" if times else "cpu", torch.bfloat16
    )
    if use == "inference":
        module.eval()
    return _explained(module, inputs, backward=use == "training", times=times)


def _explained(
    model: Any, inputs: tuple[Any, ...], *, backward: bool, times: bool
) -> dict[str, Any]:
    """Kernels, ops left to torch, and estimates of a model."""
    import torch

    import tilewright

    torch.set_num_threads(1)
    started = time.process_time()
    found = tilewright.explain(model, inputs, backward=backward, measure=False)
    seconds = time.process_time() - started
    made = {
        "kernels": len(found.kernels),
        "in_torch": sum(row.times for row in found.in_torch),
        "moved_bytes": sum(row.moved_bytes for row in found.kernels),
        "us": found.microseconds,
        "compile_s": round(seconds, 3),
        "refusals": len(found.refused),
    }
    if times and not backward:
        torch._dynamo.reset()
        call = torch.compile(model, backend="tilewright")
        with torch.no_grad():
            made["measured_us"] = _measured(lambda: call(*inputs))
    return made


def _measured(call: Any) -> float:
    """The median time of a call in a CUDA graph, in microseconds.

    One process at a time measures, also of two records that are made at once.
    """
    import torch
    from filelock import FileLock
    from triton.testing import do_bench, do_bench_cudagraph

    call()
    with FileLock(Path(tempfile.gettempdir()) / "gate-measures.lock"):
        try:
            with torch.cuda.stream(torch.cuda.Stream()):
                found: Any = do_bench_cudagraph(call, rep=60, return_mode="median")
        except RuntimeError:  # the call waits for the GPU, which no graph records
            found = do_bench(call, warmup=20, rep=60, return_mode="median")
    return float(found) * 1e3


def _commit() -> str:
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip()
