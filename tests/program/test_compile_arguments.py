"""What `compile` takes, what it says of mistakes, and the example scripts."""

from __future__ import annotations

import runpy
import warnings
from pathlib import Path
from typing import Any

import pytest

import tilewright
from support.paths import EXAMPLES
from support.sampling import mostly_slow
from tilewright import Payload, UserError

PAYLOAD = EXAMPLES / "matmul_relu" / "payload.mlir"
TILE = EXAMPLES / "matmul_relu" / "tile.tw"
TUNED = EXAMPLES / "matmul_relu" / "tuned.tw"


def test_a_match_that_finds_nothing_is_a_python_warning() -> None:
    text = """schedule s(root) {
  soft = match "linalg.softmax" in root
  soft, grid = tile soft by [32, 32] onto [block.y, block.x]
}"""
    with pytest.warns(tilewright.CompileWarning) as caught:
        tilewright.compile(PAYLOAD, text)
    (warning,) = caught
    assert warning.filename == __file__
    said = "schedule.tw:2:10: warning: match: the payload has no 'linalg.softmax'; "
    assert str(warning.message).startswith(said)
    with pytest.raises(UserError, match="there is no op 'linalg.softmaxx'"):
        tilewright.compile(PAYLOAD, text.replace("softmax", "softmaxx"))


@pytest.mark.parametrize(
    ("payload", "schedule", "message"),
    [
        (3, None, "a payload is a path, an MLIR text.*; this is int; such as compile"),
        (b"module {}", None, "a payload is a path.*; this is bytes; such as"),
        ("", None, "a payload is a path.*; this is empty; such as"),
        (EXAMPLES, None, "cannot read .*examples: Is a directory; name a file in it"),
        (TILE, PAYLOAD, "tile.tw is a schedule, and the payload comes first"),
        (PAYLOAD.with_name("paylod.mlir"), None, "did you mean .*payload.mlir'?"),
        ("nofile.mlir", None, "no such file: nofile.mlir; the folder has: "),
        ("nofolder/p.mlir", None, "p.mlir; there is no folder 'nofolder'"),
        ("module { }", None, "<payload>:1:1: .* one function, this one has 0"),
        (PAYLOAD, 5, "a schedule is a path.*; this is int; such as"),
        (PAYLOAD, "", "a schedule is a path.*; this is empty; such as"),
        (PAYLOAD, TUNED, r"'BM' is open.*compile\(\.\.\., BM=64\), or tune"),
    ],
)
def test_mistakes(payload: Any, schedule: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        tilewright.compile(payload, schedule)


def test_a_wrong_target() -> None:
    with pytest.raises(UserError, match="unknown target 'h2000'; did you mean 'h200'?"):
        tilewright.compile(PAYLOAD, TILE, target="h2000")
    with pytest.raises(
        UserError, match="a target is a name such as 'h200'; this is int"
    ):
        tilewright.compile(PAYLOAD, TILE, target=90)  # pyright: ignore


@pytest.mark.parametrize(
    ("keyword", "near"),
    [("tragte", "target"), ("result", "results"), ("inherits", "inherit")],
)
def test_a_misspelt_keyword(keyword: str, near: str) -> None:
    message = f"compile has no keyword '{keyword}'; did you mean '{near}'"
    with pytest.raises(UserError, match=message):
        tilewright.compile(PAYLOAD, TILE, **{keyword: "h200"})


def test_an_unfinished_payload_is_blamed_on_the_caller() -> None:
    with pytest.raises(UserError, match="payload 'empty' returns nothing") as caught:
        tilewright.compile(Payload("empty"))
    assert caught.value.place is not None
    assert Path(caught.value.place.file).name == Path(__file__).name


def test_a_schedule_that_stands_with_the_payload_is_run() -> None:
    text = """
    module attributes {transform.with_named_sequence} {
      func.func @f(%a: tensor<64xf32>) -> tensor<64xf32> {
        %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                             iterator_types = ["parallel"]} outs(%a : tensor<64xf32>) {
        ^bb0(%x: f32):
          %y = arith.addf %x, %x : f32
          linalg.yield %y : f32
        } -> tensor<64xf32>
        return %r : tensor<64xf32>
      }
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %op = transform.structured.match ops{["linalg.generic"]} in %root
            : (!transform.any_op) -> !transform.any_op
        %tiled, %grid = transform.structured.tile_using_forall %op tile_sizes [16]
            (mapping = [#gpu.block<x>])
            : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        transform.yield
      }
    }
    """
    assert tilewright.compile(text).built.program.kernels[0].grid == (4,)
    other = """
    schedule s(root) {
      op = match "linalg.generic" in root
      tile op by [32] onto [block.x]
    }
    """
    assert tilewright.compile(text, other).built.program.kernels[0].grid == (2,)


PRINTED = [
    ("first_program", "@triton.jit"),
    ("own_layer", "argument 'x' has shape [50, 255]"),
    ("own_attention", "off by at most 0.000"),
    ("fewer_bits", "int8: off by 0.0"),
]


@pytest.mark.parametrize(
    ("script", "printed"),
    mostly_slow(PRINTED, PRINTED[:2]),
)
def test_example_scripts(
    script: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runpy.run_path(str(EXAMPLES / "python" / f"{script}.py"))
    assert printed in capsys.readouterr().out


def test_every_example_script_is_run_and_listed() -> None:
    listed = (EXAMPLES / "python" / "README.md").read_text(encoding="utf-8")
    names = {path.name for path in (EXAMPLES / "python").glob("*.py")}
    assert names == {
        "first_program.py",
        "own_layer.py",
        "own_attention.py",
        "fewer_bits.py",
    }
    assert all(f"examples/python/{name}" in listed for name in names)
