"""The declaration of `tilewright explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.model_tools.options import INPUT_HELP, Backward
from tilewright.cli.options import TargetOption, examples

EXAMPLES = examples(
    "tilewright explain results.db                 (the newest run of the file)",
    "tilewright explain results.db gemm h200       (a run of gemm.mlir on an H200)",
    "tilewright explain results.db '#3'            (the run with this number)",
    "tilewright explain results.db --json -o explained.json",
    "tilewright explain results.db --plot convergence -o convergence.svg",
    "tilewright explain results.db --plot heatmap:BM,BN -o tiles.png",
    "tilewright explain results.json               (an export of a results file)",
    "tilewright explain model.py:Model --input f16[8,512,1024]   (a torch model)",
    "tilewright explain model.py:Model --input f16[8,512] --json -o kernels.json",
)


def explain(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="DB|FILE.py:NAME",
            help="A results file of `tune`, a recorded space (.space.xz), or a torch "
            "model: a class, module or function in a Python file.",
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
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="TYPE[SIZES]",
            help=f"For a torch model. {INPUT_HELP}",
            show_default=False,
        ),
    ] = None,
    backward: Backward = False,
    target: TargetOption = None,
) -> None:
    """Explain what a tuning run taught, or what became of a torch model; needs no GPU.

    The report has the winner and what limits it; what each option and each pair of
    choices earned; choices that changed nothing; why points failed, by the line of the
    schedule; where the time went; and what stopping earlier would have cost.

    How to read it: "others equal" is a model's answer to what an option costs, averaged
    over the space, and has an interval. "at the winner" and "its best ms" are measured.
    Where the model and the measurements disagree near the winner, trust the
    measurements. A choice whose best options are all close to the winner can be closed
    or left to its default; one whose winner is at the end of its options may want more
    of them; a line that makes many points fail wants a `require`.

    For a torch model: a table of the kernels that torch.compile with this backend
    launches. Each has the ATen ops it computes, the model's lines that they come from,
    its time (measured on a GPU; an estimate for --target or without a GPU), what bounds
    it, and the share of the card's ceiling that it reaches: the time of its bytes or
    its arithmetic at full rate, over its time. Below: what stayed in torch, and why.
    """
    from tilewright.commands.inputs.models import is_model

    if is_model(str(file)) or file.suffix == ".pt2":
        from tilewright.commands.model_tools import explain as on_model

        if words or schedule or plot:
            raise typer.BadParameter("RUN, -s and --plot are for a results file")
        on_model.explain(
            on_model.Options(
                str(file), tuple(inputs or ()), target, backward, as_json, output
            )
        )
        return
    if inputs or backward or target:
        raise typer.BadParameter(
            "--input, --backward and --target are for a torch model: FILE.py:NAME"
        )
    from tilewright.commands.explain import explain as command

    command.explain(
        command.Options(file, tuple(words or ()), schedule, as_json, plot, output)
    )
