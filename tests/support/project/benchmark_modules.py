"""Modules of benchmarks/, loaded by path."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from support.paths import BENCHMARKS


def load(name: str) -> ModuleType:
    # By path: another distribution installs a top-level package named `benchmarks`.
    path = BENCHMARKS / f"{name}.py"
    unique = "bench_" + name.replace("/", "_")
    specification = importlib.util.spec_from_file_location(unique, path)
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module
