"""What a record of times says in a few figures."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

Found = dict[str, Any]


def summary(models: dict[str, Found]) -> dict[str, Any]:
    """Geometric means over the models that were timed, and who is below 0.9."""
    good = {name: one for name, one in models.items() if one.get("device")}
    if not good:
        return {}

    def mean(of: Callable[[Found], float]) -> float:
        logs = [math.log(of(one)) for one in good.values()]
        return round(math.exp(sum(logs) / len(logs)), 3)

    def best(one: Found, kind: str) -> float:
        return min(one[kind]["eager"], one[kind]["compile"])

    return {
        "models": len(good),
        "failed": sorted(set(models) - set(good)),
        "device, torch.compile / ours": mean(
            lambda one: one["device"]["compile"] / one["device"]["ours"]
        ),
        "device, best of torch / ours": mean(
            lambda one: best(one, "device") / one["device"]["ours"]
        ),
        "wall, torch.compile / ours": mean(
            lambda one: one["wall"]["compile"] / one["wall"]["ours"]
        ),
        "host, torch.compile / ours": mean(
            lambda one: one["host"]["compile"] / one["host"]["ours"]
        ),
        "first call, ours / torch.compile": mean(
            lambda one: one["first_call"]["ours"] / one["first_call"]["compile"]
        ),
        "device below 0.9 of the best": {
            name: round(best(one, "device") / one["device"]["ours"], 3)
            for name, one in good.items()
            if best(one, "device") < 0.9 * one["device"]["ours"]
        },
    }
