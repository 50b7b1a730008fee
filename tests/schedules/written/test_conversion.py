"""Schedules convert between `.tw` and `.mlir`, and nothing is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import SSAValue

from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import DATA, EXAMPLES, ROOT
from support.sampling import mostly_slow
from support.schedule_files import same
from tilewright.ir.errors import UserError
from tilewright.schedules.conversion import as_mlir, as_tw
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import ENTRY

FOLDERS = ("examples", "tests/data/scheduled", "benchmarks/spaces")
LANGUAGE = sorted(path for each in FOLDERS for path in (ROOT / each).rglob("*.tw"))
SCRIPTS = sorted(
    path
    for folder in (DATA / "scripts", ROOT / "tests" / "fuzz" / "found")
    for path in folder.glob("*.mlir")
    if "transform." in path.read_text() and path.name != "knobs_and_choices.mlir"
)


def comments(text: str) -> list[str]:
    return sorted(re.findall(r"// *[^\n/]*[^\n/ ]", text))


def name(path: Path) -> str:
    return f"{path.parent.name}-{path.name}"


@pytest.mark.sampled(16)
@pytest.mark.parametrize("path", mostly_slow(LANGUAGE, quick=LANGUAGE[::6]), ids=name)
def test_to_mlir_and_back(path: Path) -> None:
    schedule = Schedule.from_path(path)
    mlir = as_mlir(schedule)
    again = Schedule.from_text(mlir, f"{schedule.name}.mlir")
    written = as_tw(again)
    assert comments(mlir) == comments(path.read_text()) == comments(written)
    back = Schedule.from_text(written, path.name)
    assert same(back.module, schedule.module)
    choices = [(c.name, c.options, c.default) for c in schedule.open_choices()]
    assert [(c.name, c.options, c.default) for c in back.open_choices()] == choices
    assert back.table == schedule.table


@pytest.mark.parametrize("path", mostly_slow(SCRIPTS, quick=SCRIPTS[::8]), ids=name)
def test_to_the_language_and_back(path: Path) -> None:
    try:
        schedule = Schedule.from_path(path)
    except UserError:
        pytest.skip("a script with a mistake")
    written = as_tw(schedule)
    again = Schedule.from_text(as_mlir(Schedule.from_text(written, "s.tw")), "s.mlir")
    assert steps(again) == steps(schedule)


def steps(schedule: Schedule) -> list[object]:
    """The ops of the entry with their properties, results and users."""
    (entry,) = (
        op
        for op in schedule.module.ops
        if isinstance(op, NamedSequenceOp) and op.sym_name.data == ENTRY
    )
    numbers: dict[SSAValue, int] = {}
    found: list[object] = []
    for op in entry.walk():
        if op is entry:
            continue
        for region in op.regions:
            for argument in region.block.args:
                numbers[argument] = len(numbers)
        operands = [numbers.get(operand, -1) for operand in op.operands]
        for result in op.results:
            numbers[result] = len(numbers)
        types = [result.type for result in op.results]
        found.append((op.name, operands, types, op.properties, op.attributes))
    return found


COMMENTED = """\
// top
import gemm

// own
schedule s(root) {
  order = permute [0, 1]  // of loops
  mm = match "linalg.matmul" in root at [0]  // the first
  require count(mm) == 1  // one
  B = 8 of [8, 16]
  tile mm by [B, 8] interchange order  // tiles
  permute steps {  // in any order
    // a step
    a { cse root }  // a done
    b { dce root }
  }
  // before the end
  include gemm.cublas(root)
}  // s

// by size
decide M = x[0] {  // rows
  // few
  M <= 64 { B = 8 }
  else    { B = 16 }  // many
}  // decided
// end
"""


def test_comments_everywhere_survive() -> None:
    mlir = as_mlir(Schedule.from_text(COMMENTED, "s.tw"))
    written = as_tw(Schedule.from_text(mlir, "s.mlir"))
    assert comments(written) == comments(COMMENTED)
    table = COMMENTED[COMMENTED.index("// by size") : COMMENTED.index("// end")]
    assert table in written
    assert written.startswith("// top\nimport gemm\n\n// own\n")


IN_LINE = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // how many warps
    %0 = transform.param.constant 8 : i64 -> !transform.param<i64>  // eight
    // on all
    transform.annotate %root "w" = %0 : !transform.any_op, !transform.param<i64>
    // no empty tensors
    transform.structured.eliminate_empty_tensors %root : !transform.any_op  // none
    // buffers
    %1 = transform.bufferization.one_shot_bufferize  // all
      layout{IdentityLayoutMap} %root {allow_return_allocs_from_loops = true,
        bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""


def test_comments_of_ops_that_print_in_line_survive() -> None:
    written = as_tw(Schedule.from_text(IN_LINE, "s.mlir"))
    assert (
        written.split("{\n", 1)[1]
        == """\
  // how many warps
  // on all
  annotate root "w" = 8  // eight
  // no empty tensors
  // none
  // buffers
  h = bufferize root  // all
}
"""
    )


BLOCKS = """\
// what it does
schedule s(root) {  // opened
  mm = match "linalg.matmul" in root
  choose loads {  // the choice
    pointers {
      cse root
      // end of pointers
    }
    descriptors {  // by TMA
      dce root  // two
      // end of descriptors
    }
  }  // chosen
  suppress mm {  // may fail
    cse mm
    // end of suppress
  }  // it did
  t = try root {  // first
    canonicalize root
    yield root
  } else {
    // second
    yield root
  }  // tried
  // the last
}  // closed
"""


def test_comments_of_blocks_keep_their_places() -> None:
    schedule = Schedule.from_text(BLOCKS, "s.tw")
    mlir = as_mlir(schedule)
    assert "\n    }, {  // by TMA\n" in mlir
    assert "\n      // end of pointers\n    }, {" in mlir
    assert mlir.endswith("\n  }  // closed\n}\n")
    assert as_tw(Schedule.from_text(mlir, "s.mlir")) == BLOCKS


def test_both_comments_behind_a_try_survive() -> None:
    text = BLOCKS.replace("else {\n    // second\n", "else {  // second\n")
    mlir = as_mlir(Schedule.from_text(text, "s.tw"))
    assert as_tw(Schedule.from_text(mlir, "s.mlir")) == BLOCKS


SCRIPT = """\
module attributes {transform.with_named_sequence} {  // the module
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.apply_patterns to %root {  // opened
      // inside
      transform.apply_patterns.canonicalization  // a pattern
    } : !transform.any_op  // closed
    // the last
    transform.yield
  }  // main
  // below it
}  // the end
"""


def test_comments_inside_an_op_of_one_line_survive() -> None:
    written = as_tw(Schedule.from_text(SCRIPT, "s.mlir"))
    assert comments(written) == comments(SCRIPT)
    assert (
        written
        == """\
// the module
schedule s(root) {
  // inside
  // a pattern
  canonicalize root  // opened
  // closed
  // the last
}  // main
// below it
// the end
"""
    )


def test_a_lost_comment_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = Schedule.from_text(TABLE, "s.tw")
    again = Schedule.from_text(as_mlir(schedule), "s.mlir")
    other = again.to_tw().replace("// by size\n", "")
    monkeypatch.setattr(Schedule, "to_tw", lambda self: other)
    with pytest.raises(UserError, match="comment '// by size' cannot be converted"):
        as_tw(again)


TABLE = """\
schedule s(root) {
  B = knob [8, 16] default 8
  e = match "linalg.exp" in root
  tile e by [B] onto [block.x]
}

// by size
decide M = x[0] {
  M <= 64 { B = 8 }
  else    { B = 16 }
}
"""


def test_a_table_and_defaults_survive() -> None:
    schedule = Schedule.from_text(TABLE, "s.tw")
    again = Schedule.from_text(as_mlir(schedule), "s.mlir")
    assert again.table == schedule.table is not None
    back = as_tw(again)
    assert "B = knob [8, 16] default 8" in back
    assert Schedule.from_text(back, "s.tw").table == schedule.table


def test_a_wrong_table_in_mlir_is_an_error() -> None:
    text = as_mlir(Schedule.from_text(TABLE, "s.tw")).replace("B = 16", "C = 16")
    with pytest.raises(UserError, match="the schedule has no choice 'C'"):
        Schedule.from_text(text, "s.mlir")


def test_a_knob_that_is_chosen_is_refused() -> None:
    schedule = Schedule.from_path(DATA / "scripts" / "knobs_and_choices.mlir")
    with pytest.raises(UserError) as caught:
        as_tw(schedule)
    assert caught.value.fact == "'BM' is chosen already, which .tw cannot say"
    assert caught.value.place is not None


def test_a_loss_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = Schedule.from_path(EXAMPLES / "matmul_relu" / "tile.tw")
    written = schedule.to_tw()
    other = written.replace("by [128", "by [64")
    assert other != written
    monkeypatch.setattr(Schedule, "to_tw", lambda self: other)
    with pytest.raises(UserError, match="cannot be converted without loss") as caught:
        as_tw(schedule)
    assert caught.value.place is not None


@needs_mlir
def test_real_mlir_reads_it() -> None:
    schedule = Schedule.from_path(EXAMPLES / "matmul_relu" / "tile_fuse.tw")
    assert "transform.named_sequence" in mlir_opt(as_mlir(schedule))
