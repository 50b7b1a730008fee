"""How many examples a property test draws: a few while one works, all of them in CI.

    @settings(max_examples=examples(100), deadline=None)

The count is for `--hypothesis-profile=full`. The profile `quick`, the default, draws an
eighth of it.
"""

from __future__ import annotations

from hypothesis import settings

QUICK = "quick"
FULL = 100
FEWEST = 8

settings.register_profile(QUICK, max_examples=FULL // 8)
settings.register_profile("full", max_examples=FULL)


def examples(count: int) -> int:
    """As many of `count` as the profile asks for, but not less than eight."""
    return max(min(count, FEWEST), count * settings().max_examples // FULL)
