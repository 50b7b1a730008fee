"""Use after consume, found before a run; what real MLIR finds, and more.

`data/use_after_consume.mlir` holds scripts: a line before each use that must be found
says `// error:` and the words; nothing else may be found.
"""

from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import MLIR_OPT, needs_mlir
from support.paths import DATA
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, place_of
from tilewright.schedules.schedule import check_text, read_schedule
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import ScheduleRun, Step, prepare

CASES = (DATA / "use_after_consume.mlir").read_text().split("// -----\n")
OP = "!transform.any_op"


def name(case: str) -> str:
    return case.splitlines()[0].removeprefix("// ")


def whole(case: str) -> str:
    return f"module attributes {{transform.with_named_sequence}} {{\n{case}}}\n"


def expected(text: str) -> dict[int, str]:
    """Line numbers, and the words that must be said about them."""
    found: dict[int, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if (marked := re.search(r"// error: (.*)", line)) is not None:
            found[number + 1] = marked.group(1)
    return found


@pytest.mark.parametrize("case", CASES, ids=name)
def test_every_use_is_found_and_no_other(case: str) -> None:
    text = whole(case)
    errors = check_text(text, "s.mlir")
    assert {e.place.line: e.fact for e in errors if e.place} == expected(text)
    assert name(case).startswith("fine") == (not errors)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_errors_say_where_it_was_consumed_and_where_it_came_from(case: str) -> None:
    for error in check_text(whole(case), "s.mlir"):
        consumed, *others = error.notes
        assert "consumed here by" in consumed.fact
        assert any("was made here" in n.fact or "argument of" in n.fact for n in others)
        for note in error.notes:
            assert note.place is not None and note.place.excerpt() is not None


@pytest.mark.sampled(6)
@needs_mlir
@pytest.mark.parametrize("case", CASES, ids=name)
def test_real_mlir_finds_nothing_that_we_do_not(case: str) -> None:
    text = whole(case)
    done = subprocess.run(
        [MLIR_OPT, "--transform-dialect-check-uses"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    theirs = re.findall(
        r"<stdin>:(\d+):\d+: warning: operand .* after free", done.stderr
    )
    assert {int(line) for line in theirs} <= expected(text).keys()


@needs_mlir
def test_the_judge_does_find_something() -> None:
    done = subprocess.run(
        [MLIR_OPT, "--transform-dialect-check-uses"],
        input=whole(CASES[0]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "may be used after free" in done.stderr


# -- what is declared, and types -------------------------------------------------


def main(body: str, effect: str = "readonly", others: str = "") -> str:
    return whole(
        f"{others}transform.named_sequence @__transform_main(%root: {OP} "
        f"{{transform.{effect}}}) {{\n{body}\n  transform.yield\n}}\n"
    )


def match(result: str, op: str, kind: str = OP) -> str:
    return (
        f'  {result} = transform.structured.match ops{{["{op}"]}} in %root'
        f" : ({OP}) -> {kind}\n"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            main(f"  transform.structured.vectorize %root : {OP}"),
            "vectorize: it consumes 'root', which @__transform_main declares readonly",
        ),
        (
            main(
                f"  transform.include @eat failures(propagate) (%root) : ({OP}) -> ()",
                others=f"transform.named_sequence @eat(%x: {OP} "
                f"{{transform.consumed}}) {{\n  transform.structured.vectorize %x : "
                f"{OP}\n  transform.yield\n}}\n",
            ),
            "include: it consumes 'root', which @__transform_main declares readonly",
        ),
        (
            main(
                f"  transform.include @two failures(propagate) (%root) : ({OP}) -> ()",
                others=f"transform.named_sequence @two(%x: {OP} {{transform.readonly}},"
                f" %y: {OP} {{transform.readonly}}) {{\n  transform.yield\n}}\n",
            ),
            "'two' takes 2 arguments, 1 given",
        ),
        (
            main(match("%mm", "linalg.matmul", '!transform.op<"linalg.fill">')),
            "match: it looks for linalg.matmul, but its result has the type "
            "'linalg.fill'",
        ),
        (
            main(
                match("%a", "linalg.fill", '!transform.op<"linalg.fill">')
                + '  %b = transform.cast %a : !transform.op<"linalg.fill"> to '
                '!transform.op<"linalg.matmul">'
            ),
            "cast: ops that are 'linalg.fill' cannot be 'linalg.matmul'",
        ),
        (
            main(
                match("%mm", "linalg.matmul")
                + "  %p = transform.param.constant 1.0 : f32 -> !transform.param<f32>\n"
                "  %t, %l = transform.structured.tile_using_for %mm tile_sizes [%p] : "
                f"({OP}, !transform.param<f32>) -> ({OP}, {OP})"
            ),
            "tile: operand 1 is a parameter of f32, a whole number belongs there",
        ),
        (
            main(
                match("%mm", "linalg.matmul")
                + "  %t, %l = transform.structured.tile_using_for %mm tile_sizes "
                f"[4, 4] : ({OP}) -> ({OP}, {OP})"
            ),
            "tile: 2 loops for 1 loop handle",
        ),
        (
            main(
                match("%l", "scf.for", '!transform.op<"scf.for">')
                + '  transform.structured.vectorize %l : !transform.op<"scf.for">'
            ),
            "vectorize: this handle points at a loop (scf.for)",
        ),
        (
            main(
                match("%mm", "linalg.matmul")
                + f"  transform.loop.unroll %mm {{factor = 2}} : {OP}"
            ),
            "unroll: this handle points at 'linalg.matmul', not at a loop",
        ),
        (
            main(
                match("%mm", "linalg.matmul")
                + f"  transform.foreach %mm : {OP} {{\n  ^bb0(%x: {OP}):\n"
                f"    %t, %l = transform.structured.tile_using_forall %x tile_sizes "
                f"[0, 0, 4] : ({OP}) -> ({OP}, {OP})\n  }}"
            ),
            "tile: loop 2 of linalg.matmul is a reduction, a grid cannot cut it",
        ),
    ],
)
def test_what_contradicts_a_type_or_a_declaration(text: str, words: str) -> None:
    (error,) = check_text(text, "s.mlir")
    assert words in error.fact
    assert error.place is not None and error.place.excerpt() is not None


# -- nothing is found that would have been fine ----------------------------------

PAYLOAD = """
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%r, %b : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}
func.func @g(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
"""

STATEMENTS = (
    '{new} = match "linalg.matmul" in {a}',
    '{new} = match "func.func" in {a}',
    '{new} = match "scf.for" in {a}',
    '{new} = match ["linalg.fill", "linalg.matmul"] in {a}',
    "{new} = match implementing [LinalgOp] in {a}",
    "{new}, {new}_loop = tile {a} by [4]",
    "{new}, {new}_grid = tile {a} by [4] onto [block.x]",
    "{new}, {new}_loop = fuse {a} into {b}",
    "{new}, {new}_outer, {new}_inner = tile_and_fuse {a} by [4, 4]",
    "{new} = split {a} after 4 along 0",
    "{new} = generalize {a}",
    "{new} = interchange {a} to [1, 0, 2]",
    "{new} = coalesce {a}",
    '{new}, {new}_call = outline {a} as "made"',
    "{new} = merge({a}, {b})",
    '{new} = get_parent_op {a} op_name = "func.func"',
    '{new} = get_parent_op {a} op_name = "scf.for"',
    "{new} = get_producer_of_operand {a} operand_number = 2",
    "{new}, {new}_rest = split_handle {a} overflow_result = 1",
    "licm {a}",
    "cse {a}",
    'annotate {a} "x"',
    'annotate {a} "x"',
    "{new}, {new}_rest = loop.peel {a}",
    "loop.unroll {a} factor = 2",
    '{new} = for each x in {a} {{ annotate x "y"; yield x }}',
    "{new}, {new}_loop = for each x in {a} {{ x, l = tile x by [4]; yield x, l }}",
)


@st.composite
def schedules(draw: st.DrawFn) -> str:
    """A schedule of statements on handles bound before, in any order."""
    names = ["root"]
    lines: list[str] = []
    for number in range(draw(st.integers(2, 9))):
        statement = draw(st.sampled_from(STATEMENTS))
        new = f"h{number}"
        a, b = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        lines.append(statement.format(new=new, a=a, b=b))
        names += re.findall(rf"{new}\w*", lines[-1].split(" = ")[0])
    return "schedule s(root) {\n" + "\n".join(f"  {line}" for line in lines) + "\n}\n"


class Watch:
    """Notes the lines that ran, and whether any handle turned out to be empty."""

    def __init__(self, run: ScheduleRun):
        self.run = run
        self.lines: list[int] = []
        self.saw_empty = False

    def __call__(self, op: TransformOp, step: Step | None) -> None:
        place = place_of(op)
        assert place is not None
        self.lines.append(place.line)
        for result in op.results:
            if isinstance(result.type, TransformOpHandleType):
                self.saw_empty |= not self.run.state.payload_ops(result)


@settings(
    max_examples=examples(100),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(schedules())
def test_what_is_found_does_fail(text: str) -> None:
    """A use that is found fails when it is run; a use that fails is mostly found."""
    schedule, errors = read_schedule(text, "s.tw")
    uses = {e.place.line for e in errors if e.place and "consumed" in e.fact}
    if errors and not uses:
        return
    payload = parse_module(PAYLOAD, "p.mlir", schedule_context())
    run = prepare(schedule.module, payload)
    watch = run.after_each = Watch(run)
    try:
        run.start()
    except UserError:
        pass
    # What follows from an empty handle is not the check's to know.
    if not watch.saw_empty:
        assert not uses & set(watch.lines), text
