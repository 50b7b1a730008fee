"""Features: a number for every name of the table, for any program."""

from __future__ import annotations

import math
import re

from support.paths import DOCS
from support.tuning.samples import broken, elementwise, matmul
from tilewright.codegen.runtime.compile import CompiledStats
from tilewright.codegen.targets import target_named
from tilewright.tuning.learning.compiled_features import (
    COMPILED_TABLE,
    describe_compiled,
)
from tilewright.tuning.learning.features import (
    ESTIMATE,
    FITS,
    TABLE,
    describe_program,
)
from tilewright.tuning.model.cost import objective

H200 = target_named("h200")


def test_every_feature_has_a_finite_number() -> None:
    for program in (matmul(), elementwise(), broken("    return a")):
        described = describe_program(program, H200)
        assert list(described) == list(TABLE)
        assert all(math.isfinite(value) for value in described.values())


def test_the_estimate_is_that_of_the_cost_model() -> None:
    program = matmul(bm=128, bn=256)
    estimate = objective(program, None, H200)
    assert math.isclose(
        describe_program(program, H200)[ESTIMATE], estimate, rel_tol=1e-4
    )


def test_tiles_and_device_are_told_apart() -> None:
    small = describe_program(matmul(bm=64, bn=64, bk=32), H200)
    large = describe_program(matmul(bm=128, bn=256), H200)
    assert (small["dot.m"], large["dot.m"]) == (6, 7)
    assert small["kernel.programs"] > large["kernel.programs"]
    assert small["problem.bytes"] == large["problem.bytes"]
    older = describe_program(matmul(bm=64, bn=64, bk=32), target_named("a100"))
    assert older["device.sms"] < small["device.sms"]


def test_a_program_that_cannot_fit_is_said_to() -> None:
    assert describe_program(matmul(bm=128, bn=256), H200)[FITS] == 1
    assert describe_program(matmul(bm=256, bn=256, bk=256, stages=8), H200)[FITS] == 0


def test_a_compiled_program_has_the_compilers_report() -> None:
    stats = CompiledStats("matmul", 168, 24, 98304, 4, 4, 6, 0.5, 20000)
    described = describe_compiled(matmul(), (stats,), H200)
    assert list(described) == list(COMPILED_TABLE)
    assert described["compiled.registers"] == 168
    assert described["compiled.resident"] == 2
    assert described["compiled.spills"] == 4.64386
    assert describe_compiled(broken("    return a"), (), H200) == {}


def test_the_page_lists_every_feature() -> None:
    page = (DOCS / "tuning.md").read_text().split("## Features")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \| (.+) \|$", page, re.MULTILINE)
    assert dict(rows) == {**TABLE, **COMPILED_TABLE}
