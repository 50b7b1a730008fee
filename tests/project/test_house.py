"""The house itself: what importing costs, what the command line answers, the links."""

from __future__ import annotations

import ast
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import tilewright
from support.paths import ROOT

FOLDERS = ["ir", "frontend", "transforms", "schedules", "codegen", "tuning"]
FOLDERS += ["planning", "torch_backend", "explorer", "examples", "docs"]
HEAVY = ("torch", "triton", "optuna")


def python(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "module",
    [
        "tilewright",
        "tilewright.cli",
        "tilewright.transforms.dialect",
        "tilewright.schedules.schedule",
        "tilewright.pipeline",
        "tilewright.tuning",
    ],
)
def test_importing_does_not_import_heavy_packages(module: str) -> None:
    script = f"import sys, {module}; print([m for m in {HEAVY} if m in sys.modules])"
    assert python(script).strip() == "[]"


def test_help_answers_in_under_a_second() -> None:
    # Processor time: on a busy machine the clock on the wall says nothing.
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "tilewright", "--help"], capture_output=True, cwd=ROOT
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert spent < 1.0


def test_version_is_printed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tilewright", "--version"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.stdout.strip() == f"tilewright {tilewright.__version__}"


@pytest.mark.parametrize("name", FOLDERS)
def test_the_package_links_to_the_folders_at_the_top(name: str) -> None:
    link = ROOT / "tilewright" / name
    assert link.is_symlink()
    assert not Path(link.readlink()).is_absolute()
    assert link.resolve() == ROOT / name


def test_unknown_public_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'compiel'"):
        tilewright.compiel  # noqa: B018  # pyright: ignore


def packages() -> list[Path]:
    """Every package of the project, once."""
    folders = [*FOLDERS, "tilewright"]
    found = [p.parent for name in folders for p in (ROOT / name).rglob("__init__.py")]
    return sorted(p for p in found if not any(f.is_symlink() for f in (p, *p.parents)))


@pytest.mark.parametrize("package", packages(), ids=lambda p: str(p.relative_to(ROOT)))
def test_a_package_says_what_it_holds_and_what_it_imports(package: Path) -> None:
    """What it imports may be said by the package around it, for all inside."""
    around = package.parent / "__init__.py"
    files = [package / "__init__.py", *([around] if around.exists() else [])]
    said = [ast.get_docstring(ast.parse(file.read_text("utf-8"))) for file in files]
    assert said[0]
    assert any(re.search(r"\b(reads?|imports?)\b", text or "", re.I) for text in said)
