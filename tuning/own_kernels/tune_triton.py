"""`tune_triton`: a `@triton.jit` function that tunes itself at its first call.

    add = tune_triton(add_kernel, grid, {"BLOCK": [256, 512, 1024]}, reference=expected)
    add(x, y, out, n)

The call measures configurations as `tilewright tune` does: workers compile, another one
checks the outputs against `reference` and times, and every trial is in the results
file. Later calls with the same key launch the winner; so do later processes, which find
it in the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.tuning.options import default_workers
from tilewright.tuning.own_kernels.candidate_program import (
    Grid,
    build_program,
    grid_of,
)
from tilewright.tuning.own_kernels.config_choices import (
    Condition,
    check_names,
    listed,
    make_space,
)
from tilewright.tuning.own_kernels.configurations import Config, ConfigSpace
from tilewright.tuning.own_kernels.engine_run import (
    KernelTask,
    RunSettings,
    no_card,
    run_engine,
)
from tilewright.tuning.own_kernels.errors import ArgumentError
from tilewright.tuning.own_kernels.fingerprint import fingerprint
from tilewright.tuning.own_kernels.kernel_call import KernelCall, bind_call, nearest
from tilewright.tuning.own_kernels.kernel_source import read_kernel, unwrapped
from tilewright.tuning.own_kernels.space_text import space_text
from tilewright.tuning.own_kernels.tuning_report import TunedConfig, winner_of
from tilewright.tuning.results.database import Database
from tilewright.tuning.search.strategies import DEFAULT

if TYPE_CHECKING:
    import numpy as np

    from tilewright.tuning.options import Progress
    from tilewright.tuning.search.strategies.base import OptionValue

PathLike = str | os.PathLike[str]

_MOST_READY = 4096
"""Kinds of calls that are remembered for a quick launch."""


def tune_triton(
    jit_kernel: Any,
    grid: Grid,
    space: ConfigSpace,
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    key: Sequence[str] | None = None,
    reference: Callable[..., Any] | None = None,
    prune: Condition | Iterable[Condition] | None = None,
    constraints: Condition | Iterable[Condition] | None = None,
    outputs: Sequence[str] | None = None,
    default: Mapping[str, Any] | None = None,
    tolerance: float = 0.0,
    strategy: str = DEFAULT,
    strategy_options: Mapping[str, OptionValue] | None = None,
    trials: int | None = 100,
    budget: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    measure_limit: float = 30.0,
    db: PathLike | None = "results.db",
    progress: Progress | None = None,
) -> TunedKernel:
    """Make a tuned kernel of a `@triton.jit` function.

    `grid` and `space` are those of a launch: a tuple or a function of the values, and
    the values to search by parameter name (`num_warps` and `num_stages` too). The rest:

    - `key`: names of arguments; a call with other values of them is tuned anew. By
      default every shape and every number counts, except floats.
    - `reference`: gets the arguments of the call, returns what the kernel must write:
      a tensor, several in the order of the parameters, or a dictionary by name.
      Without it, all configurations must agree with the default one.
    - `prune`: removes configurations; `constraints`: configurations must satisfy them.
      Expressions as text, or functions of the values.
    - `outputs`: names of the arguments that the kernel writes, if its source does not
      show them.
    - `default`: the configuration to start from and to compare with.
    - `tolerance`: error allowed besides rounding, relative to the outputs.
    - `strategy`, `trials`, `budget` (seconds), `seed`, `workers`: as of `tune`.
    - `db`: the results file; None keeps results in memory.

    With `args` and `kwargs`, the arguments of a call, it tunes at once.
    """
    tuned = TunedKernel(
        jit_kernel,
        grid,
        space,
        RunSettings(
            strategy,
            dict(strategy_options or {}),
            trials,
            budget,
            seed,
            default_workers() if workers is None else workers,
            measure_limit,
            tolerance,
        ),
        key=key,
        reference=reference,
        prune=listed(prune),
        constraints=listed(constraints),
        outputs=outputs,
        default=default,
        db=None if db is None else Path(db),
        progress=progress,
    )
    if args is not None or kwargs is not None:
        tuned.tune(*(args or ()), **(kwargs or {}))
    return tuned


class TunedKernel:
    """A kernel that launches the fastest configuration for its arguments."""

    def __init__(
        self,
        jit_kernel: Any,
        grid: Grid,
        space: ConfigSpace,
        settings: RunSettings,
        *,
        key: Sequence[str] | None,
        reference: Callable[..., Any] | None,
        prune: Sequence[Condition],
        constraints: Sequence[Condition],
        outputs: Sequence[str] | None,
        default: Mapping[str, Any] | None,
        db: Path | None,
        progress: Progress | None,
    ) -> None:
        """See `tune_triton`, which makes one."""
        self.kernel = unwrapped(jit_kernel)
        self.source = read_kernel(self.kernel)
        check_names(self.source, space)
        for name in key or ():
            if name not in self.source.parameters:
                raise ArgumentError(
                    f"the key names '{name}', which is no argument of "
                    f"'{self.source.name}'",
                    self.source.place,
                    f"{nearest(name, self.source.parameters)}it has "
                    f"{', '.join(self.source.parameters)}",
                )
        self.grid = grid
        self.space = {name: list(values) for name, values in space.items()}
        self._settings = settings
        self._key = key
        self._reference = reference
        self._prune = prune
        self._constraints = constraints
        self._outputs = outputs
        self._default = default
        self._db = db
        self._progress = progress
        self._known: dict[str, TunedConfig] = {}
        self._ready: dict[tuple[Any, ...], tuple[tuple[int, ...], Config]] = {}
        """Grid and configuration by the kinds of all arguments: the quick way."""
        self.last: TunedConfig | None = None
        """What the last call was tuned to."""

    @property
    def best_config(self) -> Config:
        """The configuration of the last call."""
        if self.last is None:
            raise ArgumentError(
                f"'{self.source.name}' has not been tuned yet",
                remedy="call it, or its tune(), with arguments",
            )
        return dict(self.last.config)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Launch the fastest configuration; tunes if the key is new."""
        kinds = (*map(_kind, args), *((n, _kind(v)) for n, v in kwargs.items()))
        ready = self._ready.get(kinds)
        if ready is None:
            call = self._bind(args, kwargs)
            tuned = self._tuned(call, args, kwargs)
            if call.device.type != "cuda" and hasattr(self.kernel, "create_binder"):
                return _interpret(call, self.grid, tuned.config)
            ready = grid_of(call, self.grid, tuned.config), tuned.config
            if len(self._ready) >= _MOST_READY:
                self._ready.clear()
            self._ready[kinds] = ready
        sizes, config = ready
        return self.kernel[sizes](*args, **kwargs, **config)

    def tune(self, *args: Any, **kwargs: Any) -> TunedConfig:
        """The fastest configuration for these arguments; launches nothing here."""
        return self._tuned(self._bind(args, kwargs), args, kwargs)

    def report(self) -> str:
        """Some lines about the last tuning, for a person."""
        return "not tuned yet" if self.last is None else self.last.report()

    def _bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> KernelCall:
        return bind_call(self.source, args, kwargs, self.space, self._outputs)

    def _tuned(
        self, call: KernelCall, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> TunedConfig:
        described = call.describe(self._key)
        short = f"{described} on {call.device}"
        if short not in self._known:
            self._known[short] = self._answer(call, described, args, kwargs)
        self.last = self._known[short]
        return self.last

    def _functions(self) -> dict[str, str]:
        """What results depend on besides the arguments, in the words of the key."""
        found: dict[str, str] = {}
        if self._reference is not None:
            found["reference"] = fingerprint(self._reference)
        if self._settings.tolerance:
            found["tolerance"] = str(self._settings.tolerance)
        if callable(self.grid):
            found["grid"] = fingerprint(self.grid)
        return found

    def _answer(
        self,
        call: KernelCall,
        described: Mapping[str, str],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> TunedConfig:
        """What the results file knows, or what a run finds."""
        space = make_space(
            call, self.space, self._prune, self._constraints, self._default
        )
        task = KernelTask(
            call,
            self.grid,
            space,
            space_text(space),
            {**described, **self._functions()},
            call.extents(self._key),
        )
        if call.device.type == "cuda" and call.device.index not in (None, 0):
            raise no_card(task)
        if self._db is None:
            return self._run(task, None, args, kwargs)
        with Database(self._db) as database:
            known = winner_of(database, task, self._db)
            return known or self._run(task, database, args, kwargs)

    def _run(
        self,
        task: KernelTask,
        database: Database | None,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> TunedConfig:
        given = None
        if self._reference is not None:
            given = partial(self._expected, task.call, args, kwargs)
        found = run_engine(task, given, self._settings, database, self._progress)
        return TunedConfig.of_run(task, found, self._db, checked=given is not None)

    def _expected(
        self, call: KernelCall, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> list[np.ndarray]:
        assert self._reference is not None
        made = self._reference(*args, **kwargs)
        names = [tensor.name for tensor in call.outputs]
        if isinstance(made, Mapping):
            missing = [name for name in names if name not in made]
            if missing:
                raise ArgumentError(
                    f"the reference returns nothing for '{missing[0]}'",
                    call.source.place,
                    f"return {', '.join(names)}",
                )
            values = [made[name] for name in names]
        else:
            values = list(made) if isinstance(made, tuple | list) else [made]
        if len(values) != len(names) or any(value is None for value in values):
            count = 0 if values == [None] else len(values)
            raise ArgumentError(
                f"the reference returns {count} tensors, the kernel writes "
                f"{len(names)}: {', '.join(names)}",
                call.source.place,
                "return them in this order, or as a dictionary by name; or say "
                "outputs=[...] if the kernel writes others",
            )
        pairs = zip(call.outputs, values, strict=True)
        return [tensor.expected(value) for tensor, value in pairs]


def _kind(value: Any) -> Any:
    """What a grid and a configuration may depend on: of tensors, not the numbers."""
    stride = getattr(value, "stride", None)
    if stride is None:
        return type(value), value
    return value.shape, value.dtype, stride(), value.device


def _interpret(call: KernelCall, grid: Grid, config: Config) -> None:
    """Run a launch in Triton's interpreter, in a process of its own."""
    import numpy as np

    from tilewright.codegen.runtime.interpret import interpret
    from tilewright.ir.dtypes import numpy_dtype
    from tilewright.tuning.measure.inputs import to_torch

    program = build_program(call, grid, config)
    arrays = [
        np.asarray(tensor.array()).view(numpy_dtype(tensor.dtype))
        for tensor in call.inputs
    ]
    results = interpret(program, arrays)
    for tensor, array in zip(call.outputs, results, strict=True):
        made = to_torch(array, tensor.dtype)
        tensor.tensor.copy_(
            made.view(tensor.tensor.dtype) if tensor.is_carried else made
        )
