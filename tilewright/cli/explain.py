"""The declaration of `tilewright explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.options import examples

EXAMPLES = examples(
    "tilewright explain results.db                 (the newest run of the file)",
    "tilewright explain results.db gemm h200       (a run of gemm.mlir on an H200)",
    "tilewright explain results.db '#3'            (the run with this number)",
    "tilewright explain results.db --json -o explained.json",
    "tilewright explain results.db --plot convergence -o convergence.svg",
    "tilewright explain results.db --plot heatmap:BM,BN -o tiles.png",
    "tilewright explain benchmarks/spaces/gemm_4096.space.xz",
)


def explain(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="DB",
            help="A results file of `tune`, or a recorded space (.space.xz).",
            show_default=False,
        ),
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RUN...",
            help="Words that name a run, as in `results show`: of the payload, its "
            "sizes, the schedule, the device or the date, or #3. Default: the newest.",
            show_default=False,
        ),
    ] = None,
    schedule: Annotated[
        Path | None,
        typer.Option(
            "--schedule",
            "-s",
            help="The schedule that was tuned, if the file does not have it: tells "
            "which options were never tried.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all findings as JSON.")
    ] = False,
    plot: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Draw a picture instead: convergence (every trial, and the best so "
            "far), frontier (speed against tuning seconds), heatmap:A,B (the best time "
            "for each pair of options of two choices), or parallel (every point as a "
            "line through its choices). Needs matplotlib: "
            "pip install 'tilewright\\[plots]'.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The file of the plot (.svg, .png, .pdf) or of the JSON.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Explain what a tuning run taught; needs no GPU.

    The report has the winner and what limits it; what each option and each pair of
    choices earned; choices that changed nothing; why points failed, by the line of the
    schedule; where the time went; and what stopping earlier would have cost.

    How to read it: "others equal" is a model's answer to what an option costs, averaged
    over the space, and has an interval. "at the winner" and "its best ms" are measured.
    Where the model and the measurements disagree near the winner, trust the
    measurements. A choice whose best options are all close to the winner can be closed
    or left to its default; one whose winner is at the end of its options may want more
    of them; a line that makes many points fail wants a `require`.
    """
    from tilewright.commands.explain import explain as command

    command.explain(
        command.Options(file, tuple(words or ()), schedule, as_json, plot, output)
    )
