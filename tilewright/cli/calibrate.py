"""The declaration of `tilewright calibrate`."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.cli.options import TargetOption, examples

EXAMPLES = examples(
    "tilewright calibrate",
    "tilewright calibrate --show",
)


def calibrate(
    show: Annotated[
        bool, typer.Option("--show", help="Print the numbers in use, and stop.")
    ] = False,
    dry: Annotated[
        bool, typer.Option("--dry", help="Print what would be timed, and stop.")
    ] = False,
    target: TargetOption = None,
) -> None:
    """Time kernels on this GPU for some minutes, and fit the cost models to them.

    The numbers are kept in the cache folder. Plans and estimates for this GPU use them
    from then on.
    """
    from tilewright.commands import calibrate as command

    command.calibrate(show=show, dry=dry, target=target)
