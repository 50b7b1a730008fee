"""`tilewright bisect` and `tilewright repro`: which kernel deviates, and a script."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from tilewright.commands.inputs.models import read_model
from tilewright.commands.model_tools.quiet_work import quiet_work
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.failure import USER_ERROR
from tilewright.ir.errors import UserError


@dataclass(frozen=True)
class Options:
    """The arguments of the commands."""

    model: str
    inputs: tuple[str, ...]
    seed: int = 0
    backward: bool = False
    tolerance: float = 1.0


def bisect(options: Options) -> None:
    """Compare a model with eager torch; exits with 1 if it deviates."""
    from tilewright.torch_backend.diagnosis.bisection import bisect as find

    named = read_model(options.model, options.inputs, options.seed)
    with quiet_work("comparing with eager torch"):
        found = find(
            named.model,
            named.args,
            backward=options.backward,
            tolerance=options.tolerance,
        )
    console().print(str(found), markup=False)
    if found.deviating:
        sys.exit(USER_ERROR)


def repro(options: Options, kernel: str | None, folder: Path) -> None:
    """Write the script of a kernel: one that is named, or the first that deviates."""
    from tilewright.torch_backend.diagnosis.bisection import bisect as find
    from tilewright.torch_backend.diagnosis.bisection import kernel_named
    from tilewright.torch_backend.diagnosis.repro import write_repro

    named = read_model(options.model, options.inputs, options.seed)
    out = console()
    with quiet_work("looking for the kernel"):
        if kernel is not None:
            made, about = kernel_named(
                named.model, named.args, kernel, backward=options.backward
            )
            script = write_repro(made, folder, kernel, about)
        else:
            found = find(
                named.model,
                named.args,
                backward=options.backward,
                tolerance=options.tolerance,
            )
            if found.culprit is None:
                raise UserError(
                    f"{options.model}: {found}",
                    remedy="--kernel NAME writes a kernel that is right; `tilewright "
                    "explain` lists them",
                )
            if found.culprit.reproduction is None:
                raise UserError(f"{found}\nno kernel can be made of it alone")
            out.print(str(found), markup=False)
            name = found.culprit.name.replace(".", "_").split(" ")[0]
            script = write_repro(
                found.culprit.reproduction, folder, name, found.culprit
            )
    out.print(f"wrote {script} and {script.with_suffix('.pt').name}", markup=False)
    out.print(f"run it: python {script}   (TRITON_INTERPRET=1 without a GPU)")
