"""`tilewright interpret`: what it shows and saves, and what it says to wrong inputs."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np
import pytest

from tilewright.commands.interpret import Options, interpret
from tilewright.ir.errors import UserError

DYNAMIC = """
func.func @mm(%A: tensor<?x4xf32>, %B: tensor<4x?xf32>, %C: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%A, %B : tensor<?x4xf32>, tensor<4x?xf32>)
    outs(%C : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""

TWO = """
func.func @half(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = arith.addf %x, %x : tensor<2xbf16>
  return %0 : tensor<2xbf16>
}
func.func @buffer(%m: memref<4xf32>) {
  %c = arith.constant 2.0 : f32
  linalg.fill ins(%c : f32) outs(%m : memref<4xf32>)
  return
}
"""

A = np.arange(8, dtype=np.float32).reshape(2, 4)
B = np.ones((4, 3), np.float32)
C = np.zeros((2, 3), np.float32)


@pytest.fixture
def dynamic(tmp_path: Path) -> Path:
    path = tmp_path / "dynamic.mlir"
    path.write_text(DYNAMIC)
    return path


@pytest.fixture
def two(tmp_path: Path) -> Path:
    path = tmp_path / "two.mlir"
    path.write_text(TWO)
    return path


def saved(folder: Path, *arrays: np.ndarray, **named: np.ndarray) -> Path:
    path = folder / "inputs.npz"
    np.savez(path, *arrays, **named)  # pyright: ignore[reportArgumentType]
    return path


def test_arrays_by_name_and_results_saved(
    dynamic: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out.npz"
    inputs = saved(tmp_path, C=C, A=A, B=B)
    interpret(Options(dynamic, inputs, output=output))
    assert (np.load(output)["result0"] == A @ B).all()
    shown = capsys.readouterr().out
    assert "result0" in shown and "2x3xf32" in shown
    assert "[[ 6.,  6.,  6.],\n [22., 22., 22.]]" in shown


def test_arrays_in_order(dynamic: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.npz"
    interpret(Options(dynamic, saved(tmp_path, A, B, C), output=output))
    assert (np.load(output)["result0"] == A @ B).all()


def test_types_that_no_file_holds_come_and_go_as_f32(two: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.npz"
    inputs = saved(tmp_path, x=np.array([1.5, -2.0], np.float32))
    interpret(Options(two, inputs, entry="@half", output=output))
    assert np.load(output)["result0"].tolist() == [3.0, -4.0]


def test_a_buffer_is_a_result(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    interpret(Options(two, entry="buffer"))
    assert "m =\n[2., 2., 2., 2.]" in capsys.readouterr().out


def test_sizes(dynamic: Path, capsys: pytest.CaptureFixture[str]) -> None:
    interpret(Options(dynamic, sizes=("5",)))
    assert "5x5xf32" in capsys.readouterr().out
    interpret(Options(dynamic, sizes=("A=2x4", "%B=4x7", "C=2x7")))
    assert "2x7xf32" in capsys.readouterr().out


def test_poison_shows_and_is_warned_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "unfilled.mlir"
    path.write_text("""
func.func @f(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>)
    outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}""")
    interpret(Options(path, poison=True))
    shown = capsys.readouterr()
    assert "[[nan, nan],\n [nan, nan]]" in shown.out
    assert "warning: 'linalg.matmul' op accumulates into an unfilled" in shown.err


def test_what_is_piped_in(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "func.func @f(%a: f32) -> f32 {\n  return %b : f32\n}"
    piped = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr(sys, "stdin", piped)
    with pytest.raises(UserError, match="^<stdin>:2:10: error: use of undeclared"):
        interpret(Options(Path("-")))


WRONG = {
    "a name": ({"A": A, "B": B, "CC": C}, "there is no argument 'CC'; did you mean"),
    "too few": ({"A": A, "B": B}, "has no array for C: ?x?xf32; it holds: A, B"),
    "dtype": ({"A": A.astype(np.float64), "B": B, "C": C}, "array of float64; convert"),
    "shape": ({"A": A.T, "B": B, "C": C}, "A: ?x4xf32 was given an array of 4x2x"),
}


@pytest.mark.parametrize(("arrays", "message"), WRONG.values(), ids=WRONG.keys())
def test_wrong_arrays(
    dynamic: Path, tmp_path: Path, arrays: dict[str, np.ndarray], message: str
) -> None:
    with pytest.raises(UserError) as caught:
        interpret(Options(dynamic, saved(tmp_path, **arrays)))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((), "give them: --size A=128x4, or one number for all: --size 128"),
        (("Q=3",), "there is no argument 'Q'"),
        (("A=3",), "--size A=3 does not fit A: ?x4xf32"),
        (("A=2x5",), "--size A=2x5 does not fit A: ?x4xf32"),
        (("big",), "expected a number or NAME=SIZES"),
    ],
)
def test_wrong_sizes(dynamic: Path, sizes: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError) as caught:
        interpret(Options(dynamic, sizes=sizes))
    assert message in str(caught.value)


def test_files_that_hold_no_arrays(dynamic: Path, tmp_path: Path) -> None:
    junk = tmp_path / "junk.npz"
    junk.write_text("hello")
    one = tmp_path / "one.npy"
    np.save(one, A)
    for path, message in (
        (junk, "is not an .npz file"),
        (one, "holds one array without a name"),
        (tmp_path / "none.npz", "no such file"),
    ):
        with pytest.raises(UserError, match=message):
            interpret(Options(dynamic, path))


def test_several_functions_need_a_name(two: Path) -> None:
    with pytest.raises(UserError, match="name one of: @half, @buffer"):
        interpret(Options(two))
