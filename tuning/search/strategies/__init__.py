"""The search strategies, in one table. Reads `space/` and the rest of `search/`."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tilewright.ir.errors import UserError
from tilewright.tuning.search.guide import Guide, NoGuide
from tilewright.tuning.search.strategies.annealing import ANNEALING
from tilewright.tuning.search.strategies.base import OptionValue, Strategy, StrategyKind
from tilewright.tuning.search.strategies.descent import DESCENT
from tilewright.tuning.search.strategies.evolution import EVOLUTION
from tilewright.tuning.search.strategies.gp import GP
from tilewright.tuning.search.strategies.grid import GRID
from tilewright.tuning.search.strategies.guided import GUIDED
from tilewright.tuning.search.strategies.halving import HALVING
from tilewright.tuning.search.strategies.random import RANDOM
from tilewright.tuning.search.strategies.tpe import TPE

if TYPE_CHECKING:
    from tilewright.tuning.space.space import Space

DEFAULT = GUIDED.name

STRATEGIES: dict[str, StrategyKind] = {
    kind.name: kind
    for kind in (
        GUIDED,
        EVOLUTION,
        TPE,
        GP,
        DESCENT,
        ANNEALING,
        HALVING,
        RANDOM,
        GRID,
    )
}


def make_strategy(
    name: str,
    space: Space,
    seed: int = 0,
    options: Mapping[str, OptionValue] | None = None,
    guide: Guide | None = None,
) -> Strategy:
    """Make a strategy; a `UserError` lists the known names or options."""
    kind = STRATEGIES.get(name)
    if kind is None:
        raise UserError(
            f"unknown strategy '{name}'", remedy=_known(name, list(STRATEGIES))
        )
    settings = {option.name: option.default for option in kind.options}
    for key, value in (options or {}).items():
        if key not in settings:
            raise UserError(
                f"strategy '{name}' has no option '{key}'",
                remedy=_known(key, list(settings)),
            )
        settings[key] = value
    space.first()
    return kind.make(space, seed, settings, guide or NoGuide())


def _known(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    guess = f"did you mean '{near[0]}'? " if near else ""
    return f"{guess}known: {', '.join(known) or 'none'}"
