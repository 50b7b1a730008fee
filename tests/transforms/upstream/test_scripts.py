"""Whole scripts, as an MLIR engineer writes them, through real MLIR and through us.

A script runs unchanged in both. Its head says how far it goes:

    // level: tensors       tiling, fusing, splitting: the very same program
    // level: buffers       vectors and buffers: the same numbers, and as many as real
                            MLIR leaves of each op that costs time
    // fewer: memref.copy   ... but for these: ours has fewer, and docs/upstream.md
                            says why
"""

from __future__ import annotations

import re

import pytest

from fuzz.schedules.files import Outcome, check_numbers, run_file
from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.same_program import CLEAN, assert_same_program
from support.transforms.scripts import PAYLOADS, SCRIPTS, Script
from tilewright.ir.text import parse_module, to_text
from tilewright.schedules.schedule import Schedule, check_text
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import run_schedule

QUICK_EXAMPLES = ("layernorm", "linear_gelu_residual", "matmul_relu")


def is_quick(script: Script) -> bool:
    """A third of the scripts with their own payload, and some over the examples."""
    if script.example is not None:
        return script.example in QUICK_EXAMPLES
    return OWN.index(script) % 3 == 0


OWN = [script for script in SCRIPTS if script.example is None]


def each(scripts: list[Script]) -> pytest.MarkDecorator:
    """A test for each script."""
    return pytest.mark.parametrize(
        "script",
        [
            pytest.param(
                script,
                id=script.name,
                marks=() if is_quick(script) else pytest.mark.slow,
            )
            for script in scripts
        ],
    )


EACH = each(SCRIPTS)
TO_BUFFERS = each([script for script in SCRIPTS if script.level != "tensors"])

COUNTED = (
    "scf.for",
    "scf.forall",
    "vector.contract",
    "vector.transfer_read",
    "vector.transfer_write",
    "vector.multi_reduction",
    "memref.alloc",
    "memref.copy",
    "linalg",
)
"""What costs time in the end."""


def ours(script: Script) -> str:
    """What we make of a script."""
    both = parse_module(script.text, script.path.name, schedule_context())
    payload, schedule = Schedule.split(both)
    assert schedule is not None
    run_schedule(schedule.module, payload)
    return to_text(payload)


def by_real_mlir(text: str) -> str:
    """What real MLIR makes of it, without what `transform.print` wrote before."""
    printed = mlir_opt(
        text,
        "--transform-interpreter",
        "--test-transform-dialect-erase-schedule",
        "--mlir-print-local-scope",
    )
    head, module, body = printed.rpartition("\nmodule ")
    return module + body if module else head + body


def counts(text: str) -> dict[str, int]:
    """How many there are of each op that costs time."""
    names = re.findall(r"(?<![#!%.\w])[a-z]+\.\w+", text)
    found = [
        counted
        for name in names
        for counted in COUNTED
        if counted in (name, name.split(".")[0])
        and name not in ("linalg.yield", "linalg.index")
    ]
    return {name: found.count(name) for name in COUNTED}


@pytest.mark.sampled(12)
@EACH
def test_the_numbers_stay(script: Script) -> None:
    """After every step; for the examples, which are larger, in the end."""
    is_small = script.example is None
    ran: Outcome = run_file(script.small, script.path.name, each=is_small)
    assert ran.refusal is None, str(ran.refusal)
    assert ran.steps > 0


@pytest.mark.sampled(12)
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_the_check_finds_nothing(script: Script) -> None:
    assert check_text(script.text, script.path.name) == []


@pytest.mark.sampled(12)
@needs_mlir
@EACH
def test_real_mlir_gives_the_same(script: Script) -> None:
    left, right = ours(script), by_real_mlir(script.text)
    if script.level == "tensors":
        assert_same_program(left, _indices_as_affine(right))
        return
    left, right = (mlir_opt(text, *CLEAN) for text in (left, right))
    have, want = counts(left), counts(right)
    fewer = tuple(name for name in COUNTED if have[name] < want[name])
    more = tuple(name for name in COUNTED if have[name] > want[name])
    assert not more, f"ours {have}, real MLIR {want}\n{left}\n{right}"
    assert set(fewer) == set(script.fewer), f"ours {have}, real MLIR {want}"


def _indices_as_affine(text: str) -> str:
    """Ours has no `affine.delinearize_index`: what it stands for is written out."""
    if "affine.delinearize_index" not in text:
        return text
    return mlir_opt(text, "--affine-expand-index-ops-as-affine")


@needs_mlir
@pytest.mark.slow
@EACH
def test_the_generic_form_is_read(script: Script) -> None:
    generic = mlir_opt(script.text, "--mlir-print-op-generic")
    read = parse_module(generic, script.path.name, schedule_context())
    assert mlir_opt(to_text(read)) == mlir_opt(script.text)


@pytest.mark.sampled(12)
@needs_mlir
@TO_BUFFERS
def test_real_mlir_computes_the_same(script: Script) -> None:
    check_numbers(script.small, script.path.name, by_real_mlir(script.small))


def test_every_example_is_scheduled_both_ways() -> None:
    names = {path.stem for path in PAYLOADS.glob("*.mlir")}
    for level in ("tensors", "buffers"):
        covered = {script.example for script in SCRIPTS if script.level == level}
        assert names <= covered, f"{level}: {sorted(names - covered)}"


def test_what_is_better_is_told() -> None:
    """docs/upstream.md names the scripts of which ours leaves less, and no others."""
    page = (PAYLOADS.parents[1] / "docs" / "upstream.md").read_text()
    table = page.split("## Fewer ops than upstream")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert told == {script.name for script in SCRIPTS if script.fewer}


FIRST_TIER = """
    named_sequence sequence include yield foreach alternatives tune.knob
    tune.alternatives merge_handles split_handle select cast num_associations
    get_parent_op get_producer_of_operand get_consumers_of_result get_defining_op
    get_operand get_result param.constant annotate print verify debug.emit_remark_at
    debug.emit_param_as_remark apply_patterns apply_patterns.canonicalization
    apply_patterns.linalg.tiling_canonicalization
    apply_patterns.linalg.fold_unit_extent_dims_via_slices
    apply_patterns.linalg.fold_unit_extent_dims_via_reshapes
    apply_patterns.tensor.merge_consecutive_insert_extract_slice
    apply_patterns.vector.lower_masked_transfers
    apply_patterns.vector.reduction_to_contract
    apply_patterns.vector.transfer_permutation_patterns
    apply_patterns.vector.fold_arith_extension apply_cse apply_dce apply_licm
    apply_registered_pass structured.match structured.tile_using_for
    structured.tile_using_forall structured.tile_reduction_using_for
    structured.tile_reduction_using_forall structured.fuse
    structured.fuse_into_containing_op structured.interchange structured.generalize
    structured.split structured.split_reduction structured.pad
    structured.decompose structured.decompose_interface
    structured.rewrite_in_destination_passing_style
    structured.eliminate_empty_tensors structured.vectorize
    structured.vectorize_children_and_apply_patterns
    loop.hoist_loop_invariant_subsets loop.peel loop.unroll loop.coalesce
    loop.fuse_sibling loop.promote_if_one_iteration loop.forall_to_for
    bufferization.one_shot_bufferize bufferization.empty_tensor_to_alloc_tensor
""".split()
"""What schedules are made of.

Left out: `gpu.map_forall_to_blocks`, which keeps the grid where upstream makes a launch
of it, and `loop.get_parent_for`, which upstream no longer has.
"""


def test_every_op_stands_in_a_script() -> None:
    used = {
        name
        for script in SCRIPTS
        for name in re.findall(r"transform\.([a-z_.]+)", script.schedule)
    }
    assert set(FIRST_TIER) <= used, sorted(set(FIRST_TIER) - used)
