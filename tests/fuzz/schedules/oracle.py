"""The results of a payload, and whether a changed payload still gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from fuzz.schedules.cases import Array, Case
from tilewright.ir.dialects import func
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import Options, run
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.ir.tolerance import compare

REDUCTION = 64
"""The approximate number of terms of the longest sums."""


@dataclass(frozen=True)
class Wrong:
    """A description of wrong results."""

    kind: str
    detail: str


class Oracle:
    """The results of a payload before the schedule ran."""

    def __init__(self, case: Case, module: ModuleOp):
        function = find_function(module, None)
        self.entry = function.sym_name.data
        self.outputs = signature_of(function).results
        self.inputs = [case.inputs(i) for i in range(len(case.questions))]
        self.expected = [self._run(module, given, None) for given in self.inputs]
        self.poison = [
            _same(self._run(module, given, None, poison=True), want)
            for given, want in zip(self.inputs, self.expected, strict=True)
        ]
        """Whether the payload reads only memory that was written."""

    def wrong(self, module: ModuleOp, shuffle: int) -> Wrong | None:
        """The difference in a module's results; None if they are the same."""
        if not self._can_be_asked(module):
            return None
        for given, want, poison in zip(
            self.inputs, self.expected, self.poison, strict=True
        ):
            arguments = [np.array(array) for array in given]
            try:
                got = self._run(module, arguments, shuffle, poison=poison)
            except Exception as error:  # it ran before: the step is to blame
                fact = error.fact if isinstance(error, UserError) else repr(error)
                return Wrong("no longer runs", fact)
            for position, (kept, array) in enumerate(
                zip(given, arguments, strict=True)
            ):
                if kept.tobytes() != array.tobytes():
                    return Wrong("argument written", f"argument {position}")
            for spec, have, need in zip(self.outputs, got, want, strict=True):
                outcome = compare(have, need, spec.element_type, REDUCTION)
                if not outcome.ok:
                    return Wrong("wrong numbers", f"{spec.name}: {outcome.message}")
        return None

    def _can_be_asked(self, module: ModuleOp) -> bool:
        """Whether the function still returns all results; a schedule may change it."""
        return any(
            isinstance(op, func.FuncOp)
            and op.sym_name.data == self.entry
            and len(op.function_type.outputs) == len(self.outputs)
            for op in module.ops
        )

    def _run(
        self,
        module: ModuleOp,
        arguments: Sequence[Array],
        shuffle: int | None,
        poison: bool = False,
    ) -> list[Any]:
        options = Options(poison, shuffle_forall_seed=shuffle)
        return run(module, arguments, self.entry, options)


def _same(left: Sequence[Array], right: Sequence[Array]) -> bool:
    return all(
        np.array_equal(a.astype(np.float64), b.astype(np.float64), equal_nan=True)
        for a, b in zip(left, right, strict=True)
    )
