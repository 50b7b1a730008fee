"""A generated program as a file of its own: launched, checked against torch, timed.

To the kernels and their launcher it adds `launch`, which checks its arguments; the
payload as plain torch in float64; and what `python FILE` does: random inputs, the
check, the time. It needs only torch and triton, and on a machine without a GPU it
checks in Triton's interpreter (TRITON_INTERPRET=1) and says that it does not time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, ShapedType
from xdsl.ir import Operation

from tilewright.codegen.names import Names
from tilewright.codegen.program import DYNAMIC, GeneratedProgram, TensorSpec
from tilewright.codegen.python_text import (
    WIDTH,
    Call,
    Expression,
    Group,
    Literal,
    lay_out,
)
from tilewright.codegen.reference import NoReference, explain, torch_reference
from tilewright.codegen.reference_ops import ROUNDED
from tilewright.codegen.torch_types import TORCH_TYPES
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dtypes import byte_width, element
from tilewright.ir.interpreter.bodies import reductions_of
from tilewright.ir.interpreter.loops import nest_of
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


def standalone(program: GeneratedProgram, payload: ModuleOp, reduction: int) -> str:
    """The text of the file; `payload` is what the program was made from.

    `reduction` is the payload's longest sum, which the tolerance follows.
    """
    return _File(program, payload, reduction).write()


class _File:
    def __init__(self, program: GeneratedProgram, payload: ModuleOp, reduction: int):
        self.program = program
        self.payload = payload
        self.reduction = reduction
        # Nothing in the file may be called as something else in it.
        functions = {program.entry, ROUNDED, "fits", *(k.name for k in program.kernels)}
        local = {"interpreted", "device", "expected", "actual", "ms"}
        fresh = Names({*functions, *local, "launch"}).fresh
        self.arguments = [fresh(spec.name) for spec in program.arguments]
        self.reference, self.check = fresh("reference"), fresh("check")
        self.expect, self.main = fresh("expect"), fresh("check_and_time")
        own = {"launch", self.reference, self.check, self.expect, self.main}
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
            sections += [_ROUNDED] if f"{ROUNDED}(" in text else []
            sections += [text, _CHECK.format(check=self.check)]
            checking = self._checking()
        except NoReference as error:
            checking = self._not_checking(explain(error))
        sections.append(self._main(checking))
        sections.append(f'if __name__ == "__main__":\n    {self.main}()\n')
        return self.program.text + "".join(f"\n\n{part}" for part in sections)

    def _launch(self) -> str:
        """The checked way in: shapes and dtypes, layout, and the tensors' device."""
        given = list(zip(self.arguments, self.program.arguments, strict=True))
        tensors = [(name, spec) for name, spec in given if not spec.is_scalar]
        lines = [f"def launch({', '.join(self.arguments)}):"]
        lines.append(f'    """{self.program.entry}, with its arguments checked."""')
        for name, spec in tensors:
            values = (f'"{name}"', name, _size(spec), TORCH_TYPES[spec.dtype])
            call = Call(self.expect, tuple(Literal(value) for value in values))
            lines += lay_out("", call, "", 4)
        arguments = tuple(
            Literal(name if spec.is_scalar else f"{name}.contiguous()")
            for name, spec in given
        )
        call = Call(self.program.entry, arguments)
        indent = 4
        if tensors:
            lines.append(f"    with torch.cuda.device_of({tensors[0][0]}):")
            indent = 8
        return "\n".join([*lines, *lay_out("return ", call, "", indent)]) + "\n"

    def _main(self, checking: list[str]) -> str:
        lines = [
            f"def {self.main}():",
            '    """On random inputs: the kernels beside torch, and their time."""',
            "    interpreted = triton.knobs.runtime.interpret",
            "    if not (interpreted or torch.cuda.is_available()):",
            "        raise SystemExit("
            '"no CUDA device; TRITON_INTERPRET=1 checks without one")',
            '    device = "cpu" if interpreted else "cuda"',
            "    torch.manual_seed(0)",
        ]
        for name, spec in zip(self.arguments, self.program.arguments, strict=True):
            lines += lay_out(f"{name} = ", _random(spec), "", 4)
        lines += checking
        lines += [
            "    if interpreted:",
            '        print("not timed: this is Triton\'s interpreter")',
            "        return",
        ]
        timed = Literal(f"lambda: {self._call('launch')}")
        lines += lay_out("ms = ", Call("triton.testing.do_bench", (timed,)), "", 4)
        work, unit, scale = _work(self.program, self.payload)
        rate = f"{{{work} / ms * {scale}:.1f}} {unit}"
        lines.append(f'    print(f"{self.program.entry}: {{ms:.4f}} ms, {rate}")')
        return "\n".join(lines) + "\n"

    def _call(self, function: str) -> Call:
        return Call(function, tuple(Literal(name) for name in self.arguments))

    def _not_checking(self, reason: str) -> list[str]:
        said = Literal('"not checked: the payload has no reference in torch here"')
        return [
            f"    # {reason}"[:WIDTH],
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
        # torch goes first: a kernel may write an argument of its caller.
        lines += lay_out("expected = ", self._call(self.reference), "", indent)
        lines += lay_out("actual = ", self._call("launch"), "", indent)
        single = len(self.program.results) == 1
        factor = 1 + _roundings(self.payload)
        for position, spec in enumerate(self.program.results):
            tolerance = tolerances(spec.dtype, self.reduction)[0] * factor
            which = "" if single else f"[{position}]"
            compared = (Literal(f"actual{which}"), Literal(f"expected{which}"))
            allowed = Literal(f"{tolerance:.2g}")
            title = Literal(f'"{spec.name}"')
            call = Call(self.check, (title, *compared, allowed))
            lines += lay_out("", call, "", indent)
        return lines


def _random(spec: TensorSpec) -> Expression:
    """Random numbers as the tuner draws them: normal floats, small integers."""
    kind = element(spec.dtype)
    if spec.is_scalar:
        return Literal("1.25" if kind.is_float else "2")
    size = Literal(_size(spec.sized({})))
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


def _work(program: GeneratedProgram, payload: ModuleOp) -> tuple[str, str, str]:
    """What is counted in a second: products of a contraction, else bytes moved."""
    flops = sum(2 * n for n in map(_products, payload.walk()))
    if flops:
        return str(flops), "TFLOP/s", "1e-9"
    specs: Sequence[TensorSpec] = (*program.arguments, *program.results)
    moved = sum(
        math.prod(spec.sized({}).shape) * byte_width(spec.dtype) for spec in specs
    )
    return str(moved), "GB/s", "1e-6"


def _products(op: Operation) -> int:
    """Multiplications of a contraction: an op that sums products over two operands."""
    if not isinstance(op, StructuredOp) or DYNAMIC_INDEX in op.get_static_loop_ranges():
        return 0
    nest = nest_of(op)
    reductions = reductions_of(nest) if nest.reduced else None
    if not reductions or any(r.factors is None for r in reductions):
        return 0
    if len(nest.maps[: nest.inputs]) < 2 or len(nest.parallel) < 1:
        return 0
    return math.prod(op.get_static_loop_ranges())


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
    sizes = ("None" if size == DYNAMIC else str(size) for size in spec.shape)
    return str(Group(tuple(Literal(size) for size in sizes), "()"))
