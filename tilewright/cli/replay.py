"""The declaration of `tilewright replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.completion import strategy_names
from tilewright.cli.options import Output, examples

EXAMPLES = examples(
    "tilewright replay results.db                         (the strategies, compared)",
    "tilewright replay results.db --strategy guided --strategy random",
    "tilewright replay results.db --compilers 1,4,14 --repetition-ms 1,5,25,100",
    "tilewright replay results.db --until-no-gain 10,20,50",
    "tilewright replay study.jsonl.xz --study            (what does tuning cost here?)",
)


def replay(
    recordings: Annotated[
        list[Path],
        typer.Argument(
            metavar="RECORDING...",
            help="Results files of tune, recorded spaces (.space.xz) or folders of "
            "them, recordings of tuning cost (.jsonl.xz, .json.xz).",
            show_default=False,
        ),
    ],
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[:OPTION=VALUE,...]",
            help="A strategy; may be repeated. Default: guided, evolution, random.",
            autocompletion=strategy_names,
            show_default=False,
        ),
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, help="Replays of each setting, with seeds 0, 1, ...")
    ] = 10,
    trials: Annotated[
        str | None,
        typer.Option(
            metavar="N,...",
            help="Results after so many trials. Default: 15,30,100, unless --seconds "
            "or --until-no-gain is given.",
            show_default=False,
        ),
    ] = None,
    seconds: Annotated[
        str | None,
        typer.Option(
            metavar="S,...",
            help="Results after so many simulated seconds.",
            show_default=False,
        ),
    ] = None,
    until_no_gain: Annotated[
        str | None,
        typer.Option(
            metavar="N,...",
            help="Results after so many trials in a row without a gain.",
            show_default=False,
        ),
    ] = None,
    compilers: Annotated[
        str, typer.Option(metavar="N,...", help="Numbers of compile processes.")
    ] = "14",
    repetition_ms: Annotated[
        str,
        typer.Option(
            metavar="MS,...",
            help="Milliseconds of repeated launches of a point; `recorded` takes the "
            "recorded time and its cost.",
        ),
    ] = "recorded",
    slower: Annotated[
        str,
        typer.Option(
            metavar="X,...",
            help="A point whose first launches are this many times slower than the "
            "best is timed no further; `never` times all in full. Needs "
            "--repetition-ms.",
        ),
    ] = "never",
    only: Annotated[
        str,
        typer.Option(
            metavar="PATTERN", help="Only recordings whose name has this pattern."
        ),
    ] = "",
    each: Annotated[
        bool, typer.Option("--each", help="A table for each recording, too.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Processes. Default: all cores.", show_default=False),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON instead of tables.")
    ] = False,
    study: Annotated[
        bool,
        typer.Option(
            "--study",
            help="The tables of the published study of tuning cost, of a recording "
            "of benchmarks/tuning_cost/record.py. -o FILE.md writes them.",
        ),
    ] = False,
    plots: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="With --study: draw its figures into a folder. Needs matplotlib: "
            "pip install 'tilewright[plots]'.",
            show_default=False,
        ),
    ] = None,
    output: Output = None,
) -> None:
    """Compare searches on recorded results, without a GPU.

    Strategies, numbers of trials and of compile processes, repetitions and early
    stopping: every combination of the values is replayed with several seeds. The
    seconds are those that the searches would have taken on the recorded machine.
    """
    if study:
        from tilewright.commands.replay import study as published
        from tilewright.commands.terminal.failure import UsageError

        changed = (strategy, trials, seconds, until_no_gain, only or None)
        if any(one is not None for one in changed):
            raise UsageError(
                "--study has the settings of the published study",
                remedy="leave out the options of strategies and of stopping",
            )
        published.study(
            published.StudyArguments(tuple(recordings), plots, as_json, output)
        )
        return
    if plots is not None:
        from tilewright.commands.terminal.failure import UsageError

        raise UsageError("--plots draws the figures of --study", remedy="add --study")
    from tilewright.commands.replay import replay as command

    command.replay(
        command.Arguments(
            tuple(recordings),
            tuple(strategy or command.STRATEGIES),
            seeds,
            command.Lists(
                trials,
                seconds,
                until_no_gain,
                compilers,
                repetition_ms,
                slower,
            ),
            only,
            each,
            jobs,
            as_json,
            output,
        )
    )
