"""`tilewright doctor`: try what works on this machine, and report it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from rich.table import Table
from rich.text import Text

from tilewright.commands.terminal.console import console as output_console

PACKAGES = (
    "tilewright",
    "xdsl",
    "lark",
    "numpy",
    "ml_dtypes",
    "torch",
    "triton",
    "optuna",
    "platformdirs",
)


@dataclass(frozen=True)
class Finding:
    """The result of one probe: its subject, its state and a detail."""

    what: str
    state: str
    """ok, no, warn."""
    detail: str


def doctor() -> None:
    """Run all probes and print their results."""
    os.getcwd()  # without a current folder, a library of torch ends the process
    console = output_console()
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    marks = {"ok": ("ok", "green"), "no": ("no", "red"), "warn": ("note", "yellow")}
    findings = [*_packages(), *(probe() for probe in PROBES)]
    for finding in findings:
        table.add_row(Text(*marks[finding.state]), finding.what, finding.detail)
    console.print(table)
    console.print()
    console.print(_verdict({f.what: f.state for f in findings}))


def _packages() -> list[Finding]:
    python = platform.python_version()
    good = sys.version_info >= (3, 11)
    found = [Finding("python", "ok" if good else "no", python)]
    for name in PACKAGES:
        try:
            found.append(Finding(name, "ok", version(name)))
        except PackageNotFoundError:
            found.append(Finding(name, "no", "not installed"))
    return found


def _gpu() -> Finding:
    try:
        import torch
    except ImportError as error:
        return Finding("GPU", "no", f"torch does not import: {error}")
    if not torch.cuda.is_available():
        return Finding(
            "GPU", "no", "none; run and tune use interpreters and a cost model"
        )
    properties = torch.cuda.get_device_properties(0)
    memory = properties.total_memory / 2**30
    return Finding(
        "GPU",
        "ok",
        f"{properties.name}, sm_{properties.major}{properties.minor}, "
        f"{properties.multi_processor_count} SMs, {memory:.0f} GiB",
    )


def _ptxas() -> Finding:
    try:
        from triton import knobs
    except ImportError as error:
        return Finding("compile for sm_90", "no", f"triton does not import: {error}")
    try:
        path = knobs.nvidia.ptxas.path
        text = subprocess.run([path, "--version"], capture_output=True, text=True)
        release = text.stdout.strip().splitlines()[-2].split(", ")[1]
    except (OSError, IndexError, AttributeError) as error:
        return Finding("compile for sm_90", "no", f"no ptxas: {error}")
    return Finding("compile for sm_90", "ok", f"ptxas {release} comes with triton")


def _triton_interpreter() -> Finding:
    """Run a kernel with a loop, which fails with some numpy versions."""
    script = (
        "import torch, triton, triton.language as tl\n"
        "from tilewright.commands.doctor_kernel import doubled\n"
        "assert doubled() == 8.0\n"
    )
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment
    )
    if done.returncode == 0:
        return Finding(
            "Triton's interpreter",
            "ok",
            "f16 and f32; bf16 is wrong in it, so bf16 runs in our kernel interpreter",
        )
    last = (done.stderr.strip().splitlines() or ["failed"])[-1]
    return Finding("Triton's interpreter", "warn", last)


def _mlir() -> Finding:
    path = shutil.which("mlir-opt-22")
    if path is None:
        return Finding(
            "mlir-opt-22", "warn", "absent; only the tests that compare with it need it"
        )
    text = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    line = next((x.strip() for x in text.splitlines() if "version" in x), "")
    return Finding("mlir-opt-22", "ok", line)


def _cores() -> Finding:
    from tilewright.tuning.options import default_workers

    count, workers = os.cpu_count() or 1, default_workers()
    processes = "1 process" if workers == 1 else f"{workers} processes"
    return Finding("CPU cores", "ok", f"{count}; tune compiles in {processes}")


def _sources() -> Finding:
    from tilewright.codegen.runtime.source_cache import size_of, source_directory

    folder = source_directory()
    size = size_of(folder) / 2**20
    is_kept = not folder.name.startswith("tilewright-")
    note = "" if is_kept else "; only for this process, the cache folder is not usable"
    state = "ok" if is_kept else "warn"
    return Finding("generated sources", state, f"{folder}, {size:.1f} MiB{note}")


PROBES: tuple[Callable[[], Finding], ...] = (
    _gpu,
    _ptxas,
    _triton_interpreter,
    _mlir,
    _cores,
    _sources,
)


def _verdict(states: dict[str, str]) -> str:
    if states.get("torch") != "ok" or states.get("triton") != "ok":
        return (
            "opt, check, space and interpret work; run and tune need torch and triton."
        )
    if states.get("GPU") == "ok":
        return "Everything works here: run and tune measure on the GPU."
    return (
        "opt, check, space and interpret work. run and tune work without a GPU: the "
        "numbers are checked by interpreters, candidates compiled for a named target "
        "and ranked by the cost model."
    )
