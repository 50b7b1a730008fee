"""Fixtures that every test may use."""

from __future__ import annotations

import gc
import os
import zlib
from collections.abc import Callable, Iterator

import hypothesis
import pytest

from support import warm_python
from support.examples import QUICK
from support.paths import GOLDEN
from tilewright.codegen.runtime import interpret

# Tests run in parallel: threads of torch and of BLAS would wait for each other's cores,
# and they wait by spinning. Both read this when they are first imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

hypothesis.settings.load_profile(QUICK)

START_CHILD = interpret.start_child


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the files in tests/golden instead of comparing with them",
    )
    parser.addoption(
        "--exact-bars",
        action="store_true",
        help="hold the pages to their times exactly, and print them; for an idle "
        "machine (`make bench-pages`)",
    )


MLIR_SHARE = 10
"""Of the cases of a test that needs real MLIR, about one in so many is quick."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Set the marker `golden`, and `slow` on most cases of tests that are sampled."""
    seen: set[str] = set()
    for item in items:
        if "golden" in getattr(item, "fixturenames", ()):
            item.add_marker("golden")
        mark = item.get_closest_marker("sampled")
        if mark is not None:
            _sample(item, mark.args[0], seen)
        elif item.get_closest_marker("mlir") is not None:
            _sample(item, MLIR_SHARE, seen)


def _sample(item: pytest.Item, share: int, seen: set[str]) -> None:
    """Mark a case `slow`, unless it is the first of its test or one in `share`."""
    if item.get_closest_marker("slow") is not None:
        return
    test = item.nodeid.partition("[")[0]
    # By its name, so that a case is quick whatever else is collected, and without its
    # folder, so that it stays quick where files are moved.
    name = f"{item.path.name}::{item.name}"
    if test in seen and zlib.crc32(name.encode()) % share:
        item.add_marker("slow")
    seen.add(test)


def pytest_collection_finish() -> None:
    """Look for cyclic garbage less often: IR and tests are many objects that stay."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden("transforms/cse.mlir", text)`: the text is what the file holds."""
    update = request.config.getoption("--update-golden")

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        if not path.exists():
            pytest.fail(f"no golden file {name}; make it with --update-golden")
        assert text == path.read_text(encoding="utf-8"), (
            f"differs from tests/golden/{name}; if that is right, run --update-golden"
        )

    return check


@pytest.fixture(scope="session", autouse=True)
def warm_interpreter() -> Iterator[None]:
    """Triton's interpreter runs in processes that have torch imported already."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interpret, "start_child", warm_python.start_interpreter)
        yield


@pytest.fixture
def cold_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of the process itself: it is started as users start it."""
    monkeypatch.setattr(interpret, "start_child", START_CHILD)
