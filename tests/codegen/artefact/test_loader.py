"""The loader, as far as it goes without a GPU: checks, dispatch, packing."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from support.codegen.artefacts import ROWS, artefact, built, member
from tilewright.codegen.artefact.loader import ArgumentError, Artefact, load
from tilewright.codegen.artefact.loader.arrays import given
from tilewright.codegen.artefact.loader.expressions import compiled
from tilewright.codegen.artefact.loader.kernels import Parameters
from tilewright.codegen.artefact.loader.program import Program

BLOCKED = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("tilewright", "triton", "xdsl", "torch", "numpy"):
            raise ImportError(name + " is blocked")
sys.meta_path.insert(0, Block())
sys.path.insert(0, sys.argv[1])
"""


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Artefact:
    return artefact(tmp_path_factory.mktemp("artefacts") / "twice", member(built()))


def test_it_imports_nothing_but_the_standard_library(twice: Artefact) -> None:
    script = BLOCKED + (
        "import twice\n"
        "print(twice.program.report)\n"
        "try:\n    twice.program(1)\n"
        "except twice.ArgumentError as error:\n    print(error)\n"
    )
    arguments = [sys.executable, "-S", "-c", script, str(twice.folder.parent)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert "takes    x (f32 [M, 32])" in done.stdout
    assert "twice takes 2 arguments, got 1; pass x (f32 [M, 32]), y" in done.stdout


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_python_folder_says_that_it_does_not_run_here(twice: Artefact) -> None:
    done = subprocess.run(
        [sys.executable, str(twice.folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "twice for h200 (sm_90a)" in done.stdout
    assert "does not run here: " in done.stdout
    assert not done.stderr


def test_arguments_that_do_not_fit_are_named(twice: Artefact) -> None:
    x = torch.zeros(4, 32)
    for arguments, message in (
        ((torch.zeros(4, 31), x), r"'x' has shape \[4, 31\].* built for \[M, 32\]"),
        ((x, torch.zeros(5, 32)), "is on the CPU; pass one on the GPU"),
        ((x.half(), x), r"'x' has elements of type torch.float16.* f32"),
        ((x, 3), "'y' is a int; pass a torch tensor, or an array with"),
        ((np.zeros((4, 32), np.float32), x), "is on the CPU"),
    ):
        with pytest.raises(ArgumentError, match=message):
            twice(*arguments)


def test_sizes_layout_and_alignment_are_checked(twice: Artefact) -> None:
    program = twice.programs[0]
    plain = given(torch.zeros(4, 32), "x", 0)._replace(device=0)
    aligned = plain._replace(address=plain.address // 16 * 16)
    for other, message in (
        (aligned._replace(shape=(5, 32)), r"M is 4 in argument 'x' \(dimension 0\)"),
        (aligned._replace(is_contiguous=False), "'y' is not contiguous"),
        (aligned._replace(address=aligned.address + 4), "that 16 does not divide"),
        (aligned._replace(device=1), "'y' is on GPU 1, and 'x' on GPU 0"),
    ):
        with pytest.raises(ArgumentError, match=message):
            program._check([aligned, other])
    assert program._check([aligned, aligned]) == {"M": 4}


def test_requirements_of_the_kernels_are_checked(twice: Artefact) -> None:
    huge = given(torch.zeros(4, 32), "x", 0)._replace(device=0, shape=(2**30, 32))
    with pytest.raises(ArgumentError, match="more than 214.* elements"):
        twice.programs[0]._check([huge._replace(address=0)] * 2)


def test_a_written_argument_stands_alone(tmp_path: Path) -> None:
    text = ROWS.replace("outs(%x", "outs(%y").replace("@twice", "@other")
    made = artefact(tmp_path / "other", member(built(text)))
    for spec in made.metadata["arguments"]:
        spec["written"] = spec["name"] == "y"
    program = Program(made.metadata, 0, [], made.folder)
    x = torch.zeros(8, 32)
    with pytest.raises(ArgumentError, match="'x' and 'y' share memory"):
        program(x, x)


def test_sizes_choose_the_program(tmp_path: Path) -> None:
    small = member(built(), "M <= 64", ("M", "<=", 64))
    made = artefact(tmp_path / "t", small, member(built(), "else"), table={"M": (0, 0)})
    few, many = torch.zeros(64, 32), torch.zeros(65, 32)
    assert made.at(few, few) is made.programs[0]
    assert made.at(many, many) is made.programs[1]
    assert made.at() is made.programs[1]
    assert "program  M <= 64" in made.report


def test_a_damaged_binary_is_refused(tmp_path: Path) -> None:
    made = artefact(tmp_path / "t", member(built()))
    kernel = made.programs[0]._kernels[0]
    assert kernel.cubin()
    next((made.folder / "kernels").iterdir()).write_bytes(b"other")
    with pytest.raises(
        RuntimeError, match="is damaged: its content is not what was built; build"
    ):
        for one in made.programs[0]._kernels:
            one.cubin()


def test_a_folder_that_is_no_artefact(tmp_path: Path, twice: Artefact) -> None:
    with pytest.raises(FileNotFoundError, match="is not an artefact"):
        load(tmp_path)
    copied = shutil.copytree(twice.folder, tmp_path / "t")
    path = copied / "metadata.json"
    path.write_text(path.read_text().replace('"format": 1', '"format": 99', 1))
    with pytest.raises(RuntimeError, match="has format 99"):
        load(copied)


def test_parameters_point_at_their_values() -> None:
    packed = Parameters(["pointer", "i32", "i64", "fp32", "tensormap"])
    for storage, value in zip(packed.storage, (2**40, -3, -(2**40), 1.5), strict=False):
        storage.value = value
    kinds = (ctypes.c_uint64, ctypes.c_int32, ctypes.c_int64, ctypes.c_float)
    found = [
        kind.from_address(packed.array[place]).value for place, kind in enumerate(kinds)
    ]
    assert found == [2**40, -3, -(2**40), 1.5]
    assert packed.array[4] is None  # set at each launch


def test_expressions_are_arithmetic_on_sizes_alone() -> None:
    assert compiled("(M + 63) // 64 * min(N, 8)")({"M": 65, "N": 100}) == 16
    assert compiled(7)({}) == 7
    for text in ("__import__('os')", "M.real", "[M]", "print(M)", "'a' * M"):
        with pytest.raises(ValueError, match="is not a size"):
            compiled(text)
