"""Results of programs by numpy, for the tests of the numbers of kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilewright.codegen.generate import Generated
from tilewright.ir.interpreter import run


def relu_of_product(a: NDArray, b: NDArray) -> NDArray:
    return np.maximum(a.astype(np.float32) @ b.astype(np.float32), 0)


def by_numpy(program: Generated, inputs: list[NDArray]) -> list[NDArray]:
    return run(program.kernel_module, inputs)
