"""All works by family; a name is unique."""

from __future__ import annotations

from dataclasses import replace

from contenders.planned_works import (
    attentions,
    element_works,
    fused_products,
    layers,
    products,
    reductions,
    row_works,
)
from contenders.planned_works.work import PlannedWork, Row

FAMILIES: dict[str, tuple[Row, ...]] = {
    "product": products.TABLE,
    "fused product": fused_products.TABLE,
    "rows": row_works.TABLE,
    "element-wise": element_works.TABLE,
    "reduction": reductions.TABLE,
    "layer": layers.TABLE,
    "attention": attentions.TABLE,
}


def table(tiny: bool = False) -> dict[str, PlannedWork]:
    """Every work by its name; small ones for a run without a GPU."""
    works: dict[str, PlannedWork] = {}
    for family, rows in FAMILIES.items():
        for row in rows:
            work = replace(row.work(tiny), family=family)
            if work.name in works:
                if tiny:  # two sizes may have the same small size
                    continue
                raise ValueError(f"two works are named '{work.name}'")
            works[work.name] = work
    return works
