"""A line for each work of `codegen.py`: ours beside its rivals and the ceilings."""

from __future__ import annotations

from typing import Any

from harness.session import ratio_of

LIBRARY = "ours library"
HEADING = (
    f"{'work':38s} {'ours':12s} {'ms':>8s} {'TFLOP/s':>8s} {'GB/s':>6s} {'ceiling':>8s}"
    f"  {'vs hand, same structure':>23s}  {'vs best of torch':>19s} {'':22s}"
    f"  {'vs best rival':>19s} {'':17s} {'cuBLAS in ours':>19s}"
)


def summary(
    work: Any,
    record: dict[str, Any],
    copy_ms: float,
    matmul_tflops: float,
    mode: str = "launched",
) -> dict[str, Any]:
    """Ours beside the hand-written kernel of its structure and the best rival.

    `copy_ms` is the time of a copy that moves as many bytes, `matmul_tflops` the rate
    of a large product on this card.
    """
    rows = {one["name"]: one for one in record["rows"]}
    library = rows.get(LIBRARY)
    mine = [one for one in record["rows"] if one["ours"] and one is not library]
    rivals = [one for one in record["rows"] if not one["ours"]]
    torch_ones = [one for one in rivals if one["name"].startswith("torch")]
    line: dict[str, Any] = {"work": work.name, "mode": mode}
    for name, found in (("rival", rivals), ("torch", torch_ones)):
        if found:
            line[f"best_{name}"] = found[0]["name"]
            line[f"best_{name}_ms"] = found[0]["ms"]["median"]
    if library is not None:
        line["library_ms"] = library["ms"]["median"]
        if torch_ones:
            line["library_versus_torch"] = vars(ratio_of(library, torch_ones[0]))
    line["same_structure"] = {}
    for one in mine:
        other = rows.get(one["name"].replace("ours", "hand"))
        if other is not None:
            ratio = ratio_of(one, other)
            line["same_structure"][one["name"].removeprefix("ours ")] = vars(ratio)
    if not mine:
        return line
    best = mine[0]
    ms = best["ms"]["median"]
    line |= {"ours": best["name"], "config": best["config"], "ms": ms}
    line |= {"tflops": best["tflops"], "gbs": best["gbs"]}
    if rivals:
        line["versus_best_rival"] = vars(ratio_of(best, rivals[0]))
    if torch_ones:
        line["versus_best_torch"] = vars(ratio_of(best, torch_ones[0]))
    floor_ms = line["copy_ms"] = copy_ms
    product_ms = work.operations / matmul_tflops * 1e-9
    line["bound"] = "memory"
    if work.matrix and product_ms > floor_ms:
        line["bound"], floor_ms = "matrix units", product_ms
    elif not work.matrix and work.operations > 100 * work.moved:
        line["bound"], floor_ms = "", 0.0
    line["of_ceiling"] = floor_ms / ms
    return line


def print_table(record: dict[str, Any]) -> None:
    """The summary of all rows."""
    ceilings = record["ceilings"]
    if ceilings:
        print(
            f"this card: copy {ceilings['copy_gbs']:.0f} GB/s, "
            f"8192^3 bf16 {ceilings['matmul_bf16_tflops']:.0f} TFLOP/s"
        )
    print(HEADING)
    for found in record["work"].values():
        for line in found.get("summary", ()):
            print(summary_line(line))
    for entry in record["skipped"]:
        print(f"skipped: {entry}")


def summary_line(line: dict[str, Any]) -> str:
    """A line of the table."""
    name = line["work"] + (" *" if line["mode"] == "graph" else "")
    if "ours" not in line:
        rival = f"{line.get('best_rival')} {line.get('best_rival_ms', 0):.4f} ms"
        return f"{name:38s} no schedule yet; best rival {rival}"
    structure = line["ours"].removeprefix("ours ")
    same = line["same_structure"].get(structure)
    reached = f"{line['of_ceiling']:.2f}" if line["of_ceiling"] else "-"
    return (
        f"{name:38s} {structure:12s} {line['ms']:8.4f} {line['tflops']:8.1f}"
        f" {line['gbs']:6.0f} {reached:>8s}  {_interval(same):>23s}"
        f"  {_interval(line.get('versus_best_torch')):>19s}"
        f" {line.get('best_torch', '-').removeprefix('torch '):22s}"
        f"  {_interval(line.get('versus_best_rival')):>19s}"
        f" {line.get('best_rival', '-'):17s}"
        f" {_interval(line.get('library_versus_torch')):>19s}"
    )


def _interval(ratio: dict[str, float] | None) -> str:
    if ratio is None:
        return "-"
    return "{median:.3f} {low:.3f}..{high:.3f}".format(**ratio)
