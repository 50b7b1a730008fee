"""The values that a shell completes: forms, targets, strategies, examples, pages.

Shells call these functions at every press of the tab key, so they import little. A
function returns all values that begin with what is typed.
"""

from __future__ import annotations

from collections.abc import Iterable


def emit_forms(incomplete: str) -> list[str]:
    """The forms of `opt --emit`."""
    from tilewright.commands.opt.arguments import FORMS

    return _beginning(FORMS, incomplete)


def target_names(incomplete: str) -> list[str]:
    """The GPUs of --target."""
    from tilewright.codegen.targets import TARGETS

    return _beginning(TARGETS, incomplete)


def strategy_names(incomplete: str) -> list[str]:
    """The search strategies."""
    from tilewright.tuning.search.strategies import STRATEGIES

    return _beginning(STRATEGIES, incomplete)


def example_names(incomplete: str) -> list[str]:
    """The examples that come with the package."""
    from tilewright.commands.examples import descriptions
    from tilewright.ir.errors import UserError

    try:
        return _beginning(descriptions(), incomplete)
    except UserError:
        return []


def page_names(incomplete: str) -> list[str]:
    """The documents that come with the package."""
    from tilewright.commands.docs import page_names as names
    from tilewright.ir.errors import UserError

    try:
        return _beginning(names(), incomplete)
    except UserError:
        return []


def _beginning(values: Iterable[str], incomplete: str) -> list[str]:
    return [value for value in values if value.startswith(incomplete)]
