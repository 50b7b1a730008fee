"""A generated program as a file of its own: launched, checked against torch, timed.

To the kernels and their launcher it adds `launch`, which checks its arguments; the
payload as plain torch in float64; and what `python FILE` does: random inputs, the
check, the time. It needs only torch and triton, and on a machine without a GPU it
checks in Triton's interpreter (TRITON_INTERPRET=1) and says that it does not time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import fill

from xdsl.dialects.builtin import ModuleOp, ShapedType

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
from tilewright.codegen.standalone.open_sizes import polynomial, sizes_of
from tilewright.codegen.standalone.reference.function import (
    NoReference,
    explain,
    torch_reference,
)
from tilewright.codegen.standalone.reference.scalar_ops import LARGEST_NUMBER, ROUNDED
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dtypes import byte_width, element
from tilewright.ir.structured.equal_extents import Extents
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.reductions import reductions_of
from tilewright.ir.tolerance import tolerances

_NARROW = ("f16", "bf16", "f8E4M3FN", "f8E5M2")
_WRONG_IN_INTERPRETER = ("bf16", "f8E4M3FN", "f8E5M2")
"""Types that Triton's interpreter computes wrongly."""

_ROUNDED = f'''\
def {ROUNDED}(x, dtype):
    """The numbers of x as a tensor of that type holds them."""
    return x.to(dtype).double()
'''

_FITS = '''\
def fits(actual, shape):
    """Whether a shape is as expected, where None may be any size."""
    wanted = zip(actual, shape, strict=False)
    return len(actual) == len(shape) and all(n in (None, size) for size, n in wanted)
'''

_EXPECT = '''\
def {expect}(name, tensor, shape, dtype):
    """Refuse a tensor that the kernels were not made for."""
    if {wrong} or tensor.dtype != dtype:
        raise ValueError(
            f"{{name}} is {{tensor.dtype}} {{list(tensor.shape)}}, "
            f"the kernels are for {{dtype}} {{list(shape)}}"
        )
'''

_POISONED = '''\
def {poisoned}(*arguments):
    """Launch on copies; new memory is all NaN, so that a missing store shows."""
    copies = [a.clone() if torch.is_tensor(a) else a for a in arguments]
    torch.set_deterministic_debug_mode("warn")
    try:
        return launch(*copies)
    finally:
        torch.set_deterministic_debug_mode("default")
'''
"""Memory is filled as a part of torch's deterministic mode: floats with NaN, integers
with the largest number. The memory of an earlier result would hold the right numbers.
A kernel may write an argument of its caller; the reference reads it afterwards."""

_LARGEST_NUMBER = f'''\
def {LARGEST_NUMBER}(x, dims):
    """The largest along dimensions; NaN does not count, but NaNs alone give one."""
    largest = torch.where(x.isnan(), -float("inf"), x).amax(dims)
    return torch.where(x.isnan().all(dims), float("nan"), largest)
'''

REFERENCE_HELPERS = {ROUNDED: _ROUNDED, LARGEST_NUMBER: _LARGEST_NUMBER}
"""Functions that references call, by name; each is written where one does."""

_CHECK = '''\
def {check}(name, actual, expected, tolerance):
    """Stop where an element is off by more than its rounding explains."""
    actual, expected = actual.double(), expected.double()
    finite = expected[expected.isfinite()]
    size = finite.square().mean().sqrt() if finite.numel() else 0.0
    error = (actual - expected).abs()
    right = (error <= tolerance * (expected.abs() + size)) | (actual == expected)
    right |= actual.isnan() & expected.isnan()
    wrong = right.numel() - int(right.sum())
    if wrong:
        raise SystemExit(f"{{name}}: {{wrong}} of {{right.numel()}} elements are wrong")
    error = torch.where(right & error.isnan(), 0.0, error)
    largest = error.max().item() if error.numel() else 0.0
    print(f"{{name}}: as torch in float64, largest error {{largest:.3g}}")
'''


@dataclass(frozen=True)
class Origin:
    """What a program was made from, to be told in the file."""

    payload: str
    schedule: str | None = None
    """None is the default."""
    point: Mapping[str, object] = field(default_factory=dict[str, object])


def standalone(
    program: GeneratedProgram,
    payload: ModuleOp,
    reduction: int,
    origin: Origin | None = None,
) -> str:
    """The text of the file; `payload` is what the program was made from.

    `reduction` is the payload's longest sum, which the tolerance follows.
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
        self.reduction = reduction
        # Nothing in the file may be called as something else in it.
        functions = {program.entry, *(kernel.name for kernel in program.kernels)}
        local = {"interpreted", "device", "expected", "actual", "ms"}
        names = Names({*functions, *local, "launch", "parser", "options", "argparse"})
        fresh = names.fresh
        self.arguments = [fresh(spec.name) for spec in program.arguments]
        self.reference, self.check = fresh("reference"), fresh("check")
        self.expect, self.main = fresh("expect"), fresh("check_and_time")
        self.poisoned = fresh("launch_poisoned")
        self.open = sizes_of(program, payload, names)
        self.extents = Extents(payload)
        own = {"launch", self.reference, self.check, self.expect, self.main}
        own.add(self.poisoned)
        self.taken = functions | own

    def write(self) -> str:
        """The file."""
        sections: list[str] = []
        if self.program.entry != "launch":
            is_dynamic = any(DYNAMIC in s.shape for s in self.program.arguments)
            expect = _EXPECT.format(
                expect=self.expect,
                wrong="not fits(tensor.shape, shape)"
                if is_dynamic
                else "tuple(tensor.shape) != shape",
            )
            sections += [_FITS] if is_dynamic else []
            sections += [expect, self._launch()]
        try:
            lines = torch_reference(self.payload, self.reference, self.taken)
            text = "\n".join(lines) + "\n"
            for helper, lines in REFERENCE_HELPERS.items():
                sections += [lines] if f"{helper}(" in text else []
            sections += [text, _POISONED.format(poisoned=self.poisoned)]
            sections.append(_CHECK.format(check=self.check))
            checking = self._checking()
        except NoReference as error:
            checking = self._not_checking(explain(error))
        sections.append(self._main(checking))
        sections.append(self._script())
        _, _, text = self.program.text.partition('"""\n\n')
        if self.open is not None:
            text = _importing("argparse", text)
        return self._header() + text + "".join(f"\n\n{part}" for part in sections)

    def _header(self) -> str:
        """What the file is, what it was made from, how to use it."""
        paragraphs: list[str] = []
        if (origin := self.origin) is not None:
            under = origin.schedule or "the default schedule"
            point = ", ".join(f"{name}={value}" for name, value in origin.point.items())
            closed = f" with {point}" if point else ""
            paragraphs.append(f"Made from {origin.payload} under {under}{closed}.")
        options = " --help lists the sizes to choose." if self.open is not None else ""
        paragraphs.append(
            f"`launch({', '.join(self.arguments)})` checks its arguments and runs the "
            "kernels. As a program this file checks them against torch and times them; "
            "with TRITON_INTERPRET=1 in the environment it checks them without a GPU."
            f"{options}"
        )
        title = f"{self.program.entry}: Triton kernels, written by tilewright."
        shown = [fill(escape.comment(part), WIDTH) for part in paragraphs]
        text = escape.docstring("\n\n".join([title, *shown]))
        return f'"""{text}\n"""\n\n'

    def _script(self) -> str:
        """What running the file does; open sizes are options."""
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
        """The checked way in: shapes and dtypes, layout, and the tensors' device."""
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
            # The kernels take contiguous tensors; what they wrote is copied back.
            lines.append(f"    if {copy} is not {name}:")
            lines.append(f"        {name}.copy_({copy})")
        return "\n".join([*lines, f"    return {results}"]) + "\n"

    def _main(self, checking: list[str]) -> str:
        sizes = [size.name for size in self.open.in_order()] if self.open else []
        lines = [
            f"def {self.main}({', '.join(sizes)}):",
            '    """On random inputs: the kernels beside torch, and their time."""',
            "    interpreted = triton.knobs.runtime.interpret",
            "    if not (interpreted or torch.cuda.is_available()):",
            "        raise SystemExit("
            '"no CUDA device; TRITON_INTERPRET=1 checks without one")',
            '    device = "cpu" if interpreted else "cuda"',
            "    torch.manual_seed(0)",
        ]
        for position, spec in enumerate(self.program.arguments):
            name, size = self.arguments[position], _size(spec)
            if self.open is not None:
                size = str(_tuple(self.open.argument(position)))
            lines += lay_out(f"{name} = ", _random(spec, size), "", 4)
        lines += checking
        lines += [
            "    if interpreted:",
            '        print("not timed: this is Triton\'s interpreter")',
            "        return",
        ]
        timed = Literal(f"lambda: {self._call('launch')}")
        lines += lay_out("ms = ", Call("triton.testing.do_bench", (timed,)), "", 4)
        work, unit, scale = self._work()
        rate = f", {{{work} / ms * {scale}:.1f}} {unit}" if work else ""
        name = escape.string_body(self.program.entry)
        lines.append(f'    print(f"{name}: {{ms:.4f}} ms{rate}")')
        return "\n".join(lines) + "\n"

    def _work(self) -> tuple[str, str, str]:
        """What is counted in a second: products of a contraction, else bytes moved."""
        ops = [op for op in self.payload.walk() if isinstance(op, StructuredOp)]
        loops = [self._loops(op) for op in ops if _is_contraction(op)]
        if loops and None not in loops:
            flops = [(2, extents) for extents in loops if extents is not None]
            return self._counted(polynomial(flops)), "TFLOP/s", "1e-9"
        arguments, results = self.program.arguments, self.program.results
        shapes = [self._extents(position) for position in range(len(arguments))]
        shapes += [
            self.open.result(spec) if self.open else [*map(str, spec.shape)]
            for spec in results
        ]
        if None in shapes:
            return "", "", ""
        moved = [
            (byte_width(spec.dtype), shape or ())
            for spec, shape in zip((*arguments, *results), shapes, strict=True)
        ]
        return self._counted(polynomial(moved)), "GB/s", "1e-6"

    @staticmethod
    def _counted(text: str) -> str:
        return f"({text})" if " + " in text else text

    def _extents(self, position: int) -> list[str] | None:
        if self.open is not None:
            return self.open.argument(position)
        return [*map(str, self.program.arguments[position].shape)]

    def _loops(self, op: StructuredOp, reduced: bool = False) -> list[str] | None:
        """How often the loops of an op run, all or those that it sums over."""
        nest = nest_of(op)
        wanted = nest.reduced if reduced else range(nest.rank)
        found = self.extents.loops(op)
        texts: list[str] = []
        for loop in wanted:
            extent = found[loop]
            if extent is None:
                return None
            if isinstance(extent, tuple):
                if self.open is None:
                    return None
                texts.append(self.open.known[extent])
            else:
                texts.append(str(extent))
        return texts

    def _tolerance(self, dtype: str, factor: int) -> str:
        """What a result may be off by, relative; it grows with the longest sum."""
        known = tolerances(dtype, self.reduction)[0] * factor
        ops = [op for op in self.payload.walk() if isinstance(op, StructuredOp)]
        sums = [self._loops(op, reduced=True) or [] for op in ops]
        open_sums = [
            polynomial([(1, extents)])
            for extents in sums
            if any(not extent.isdigit() for extent in extents)
        ]
        if not open_sums or not known:
            return f"{known:.2g}"
        # A sum of n terms adds its share times the root of n.
        share = (tolerances(dtype, 4)[0] - tolerances(dtype, 1)[0]) * factor
        longest = list(dict.fromkeys(open_sums))
        root = f"{longest[0]}**0.5" if longest[0].isidentifier() else None
        if len(longest) > 1:
            root = f"max({', '.join(longest)}) ** 0.5"
        return f"{known:.2g} + {share:.2g} * {root or f'({longest[0]}) ** 0.5'}"

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
        wrong = [spec.dtype for spec in specs if spec.dtype in _WRONG_IN_INTERPRETER]
        if wrong:
            said = f"not checked: Triton's interpreter is wrong on {wrong[0]}"
            lines += ["    if interpreted:", f'        print("{said}")', "    else:"]
            indent = 8
        # Afterwards: memory that torch has freed would hold the right numbers.
        lines += lay_out("actual = ", self._call(self.poisoned), "", indent)
        lines += lay_out("expected = ", self._call(self.reference), "", indent)
        single = len(self.program.results) == 1
        factor = 1 + _roundings(self.payload)
        for position, spec in enumerate(self.program.results):
            tolerance = self._tolerance(spec.dtype, factor)
            which = "" if single else f"[{position}]"
            compared = (Literal(f"actual{which}"), Literal(f"expected{which}"))
            allowed = Literal(tolerance)
            title = Literal(escape.string(spec.name))
            call = Call(self.check, (title, *compared, allowed))
            lines += lay_out("", call, "", indent)
        return lines


def _importing(module: str, text: str) -> str:
    """A file's text with one import more, of the standard library."""
    head, torch, rest = text.partition("import torch\n")
    standard = (line for line in head.splitlines() if line)
    imports = sorted({f"import {module}", *standard})
    return "\n".join([*imports, "", ""]) + torch + rest


def _option(size: str) -> str:
    """`--m`, of a size M."""
    return f"--{size.lower().replace('_', '-')}"


def _random(spec: TensorSpec, shape: str) -> Expression:
    """Random numbers as the tuner draws them: normal floats, small integers."""
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
    dtype = ("dtype", Literal(TORCH_TYPES[spec.dtype]))
    bounds = (Literal(str(low)), Literal(str(high)))
    return Call("torch.randint", (*bounds, size), (dtype, device))


def _is_contraction(op: StructuredOp) -> bool:
    """Whether an op sums products over two operands."""
    nest = nest_of(op)
    reductions = reductions_of(op) if nest.reduced else None
    if not reductions or any(r.factors is None for r in reductions):
        return False
    return len(nest.maps[: nest.inputs]) >= 2 and len(nest.parallel) >= 1


def _roundings(payload: ModuleOp) -> int:
    """Ops that round to a narrow type on the way, where float64 does not."""
    count = 0
    for op in payload.walk():
        if op.dialect_name() not in ("arith", "math") or len(op.results) != 1:
            continue
        of = op.results[0].type
        plain = not isinstance(of, ShapedType) and "trunc" not in op.name
        if plain and op.operands and str(of) in _NARROW:
            count += 1
    return count


def _size(spec: TensorSpec) -> str:
    return str(
        _tuple(["None" if size == DYNAMIC else str(size) for size in spec.shape])
    )


def _tuple(entries: Sequence[str]) -> Group:
    return Group(tuple(Literal(entry) for entry in entries), "()")
