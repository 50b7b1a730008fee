"""The checks after every step, and the exception for a failed check."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from fuzz.schedules.cases import Case
from fuzz.schedules.oracle import Oracle
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, to_text, verify

_CONTEXT = payload_context()


class Finding(Exception):
    """A failed check."""

    def __init__(self, kind: str, verb: str, detail: str):
        super().__init__(f"{kind} ({verb})")
        self.kind = kind
        self.verb = verb
        self.detail = detail

    @property
    def key(self) -> tuple[str, str]:
        """Findings with equal keys count as the same while shrinking."""
        return self.kind, self.verb


class Checks:
    """Checks one payload while a schedule runs over it."""

    def __init__(self, case: Case, module: ModuleOp):
        self.module = module
        self.oracle = Oracle(case, module)
        self.text = to_text(module)
        self.steps = 0
        """The number of steps that changed the payload."""

    def refused(self, verb: str, error: UserError, *, is_whole: bool = True) -> bool:
        """Check that a refusal has a place and left the payload unchanged.

        A step that runs others (`is_whole` is false) may stop half-way; the payload is
        then checked as after any other step. Returns whether it is unchanged.
        """
        if error.place is None:
            raise Finding("an error without a place", verb, str(error))
        self._uses(verb)
        text = to_text(self.module)
        if text == self.text:
            return True
        if is_whole:
            raise Finding("a refused step changed the payload", verb, text)
        self.changed(verb)
        return False

    def changed(self, verb: str) -> None:
        """Check that the payload is valid, round-trips, and computes the same."""
        self._uses(verb)
        text = to_text(self.module)
        if text == self.text:
            return
        self.text = text
        self.steps += 1
        try:
            verify(self.module)
            again = to_text(parse_module(text, "again.mlir", _CONTEXT))
        except UserError as error:
            raise Finding("invalid IR", verb, f"{error}\n{text}") from error
        if again != text:
            raise Finding("prints differently", verb, f"{text}\n{again}")
        if (wrong := self.oracle.wrong(self.module, self.steps)) is not None:
            raise Finding(wrong.kind, verb, f"{wrong.detail}\n{text}")

    def handles(self, verb: str, ops: Iterable[Operation]) -> None:
        """Check that handles point at ops of the payload."""
        for op in ops:
            if not self.module.is_ancestor(op):
                raise Finding(
                    "a handle points at what is gone",
                    verb,
                    f"a handle points at a {op.name} that is not in the payload",
                )

    def _uses(self, verb: str) -> None:
        """Check that no erased op is still a user of a value."""
        inside = set(self.module.walk())
        for op in inside:
            values = [*op.results]
            for region in op.regions:
                values += [arg for block in region.blocks for arg in block.args]
            for value in values:
                for use in value.uses:
                    if use.operation not in inside:
                        raise Finding(
                            "a use is left outside the payload",
                            verb,
                            f"a {use.operation.name} reads a result of {op.name}",
                        )
