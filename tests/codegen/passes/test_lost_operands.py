"""Left operands that ptxas loses: seen in machine code, and never in that of a plan."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from support.codegen.machine_code import lost_operands
from support.codegen.programs import built
from tilewright import from_torch
from tilewright.codegen.passes import hold_operands
from tilewright.codegen.runtime.compiled_code import compiled_code
from tilewright.codegen.targets import TARGETS
from tilewright.ir.errors import UserError
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import Plan, plan

H200 = TARGETS["h200"]


class Attended(torch.nn.Module):
    """Attention over heads that lie between the rows and the features."""

    def __init__(self, features: int, scale: float | None):
        super().__init__()
        self.features, self.scale = features, scale

    def forward(
        self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor
    ) -> torch.Tensor:
        q, k, v = (
            one.unflatten(-1, (-1, self.features)).transpose(1, 2) for one in (q, k, v)
        )
        if self.scale is not None:
            q = q * self.scale
        return scaled_dot_product_attention(q, k, v, mask).transpose(1, 2).flatten(-2)


@functools.cache
def attended(features: int = 64, scale: float | None = None, *, rows: int = 512) -> str:
    """With a mask that has a number for each pair."""
    sizes = [(2, rows, 2 * features)] * 3 + [(2, 1, rows, rows)]
    given = tuple(torch.randn(size, dtype=torch.bfloat16) for size in sizes)
    return from_torch(Attended(features, scale), given).text()


@functools.cache
def planned(payload: str) -> Plan:
    """Several tests read the same plan; none changes it."""
    return plan(parse_payload(payload), H200)


def schedule(payload: str, keys: int, loads: str) -> str:
    """The planned schedule with this many keys in a step."""
    text = planned(payload).text
    text = re.sub(
        r"BN = knob \[.*?\] default \d+", f"BN = knob [{keys}] default {keys}", text
    )
    text = re.sub(r"choose loads default \w+", f"choose loads default {loads}", text)
    return re.sub(r"BM = knob \[.*?\] default \d+", "BM = knob [64] default 64", text)


def machine_code(payload: str, text: str, directory: Path) -> str:
    made = compiled_code(built(payload, text).program, H200, directory, ["sass"])
    return "\n".join(kernel.text for kernel in made["sass"])


@pytest.mark.sampled(50)
@pytest.mark.parametrize("loads", ["pointers", "descriptors"])
def test_a_computed_operand_of_the_same_shape_is_refused(loads: str) -> None:
    payload = attended(scale=1.5)
    with pytest.raises(UserError) as caught:
        built(payload, schedule(payload, 64, loads))
    assert "computes a left operand of 64x64 in front of a loop" in str(caught.value)
    assert "choose another step of the loop" in str(caught.value)


def steps(payload: str) -> set[int]:
    """The steps of the planner's points that have 64 rows or more."""
    candidates = planned(payload).kernels[0].candidates
    points = [point for one in candidates for point in one.sketch.points()]
    return {point["BN"] for point in points if point["BM"] >= 64}


@pytest.mark.slow
def test_the_planner_does_not_choose_such_a_step() -> None:
    assert steps(attended()) == {16, 32, 64, 128}
    assert steps(attended(scale=1.5)) == {16, 32, 128}


@pytest.mark.slow
def test_descriptors_see_heads_and_features_as_one_dimension() -> None:
    payload = attended(rows=128)
    made = built(payload, schedule(payload, 64, "descriptors"))
    assert ".flatten(2), (1, 64, 64))" in made.program.text
    compared = check_kernel_ir(made, make_case(parse_payload(payload), 0))
    assert compared.ok, compared.message


@pytest.mark.slow
def test_a_left_operand_of_padded_features_is_loaded_by_pointers() -> None:
    """Its block has one head between rows and features: Triton would hold it."""
    payload = attended(features=80, rows=256)
    made = built(payload, schedule(payload, 128, "descriptors"))
    kernel = made.program.text
    assert "tl.load(expanded_tile" in kernel and "expanded2_desc.load(" in kernel
    compared = check_kernel_ir(made, make_case(parse_payload(payload), 0))
    assert compared.ok, compared.message


@pytest.mark.slow
def test_the_assembler_loses_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If this fails, Triton has a better ptxas, and nothing need be refused."""
    monkeypatch.setattr(hold_operands, "lost_operands", lambda block: [])
    payload = attended(scale=1.5)
    code = machine_code(payload, schedule(payload, 64, "descriptors"), tmp_path)
    assert lost_operands(code)


@pytest.mark.slow
@pytest.mark.parametrize("loads", ["pointers", "descriptors"])
@pytest.mark.parametrize("features", [64, 80])
def test_the_assembler_keeps_loaded_operands(
    features: int, loads: str, tmp_path: Path
) -> None:
    payload = attended(features)
    keys = 64 if features == 64 else 128
    code = machine_code(payload, schedule(payload, keys, loads), tmp_path)
    assert "HGMMA" in code and not lost_operands(code)


@pytest.mark.slow
def test_the_assembler_keeps_a_computed_operand_of_another_shape(
    tmp_path: Path,
) -> None:
    payload = attended(scale=1.5)
    code = machine_code(payload, schedule(payload, 32, "pointers"), tmp_path)
    assert "HGMMA" in code and not lost_operands(code)
