"""Writing a generated program as a stand-alone file.

To the kernels and their launcher the file adds `launch`, which checks its arguments,
the payload as a torch reference in float64, and a main program: it draws random inputs,
checks the results and times the kernels. The file needs only torch and triton. Without
a GPU it checks in Triton's interpreter (TRITON_INTERPRET=1) and does not time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import fill

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.launches.launcher_text import imports_text
from tilewright.codegen.program import DYNAMIC, GeneratedProgram, TensorSpec
from tilewright.codegen.source import escape
from tilewright.codegen.source.names import Names
from tilewright.codegen.source.python_text import (
    WIDTH,
    Call,
    Expression,
    Group,
    Literal,
    lay_out,
)
from tilewright.codegen.source.torch_types import TORCH_TYPES
from tilewright.codegen.standalone.figures import Figures
from tilewright.codegen.standalone.open_sizes import sizes_of
from tilewright.codegen.standalone.reference.function import (
    NoReference,
    explain,
    torch_reference,
)
from tilewright.codegen.standalone.templates import (
    CHECK,
    EXPECT,
    FITS,
    NOT_TIMED,
    ON_A_GPU,
    ON_A_GPU_OR_INTERPRETED,
    POISONED,
    REFERENCE_HELPERS,
)
from tilewright.ir.dialects.func import FuncOp
from tilewright.ir.dtypes import element
from tilewright.ir.structured.index_arguments import index_limits


@dataclass(frozen=True)
class Origin:
    """The files and choices that a program was made from, for the header."""

    payload: str
    schedule: str | None = None
    """None for the default schedule."""
    point: Mapping[str, object] = field(default_factory=dict[str, object])


def standalone(
    program: GeneratedProgram,
    payload: ModuleOp,
    reduction: int,
    origin: Origin | None = None,
) -> str:
    """The text of the file of a program and its payload.

    `reduction` is the length of the payload's longest sum; it sets the tolerance.
    """
    return _File(program, payload, reduction, origin).write()


class _File:
    def __init__(
        self,
        program: GeneratedProgram,
        payload: ModuleOp,
        reduction: int,
        origin: Origin | None,
    ):
        self.origin = origin
        self.program = program
        self.payload = payload
        # All names in the file are different.
        functions = {program.entry, *(kernel.name for kernel in program.kernels)}
        local = {"interpreted", "device", "expected", "actual", "ms"}
        names = Names({*functions, *local, "launch", "parser", "options", "argparse"})
        fresh = names.fresh
        self.arguments = [fresh(spec.name) for spec in program.arguments]
        self.reference, self.check = fresh("reference"), fresh("check")
        self.expect, self.main = fresh("expect"), fresh("check_and_time")
        self.poisoned = fresh("launch_poisoned")
        self.open = sizes_of(program, payload, names)
        self.figures = Figures(program, payload, reduction, self.open)
        own = {"launch", self.reference, self.check, self.expect, self.main}
        own.add(self.poisoned)
        self.taken = functions | own

    def write(self) -> str:
        """The text of the file."""
        sections: list[str] = []
        if self.program.entry != "launch":
            is_dynamic = any(DYNAMIC in s.shape for s in self.program.arguments)
            expect = EXPECT.format(
                expect=self.expect,
                wrong="not fits(tensor.shape, shape)"
                if is_dynamic
                else "tuple(tensor.shape) != shape",
            )
            sections += [FITS] if is_dynamic else []
            sections += [expect, self._launch()]
        try:
            lines = torch_reference(self.payload, self.reference, self.taken)
            text = "\n".join(lines) + "\n"
            for helper, lines in REFERENCE_HELPERS.items():
                sections += [lines] if f"{helper}(" in text else []
            sections += [text, POISONED.format(poisoned=self.poisoned)]
            sections.append(CHECK.format(check=self.check))
            checking = self._checking()
        except NoReference as error:
            checking = self._not_checking(explain(error))
        sections.append(self._main(checking))
        sections.append(self._script())
        program = self.program
        assert program.launch_plan is not None
        standard = {*program.imports, *(["argparse"] if self.open is not None else [])}
        body = "\n\n".join([program.text[program.header :], *sections])
        imports = imports_text(program.launch_plan, standard, body)
        return self._header() + imports + body

    def _header(self) -> str:
        """The docstring: what the file was made from, and how to use it."""
        paragraphs: list[str] = []
        if (origin := self.origin) is not None:
            under = origin.schedule or "the default schedule"
            point = ", ".join(f"{name}={value}" for name, value in origin.point.items())
            closed = f" with {point}" if point else ""
            paragraphs.append(f"Made from {origin.payload} under {under}{closed}.")
        options = " --help lists the sizes to choose." if self.open is not None else ""
        interpreting = "; with TRITON_INTERPRET=1 in the environment it checks them "
        interpreting += "without a GPU"
        if self.program.uses_gluon:
            interpreting = ""
        paragraphs.append(
            f"`launch({', '.join(self.arguments)})` checks its arguments and runs the "
            "kernels. As a program this file checks them against torch and times "
            f"them{interpreting}.{options}"
        )
        title = f"{self.program.entry}: Triton kernels, written by tilewright."
        shown = [fill(escape.comment(part), WIDTH) for part in paragraphs]
        text = escape.docstring("\n\n".join([title, *shown]))
        return f'"""{text}\n"""\n\n'

    def _script(self) -> str:
        """The main program; open sizes are options."""
        lines = ['if __name__ == "__main__":']
        if self.open is None:
            return "\n".join([*lines, f"    {self.main}()"]) + "\n"
        about = escape.string(f"Check {self.program.entry} beside torch, and time it.")
        made = Call("argparse.ArgumentParser", (), (("description", Literal(about)),))
        lines += lay_out("parser = ", made, "", 4)
        for size, default in self.open.defaults().items():
            keywords = (("type", "int"), ("default", str(default)))
            option = Call(
                "parser.add_argument",
                (Literal(escape.string(_option(size))),),
                (
                    *((name, Literal(value)) for name, value in keywords),
                    ("metavar", Literal(escape.string(size))),
                    ("help", Literal(escape.string(self._help(size)))),
                ),
            )
            lines += lay_out("", option, "", 4)
        lines += [
            "    options = parser.parse_args()",
            "    if min(vars(options).values()) < 0:",
            '        parser.error("a size cannot be negative")',
        ]
        chosen = [
            Literal(f"options.{_option(size.name)[2:].replace('-', '_')}")
            for size in self.open.in_order()
        ]
        lines += lay_out("", Call(self.main, tuple(chosen)), "", 4)
        return "\n".join(lines) + "\n"

    def _help(self, size: str) -> str:
        """`a.shape[0], 1024 where it is not given`."""
        assert self.open is not None
        places = next(s.places for s in self.open.sizes if s.name == size)
        where = ", ".join(f"{self.arguments[p]}.shape[{dim}]" for p, dim in places)
        return f"{where}; %(default)s where not given"

    def _launch(self) -> str:
        """The function `launch`: checks shapes and dtypes, and sets the device."""
        given = list(zip(self.arguments, self.program.arguments, strict=True))
        tensors = [(name, spec) for name, spec in given if not spec.is_scalar]
        lines = [f"def launch({', '.join(self.arguments)}):"]
        about = escape.docstring(f"{self.program.entry}, with its arguments checked.")
        lines.append(f'    """{about}"""')
        for name, spec in tensors:
            values = (escape.string(name), name, _size(spec), TORCH_TYPES[spec.dtype])
            call = Call(self.expect, tuple(Literal(value) for value in values))
            lines += lay_out("", call, "", 4)
        written = [name for name, spec in tensors if spec.is_written]
        names = Names({*self.taken, *self.arguments, "torch", "triton"})
        copies = {name: names.fresh(f"contiguous_{name}") for name in written}
        for name, copy in copies.items():
            lines.append(f"    {copy} = {name}.contiguous()")
        arguments = tuple(
            Literal(
                name if spec.is_scalar else copies.get(name, f"{name}.contiguous()")
            )
            for name, spec in given
        )
        call = Call(self.program.entry, arguments)
        indent = 4
        if tensors:
            lines.append(f"    with torch.cuda.device_of({tensors[0][0]}):")
            indent = 8
        if not written:
            return "\n".join([*lines, *lay_out("return ", call, "", indent)]) + "\n"
        results = names.fresh("results")
        lines += lay_out(f"{results} = ", call, "", indent)
        for name, copy in copies.items():
            # The kernels take contiguous tensors; their results are copied back.
            lines.append(f"    if {copy} is not {name}:")
            lines.append(f"        {name}.copy_({copy})")
        return "\n".join([*lines, f"    return {results}"]) + "\n"

    def _main(self, checking: list[str]) -> str:
        sizes = [size.name for size in self.open.in_order()] if self.open else []
        function = next(op for op in self.payload.ops if isinstance(op, FuncOp))
        limits = index_limits(function)
        lines = [
            f"def {self.main}({', '.join(sizes)}):",
            '    """On random inputs: the kernels beside torch, and their time."""',
            *(ON_A_GPU if self.program.uses_gluon else ON_A_GPU_OR_INTERPRETED),
            "    torch.manual_seed(0)",
        ]
        for position, spec in enumerate(self.program.arguments):
            name, size = self.arguments[position], _size(spec)
            if self.open is not None:
                size = str(_tuple(self.open.argument(position)))
            drawn = _random(replace(spec, below=limits.get(position)), size)
            lines += lay_out(f"{name} = ", drawn, "", 4)
        lines += checking
        if not self.program.uses_gluon:
            lines += NOT_TIMED
        timed = Literal(f"lambda: {self._call('launch')}")
        lines += lay_out("ms = ", Call("triton.testing.do_bench", (timed,)), "", 4)
        work, unit, scale = self.figures.work()
        rate = f", {{{work} / ms * {scale}:.1f}} {unit}" if work else ""
        name = escape.string_body(self.program.entry)
        lines.append(f'    print(f"{name}: {{ms:.4f}} ms{rate}")')
        return "\n".join(lines) + "\n"

    def _call(self, function: str) -> Call:
        return Call(function, tuple(Literal(name) for name in self.arguments))

    def _not_checking(self, reason: str) -> list[str]:
        said = Literal('"not checked: the payload has no reference in torch here"')
        return [
            f"    # {escape.comment(reason)}"[:WIDTH],
            *lay_out("", Call("print", (said,)), "", 4),
            *lay_out("", self._call("launch"), "", 4),
        ]

    def _checking(self) -> list[str]:
        lines: list[str] = []
        indent = 4
        specs = (*self.program.arguments, *self.program.results)
        wrong = [spec.dtype for spec in specs if element(spec.dtype).carrier]
        if wrong and not self.program.uses_gluon:
            said = f"not checked: Triton's interpreter is wrong on {wrong[0]}"
            lines += ["    if interpreted:", f'        print("{said}")', "    else:"]
            indent = 8
        # The reference runs afterwards: its freed memory would hold right numbers.
        lines += lay_out("actual = ", self._call(self.poisoned), "", indent)
        lines += lay_out("expected = ", self._call(self.reference), "", indent)
        single = len(self.program.results) == 1
        for position, spec in enumerate(self.program.results):
            tolerance = self.figures.tolerance(spec.dtype)
            which = "" if single else f"[{position}]"
            compared = (Literal(f"actual{which}"), Literal(f"expected{which}"))
            allowed = Literal(tolerance)
            title = Literal(escape.string(spec.name))
            call = Call(self.check, (title, *compared, allowed))
            lines += lay_out("", call, "", indent)
        return lines


def _option(size: str) -> str:
    """`--m` for a size M."""
    return f"--{size.lower().replace('_', '-')}"


def _random(spec: TensorSpec, shape: str) -> Expression:
    """Random inputs like the tuner's: normal floats, small integers."""
    kind = element(spec.dtype)
    if spec.is_scalar:
        return Literal("1.25" if kind.is_float else "2")
    size = Literal(shape)
    device = ("device", Literal("device"))
    if kind.is_float:
        drawn = Call("torch.randn", (size,), (device,))
        if spec.dtype == "f32":
            return drawn
        return Call(f"{drawn}.to", (Literal(TORCH_TYPES[spec.dtype]),))
    low, high = (0, 2) if spec.dtype == "i1" else (-8, 8)
    if spec.below is not None:
        low, high = 0, spec.below
    dtype = ("dtype", Literal(TORCH_TYPES[spec.dtype]))
    bounds = (Literal(str(low)), Literal(str(high)))
    return Call("torch.randint", (*bounds, size), (dtype, device))


def _size(spec: TensorSpec) -> str:
    return str(
        _tuple(["None" if size == DYNAMIC else str(size) for size in spec.shape])
    )


def _tuple(entries: Sequence[str]) -> Group:
    return Group(tuple(Literal(entry) for entry in entries), "()")
