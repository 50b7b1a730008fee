"""The process that runs programs in Triton's interpreter; a script of its own.

    python interpret_child.py FOLDER...

Each folder holds call.json (source file, entry, which arguments are numbers), in0.npy,
in1.npy, ...; out0.npy and so on are written there. It needs only torch, triton and
numpy.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path


def run(folder: Path) -> None:
    """Load the source, run its launcher on the arrays beside it, save the results."""
    import numpy as np
    import torch

    call = json.loads((folder / "call.json").read_text(encoding="utf-8"))
    source = folder / call["source"]
    spec = importlib.util.spec_from_file_location(source.stem, source)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    count = len(list(folder.glob("in*.npy")))
    arrays = [np.load(folder / f"in{position}.npy") for position in range(count)]
    inputs = [
        array.item() if is_number else torch.from_numpy(array)
        for array, is_number in zip(arrays, call["numbers"], strict=True)
    ]
    results = getattr(module, call["entry"])(*inputs)
    if results is None:
        results = ()
    elif not isinstance(results, tuple):
        results = (results,)
    for position, result in enumerate(results):
        np.save(folder / f"out{position}.npy", result.numpy())


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        run(Path(argument))
