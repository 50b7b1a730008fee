"""The declaration of `tilewright fmt`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.options import examples

EXAMPLES = examples(
    "tilewright fmt tuned.tw                       (rewrite it in place)",
    "tilewright fmt --check *.tw                   (exit with 1 if one would change)",
    "tilewright fmt --diff tuned.tw                (show what would change)",
    "tilewright fmt - < tuned.tw                   (standard input to standard output)",
)


def fmt(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILES...",
            help="Schedules (.tw), or folders of them; - formats standard input to "
            "standard output.",
            show_default=False,
        ),
    ],
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit with 1 if a file changes."),
    ] = False,
    diff: Annotated[
        bool,
        typer.Option(
            "--diff", help="Write nothing; print what would change, and exit with 1."
        ),
    ] = False,
) -> None:
    """Format schedules: one layout for spaces, indentation and empty lines.

    Comments, blank lines between groups, line breaks inside brackets and columns that
    you have aligned stay. The meaning never changes: the formatted text has the same
    words.

    Exits with 0 if all files are formatted, with 1 if --check or --diff finds one that
    is not, and with 2 if a file cannot be read or parsed.
    """
    from tilewright.commands import fmt as command

    command.fmt(tuple(files), check=check, diff=diff)
