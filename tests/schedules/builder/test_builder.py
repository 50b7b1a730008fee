"""Schedules built in Python: the same statements as `.tw`, under the same names."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

import tilewright
from support.paths import EXAMPLES
from support.schedule_files import nameless
from tilewright.ir.errors import UserError
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.library.imports import FOLDER, module_names
from tilewright.schedules.schedule import Schedule

PAYLOAD = EXAMPLES / "matmul_relu" / "payload.mlir"


def same(built: tilewright.ScheduleBuilder, text: str) -> None:
    """A built schedule has the text, and the IR that the text is read to."""
    assert built.to_tw() == text
    read = Schedule.from_text(text)
    assert built.to_mlir(resolved=False) == read.to_mlir(resolved=False)


def linear() -> tilewright.ScheduleBuilder:
    s = tilewright.schedule("linear")
    mm = s.match("linalg.matmul")
    fill = s.match("linalg.fill")
    tail = s.match("linalg.generic")
    BM = s.knob("BM", [64, 128])
    BN = s.knob("BN", [64, 128], default=128)
    s.require(BM * BN <= 128 * 128)
    tail, grid = s.tile(tail, [BM, BN], onto=["block.y", "block.x"])
    mm, grid = s.fuse(mm, grid)
    fill, grid = s.fuse(fill, into=grid)
    s.launch(grid, warps=s.ite(BM < 128, 4, 8))
    return s


def test_names_are_those_of_the_variables() -> None:
    same(
        linear(),
        """\
schedule linear(root) {
  mm = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  tail = match "linalg.generic" in root
  BM = knob [64, 128]
  BN = knob [64, 128] default 128
  require BM * BN <= 16384
  tail, grid = tile tail by [BM, BN] onto [block.y, block.x]
  mm, grid = fuse mm into grid
  fill, grid = fuse fill into grid
  launch grid warps = ite(BM < 128, 4, 8)
}
""",
    )


def test_a_name_is_not_bound_again_while_its_handle_is_needed() -> None:
    s = tilewright.schedule("kept")
    ops = s.match("linalg.generic")
    first = ops
    ops = s.match("linalg.fill")
    s.annotate(first, "note", 4)
    s.annotate(ops, "flag")
    same(
        s,
        """\
schedule kept(root) {
  ops = match "linalg.generic" in root
  ops2 = match "linalg.fill" in root
  annotate ops "note" = 4
  annotate ops2 "flag"
}
""",
    )


def test_a_consumed_handle_is_not_taken_for_the_new_one() -> None:
    s = tilewright.schedule("consumed")
    mm = s.match("linalg.matmul")
    old = mm
    mm, loop = s.tile(mm, [0, 0, 32])
    s.generalize(old)
    (error,) = s.errors
    assert error.fact == "generalize: 'mm' was consumed by 'tile'"
    assert loop is not mm


def test_choices_and_what_their_branches_yield() -> None:
    s = tilewright.schedule("choices")
    mm = s.match("linalg.matmul")
    mm, k = s.tile(mm, [0, 0, 32])
    with s.choose("peeled", default="no") as peeled:
        with peeled.branch("no"):
            s.yield_(k)
        with peeled.branch("yes"):
            k, rest = s.peel(k)
            s.print(rest, "rest")
            s.yield_(k)
    (loop,) = peeled.results
    S = s.knob("S", [2, 3])
    s.require((peeled == "yes") | (S == 3))
    s.pipeline(loop, stages=S)
    same(
        s,
        """\
schedule choices(root) {
  mm = match "linalg.matmul" in root
  mm, k = tile mm by [0, 0, 32]
  loop = choose peeled default no {
    no {
      yield k
    }
    yes {
      k, rest = peel k
      print rest "rest"
      yield k
    }
  }
  S = knob [2, 3]
  require peeled == yes or S == 3
  pipeline loop stages = S
}
""",
    )


def test_try_for_each_and_suppress() -> None:
    s = tilewright.schedule("blocks")
    func = s.match("func.func")
    with s.try_(func) as attempt:
        with attempt.branch():
            found = s.match("linalg.matmul", in_=func)
            s.yield_(found)
        with attempt.branch():
            found = s.match("linalg.batch_matmul", in_=func)
            s.yield_(found)
    (products,) = attempt.results
    each = s.for_each(products)
    with each as (product,):
        general = s.generalize(product)
        s.yield_(general)
    (generals,) = each.results
    with s.suppress(generals):
        s.vectorize(generals)
    same(
        s,
        """\
schedule blocks(root) {
  func = match "func.func" in root
  products = try func {
    found = match "linalg.matmul" in func
    yield found
  } else {
    found = match "linalg.batch_matmul" in func
    yield found
  }
  generals = for each product in products {
    general = generalize product
    yield general
  }
  suppress generals {
    vectorize generals
  }
}
""",
    )


def test_sequences_and_includes() -> None:
    s = tilewright.schedule("parts")
    with s.sequence("grid_of", op="op", size="param") as (op, size):
        tiled, grid = s.tile(op, [size, size], onto=["block.y", "block.x"])
        s.yield_(tiled, grid)
    func = s.match("func.func")
    mm = s.match("linalg.matmul")
    mm, grid = s.include("grid_of", mm, 64)
    s.include("clean", func, suppress=True)
    s.launch(grid, warps=4)
    same(
        s,
        """\
sequence grid_of(op, size: param) {
  tiled, grid = tile op by [size, size] onto [block.y, block.x]
  yield tiled, grid
}

schedule parts(root) {
  func = match "func.func" in root
  mm = match "linalg.matmul" in root
  mm, grid = include grid_of(mm, 64)
  include clean(func) suppress
  launch grid warps = 4
}
""",
    )


def test_any_op_and_numbers() -> None:
    s = tilewright.schedule("ops")
    mm = s.match("linalg.matmul")
    BM = s.knob("BM", [32, 64])
    half = s.number(BM / 2)
    parts = s.split(mm, half, 0)
    first, second = s.op("split_handle", parts)
    (typed,) = s.giving("linalg.matmul").op("cast", second)
    s.quantize(typed, s.mlir("f8E4M3FN"), per_channel=True)
    both = s.merge(first, s.root)
    s.print(both)
    assert s.errors == []
    text = s.to_tw()
    assert "half = BM / 2\n  parts = split mm after half along 0\n" in text
    assert "first, second = split_handle parts\n" in text
    assert 'typed: "linalg.matmul" = cast second' in text
    assert "quantize typed to `f8E4M3FN` per_channel = true" in text
    assert Schedule.from_text(text).to_mlir(False) == s.to_mlir(False)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda s, a, b: a + 1 <= b - 1, "a + 1 <= b - 1"),
        (lambda s, a, b: (2 * a) % b == 0, "2 * a % b == 0"),
        (lambda s, a, b: a // 2 < s.cdiv(b, 3), "floordiv(a, 2) < cdiv(b, 3)"),
        (lambda s, a, b: s.min(a, b) != 8 - a, "min(a, b) != 8 - a"),
        (lambda s, a, b: ~(a > b) & (a >= 1), "not(a > b) and a >= 1"),
        (lambda s, a, b: s.implies(a == 1, b == 1), "implies(a == 1, b == 1)"),
        (lambda s, a, b: (1 + a == b) | (-a < b), "1 + a == b or 0 - a < b"),
    ],
)
def test_operators_of_numbers(make: Callable[..., object], words: str) -> None:
    s = tilewright.schedule("numbers")
    a, b = s.knob("a", [1, 2, 3]), s.knob("b", [1, 2, 3])
    s.require(make(s, a, b))  # pyright: ignore
    text = "schedule numbers(root) {\n a = knob [1, 2, 3]\n b = knob [1, 2, 3]\n"
    read = Schedule.from_text(f"{text} require {words}\n}}")
    assert s.to_mlir(resolved=False) == read.to_mlir(resolved=False)


def test_it_is_applied_step_by_step() -> None:
    applied = linear().apply(PAYLOAD, BM=64)
    assert applied.point == {"BM": 64, "BN": 128}
    assert [step.title for step in applied.steps] == [
        "00 payload",
        "01 structured.tile_using_forall",
        "02 structured.fuse_into_containing_op",
        "03 structured.fuse_into_containing_op",
        "04 annotate",
    ]
    place = applied.steps[1].step and applied.steps[1].step.place
    assert place is not None and Path(place.file) == Path(__file__)
    assert (place.text or "").strip().startswith("tail, grid = s.tile(tail")
    added = [line for line in applied.steps[1].diff if line.startswith("+")]
    assert any("scf.forall" in line for line in added)
    assert "triton.num_warps = 4" in applied.text()


def test_it_is_checked_over_a_payload() -> None:
    report = linear().check(PAYLOAD)
    assert report.ok
    assert report.summary == (
        "ok; 4 valid points; runs to the kernel at 2 of 2 points tried"
    )


def test_it_is_compiled_and_seen_like_a_file() -> None:
    program = tilewright.compile(PAYLOAD, linear(), BM=128)
    assert "scf.forall" in program.steps[1].text()
    assert f"# {Path(__file__).name}:" in program.source
    assert tilewright.view(program).title == f"payload.mlir under {Path(__file__).name}"


def test_statements_may_be_added_after_a_look() -> None:
    s = linear()
    before = s.to_tw()
    s.print()
    assert s.to_tw() == before.removesuffix("}\n") + "  print\n}\n"


def test_a_schedule_that_has_errors_is_not_applied() -> None:
    s = linear()
    s.fuse(s.match("linalg.none"), s.match("scf.forall"))
    with pytest.raises(UserError, match="there is no op 'linalg.none'"):
        s.apply(PAYLOAD, BM=64)


def test_a_branch_may_assign_its_variables_through_a_tuple() -> None:
    s = tilewright.schedule("pairs")
    mm = s.match("linalg.matmul")
    pair = (mm, s.match("linalg.fill"))
    mm, fill = pair
    with s.choose("kernels") as kernels:
        with kernels.branch("one"):
            both = s.tile(mm, [64, 64])
            mm, fill = both[0], both[1]
        with kernels.branch("two"):
            mm = s.generalize(mm)
            with s.choose("inner") as inner:
                with inner.branch("a"):
                    fill = s.generalize(fill)
                with inner.branch("b"):
                    s.cse(fill)
    text = s.to_tw()
    assert "mm = generalize mm\n" in text
    assert "fill = generalize fill" in text and "cse fill" in text


def test_a_table_of_decisions() -> None:
    s = tilewright.schedule("table")
    mm = s.match("linalg.matmul")
    BM = s.knob("BM", [16, 128])
    s.tile(mm, [BM])
    s.to_tw()
    M = s.size("M", "x", 0)
    s.decide(M <= 64, BM=16)
    s.decide(BM=128)
    assert s.to_tw().endswith(
        "decide M = x[0] {\n  M <= 64 { BM = 16 }\n  else    { BM = 128 }\n}\n"
    )


def test_each_branch_begins_with_the_variables_as_they_were() -> None:
    s = tilewright.schedule("branches")
    mm = s.match("linalg.matmul")
    tail = s.match("linalg.generic")
    with s.choose("kernels") as kernels:
        with kernels.branch("one"):
            with s.suppress(mm):
                mm = s.generalize(mm)
            tail, grid = s.tile(tail, [64, 64], onto=["block.y", "block.x"])
        with kernels.branch("two"):
            mm, grid = s.tile(mm, [64, 64], onto=["block.y", "block.x"])
            tail, loop = s.tile(tail, [8])
    assert s.to_tw().endswith(
        """\
  choose kernels {
    one {
      suppress mm {
        mm = generalize mm
      }
      tail, grid = tile tail by [64, 64] onto [block.y, block.x]
    }
    two {
      mm, grid = tile mm by [64, 64] onto [block.y, block.x]
      tail, loop = tile tail by [8]
    }
  }
}
"""
    )
    with pytest.raises(UserError, match="'grid' is local to branch 'two'"):
        s.launch(grid, warps=4)


def sequences_of(library: str) -> list[tuple[str, int]]:
    """The sequences of a library that take handles alone, and how many."""
    file = parse((FOLDER / f"{library}.tw").read_text("utf-8"), f"{library}.tw")
    return [
        (each.name.text, len(each.parameters))
        for each in file.definitions
        if all(parameter.kind is None for parameter in each.parameters)
    ]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", module_names())
def test_a_library_is_imported(name: str) -> None:
    s = tilewright.schedule("imported")
    s.import_(name)
    first, takes = sequences_of(name)[0]
    s.include(f"{name}.{first}", *[s.root] * takes)
    assert f"import {name}\n\nschedule imported(root) {{\n" in s.to_tw()
    read = Schedule.from_text(s.to_tw())
    assert nameless(read) == nameless(s.schedule)


def test_an_unknown_library_is_refused() -> None:
    with pytest.raises(UserError, match="the library has no 'nothing'"):
        tilewright.schedule("imported").import_("nothing")


def test_a_file_beside_the_program_is_imported(tmp_path: Path) -> None:
    (tmp_path / "parts.tw").write_text("sequence clear(f) { cse f; dce f }\n")
    program = tmp_path / "program.py"
    program.write_text(
        "import tilewright\n"
        "s = tilewright.schedule('own')\n"
        "s.import_('parts.tw', 'p')\n"
        "s.include('p.clear', s.match('func.func'))\n"
    )
    names = runpy.run_path(str(program))
    assert names["s"].check().ok
    assert names["s"].apply(PAYLOAD).text()


def test_knobs_by_functions_and_numbers_of_the_payload() -> None:
    s = tilewright.schedule("numbers")
    mm = s.match(role="contraction", in_=s.root, at=[0])
    BM = s.knob("BM", s.pow2(16, 256), default=64)
    BK = s.knob("BK", s.pow2(16, s.min(BM, s.dim(mm, 2))), default=32)
    U = s.knob("U", [1, BM // 16])
    s.require((BK * s.elem_bits(mm) <= 2048) & s.is_pow2(U))
    mm, i, k = s.tile(mm, [BM, 0, BK])
    s.pipeline(k, unroll=U)
    text = """schedule numbers(root) {
      mm = match contraction in root at [0]
      BM = 64 of pow2(16, 256)
      BK = 32 of pow2(16, min(BM, dim(mm, 2)))
      U = knob [1, floordiv(BM, 16)]
      require BK * elem_bits(mm) <= 2048 and is_pow2(U)
      mm, i, k = tile mm by [BM, 0, BK]
      pipeline k unroll = U
    }"""
    assert s.to_mlir(False) == Schedule.from_text(text).to_mlir(False)
    assert s.apply(PAYLOAD, U=4).point == {"BM": 64, "BK": 32, "U": 4}


def test_steps_and_loops_in_an_order_to_choose() -> None:
    s = tilewright.schedule("orders")
    mm = s.match(role="contraction")
    fill = s.match(role="fill")
    out = s.match(role="elementwise", at=[-1])
    order = s.loop_order("order", [0, 1])
    out, grid = s.tile(out, [32, 32], onto=["block.y", "block.x"])
    with s.permute("steps") as steps:
        with steps.step("product"):
            mm, grid = s.fuse(mm, grid)
        with steps.step("start"):
            with s.suppress(grid):
                fill, grid = s.fuse(fill, grid)
    mm, grid = steps.results
    mm, i, j = s.tile(mm, [16, 16], interchange=order)
    s.require((steps == "product_start") | (s.chosen("order") == "p_0_1"))
    text = """schedule orders(root) {
      mm   = match contraction in root
      fill = match fill in root
      out  = match elementwise in root at [-1]
      order = permute [0, 1]
      out, grid = tile out by [32, 32] onto [block.y, block.x]
      mm, grid = permute steps {
        product { mm, grid = fuse mm into grid }
        start   { suppress grid { fill, grid = fuse fill into grid } }
      }
      mm, i, j = tile mm by [16, 16] interchange order
      require steps == product_start or order == p_0_1
    }"""
    assert nameless(s.schedule) == nameless(Schedule.from_text(text))
    with pytest.raises(UserError, match="no step assigns other"):
        (other,) = steps.results
