"""One tuning run of a kernel's call, on the engine of `tilewright tune`.

With a card, worker processes compile, and another one checks and times. Without one,
Triton's interpreter runs the kernels on the processor, and the wall clock times them:
that shows whether configurations are right, and nothing about their speed on a card.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.compile import source_file
from tilewright.codegen.runtime.source_cache import source_directory
from tilewright.codegen.targets import TARGETS, detect
from tilewright.tuning.measure.references import Reference, save_inputs
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.options import ExpectedResults, TuneOptions, TuningTask
from tilewright.tuning.own_kernels.candidate_program import (
    BuiltConfig,
    Grid,
    build_program,
)
from tilewright.tuning.own_kernels.errors import ArgumentError
from tilewright.tuning.own_kernels.inline_pool import InlinePool
from tilewright.tuning.own_kernels.kernel_call import KernelCall
from tilewright.tuning.results.records import text_hash
from tilewright.tuning.results.tuning_result import TuningFailedError
from tilewright.tuning.space.choices import canonical
from tilewright.tuning.stages.build_jobs import set_task
from tilewright.tuning.stages.candidate_stages import Pools
from tilewright.tuning.transfer.family import Family
from tilewright.tuning.transfer.known_points import (
    Wanted,
    known_points,
    starting_points,
)
from tilewright.tuning.tuner import TuningRun
from tilewright.tuning.workers.pools import wait
from tilewright.tuning.workers.run_workers import local_workers
from tilewright.tuning.workers.scratch import scratch_folder
from tilewright.tuning.workers.worker_pool import ProcessPool

if TYPE_CHECKING:
    import numpy as np

    from tilewright.tuning.options import Progress
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.results.tuning_result import TuningResult
    from tilewright.tuning.search.strategies.base import OptionValue
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space
    from tilewright.tuning.workers.jobs import Job
    from tilewright.tuning.workers.pools import Pool

INTERPRETER = "Triton's interpreter on the processor"
"""The device's name in the results file where there is no card."""

_INTERPRETED = TimingOptions(
    warmup_ms=0.0, repetition_ms=1.0, min_repetitions=3, max_repetitions=5
)
"""A launch takes the interpreter milliseconds to minutes."""


_BUILDING = threading.Lock()


@dataclass(frozen=True)
class RunSettings:
    """What a run may spend, and how it searches."""

    strategy: str
    strategy_options: Mapping[str, OptionValue]
    trials: int | None
    budget: float | None
    seed: int
    workers: int
    measure_limit: float
    tolerance: float
    reuse: bool = True


@dataclass(frozen=True)
class KernelTask:
    """A call to tune: its space, its grid, and what its results depend on."""

    call: KernelCall
    grid: Grid
    space: Space
    space_text: str
    """The space as a schedule; equal texts are equal spaces."""
    key: Mapping[str, str]
    """What results depend on besides the kernel, in words."""
    extents: tuple[int, ...]

    @property
    def payload(self) -> str:
        """The hash that stands for the kernel in the results file."""
        return text_hash(self.call.source.text)

    @property
    def schedule(self) -> str:
        """The hash that stands for the space in the results file."""
        return text_hash(self.space_text)

    @property
    def sizes(self) -> str:
        """The key in words."""
        return ", ".join(f"{name}={value}" for name, value in self.key.items())

    @property
    def is_on_card(self) -> bool:
        """Whether its tensors are on a card."""
        return self.call.device.type == "cuda"

    @property
    def device_name(self) -> str:
        """The device's name in the results file."""
        if not self.is_on_card:
            return INTERPRETER
        import torch

        return torch.cuda.get_device_name(self.call.device)

    def build(self, point: Point) -> BuiltConfig:
        """The program of a configuration."""
        start = time.perf_counter()
        program = build_program(self.call, self.grid, point)
        return BuiltConfig(program, {"emit": time.perf_counter() - start})


@dataclass(frozen=True)
class RunProgramJob:
    """Run a program once and return its results."""

    source: Path
    entry: str
    reference: Reference
    device: str

    def run(self) -> list[np.ndarray]:
        """The results, as a reference for other programs."""
        from tilewright.tuning.measure.correctness import load_references
        from tilewright.tuning.measure.loading import loaded_launcher

        (loaded,) = load_references([self.reference], self.device)
        results = loaded_launcher(self.source, self.entry)(*loaded.inputs)
        every = results if isinstance(results, tuple) else (results,)
        narrow = [r.is_floating_point() and r.element_size() < 4 for r in every]
        return [
            (one.float() if is_narrow else one).cpu().numpy()
            for one, is_narrow in zip(every, narrow, strict=True)
        ]


def run_engine(
    task: KernelTask,
    reference: Callable[[], Sequence[np.ndarray]] | None,
    settings: RunSettings,
    database: Database | None,
    progress: Progress | None = None,
) -> TuningResult:
    """Tune a call; without a reference, all must agree with the default configuration.

    Raises `TuningFailedError` where no configuration works.
    """
    started = time.perf_counter()
    options = _options(task, settings, started)
    with scratch_folder() as scratch, _workers(task, settings) as workers:
        compiling, measuring = workers
        files = save_inputs([t.array() for t in task.call.inputs], scratch)
        if reference is None:
            arrays = _default_results(task, options, files, measuring)
        else:
            arrays = list(reference())
        engine_task = _engine_task(task, arrays, files, settings, options, database)
        pools = Pools(
            InlinePool(partial(_build, engine_task, options)), compiling, measuring
        )
        folder = scratch / "expected"
        folder.mkdir()
        run = TuningRun(engine_task, options, database, progress, pools, folder)
        found = run.run()
    if found.interrupted:
        raise KeyboardInterrupt
    return found


def _build(task: TuningTask[Any], options: TuneOptions, job: Job) -> Any:
    # The task is global to the process; another thread's run may have set its own.
    with _BUILDING:
        set_task(task, options.target)
        return job.run()


@contextmanager
def _workers(task: KernelTask, settings: RunSettings) -> Iterator[tuple[Pool, Pool]]:
    """Who compiles, and who measures."""
    if task.is_on_card:
        with local_workers(settings.workers, with_device=True) as workers:
            yield workers.compiling, workers.measuring
        return
    # The interpreter compiles nothing.
    with ProcessPool(1, "interpret", limit=settings.measure_limit) as measuring:
        measuring.start()
        yield InlinePool(lambda job: ()), measuring


def _options(task: KernelTask, settings: RunSettings, started: float) -> TuneOptions:
    on_card = task.is_on_card
    return TuneOptions(
        target=(detect() if on_card else None) or TARGETS["h200"],
        cache_dir=source_directory(),
        device="cuda" if on_card else "cpu",
        device_name=task.device_name,
        strategy=settings.strategy,
        strategy_options=settings.strategy_options,
        trials=settings.trials,
        budget=settings.budget,
        started=started,
        seed=settings.seed,
        workers=settings.workers,
        measure_limit=settings.measure_limit,
        # The model does not know what the kernel computes.
        prune_slower=math.inf,
        timing=TimingOptions.of_a_trial() if on_card else _INTERPRETED,
        finalists=5 if on_card else 0,
        reuse=settings.reuse,
    )


def _engine_task(
    task: KernelTask,
    arrays: Sequence[np.ndarray],
    files: tuple[Path, ...],
    settings: RunSettings,
    options: TuneOptions,
    database: Database | None,
) -> TuningTask[BuiltConfig]:
    call = task.call
    sizes = [n for t in call.tensors for n in t.shape]
    expected = ExpectedResults(
        arrays,
        reduction=max(sizes, default=1),
        precision=_precision(call),
        slack=settings.tolerance,
        inputs=files,
    )
    family = Family(task.payload, task.extents)
    starts: list[Point] = []
    if database is not None and settings.reuse and task.extents:
        wanted = Wanted(family, task.schedule, options.target, measured=True)
        known = known_points(database, family.key)
        starts = [one.point for one in starting_points(known, wanted, task.space)]
    return TuningTask(
        build=task.build,
        space=task.space,
        payload=task.payload,
        schedule=task.schedule,
        expected=[expected],
        sizes=task.sizes,
        starts=starts,
        payload_name=call.source.name,
        schedule_name="space",
        family=family.key,
        extents=(task.extents,) if task.extents else (),
        closed=lambda point: text_hash(f"configuration {canonical(point)}"),
        texts={task.payload: call.source.text, task.schedule: task.space_text},
    )


def _precision(call: KernelCall) -> str | None:
    """`tf32` where Triton may round f32 operands of a dot, which it does by default."""
    text = call.source.text
    rounds = "dot(" in text and "ieee" not in text
    return "tf32" if rounds and any(t.dtype == "f32" for t in call.inputs) else None


def _default_results(
    task: KernelTask, options: TuneOptions, files: tuple[Path, ...], measuring: Pool
) -> list[np.ndarray]:
    """What the default configuration computes, or the first one that runs."""
    point = task.space.default_point()
    first = [point] if point is not None and task.space.contains(point) else []
    reasons: list[str] = []
    assert options.device is not None
    for point in itertools.islice(itertools.chain(first, task.space.points()), 4):
        program = task.build(point).program
        source = source_file(program, options.cache_dir)
        reference = Reference(program.arguments, (), 0, (), 1, inputs=files)
        job = RunProgramJob(source, program.entry, reference, options.device)
        ticket = measuring.submit(job, options.measure_limit + options.compile_limit)
        done = None
        while done is None:
            found = [one for one in wait([measuring], 600.0) if one.ticket == ticket]
            done = found[0] if found else None
        if done.ending == "ok":
            return done.value
        reasons.append(done.error.strip().splitlines()[-1])
    raise TuningFailedError(
        f"kernel '{task.call.source.name}': no reference is given, and the default "
        f"configuration does not run: {reasons[0] if reasons else 'there is none'}",
        task.call.source.place,
        "pass reference=, a function that computes the outputs from the arguments",
    )


def no_card(task: KernelTask) -> ArgumentError:
    """The error for tensors on a card that workers would not use."""
    return ArgumentError(
        f"the tensors are on {task.call.device}; tuning measures on cuda:0",
        remedy="set CUDA_VISIBLE_DEVICES to the card that you mean",
    )
