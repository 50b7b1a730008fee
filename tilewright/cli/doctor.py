"""The declaration of `tilewright doctor`."""

from __future__ import annotations

from tilewright.cli.options import (
    examples,
)

EXAMPLES = examples(
    "tilewright doctor",
)


def doctor() -> None:
    """Report what works on this machine: versions, GPU, compilers and interpreters."""
    from tilewright.commands import doctor as command

    command.doctor()
