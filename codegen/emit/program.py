"""The whole file: imports, helpers, kernels and the launcher."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.emit.constants import emit_constant, uses_bytes
from tilewright.codegen.emit.gluon.kernel import GluonEmitter, is_specialized
from tilewright.codegen.emit.kernel import KernelEmitter
from tilewright.codegen.emit.launch_plan import launch_plan
from tilewright.codegen.kernel.modules import kernels_of
from tilewright.codegen.launches.launcher_text import LauncherText, imports_text
from tilewright.codegen.launches.plan import LaunchPlan, MakeConstant
from tilewright.codegen.source import escape
from tilewright.codegen.source.host_helpers import HOST_HELPERS
from tilewright.codegen.source.kernel_helpers import HELPERS
from tilewright.ir.dialects import memref
from tilewright.ir.dialects.kernel import FuncOp
from tilewright.ir.errors import Place


@dataclass(frozen=True)
class Emitted:
    """A source text, its launch plan, and the places that its lines come from."""

    text: str
    header: int
    """The characters of the docstring and the imports."""
    imports: tuple[str, ...]
    """The modules of the standard library that it imports."""
    plan: LaunchPlan
    places: tuple[tuple[str, int, Place], ...]
    """Kernel, line counted from its def, place in schedule or payload."""
    kernel_lines: tuple[tuple[str, int, int], ...]
    """Kernel, its first and its last line in the text; lines count from 1."""
    origins: dict[int, Origin]
    """Where the lines of the kernels come from; lines of the text count from 0."""


@dataclass(frozen=True)
class Origin:
    """Where a line comes from."""

    around: Place | None
    """The loop or the grid that it is in; of a loop's own line, the loop."""
    own: Place | None
    """The op that it computes."""


def emit_program(module: ModuleOp) -> Emitted:
    """The source text of a module at kernel level."""
    kernels = kernels_of(module)
    bodies: list[str] = []
    helpers: list[str] = []
    places: list[tuple[str, int, Place]] = []
    emitters: list[KernelEmitter | GluonEmitter] = []
    for name, kernel in kernels.items():
        emitter = emitter_of(kernel)
        emitters.append(emitter)
        bodies.append(_joined(emitter.emit()))
        places += [(name, line, place) for line, place in emitter.places]
        texts = emitter.helpers
        if isinstance(emitter, KernelEmitter):
            texts = [HELPERS[name] for name in texts]
        helpers += [text for text in texts if text not in helpers]
    plan = launch_plan(module)
    launching = LauncherText(plan)
    bodies.append(_joined(launching.write()))
    makers = {s.constant: s.maker for s in plan.steps if isinstance(s, MakeConstant)}
    made = {
        op.sym_name.data: op for op in module.ops if isinstance(op, memref.GlobalOp)
    }
    constants = {maker: made[name] for name, maker in makers.items()}
    standard = {name for h in launching.helpers for name in HOST_HELPERS[h].imports}
    standard |= {"functools"} if constants else set()
    standard |= {"base64"} if any(map(uses_bytes, constants.values())) else set()
    sections = [
        *(HOST_HELPERS[helper].text for helper in launching.helpers),
        *helpers,
        *(_joined(emit_constant(name, op)) for name, op in constants.items()),
        *bodies,
    ]
    title = escape.docstring(f"Triton kernels and launcher of {plan.entry}.")
    body = "".join(f"\n\n{section}" for section in sections)
    head = f'"""{title}"""\n\n{imports_text(plan, standard, body)}'
    text = head + body
    before = sections[: len(sections) - len(bodies)]
    first = head.count("\n") + sum(2 + section.count("\n") for section in before)
    origins: dict[int, Origin] = {}
    lines: list[tuple[str, int, int]] = []
    for emitter, body in zip(emitters, bodies, strict=False):
        decorator, count = first + 2, body.count("\n")
        own = dict(emitter.places)
        for line in range(1, count):
            around = emitter.around.get(line)
            origins[decorator + line] = Origin(around, own.get(line))
        first = decorator + count
        lines.append((emitter.func.sym_name.data, decorator + 1, first))
    return Emitted(
        text,
        len(head),
        tuple(sorted(standard)),
        plan,
        tuple(places),
        tuple(lines),
        origins,
    )


def emitter_of(kernel: FuncOp) -> KernelEmitter | GluonEmitter:
    """What writes a kernel: as Triton, or as Gluon if its warps have roles."""
    return GluonEmitter(kernel) if is_specialized(kernel) else KernelEmitter(kernel)


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"
