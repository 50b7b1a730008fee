"""Short names of choices: `BM` for `BM_tiles`, where a run reaches only one of them.

A planned schedule has a choice of one name in every branch and every kernel, with a
suffix that tells them apart (`BM_tiles`, `BM_split_2`, `BM_tiles_2`). A point may leave
the suffix out where one choice is meant: the run at that point takes one branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tilewright.ir.errors import UserError
from tilewright.transforms.control.choices.defaults import default_point
from tilewright.transforms.control.choices.open_choices import choices
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.choices.values import Value


def full_names(
    module: ModuleOp, point: Mapping[str, Value], entry: str
) -> dict[str, Value]:
    """The point with the full names of its choices.

    A name that no choice has, and that is no short name, stays as it is: `bind` refuses
    it.
    """
    ops = list(choices(module))
    known = {op.choice_name for op in ops}
    found = {name: value for name, value in point.items() if name in known}
    short = {name: value for name, value in point.items() if name not in known}
    # Branches first: they decide which knobs a run reaches.
    branches = {op.choice_name for op in ops if isinstance(op, AlternativesOp)}
    for name in sorted(short, key=lambda name: not any(_meant(name, branches))):
        meant = list(_meant(name, known))
        if not meant:
            found[name] = short[name]
            continue
        full = _only(name, meant, _reached(ops, module, found, entry))
        if full in found:
            raise UserError(
                f"'{name}' and '{full}' are the same choice", remedy="give one of them"
            )
        found[full] = short[name]
    return found


def _meant(name: str, known: Iterable[str]) -> Iterable[str]:
    """The choices that a short name may stand for."""
    return (full for full in known if full.startswith(f"{name}_"))


def _only(name: str, meant: Sequence[str], reached: Sequence[str]) -> str:
    """The choice that a short name stands for among those that a run reaches."""
    taken = [full for full in reached if full in meant]
    if len(taken) == 1:
        return taken[0]
    if taken:
        raise UserError(
            f"'{name}' is short for {len(taken)} choices: {', '.join(taken)}",
            remedy="give the whole name",
        )
    raise UserError(
        f"'{name}' is short for choices of branches that are not taken: "
        f"{', '.join(sorted(meant))}",
        remedy="choose the branch too, or give the whole name",
    )


def _reached(
    ops: Sequence[KnobOp | AlternativesOp],
    module: ModuleOp,
    point: Mapping[str, Value],
    entry: str,
) -> list[str]:
    """The choices in branches that a run at a point takes, or may take."""
    values = {**default_point(module, point, entry), **point}
    names = [op.choice_name for op in ops if _may_run(op, values)]
    return list(dict.fromkeys(names))


def _may_run(op: Operation, values: Mapping[str, Value]) -> bool:
    """Whether no branch around an op is known to be left out."""
    region = op.parent_region()
    while region is not None and (around := region.parent) is not None:
        if isinstance(around, AlternativesOp):
            label = around.labels[list(around.alternatives).index(region)]
            taken = values.get(around.choice_name)
            if around.selected_region is not None:
                taken = around.labels[around.selected_region]
            if taken not in (None, label):
                return False
        region = around.parent_region()
    return True
