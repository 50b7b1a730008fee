"""Kernels for any size, as Triton specialises them: multiples of 16, and the others.

Triton's driver is global, so compiling runs in a process of its own; no GPU is needed.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.codegen.open_sizes import built, tiled

SCRIPT = """
import dataclasses, json, pickle, sys
from pathlib import Path
from triton import knobs
from tilewright.codegen.runtime.compile import compile_program
from tilewright.codegen.targets import target_named
folder = Path(sys.argv[1])
found = {}
for name, (program, shapes) in pickle.loads((folder / "work").read_bytes()).items():
    knobs.cache.dir = str(folder / name)
    stats = compile_program(program, target_named("h200"), folder, shapes)
    found[name] = [dataclasses.asdict(kernel) for kernel in stats]
print(json.dumps(found))
"""

pytestmark = pytest.mark.slow

ROWS = {"whole": 1024, "odd": 1000, "one": 1, "none": 0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("specialization")


@pytest.fixture(scope="module")
def compiled(folder: Path) -> dict[str, list[dict[str, Any]]]:
    rows = tiled("matmul_relu").program
    return compile_all(
        {name: (rows, [((m, 512), (512, 256))]) for name, m in ROWS.items()}, folder
    )


@pytest.fixture(scope="module")
def more_compiled(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """What only the slow tests ask for."""
    rows = tiled("matmul_relu").program
    descriptors = tiled("matmul_relu", descriptors=True).program
    work: dict[str, Any] = {}
    every = [((m, 512), (512, 256)) for m in (1024, 2048, 1000, 7, 1)]
    work["several"] = (rows, every)
    work["descriptors whole"] = (descriptors, [((1024, 512), (512, 256))])
    work["descriptors odd"] = (descriptors, [((1000, 512), (512, 256))])
    work["softmax odd"] = (built("softmax").program, [((7, 500),)])
    return compile_all(work, folder)


def compile_all(work: dict[str, Any], folder: Path) -> dict[str, list[dict[str, Any]]]:
    (folder / "work").write_bytes(pickle.dumps(work))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def sources(folder: Path, name: str) -> list[str]:
    """Triton's IR of each kernel that was made for a name."""
    found = sorted((folder / name).glob("*/matmul_relu_kernel.ttir"))
    return [path.read_text() for path in found]


@pytest.mark.parametrize(
    ("name", "is_multiple"),
    [("whole", True), ("odd", False), ("one", False), ("none", True)],
)
def test_multiples_of_sixteen_are_known_as_such(
    name: str, is_multiple: bool, folder: Path, compiled: dict[str, Any]
) -> None:
    assert compiled[name]
    (text,) = sources(folder, name)
    # M is an argument even where it is 1, which Triton would make part of the kernel
    # if its type were not written down.
    assert "%M: i32" in text
    assert ("%M: i32 {tt.divisibility = 16" in text) is is_multiple
    # Contiguous tensors have aligned addresses whatever their size.
    assert "%a_ptr: !tt.ptr<f16> {tt.divisibility = 16" in text


@pytest.mark.parametrize("name", ["whole", "odd", "one"])
def test_every_size_has_the_tensor_cores(name: str, compiled: dict[str, Any]) -> None:
    (kernel,) = compiled[name]
    assert kernel["wgmma"] > 0
    assert kernel["spill_bytes"] == 0


def test_descriptors_do_not_care(more_compiled: dict[str, Any]) -> None:
    """Sizes are in the descriptors: the kernels use the same resources."""
    (whole,), (odd,) = (
        more_compiled[f"descriptors {name}"] for name in ("whole", "odd")
    )
    assert odd["wgmma"] > 0
    assert odd["spill_bytes"] == 0
    assert whole["tma_loads"] == odd["tma_loads"] > 0
    assert whole["registers"] == pytest.approx(odd["registers"], abs=8)


def test_one_kernel_for_all_sizes_of_a_kind(
    folder: Path, more_compiled: dict[str, Any]
) -> None:
    """Multiples of 16, others, and 1, which Triton keeps apart: three, not five."""
    assert len(more_compiled["several"]) == 1
    texts = sources(folder, "several")
    assert len(texts) == 3
    assert sum("%M: i32 {tt.divisibility = 16" in text for text in texts) == 1


def test_rows_of_any_number_compile(more_compiled: dict[str, Any]) -> None:
    kernels = more_compiled["softmax odd"]
    assert [kernel["spill_bytes"] for kernel in kernels] == [0] * 4
