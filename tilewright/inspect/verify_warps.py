"""`--verify-each` of kernels whose warps have roles: they run in several orders.

Partitions are processes to the interpreter. What is wrong in any order, such as a race,
is found in the order that runs; a hang or an arrival too many may need another one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from tilewright.inspect.verify_each import Question, answers_of, difference
from tilewright.ir.dialects.warps import SpecializeOp
from tilewright.ir.errors import CompilerBug, UserError
from tilewright.ir.interpreter import Interleaving, Options

ORDERS = {
    "in the order of the text": Interleaving(),
    "with copies that end late": Interleaving(late_copies=True),
    "with a loader that runs ahead": Interleaving(ahead="load", late_copies=True),
    "in a random order": Interleaving(seed=1),
    "with a first group that runs ahead": Interleaving(ahead="compute_0"),
    "with a second group that runs ahead": Interleaving(ahead="compute_1"),
    "in another random order": Interleaving(seed=2),
}

SECONDS = 30.0
"""No further order is begun after this time."""


def has_roles(module: ModuleOp) -> bool:
    """Whether the warps of a kernel have roles."""
    return any(isinstance(op, SpecializeOp) for op in module.walk())


def verify_warps(module: ModuleOp, questions: Sequence[Question]) -> int:
    """Compare the results of the kernels in several orders; how many there were."""
    started, count = time.perf_counter(), 0
    for name, order in ORDERS.items():
        for question in questions:
            reason = _wrong(module, question, order)
            if reason is not None:
                raise CompilerBug(f"the kernels of @{question.name}, {name}: {reason}")
        count += 1
        if time.perf_counter() - started > SECONDS:
            break
    return count


def _wrong(module: ModuleOp, question: Question, order: Interleaving) -> str | None:
    try:
        answers = answers_of(
            module,
            question.name,
            question.inputs,
            question.buffers,
            # One program has all tiles: what one leaves behind, the next one meets.
            Options(interleaving=order, multiprocessors=1),
        )
    except UserError as error:
        return str(error)
    return difference(question, answers)
