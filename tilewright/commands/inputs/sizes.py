"""`--size`: numbers for the sizes that a payload's types leave open.

    --size 128             all open sizes
    --size A=128x64        the sizes of an argument
    --size M=128           one size, by its name in the program
    --size M=128,4096      two runs, with one value each

Of sizes that the payload requires to be equal, one is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.kernel.axes import letter_order
from tilewright.codegen.program import GeneratedProgram, Shapes
from tilewright.commands.inputs.arguments import no_argument
from tilewright.commands.terminal.failure import UsageError
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.core.signature import DYNAMIC, ArraySpec
from tilewright.ir.structured.equal_extents import Extent, Extents

Names = Mapping[str, Sequence[Extent]]
"""The extents that have a size, by the size's name in the program."""


@dataclass(frozen=True)
class _Given:
    """One `--size` of one run."""

    text: str
    name: str
    numbers: tuple[int, ...]


def size_names(program: GeneratedProgram) -> Names:
    """The names that a program gives to the open extents of its arguments."""
    names: dict[str, list[Extent]] = {}
    for position, spec in enumerate(program.arguments):
        for dim, (size, name) in enumerate(zip(spec.shape, spec.extents, strict=False)):
            if name and size == DYNAMIC:
                names.setdefault(name, []).append((position, dim))
    return names


def is_open(specs: Sequence[ArraySpec]) -> bool:
    """Whether an argument has an open size."""
    return any(DYNAMIC in spec.shape for spec in specs)


def given_shapes(
    payload: ModuleOp,
    specs: Sequence[ArraySpec],
    sizes: Sequence[str],
    names: Callable[[], Names] | None = None,
) -> list[Shapes]:
    """The shapes of the arguments, for each run.

    `names` returns the names of sizes in the program; it is called only for a name that
    is not an argument's.
    """
    runs = _runs(sizes)
    if sizes and not is_open(specs):
        _check_known(specs, runs[0])
    known: Names | None = None
    known_arguments = {spec.name for spec in specs}
    if names is not None and any(
        given.name not in known_arguments for run in runs for given in run if given.name
    ):
        known = names()
    groups = Extents(payload).groups()
    return [_shapes(specs, run, groups, known or {}) for run in runs]


def title_of(names: Names, shapes: Shapes) -> str:
    """A short text for shapes: `M=128, K=64`."""
    return ", ".join(
        f"{name}={shapes[extents[0][0]][extents[0][1]]}"
        for name, extents in sorted(
            names.items(), key=lambda entry: letter_order(entry[0])
        )
    )


def _runs(sizes: Sequence[str]) -> list[list[_Given]]:
    """The sizes of each run; a size with one value is the same in all runs."""
    columns: list[list[_Given]] = []
    for size in sizes:
        name, _, values = size.rpartition("=")
        name = name.removeprefix("%")
        if any(name == column[0].name for column in columns):
            what = f"the size of '{name}'" if name else "the size of all"
            raise UsageError(
                f"--size {size}: {what} is given twice",
                remedy="give it once, or several values after commas",
            )
        columns.append([_parsed(size, name, value) for value in values.split(",")])
    counts = {len(column) for column in columns if len(column) > 1}
    if len(counts) > 1:
        raise UsageError(
            f"--size: {' and '.join(map(str, sorted(counts)))} values cannot be "
            "combined",
            remedy="give each size one value, or as many as the others",
        )
    count = max(counts, default=1)
    return [
        [column[run] if len(column) > 1 else column[0] for column in columns]
        for run in range(count)
    ]


def _parsed(size: str, name: str, value: str) -> _Given:
    try:
        numbers = tuple(int(number) for number in value.split("x"))
    except ValueError:
        numbers = ()
    if not numbers or min(numbers) < 0 or (not name and len(numbers) != 1):
        raise UsageError(
            f"--size {size}: expected a number or NAME=SIZES",
            remedy="such as --size 128, or --size A=128x64",
        )
    return _Given(f"{name}={value}" if name else value, name, numbers)


def _check_known(specs: Sequence[ArraySpec], run: Sequence[_Given]) -> None:
    """Refuse sizes where the payload leaves none open."""
    arguments = {spec.name for spec in specs}
    for given in run:
        if given.name not in arguments:
            raise UsageError(
                f"--size {given.text}: all sizes of this payload are known",
                remedy="leave it out, or write ? for a size in the payload's types",
            )


def _shapes(
    specs: Sequence[ArraySpec],
    run: Sequence[_Given],
    groups: Sequence[Sequence[Extent | int]],
    names: Names,
) -> Shapes:
    positions = {spec.name: position for position, spec in enumerate(specs)}
    chosen: dict[Extent, tuple[int, str]] = {}
    everywhere: int | None = None
    for given in run:
        if not given.name:
            everywhere = given.numbers[0]
        elif given.name in positions:
            position = positions[given.name]
            _check_fits(specs[position], given)
            for dim, number in enumerate(given.numbers):
                if specs[position].shape[dim] == DYNAMIC:
                    _choose(chosen, [(position, dim)], number, given, specs)
        elif given.name in names:
            if len(given.numbers) != 1:
                raise UsageError(f"--size {given.text}: {given.name} is one number")
            extents = names[given.name]
            _choose(chosen, extents, given.numbers[0], given, specs)
        else:
            raise no_argument("--size", given.name, specs, names)
    _spread(chosen, groups, specs)
    return tuple(
        _sized(spec, position, chosen, everywhere).shape
        for position, spec in enumerate(specs)
    )


def _check_fits(spec: ArraySpec, given: _Given) -> None:
    fits = len(given.numbers) == len(spec.shape) and all(
        size in (DYNAMIC, wanted)
        for size, wanted in zip(spec.shape, given.numbers, strict=True)
    )
    if not fits:
        raise UsageError(
            f"--size {given.text} does not fit {spec}",
            remedy="give its whole shape; only the sizes that are ? may change",
        )


def _choose(
    chosen: dict[Extent, tuple[int, str]],
    extents: Sequence[Extent],
    number: int,
    given: _Given,
    specs: Sequence[ArraySpec],
) -> None:
    for extent in extents:
        before = chosen.setdefault(extent, (number, given.text))
        if before[0] != number:
            raise UsageError(
                f"--size {before[1]} and --size {given.text} do not agree on "
                f"{_place(extent, specs)}"
            )


def _spread(
    chosen: dict[Extent, tuple[int, str]],
    groups: Sequence[Sequence[Extent | int]],
    specs: Sequence[ArraySpec],
) -> None:
    """Give equal extents the same number, and refuse contradicting ones."""
    for group in groups:
        extents = [entry for entry in group if not isinstance(entry, int)]
        known = [entry for entry in group if isinstance(entry, int)]
        given = [extent for extent in extents if extent in chosen]
        if not known and not given:
            continue
        number = known[0] if known else chosen[given[0]][0]
        why = (
            f"the payload takes it to be {number}"
            if known
            else f"{_place(given[0], specs)}, the same to the payload, is {number}"
        )
        for extent in given:
            other, text = chosen[extent]
            if other != number:
                raise UserError(
                    f"--size {text}: {_place(extent, specs)} is {other}, but {why}",
                    remedy=f"give {number} for both" if not known else None,
                )
        chosen |= dict.fromkeys(extents, (number, str(number)))


def _sized(
    spec: ArraySpec,
    position: int,
    chosen: Mapping[Extent, tuple[int, str]],
    everywhere: int | None,
) -> ArraySpec:
    shape: list[int] = []
    for dim, size in enumerate(spec.shape):
        if size != DYNAMIC:
            shape.append(size)
        elif (position, dim) in chosen:
            shape.append(chosen[position, dim][0])
        elif everywhere is not None:
            shape.append(everywhere)
        else:
            raise UserError(
                f"the sizes of argument {spec} are known only when it runs",
                remedy=f"give them: --size {spec.name}="
                + "x".join("128" if s == DYNAMIC else str(s) for s in spec.shape)
                + ", or one number for all: --size 128",
            )
    return replace(spec, shape=tuple(shape))


def _place(extent: Extent, specs: Sequence[ArraySpec]) -> str:
    return f"dimension {extent[1]} of {specs[extent[0]].name}"
