"""The script that runs programs in Triton's interpreter, in a process of its own.

    python interpret_child.py PARENT FOLDER...

The process ends when the process PARENT does.

Each folder has call.json (source file, entry, which arguments are numbers, the torch
types that numpy lacks) and the arguments in0.npy, in1.npy and so on. The script writes
the results to out0.npy and so on, saves the arguments that the program has written, or
writes error.txt where the program failed. New memory is filled with NaN or the largest
integer. It needs torch, triton, numpy, ml_dtypes and the package that it belongs to,
wherever that is: a script does not inherit the path of the process that starts it.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1


def run(folder: Path) -> None:
    """Load the source in a folder, run its launcher on the arrays, save the results."""
    import interpreter_fixes
    import numpy as np

    call = json.loads((folder / "call.json").read_text(encoding="utf-8"))
    source = folder / call["source"]
    spec = importlib.util.spec_from_file_location(source.stem, source)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    inputs: list[Any] = []
    for position, (is_number, kind) in enumerate(
        zip(call["numbers"], call["types"], strict=True)
    ):
        array = np.load(folder / f"in{position}.npy")
        inputs.append(array.item() if is_number else _tensor(array, kind))
    interpreter_fixes.report_to(folder / "progress.txt")
    results = getattr(module, call["entry"])(*inputs)
    if results is None:
        results = ()
    elif not isinstance(results, tuple):
        results = (results,)
    for position, result in enumerate(results):
        np.save(folder / f"out{position}.npy", _array(result))
    for position in call["written"]:
        np.save(folder / f"in{position}.npy", _array(inputs[position]))
    (folder / "done").touch()


def _tensor(array: Any, kind: str | None) -> Any:
    import torch

    tensor = torch.from_numpy(array)
    return tensor if kind is None else tensor.view(getattr(torch, kind))


def _array(tensor: Any) -> Any:
    """The numbers, or their bits where numpy lacks the type."""
    import numpy as np
    import torch

    from tilewright.ir.element_types import ELEMENT_TYPES

    if not isinstance(tensor, torch.Tensor):
        return np.asarray(tensor)
    for row in ELEMENT_TYPES:
        if row.carrier is not None and tensor.dtype is getattr(torch, row.torch):
            tensor = tensor.view(getattr(torch, row.carrier))
    return tensor.numpy()


def _poison_new_memory() -> None:
    """Fill new memory, so that a missing store shows; part of deterministic mode."""
    import torch

    settings: Any = torch.utils.deterministic
    torch.set_deterministic_debug_mode("warn")
    settings.fill_uninitialized_memory = True


def _die_with(parent: int) -> None:
    """End this process when its parent ends: a kernel may take minutes here."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # The parent may have died before the line above took effect.
    if os.getppid() != parent:
        sys.exit(1)


def _find_package() -> None:
    """Let `import tilewright` find the package of this file."""
    roots = Path(__file__).resolve().parents[2:4]
    # In a checkout `codegen` lies beside the package, where it is installed inside it.
    sys.path += [str(root) for root in roots if (root / "tilewright").is_dir()][:1]


if __name__ == "__main__":
    _die_with(int(sys.argv[1]))
    _find_package()
    import interpreter_fixes

    interpreter_fixes.install()
    _poison_new_memory()
    for argument in sys.argv[2:]:
        try:
            run(Path(argument))
        except Exception:
            (Path(argument) / "error.txt").write_text(traceback.format_exc())
