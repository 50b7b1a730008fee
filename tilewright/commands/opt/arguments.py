"""The arguments of `tilewright opt`, and which of them go together."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from tilewright.commands.terminal.failure import UsageError
from tilewright.known_points import RESULTS

COMPILED = ("ttir", "ttgir", "llir", "ptx", "sass")
"""The forms of --emit that Triton compiles the kernels to (`compiled_code.LEVELS`)."""
KERNELS = ("buffer", "kernel", "triton", *COMPILED)
"""The forms of --emit that need a payload which is lowered to the buffer level."""
FORMS = ("mlir", "outline", "mlir-schedule", "tw-schedule", *KERNELS)
"""What --emit may name."""


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    file: Path
    schedule: Path | None = None
    entry: str | None = None
    settings: tuple[str, ...] = ()
    emit: str = "mlir"
    generic: bool = False
    keep_schedule: bool = False
    print_after_each: bool = False
    diff: bool = False
    dump: Path | None = None
    stop_after: str | None = None
    time: bool = False
    verify_each: bool = False
    seed: int = 0
    output: Path | None = None
    stats: bool = False
    target: str | None = None
    plan: bool = True
    results: Path | None = RESULTS
    allow_unregistered: bool = True
    libraries: tuple[Path, ...] = ()
    bound_arguments: tuple[str, ...] = ()

    @property
    def asks_for_steps(self) -> bool:
        """Whether more is asked for than to read and print the payload."""
        return bool(
            self.emit != "mlir"
            or self.settings
            or self.keep_schedule
            or self.print_after_each
            or self.diff
            or self.dump
            or self.stop_after
            or self.verify_each
        )

    @property
    def needs_kernels(self) -> bool:
        """Whether the payload is lowered to kernels."""
        return self.emit in KERNELS


def check_usage(options: Options) -> None:
    """Refuse options that contradict each other."""
    if options.emit not in FORMS:
        near = get_close_matches(options.emit, FORMS, 1)
        hint = f"did you mean {near[0]}?" if near else f"one of: {', '.join(FORMS)}"
        raise UsageError(f"--emit {options.emit}: no such form", remedy=hint)
    writes = options.emit in ("kernel", "triton", *COMPILED)
    if options.stats and options.emit not in ("triton", *COMPILED):
        raise UsageError(
            f"--stats cannot be used with --emit {options.emit}",
            remedy="use --emit triton, which has kernels to compile",
        )
    if options.target is not None and options.schedule and not writes:
        raise UsageError(
            "--target works only with --emit kernel, triton, "
            f"{', '.join(COMPILED)}, or where a schedule is planned",
            remedy="leave it out: a schedule does the same for every card",
        )
    if options.keep_schedule and options.emit != "mlir":
        raise UsageError(
            f"--keep-schedule cannot be used with --emit {options.emit}",
            remedy="use --emit mlir: only MLIR can contain the schedule",
        )
