"""The results file of tuned models: in the user's cache folder, or where options say.

It is a results file of `tilewright tune` (docs/results_file.md): `tilewright results`
lists, exports and imports it.
"""

from __future__ import annotations

import atexit
import functools
import logging
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tilewright.codegen.runtime.source_cache import kept_directory
from tilewright.ir.errors import UserError
from tilewright.known_points import open_results
from tilewright.planning.recorded import History
from tilewright.torch_backend.options import Options
from tilewright.tuning.results.database import Database
from tilewright.tuning.transfer.planned_kernels import PlannedKernels
from tilewright.tuning.transfer.tuned_payloads import TunedPayloads

_log = logging.getLogger("tilewright.torch")


def results_file(options: Options) -> Path:
    """The file that winners are read from, and written to where kernels are tuned."""
    return Path(options.results) if options.results else _folder() / "results.db"


@functools.cache
def _folder() -> Path:
    """The user's cache folder; a temporary one where that is not usable."""
    if (folder := kept_directory("torch")) is not None:
        return folder
    made = Path(tempfile.mkdtemp(prefix="tilewright-torch-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


@contextmanager
def known_kernels(options: Options) -> Iterator[History | None]:
    """The winners that plans start from; None in modes that use none."""
    if not (options.tunes or options.results):
        yield None
        return
    with _opened(options) as database:
        yield None if database is None else PlannedKernels(database)


@contextmanager
def _opened(options: Options) -> Iterator[Database | None]:
    """The results file, if there is one; a damaged one of the cache is as none."""
    path = results_file(options)
    with ExitStack() as stack:
        database: Database | None = None
        try:
            database = stack.enter_context(open_results(path))
        except UserError as error:
            if options.results:
                raise
            _log.warning("%s is not used: %s", path, error.fact)
        yield database


def stamp(options: Options) -> str:
    """Changes whenever a plan may become another one, because winners were added."""
    with known_kernels(options) as history:
        if not isinstance(history, PlannedKernels):
            return ""
        return history.stamp()


def is_tuned(text: str, target: str, options: Options) -> bool:
    """Whether every kernel of a payload has had its trials for a GPU."""
    with _opened(options) as database:
        return database is not None and TunedPayloads(database).has(text, target)


def is_only_read(path: Path) -> bool:
    """Whether a file holds winners as JSON, which ship with a model."""
    if not path.is_file():  # a pipe would wait for a writer
        return False
    try:
        with path.open("rb") as file:
            return file.read(64).lstrip().startswith(b"{")
    except OSError:
        return False
