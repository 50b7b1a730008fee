"""Programs on disk: a later process builds them again without planning.

A file has a program's Triton source, what is known of its kernels, and its kernel IR,
which only the interpreter reads. Triton's own cache has the machine code. Files are
data (`plain_data.py`), are written atomically and start with a hash of their content; a
damaged file counts as missing. Refusals are kept too: finding out again that there is
no kernel takes long.
"""

from __future__ import annotations

import functools
import logging
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.runtime.source_cache import (
    SETTING,
    hashed,
    private_directory,
    read_entry,
    unhashed,
    write_bytes,
)
from tilewright.compiled_program import Program
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.pipeline import Built, Point, parse_payload
from tilewright.torch_backend.compiling.plain_data import (
    NotPlain,
    from_json,
    to_json,
)

_log = logging.getLogger("tilewright.torch")


@dataclass(frozen=True)
class StoredProgram:
    """The content of a file: a program."""

    program: GeneratedProgram
    kernel: str
    """The kernel IR."""
    target: str
    added: tuple[str, ...]
    defaults: Point
    refusals: tuple[str, ...]
    origin: str

    @staticmethod
    def of(program: Program) -> StoredProgram:
        """The content for a program."""
        built = program.built
        return StoredProgram(
            built.program,
            to_text(built.kernel),
            program.target,
            built.added,
            dict(built.defaults),
            program.refusals,
            program.origin,
        )

    def restored(self) -> Program:
        """The program; it has neither a plan nor steps."""
        built = RestoredBuild(self.program, self.kernel, self.added, self.defaults)
        return Program(
            built, (), {}, self.target, refusals=self.refusals, origin=self.origin
        )


@dataclass(frozen=True)
class StoredRefusal:
    """The content of a file: why there is no program."""

    fact: str
    remedy: str | None

    def error(self) -> UserError:
        """The refusal as it was raised."""
        return UserError(self.fact, remedy=self.remedy)


class RestoredBuild(Built):
    """A build that was read from disk; its kernel IR is parsed when it is needed."""

    def __init__(
        self,
        program: GeneratedProgram,
        kernel_text: str,
        added: tuple[str, ...],
        defaults: Point,
    ):
        values = {"program": program, "steps": (), "added": added, "defaults": defaults}
        vars(self).update(
            values, warnings=(), seconds={}, roundings=(), kernel_text=kernel_text
        )

    @cached_property
    def kernel(self) -> ModuleOp:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The kernel level, which the numpy interpreter runs."""
        return parse_payload(vars(self)["kernel_text"])


def has(key: str) -> bool:
    """Whether there is a program or a refusal."""
    folder = _folder()
    return folder is not None and (folder / key).is_file()


def load(key: str) -> Program | None:
    """The program of a key, if there is one; raises its refusal."""
    folder = _folder()
    content = None if folder is None else read_entry(folder / key)
    if folder is None or content is None:
        return None
    try:
        found = from_json(unhashed(content))
        _check(found)
    except ValueError as error:
        path = folder / key
        _log.warning("%s is damaged (%s); its program is compiled again", path, error)
        return None
    if isinstance(found, StoredRefusal):
        raise found.error()
    return found.restored()


def _check(found: Any) -> None:
    """Raise `ValueError` unless a value is what `save` keeps."""
    if isinstance(found, StoredRefusal):
        texts, rest = (found.fact, found.remedy or ""), ()
    elif isinstance(found, StoredProgram) and isinstance(
        program := found.program, GeneratedProgram
    ):
        texts = (found.kernel, found.target, found.origin)
        texts += (program.text, program.entry, program.key)
        rest = (program.arguments, program.results, program.kernels, program.places)
        rest += (program.calls, program.elsewhere, found.added, found.refusals)
    else:
        raise ValueError(f"it holds a {type(found).__name__}")
    if not all(isinstance(one, str) for one in texts):
        raise ValueError("it has another type in the place of a text")
    if not all(isinstance(one, tuple) for one in rest):
        raise ValueError("it has another type in the place of a tuple")


def save(key: str, value: StoredProgram | StoredRefusal) -> None:
    """Keep a program, or the reason why there is none."""
    folder = _folder()
    if folder is None:
        return
    try:
        write_bytes(folder / key, hashed(to_json(value).encode()))
    except NotPlain as error:
        _log.warning("a program is not kept: %s", error)
    except OSError as error:
        _log.warning(
            "programs are not kept: %s; %s names another folder", error, SETTING
        )


@functools.cache
def _folder() -> Path | None:
    return private_directory("programs", 128 * 2**20)
