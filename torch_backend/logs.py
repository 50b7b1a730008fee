"""Logs of what is compiled, for `TORCH_LOGS="+tilewright"`.

torch takes the names of packages there, so that no name has to be registered.
"""

from __future__ import annotations

import logging

from tilewright.compiled_program import Program
from tilewright.torch_backend.lowering.lower import Lowered

_payloads = logging.getLogger("tilewright.torch.payloads")
_plans = logging.getLogger("tilewright.torch.plans")
_kernels = logging.getLogger("tilewright.torch.kernels")


def log_payload(lowered: Lowered) -> None:
    """The payload of a segment, at level DEBUG."""
    if _payloads.isEnabledFor(logging.DEBUG):
        _payloads.debug("%s:\n%s", lowered.payload.name, lowered.payload.text())


def logs_details() -> bool:
    """Whether payloads, planned schedules or kernels are logged."""
    return any(log.isEnabledFor(logging.DEBUG) for log in (_payloads, _plans, _kernels))


def logs_plans() -> bool:
    """Whether planned schedules are logged."""
    return _plans.isEnabledFor(logging.DEBUG)


def log_program(name: str, program: Program) -> None:
    """The planned schedule and the Triton source of a program, at level DEBUG."""
    if program.plan is not None:
        _plans.debug("%s:\n%s", name, program.plan.text)
    _kernels.debug("%s:\n%s", name, program.source)
