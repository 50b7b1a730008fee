"""The study of tuning cost: its configurations bind to the kernel that it times."""

from __future__ import annotations

import sys

import torch

from support.paths import BENCHMARKS

sys.path += [str(BENCHMARKS), str(BENCHMARKS / "tuning_cost")]

import compiling
import study


def test_the_configurations_are_valid_and_the_same_every_time() -> None:
    assert len(study.space()) == 576
    chosen = study.configurations()
    assert len(set(chosen)) == 100 and all(one.is_valid for one in chosen)
    assert chosen == study.configurations()
    assert len(set(study.inputs())) == 64
    assert set(study.FOCUS) < set(study.inputs())


def test_every_configuration_binds_to_the_kernel() -> None:
    m, n, k = study.FRONTIER_INPUT
    shapes = ((m, k), (k, n), (m, n))
    tensors = tuple(torch.empty(s, dtype=torch.float16, device="meta") for s in shapes)
    for choice in study.configurations():
        bound = compiling.launch(tensors, choice)
        options = bound.options
        assert options["num_warps"] == choice.num_warps
        assert options["BLOCK_K"] == choice.BLOCK_K
        assert options["EVEN_MN"] and options["EVEN_K"]
        assert bound.grid[0] == (m // choice.BLOCK_M) * (n // choice.BLOCK_N)
