"""Text from outside in emitted source: it stays in comments, strings and names."""

from __future__ import annotations

import ast
import builtins
import io
import keyword
import tokenize
from pathlib import Path

import numpy as np
import pytest

from tilewright.codegen.runtime.interpret import Job, interpret_each
from tilewright.codegen.source import escape
from tilewright.codegen.source.names import Names
from tilewright.codegen.standalone.file import Origin, standalone
from tilewright.ir.printable import printable
from tilewright.pipeline import Built, build, parse_payload, read_payload
from tilewright.schedules.schedule import Schedule

HOSTILE = [
    "x\nraise SystemExit('canary')",
    "x\rraise SystemExit('canary')",
    "x\u2028canary",
    "x\x0ccanary\x0b\x1c\x85\x00",
    '"""; raise SystemExit("canary") #',
    'ends with a quote"',
    "a backslash \\",
    "\\N{BULLET} \\x \\u12",
    "{canary} %(canary)s",
    "\x1b]0;canary\x07\x1b[2J",
    "\u202ecanary",
    "\udc80canary",
    "",
]

PAYLOAD = """\
func.func @f(%a: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %e = tensor.empty() : tensor<64x32xf32>
  %r = linalg.exp ins(%a : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>)
    -> tensor<64x32xf32> LOCATION
  return %r : tensor<64x32xf32>
}
"""

SCRIPT = """\
transform.named_sequence @__transform_main(
    %root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["linalg.exp"]} in %root
    : (!transform.any_op) -> !transform.any_op
  %t, %grid = transform.structured.tile_using_forall %op tile_sizes [16, 16]
    (mapping = [#gpu.block<y>, #gpu.block<x>])
    : (!transform.any_op) -> (!transform.any_op, !transform.any_op) LOCATION
  transform.yield
}
"""


def mlir_string(text: str) -> str:
    """Bytes that would end a string of MLIR as it escapes them."""
    raw = text.encode("utf-8", "surrogateescape")
    return "".join(
        chr(b) if 32 <= b < 127 and chr(b) not in '"\\' else f"\\{b:02X}" for b in raw
    )


def location(text: str) -> str:
    return f'loc("{mlir_string(text)}":1:1)'


def emitted(built: Built, payload_text: str, **origin: object) -> str:
    payload = parse_payload(payload_text)
    return standalone(built.program, payload, 1, Origin("payload.mlir", **origin))  # type: ignore[arg-type]


def code_of(text: str) -> str:
    """The tokens of a file without comments and strings; it must be Python."""
    ast.parse(text)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    kept = [
        t.string for t in tokens if t.type not in (tokenize.COMMENT, tokenize.STRING)
    ]
    return " ".join(kept)


# -- the rules -------------------------------------------------------------------------


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_text_stays_where_it_is_put(text: str) -> None:
    shown = escape.comment(text)
    assert len(f"# {shown}".splitlines()) == 1 and shown.isprintable()
    assert ast.literal_eval(escape.string(text)) == text
    assert ast.literal_eval(f'f"{escape.string_body(text)}"'[1:]) == text
    namespace: dict[str, object] = {}
    exec(f'found = f"{escape.string_body(text)}"', namespace)
    assert namespace["found"] == text
    quoted = f'"""{escape.docstring(text)}"""'
    assert ast.literal_eval(quoted) == printable(text, keep="\n")
    name = escape.identifier(text)
    assert name.isidentifier() and name.isascii()


@pytest.mark.parametrize(
    "taken",
    [
        "class",
        "None",
        "tl",
        "torch",
        "triton",
        "min",
        "print",
        "int",
        "tuple",
        "_halves",
    ]
    + ["__name__", "__builtins__", "_zeros", "options", "num_warps", "functools"],
)
def test_a_word_that_is_taken_is_no_name(taken: str) -> None:
    name = escape.identifier(taken)
    assert name != taken and name.isidentifier() and name not in escape.RESERVED
    assert escape.identifier(name) == name
    assert Names(set()).fresh(taken) == name


def test_a_name_is_short_and_ascii() -> None:
    assert escape.identifier("²") == escape.identifier("\uff54\uff4c") == "unnamed"
    assert len(escape.identifier("x" * 300)) <= 64
    long = Names(set())
    assert long.fresh("x" * 300) != long.fresh("x" * 300)
    assert set(keyword.kwlist) < escape.RESERVED
    assert set(dir(builtins)) < escape.RESERVED


# -- the attacks -----------------------------------------------------------------------


@pytest.mark.sampled(6)
@pytest.mark.parametrize("text", HOSTILE[:-2], ids=ascii)
def test_a_location_is_no_code(text: str) -> None:
    plain = PAYLOAD.replace("LOCATION", "")
    payload = parse_payload(PAYLOAD.replace("LOCATION", location(text)))
    first = emitted(build(payload, None, {}), plain)
    schedule = Schedule.from_text(SCRIPT.replace("LOCATION", location(text)), "s.mlir")
    second = emitted(build(parse_payload(plain), schedule, {}), plain)
    for source in (first, second):
        assert "canary" not in code_of(source)
        if "canary" in text:
            assert "canary" in source, "the place is told"


@pytest.mark.sampled(6)
@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_what_a_file_was_made_from_is_no_code(text: str) -> None:
    plain = PAYLOAD.replace("LOCATION", "")
    built = build(parse_payload(plain), None, {})
    origin = Origin(text, text, {text: text, "BM": 64})
    source = standalone(built.program, parse_payload(plain), 1, origin)
    assert "canary" not in code_of(source)
    source.encode()


def test_files_may_be_called_anything(tmp_path: Path) -> None:
    payload = tmp_path / 'p\nraise SystemExit("canary")\n""".mlir'
    payload.write_text(PAYLOAD.replace("LOCATION", ""))
    schedule = tmp_path / "s\nraise SystemExit('canary')\n.tw"
    schedule.write_text(
        "schedule s(root) {\n"
        '  op = match "linalg.exp" in root\n'
        "  op, grid = tile op by [16, 16] onto [block.y, block.x]\n"
        "}\n"
    )
    module = read_payload(payload)
    built = build(module, Schedule.from_path(schedule), {})
    source = standalone(built.program, module, 1, Origin(str(payload), str(schedule)))
    assert "canary" not in code_of(source)
    assert "# s\\nraise SystemExit('canary')\\n.tw:3: op, grid = tile op" in source


# -- names in source that runs ---------------------------------------------------------

NAMES = ["lambda", "tl", "torch", "triton", "min", "print", "int", "tuple", "launch"]
NAMES += ["__name__", "x" * 260, "a-b.c", "_halves", "options", "device", "check"]
NAMES += ["functools", "reference", "num_warps", "grid", "rounded", "None"]

SCALED = """\
func.func @"FUNCTION"(%ARGUMENT: tensor<64x32xf32>, %NUMBER: f32) -> tensor<64x32xf32> {
  %e = tensor.empty() : tensor<64x32xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
    ins(%ARGUMENT : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.mulf %x, %NUMBER : f32
    %t = arith.addf %s, %x : f32
    linalg.yield %t : f32
  } -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
"""


@pytest.mark.slow
def test_functions_and_arguments_may_be_called_anything() -> None:
    texts = [
        SCALED.replace("FUNCTION", mlir_string(name))
        .replace("ARGUMENT", "a")
        .replace("NUMBER", "b")
        for name in [*NAMES, "²", "x y", "\n", "größe"]
    ]
    texts += [
        SCALED.replace("FUNCTION", "f")
        .replace("ARGUMENT", name)
        .replace("NUMBER", other)
        for name, other in zip(NAMES, reversed(NAMES), strict=True)
        if name != other
    ]
    array = np.random.default_rng(0).standard_normal((64, 32)).astype(np.float32)
    payloads = [parse_payload(text) for text in texts]
    programs = [build(payload, None, {}).program for payload in payloads]
    for program, payload in zip(programs, payloads, strict=True):
        code_of(standalone(program, payload, 1))
    jobs = [Job(program, [array, np.float32(3.0)]) for program in programs]
    for program, outcome in zip(programs, interpret_each(jobs), strict=True):
        assert not isinstance(outcome, str), f"{program.text}\n{outcome}"
        np.testing.assert_allclose(outcome[0], array * 4, rtol=1e-6)


# -- source that was not Python, or did not run ----------------------------------------

IN_PLACE = """\
func.func @f(%a: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %x = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} outs(%x : tensor<64xf32>) {
  ^bb0(%o: f32):
    %m = arith.maximumf %o, %o : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
"""

SUM = """\
func.func @f(%a: tensor<32xTYPE>) -> tensor<TYPE> {
  %c = arith.constant 5 : TYPE
  %e = tensor.empty() : tensor<TYPE>
  %i = linalg.fill ins(%c : TYPE) outs(%e : tensor<TYPE>) -> tensor<TYPE>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]}
    ins(%a : tensor<32xTYPE>) outs(%i : tensor<TYPE>) {
  ^bb0(%x: TYPE, %acc: TYPE):
    %m = arith.addi %x, %acc : TYPE
    linalg.yield %m : TYPE
  } -> tensor<TYPE>
  %r = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>],
      iterator_types = []} ins(%s : tensor<TYPE>) outs(%e : tensor<TYPE>) {
  ^bb0(%x: TYPE, %o: TYPE):
    %m = arith.maxsi %c, %x : TYPE
    %k = arith.maxui %m, %x : TYPE
    linalg.yield %k : TYPE
  } -> tensor<TYPE>
  return %r : tensor<TYPE>
}
"""


def test_a_kernel_that_stores_nothing_is_left_out() -> None:
    built = build(parse_payload(IN_PLACE), None, {})
    assert [kernel.name for kernel in built.program.kernels] == ["f_pointwise_kernel"]
    assert built.program.text.count("@triton.jit") == 1
    ast.parse(built.program.text)
    alone = build(parse_payload(IN_PLACE.replace("outs(%x", "outs(%a")), None, {})
    assert "@triton.jit" not in alone.program.text and not alone.program.kernels
    array = np.linspace(-1, 1, 64, dtype=np.float32)
    jobs = [Job(program, [array]) for program in (built.program, alone.program)]
    for outcome, answer in zip(
        interpret_each(jobs), (np.exp(array), array), strict=True
    ):
        assert not isinstance(outcome, str), outcome
        np.testing.assert_allclose(outcome[0], answer, rtol=1e-5)


def test_integers_wrap_in_tritons_interpreter() -> None:
    from tilewright.ir.interpreter import run

    jobs: list[Job] = []
    answers: list[np.ndarray] = []
    for name, sign in [("i8", -1), ("i8", 1), ("i32", 1), ("i32", -1), ("i64", 1)]:
        payload = parse_payload(SUM.replace("TYPE", name))
        kind = np.dtype(name.replace("i", "int"))
        array = np.full(32, np.iinfo(kind).max // 2, kind) * sign
        jobs.append(Job(build(payload, None, {}).program, [array]))
        with np.errstate(over="ignore"):
            answers.append(run(payload, [array])[0])
    for answer, outcome in zip(answers, interpret_each(jobs), strict=True):
        assert not isinstance(outcome, str), outcome
        np.testing.assert_array_equal(outcome[0], answer)
