"""Configuration spaces of well-known kernels, and the configurations of any space.

A space is a dictionary of parameter names to the values to try. A configuration is a
dictionary with one value for each parameter; a kernel takes it as keyword arguments.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from tilewright.tuning.own_kernels.errors import ArgumentError

Config: TypeAlias = dict[str, Any]
ConfigSpace: TypeAlias = Mapping[str, Sequence[Any]]

RMSNORM_ROPE_CONFIGS: dict[str, list[Any]] = {
    "BLOCK_SIZE": [64, 128, 256, 512, 1024],
    "num_warps": [2, 4, 8],
    "num_stages": [1, 2, 3],
}
"""RMS normalization with rotary position embedding: the columns of a step."""

GATED_MLP_CONFIGS: dict[str, list[Any]] = {
    "BLOCK_M": [32, 64, 128],
    "BLOCK_N": [32, 64, 128],
    "BLOCK_K": [32, 64],
    "num_warps": [4, 8],
    "num_stages": [2, 3, 4],
}
"""Two products that share their left operand, and a gate between them."""

FP8_GEMM_CONFIGS: dict[str, list[Any]] = {
    "BLOCK_M": [64, 128, 256],
    "BLOCK_N": [64, 128, 256],
    "BLOCK_K": [32, 64],
    "GROUP_SIZE_M": [4, 8],
    "num_warps": [4, 8],
    "num_stages": [3, 4, 5],
}
"""A product of 8-bit floats, its tiles in groups of rows."""

_DEFAULTS: dict[str, Config] = {
    "rmsnorm_rope": {"BLOCK_SIZE": 128, "num_warps": 4, "num_stages": 2},
    "gated_mlp": {
        "BLOCK_M": 64,
        "BLOCK_N": 64,
        "BLOCK_K": 32,
        "num_warps": 4,
        "num_stages": 3,
    },
    "fp8_gemm": {
        "BLOCK_M": 128,
        "BLOCK_N": 128,
        "BLOCK_K": 32,
        "GROUP_SIZE_M": 8,
        "num_warps": 4,
        "num_stages": 4,
    },
}

_OVERHANG = 2
"""A tile may be this many times as long as the rows or columns that masks cut off."""


def generate_configs(config_space: ConfigSpace) -> list[Config]:
    """Every combination of the values; the last parameter varies fastest."""
    for name, values in config_space.items():
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise ArgumentError(
                f"'{name}' of the configuration space is {values!r}, not a list",
                remedy=f"write {name!r}: [{values!r}]",
            )
    names = list(config_space)
    every = itertools.product(*config_space.values())
    return [dict(zip(names, values, strict=True)) for values in every]


def filter_valid_configs(
    configs: Iterable[Mapping[str, Any]],
    hidden_dim: int | None = None,
    intermediate_dim: int | None = None,
    M: int | None = None,
    N: int | None = None,
    K: int | None = None,
) -> list[Config]:
    """The configurations whose tiles suit a problem.

    `BLOCK_SIZE` is at most `hidden_dim`. `BLOCK_M` and `BLOCK_N` are at most twice M
    and N, since masks cut tiles that overhang; `BLOCK_K` is at most K. In a gated MLP
    the columns are `intermediate_dim`, and `hidden_dim` is summed over.
    """
    columns = intermediate_dim if N is None else N
    summed = hidden_dim if K is None else K
    limits = {
        "BLOCK_SIZE": hidden_dim,
        "BLOCK_M": None if M is None else _OVERHANG * M,
        "BLOCK_N": None if columns is None else _OVERHANG * columns,
        "BLOCK_K": summed,
    }
    return [
        dict(config)
        for config in configs
        if all(
            limit is None or name not in config or config[name] <= limit
            for name, limit in limits.items()
        )
    ]


def get_default_config(kernel_type: str) -> Config:
    """A configuration that works without tuning: a copy, to change as you like."""
    if kernel_type not in _DEFAULTS:
        near = difflib.get_close_matches(str(kernel_type), _DEFAULTS, n=1)
        guess = f"did you mean '{near[0]}'? " if near else ""
        raise ArgumentError(
            f"there is no default configuration of '{kernel_type}'",
            remedy=f"{guess}known: {', '.join(_DEFAULTS)}",
        )
    return dict(_DEFAULTS[kernel_type])
