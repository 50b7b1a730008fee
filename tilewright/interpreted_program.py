"""Calling a program without a GPU: the numpy interpreter runs its kernel IR.

Kernels, launches and results are those of the program, so that examples and notebooks
work on any machine, slowly.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from tilewright.codegen.program import TensorSpec
from tilewright.codegen.runtime.call_arguments import CallArguments
from tilewright.codegen.runtime.launch_ranges import is_active, range_of
from tilewright.ir.dtypes import Array, numpy_dtype
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import Options
from tilewright.ir.interpreter import run as interpret
from tilewright.pipeline import Built
from tilewright.tuning.measure.inputs import from_torch, to_torch


class InterpretedProgram:
    """A program that takes and returns CPU tensors; its first call warns of it."""

    def __init__(self, built: Built):
        self.built = built
        self._arguments = CallArguments(built.program, on_cpu=True)
        self.is_announced = False

    def __call__(self, *arguments: Any) -> Any:
        """Check the arguments as a launch does; returns the result tensor or a tuple.

        Arguments that the program writes are changed in place.
        """
        prepared = self._arguments.prepare(arguments)
        self._announce()
        program = self.built.program
        arrays = [
            _array(value, spec)
            for value, spec in zip(prepared, program.arguments, strict=True)
        ]
        # Elements that no kernel writes become NaN; on a GPU they are undefined.
        options = Options(
            poison_uninitialized=True,
            launching=range_of(program) if is_active() else None,
        )
        try:
            found = interpret(self.built.kernel, arrays, options=options)
        except UserError as error:
            raise UserError(
                f"{program.entry}: {error.fact}", error.place, error.remedy
            ) from error
        self._arguments.copy_back(arguments, prepared)
        results = tuple(
            to_torch(array, spec.dtype)
            for array, spec in zip(found, program.results, strict=True)
        )
        if not results:
            return None
        return results[0] if len(results) == 1 else results

    def _announce(self) -> None:
        if self.is_announced:
            return
        self.is_announced = True
        warnings.warn(
            f"{self.built.program.entry}: no GPU here; its kernels run in the numpy "
            "interpreter: results are right, times are the interpreter's",
            stacklevel=4,
        )


def _array(value: Any, spec: TensorSpec) -> Array:
    """A number as an array, or an array that shares a tensor's memory."""
    if spec.is_scalar:
        return np.asarray(value, numpy_dtype(spec.dtype))
    return from_torch(value, spec.dtype)
