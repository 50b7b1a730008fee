"""The process that runs a program in Triton's interpreter; a script of its own.

    python interpret_child.py SOURCE ENTRY COUNT

Reads in0.npy, in1.npy, ... beside the source and writes out0.npy, ... there. It needs
only torch, triton and numpy, as the generated source does.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def main(source: Path, entry: str, count: int) -> None:
    """Load the source, run its launcher on the arrays beside it, save the results."""
    import numpy as np
    import torch

    spec = importlib.util.spec_from_file_location(source.stem, source)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    inputs = [
        torch.from_numpy(np.load(source.parent / f"in{position}.npy"))
        for position in range(count)
    ]
    results = getattr(module, entry)(*inputs)
    if results is None:
        results = ()
    elif not isinstance(results, tuple):
        results = (results,)
    for position, result in enumerate(results):
        np.save(source.parent / f"out{position}.npy", result.numpy())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
