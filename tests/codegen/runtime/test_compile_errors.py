"""What Triton does not compile is told at the schedule's line; outcomes are kept.

No GPU is needed.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from support.codegen.compiled_apart import run_apart
from support.codegen.programs import built
from tilewright.codegen.program import GeneratedProgram

MATMUL = """\
func.func @f(%a: tensor<128x64xf16>, %b: tensor<64x128xf16>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>)
      -> tensor<128x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x128xf16>)
      outs(%i : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
"""

SCHEDULE = """\
schedule tiled(root) {
  mm = match "linalg.matmul" in root
  mm, grid = tile mm by [64, 64] onto [block.y, block.x]
  mm, loop = tile mm by [0, 0, 32]
}
"""

SCRIPT = """
import dataclasses, json, pickle, sys
from pathlib import Path
from triton import knobs
from tilewright.codegen.runtime import compile
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import UserError
folder = Path(sys.argv[1])
knobs.cache.dir = str(folder / "triton")
good, bad, late = pickle.loads((folder / "programs").read_bytes())
told = {}
for name, program in (("bad", bad), ("late", late)):
    try:
        compile.compile_program(program, target_named("h200"), folder)
    except UserError as error:
        told[name] = [error.fact, str(error.place), [str(n.place) for n in error.notes]]
(folder / "file").write_text("")
knobs.cache.dir = str(folder / "file" / "triton")
try:
    compile.compile_program(good, target_named("h200"), folder)
except UserError as error:
    told["machine"] = str(error)
knobs.cache.dir = str(folder / "triton")
for target in ("h200", "a100", "a40"):
    (told[target],) = map(
        dataclasses.asdict,
        compile.compile_program(good, target_named(target), folder)[-1:],
    )
compile.load_launcher = None
again = compile.compile_program(good, target_named("h200"), folder)
told["again"] = dataclasses.asdict(again[-1])
print(json.dumps(told))
"""


def changed(program: GeneratedProgram, old: str, new: str) -> GeneratedProgram:
    assert old in program.text
    return dataclasses.replace(program, text=program.text.replace(old, new))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("compile")
    good = built(MATMUL, SCHEDULE).program
    bad = changed(good, "tl.dot(a, b, e)", "tl.dot(a, a, e)")
    late = changed(good, "num_warps=4", "num_warps=3")
    return run_apart(SCRIPT, [good, bad, late], folder)


@pytest.mark.slow
def test_an_error_names_the_line_that_made_it(told: dict[str, Any]) -> None:
    fact, place, notes = told["bad"]
    assert fact.startswith("Triton does not compile f_")
    # The dot stands for the payload's matmul.
    assert place.startswith("payload.mlir:6:")
    assert notes == ["schedule.tw:3:14"]


@pytest.mark.slow
def test_an_error_without_a_line_names_the_kernel(told: dict[str, Any]) -> None:
    fact, place, _ = told["late"]
    assert "Triton does not compile f_" in fact
    assert place is not None


@pytest.mark.slow
def test_every_target_compiles(told: dict[str, Any]) -> None:
    assert told["h200"]["wgmma"] > 0
    assert told["a100"]["wgmma"] == told["a40"]["wgmma"] == 0
    assert told["a40"]["registers"] > 0


@pytest.mark.slow
def test_outcomes_are_kept_by_content(told: dict[str, Any]) -> None:
    first, again = told["h200"], told["again"]
    assert again.pop("seconds") < first.pop("seconds")
    assert again == first


@pytest.mark.slow
def test_what_the_machine_refuses_is_not_blamed_on_the_payload(
    told: dict[str, Any],
) -> None:
    said = told["machine"]
    assert re.match(r"error: f_\w* cannot be compiled here: .*Not a directory", said)
    assert "TRITON_CACHE_DIR" in said
