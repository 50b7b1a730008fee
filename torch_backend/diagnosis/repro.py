"""A stand-alone script that shows a deviating kernel, with its inputs beside it.

The script has the kernels' Triton source, a reference in torch, and a main program that
runs both on the saved inputs and compares them. It needs torch and triton only; with
TRITON_INTERPRET=1 it needs no GPU.
"""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import fill, indent
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.lean.orders import inverse
from tilewright.codegen.source import escape
from tilewright.codegen.standalone.figures import Figures
from tilewright.codegen.standalone.reference.function import NoReference
from tilewright.codegen.standalone.reference_source import reference_source
from tilewright.ir.dtypes import element
from tilewright.torch_backend.diagnosis.culprit import Culprit, Reproduction
from tilewright.tuning.measure.inputs import to_torch

if TYPE_CHECKING:
    import torch

_REFERENCE = "reference"
_NAMES = "from torch import device, inf, nan"
"""Names that the source of torch.fx may have."""
_MAIN = '''\
def compare(name, actual, expected, tolerance):
    """Print how far a result is off; returns whether it is within the tolerance."""
    actual, expected = actual.cpu().double(), expected.cpu().double()
    finite = expected[expected.isfinite()]
    size = finite.square().mean().sqrt() if finite.numel() else torch.tensor(0.0)
    error = (actual - expected).abs()
    right = (error <= tolerance * (expected.abs() + size)) | (actual == expected)
    right |= actual.isnan() & expected.isnan()
    wrong = right.numel() - int(right.sum())
    largest = error.nan_to_num(float("inf")).max().item() if error.numel() else 0.0
    verdict = f"{{wrong}} of {{right.numel()}} elements are off" if wrong else "agrees"
    print(f"{{name}}: {{verdict}}, largest difference {{largest:.3g}}")
    return not wrong


def main():
    """Run the kernels and the references on the saved inputs, and compare them."""
    interpreted = triton.knobs.runtime.interpret
    if not (interpreted or torch.cuda.is_available()):
        raise SystemExit("no CUDA device; TRITON_INTERPRET=1 runs without one")
{warning}    device = "cpu" if interpreted else "cuda"
    saved = torch.load(Path(__file__).with_name({data}), weights_only=True)
    inputs = [tensor.to(device) for tensor in saved["inputs"]]
    made = {entry}(*[tensor.clone() for tensor in inputs])
    made = made if isinstance(made, tuple) else (made,)
    tolerances = {tolerances}
    names = {names}
    agrees = True
    for position, (name, allowed) in enumerate(zip(names, tolerances, strict=True)):
        wanted = saved["expected"][position]
        told = f"{{name}} beside the payload"
        agrees &= compare(told, made[position], wanted, allowed)
{extra}    raise SystemExit(0 if agrees else 1)


if __name__ == "__main__":
    main()
'''
_BY_REFERENCE = """\
    found = reference(*inputs)
    found = found if isinstance(found, tuple) else (found,)
    for name, ours, wanted, allowed in zip(names, made, found, tolerances, strict=True):
        agrees &= compare(f"{name} beside torch in float64", ours, wanted, allowed)
"""
_BY_EAGER = """\
    outputs = [
        tensor.permute(order)
        for tensor, order in zip(made, saved["output_orders"], strict=True)
    ]
    given = [
        tensor.permute(order)
        for tensor, order in zip(inputs, saved["input_orders"], strict=True)
    ]
    for name, ours, wanted, allowed in zip(
        names, outputs, forward(None, *given), tolerances, strict=True
    ):
        agrees &= compare(f"{name} beside eager torch", ours, wanted, allowed)
"""


def write_repro(
    found: Reproduction, folder: Path, name: str, about: Culprit | str
) -> Path:
    """Write the script and its inputs to a folder; returns the script."""
    import torch

    folder.mkdir(parents=True, exist_ok=True)
    script = folder / f"{name}.py"
    torch.save(_saved(found), script.with_suffix(".pt"))
    script.write_text(_text(found, script.name, about), encoding="utf-8")
    return script


def _saved(found: Reproduction) -> dict[str, Any]:
    program, case = found.built.program, found.case

    def tensors(arrays: Any, specs: Any) -> list[torch.Tensor]:
        pairs = zip(arrays, specs, strict=True)
        return [to_torch(array, spec.dtype) for array, spec in pairs]

    orders_in, orders_out = found.orders
    return {
        "inputs": tensors(case.inputs, program.arguments),
        "expected": tensors(case.expected, program.results),
        "input_orders": [list(inverse(order)) for order in orders_in],
        "output_orders": [list(inverse(order)) for order in orders_out],
    }


def _text(found: Reproduction, file: str, about: Culprit | str) -> str:
    """The script: kernels, launcher, references, main program."""
    program = found.built.program
    told = "\n".join(fill(line, 88) for line in str(about).splitlines())
    how = f"python {file}\n    TRITON_INTERPRET=1 python {file}    (without a GPU)"
    title = "A kernel of a torch model, beside its references."
    about_it = escape.docstring(f"{title}\n\n{told}\n\n    {how}")
    head = f'"""{about_it}\n"""'
    _, _, source = program.text.partition('"""\n\n')
    source = source.replace(
        "import torch\n", "from pathlib import Path\n\nimport torch\n", 1
    )
    references, extra = _references(found)
    figures = Figures(program, found.payload, found.case.reduction, None)
    main = _MAIN.format(
        data=json.dumps(Path(file).with_suffix(".pt").name),
        entry=program.entry,
        tolerances=[float(figures.tolerance(spec.dtype)) for spec in program.results],
        names=json.dumps([spec.name for spec in program.results]),
        extra=extra,
        warning=_warning(found),
    )
    return "\n\n".join([head, source.rstrip() + "\n", *references, main])


def _references(found: Reproduction) -> tuple[list[str], str]:
    """The functions that compute the same in torch, and the lines that call them."""
    texts: list[str] = []
    extra = ""
    try:
        texts.append(reference_source(found.payload, _REFERENCE))
        extra += _BY_REFERENCE
    except NoReference:
        pass
    if found.eager_code is not None:
        code = found.eager_code.strip()
        texts.append(f"{_NAMES}\n\n\n{code}\n")
        extra += _BY_EAGER
    return texts, extra


def _warning(found: Reproduction) -> str:
    """A line for types that Triton's interpreter computes wrongly."""
    program = found.built.program
    types = {spec.dtype for spec in (*program.arguments, *program.results)}
    wrong = sorted(dtype for dtype in types if element(dtype).carrier)
    if not wrong:
        return ""
    told = f"note: Triton's interpreter is wrong on {wrong[0]}; trust a GPU"
    return indent(f"if interpreted:\n    print({json.dumps(told)})\n", "    ")
