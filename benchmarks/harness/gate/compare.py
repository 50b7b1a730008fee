"""What changed between two records of the gate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

MOST_MEAN = 1.01
"""The factor by which a geometric mean of times may grow."""
MOST_SINGLE = 1.05
"""The factor by which the time of one program may grow."""
TIMES = ("us", "measured_us")


def compare(before: Mapping[str, Any], after: Mapping[str, Any], *, every: bool) -> int:
    """Print the differences; 1 if a bar is missed."""
    old, new = before["programs"], after["programs"]
    both = [name for name in old if name in new]
    if not both:
        print("the records have no program in common")
        return 1
    missed = False
    for name in both:
        if "error" in new[name] and "error" not in old[name]:
            missed = True
            print(f"FAILS NOW {name}: {new[name]['error']}")
    good = [n for n in both if "error" not in old[n] and "error" not in new[n]]
    for field in TIMES:
        ratios = {
            name: new[name][field] / old[name][field]
            for name in good
            if old[name].get(field) and new[name].get(field)
        }
        missed |= _print_times(field, ratios, old, new, every)
    for kind in dict.fromkeys(name.partition(":")[0] for name in good):
        names = [name for name in good if name.startswith(kind)]
        for field in ("kernels", "compile_s", "in_torch", "refusals"):
            sums = [sum(one[n].get(field, 0) for n in names) for one in (old, new)]
            print(f"{kind:8} {field:10} {sums[0]:9.1f} -> {sums[1]:9.1f}")
    for name in good:
        if every and old[name]["kernels"] != new[name]["kernels"]:
            counts = f"{old[name]['kernels']} -> {new[name]['kernels']}"
            print(f"kernels {counts}: {name}")
    for field in ("lines", "constants"):
        sizes = [one["size"][field]["all"] for one in (before, after)]
        print(f"product {field}: {sizes[0]} -> {sizes[1]} ({sizes[1] - sizes[0]:+})")
    return int(missed)


def _print_times(
    field: str,
    ratios: Mapping[str, float],
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    every: bool,
) -> bool:
    """Print the means of a field by kind, and what grew; whether a bar is missed."""
    missed = False
    for kind in dict.fromkeys(name.partition(":")[0] for name in ratios):
        logs = [math.log(r) for n, r in ratios.items() if n.startswith(kind)]
        mean = math.exp(sum(logs) / len(logs))
        word = "" if mean <= MOST_MEAN else f"  MORE THAN {MOST_MEAN}"
        missed |= bool(word)
        print(f"{kind:8} {field}: {len(logs)} programs, mean ratio {mean:.4f}{word}")
    for name, ratio in sorted(ratios.items(), key=lambda pair: -pair[1]):
        grew = ratio > MOST_SINGLE
        missed |= grew
        if grew or (every and abs(ratio - 1) > 0.005):
            times = f"{old[name][field]:.1f} -> {new[name][field]:.1f} us"
            counts = f"{old[name]['kernels']} -> {new[name]['kernels']} kernels"
            print(f"  {ratio:.3f} {name}: {times}, {counts}")
    return missed
