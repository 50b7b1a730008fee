"""What must hold after every step, and the finding that is raised where it does not."""

from __future__ import annotations

from collections.abc import Iterable

from fuzz.schedules.cases import Case
from fuzz.schedules.oracle import Oracle
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, to_text, verify

_CONTEXT = payload_context()


class Finding(Exception):
    """Something that must not happen."""

    def __init__(self, kind: str, verb: str, detail: str):
        super().__init__(f"{kind} ({verb})")
        self.kind = kind
        self.verb = verb
        self.detail = detail

    @property
    def key(self) -> tuple[str, str]:
        """What counts as the same finding while shrinking."""
        return self.kind, self.verb


class Checks:
    """Looks at one payload while a schedule runs over it."""

    def __init__(self, case: Case, module: ModuleOp):
        self.module = module
        self.oracle = Oracle(case, module)
        self.text = to_text(module)
        self.steps = 0
        """How many steps changed payload."""

    def refused(self, verb: str, error: UserError, *, is_whole: bool = True) -> bool:
        """A refusal has a place and leaves the payload alone; whether it did.

        A step that runs others (`is_whole` is false) may stop half-way: what it leaves
        is looked at like the work of any other step.
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
        """The payload is valid, prints as it parses, and computes what it did."""
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
        """Handles point at what is in the payload."""
        for op in ops:
            if not self.module.is_ancestor(op):
                raise Finding(
                    "a handle points at what is gone",
                    verb,
                    f"a handle points at a {op.name} that is not in the payload",
                )

    def _uses(self, verb: str) -> None:
        """What is read is read by the payload, not by ops that were thrown away."""
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
