"""Programs on disk: a later process builds them again without planning.

A file has a program's Triton source, what is known of its kernels, and its kernel IR,
which only the interpreter reads. Triton's own cache has the machine code. Files are
written atomically and start with a hash of their content; a damaged file counts as
missing. Refusals are kept too: finding out again that there is no kernel takes long.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import pickle
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.runtime.source_cache import (
    SETTING,
    mark_used,
    private_directory,
    write_bytes,
)
from tilewright.compiled_program import Program
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.pipeline import Built, Point, parse_payload

_log = logging.getLogger("tilewright.torch")

_MOST_BYTES = 128 * 2**20
_DIGEST = hashlib.sha256().digest_size


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
    return folder is not None and (folder / key).exists()


def load(key: str) -> Program | None:
    """The program of a key, if there is one; raises its refusal."""
    folder = _folder()
    if folder is None:
        return None
    path = folder / key
    try:
        content = path.read_bytes()
        digest, body = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(body).digest() != digest:
            _log.warning("%s is damaged; its program is compiled again", path)
            return None
        found = pickle.loads(body)
        mark_used(path)
    except OSError:
        return None
    if isinstance(found, StoredRefusal):
        raise found.error()
    assert isinstance(found, StoredProgram)
    return found.restored()


def save(key: str, value: StoredProgram | StoredRefusal) -> None:
    """Keep a program, or the reason why there is none."""
    folder = _folder()
    if folder is None:
        return
    body = pickle.dumps(value)
    try:
        write_bytes(folder / key, hashlib.sha256(body).digest() + body)
    except OSError as error:
        _log.warning(
            "programs are not kept: %s; %s names another folder", error, SETTING
        )


@functools.cache
def _folder() -> Path | None:
    return private_directory("programs", _MOST_BYTES)
