"""Programs with sizes known only at run time, and checks of them at several sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from support.paths import DATA, EXAMPLES
from tilewright.codegen.runtime.interpret import Job
from tilewright.ir.interpreter import run as interpret_ir
from tilewright.ir.tolerance import compare
from tilewright.pipeline import Built, build, read_payload, reference
from tilewright.schedules.schedule import Schedule

FOLDER = DATA / "dynamic"
TILED = EXAMPLES / "matmul_relu/tile_fuse_vectorize.tw"
ADD = """schedule add(root) {
  op = match "linalg.add" in root
  op, grid = tile op by [1024] onto [block.x]
  vectorize op to [1024]
}"""

Shapes = Sequence[tuple[int, ...]]


def built(name: str, schedule: str | None = None) -> Built:
    """A payload of tests/data/dynamic, by the default or by a schedule."""
    payload = read_payload(FOLDER / f"{name}.mlir")
    if schedule is None:
        return build(payload, None)
    return build(payload, Schedule.from_text(schedule, f"{name}.tw"))


def tiled(name: str, launch: str = "group = 8", *, descriptors: bool = False) -> Built:
    """A product of matrices in tiles of 128x128x64, with launch attributes."""
    text = TILED.read_text().replace("group = 8", launch)
    if descriptors:
        text = text.replace("launch grid", "descriptors grid\n  launch grid")
    return built(name, text)


def shapes_of(name: str, m: int) -> Shapes:
    """Shapes of the arguments, for a number of rows."""
    return {
        "add": [(m,), (m,)],
        "softmax": [(m, 500)],
        "column_sums": [(m, 48)],
        "matmul_relu": [(m, 512), (512, 256)],
        "matmul_any": [(m, m // 2 + 3), (m // 2 + 3, m + 1)],
        "mlp": [(m, 64), (64, 96), (96,), (96, 48), (m, 48), ()],
    }[name]


def inputs_of(program: Built, shapes: Sequence[Sequence[int]]) -> list[NDArray[Any]]:
    """Random arguments of some shapes."""
    random = np.random.default_rng(1)
    dtypes = {"f16": np.float16, "f32": np.float32}
    return [
        np.asarray(random.standard_normal(shape)).astype(dtypes[spec.dtype])
        for spec, shape in zip(program.program.arguments, shapes, strict=True)
    ]


class Case:
    """One program at several sizes."""

    def __init__(self, name: str, made: Built, every: Sequence[Shapes]):
        self.made = made
        self.inputs = [inputs_of(made, shapes) for shapes in every]
        self.payload = read_payload(FOLDER / f"{name}.mlir")

    def jobs(self) -> list[Job]:
        """The jobs for Triton's interpreter; one process runs all of them."""
        return [Job(self.made.program, given) for given in self.inputs]

    def check(self, by_triton: Sequence[Sequence[NDArray[Any]]]) -> None:
        """Check that the kernel IR and the source give the payload's results."""
        assert len(by_triton) == len(self.inputs)
        for given, source in zip(self.inputs, by_triton, strict=True):
            wanted = reference(self.payload, [a.copy() for a in given])
            by_numpy = interpret_ir(self.made.kernel, [a.copy() for a in given])
            for spec, want, *got in zip(
                self.made.program.results, wanted, source, by_numpy, strict=True
            ):
                for one in got:
                    assert one.shape == want.shape
                    outcome = compare(one, want, spec.dtype, 512)
                    assert outcome.ok, outcome.message


ROWS = (0, 1, 7, 16, 127, 128, 1000)
WIDE = ADD.replace("vectorize", 'annotate grid "triton.wide_offsets"\n  vectorize')
# The default gives each program one row; more rows take long and show nothing new.
FEW_ROWS = (0, 1, 7, 16)
ODD = (1, 127, 300)


def _case(name: str, made: Built, rows: Sequence[int]) -> Case:
    return Case(name, made, [shapes_of(name, m) for m in rows])


CASES: dict[str, Callable[[], Case]] = {
    "softmax": lambda: _case("softmax", built("softmax"), FEW_ROWS),
    "sums over an open extent": lambda: _case(
        "column_sums", built("column_sums"), ROWS
    ),
    "rows of any length": lambda: Case(
        "row_sums",
        built("row_sums"),
        [((m, n),) for m, n in ((3, 5000), (7, 16), (1, 1), (0, 5), (5, 0))],
    ),
    "matmul_relu": lambda: _case("matmul_relu", built("matmul_relu"), ROWS),
    "descriptors": lambda: _case(
        "matmul_relu", tiled("matmul_relu", descriptors=True), (0, 1, 16, 130)
    ),
    "mlp": lambda: _case("mlp", built("mlp"), ROWS),
    "add": lambda: _case("add", built("add", ADD), (*ROWS, 3000)),
    "wide offsets": lambda: _case("add", built("add", WIDE), (0, 1, 16, 1000)),
    "all open": lambda: _case("matmul_any", tiled("matmul_any", "group = 1"), ODD),
    "all open, groups": lambda: _case("matmul_any", tiled("matmul_any"), ODD),
    "all open, persistent": lambda: _case(
        "matmul_any", tiled("matmul_any", "group = 4 persistent = 1 parts = 2"), ODD
    ),
    "all open, descriptors": lambda: Case(
        "matmul_any",
        tiled("matmul_any", descriptors=True),
        [((m, 72), (72, n)) for m, n in ((0, 136), (1, 136), (130, 136), (130, 0))],
    ),
    "all open, nothing to sum": lambda: Case(
        "matmul_any", tiled("matmul_any"), [((130, 0), (0, 136))]
    ),
}
