"""Statements for any transform op, blocks, and kinds: text to IR and back."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import VerifyException

from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import DATA, DOCS
from support.transforms.same_program import assert_same_program
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, to_text
from tilewright.pipeline import apply_schedule, parse_payload
from tilewright.schedules.language.lowering.lower import lower
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.language.printing import any_op
from tilewright.schedules.language.printing.printer import print_schedule
from tilewright.schedules.language.printing.read_back import reads_as
from tilewright.schedules.language.syntax import Action, Items, Literal, Raw, Setting
from tilewright.schedules.language.verbs.attribute_text import (
    HANDLE_TYPES,
    attribute_for,
    first_accepted,
    text_of,
)
from tilewright.schedules.language.verbs.op_schema import (
    op_named,
    schema_of,
    typed_operand,
)
from tilewright.schedules.language.verbs.vocabulary import BY_NAME, VERBS
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.control.choices.tune_alternatives import LABELS
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.op_sources import PREFIX, op_sources

FORMS = (DATA / "forms.tw").read_text()
SCRIPTS = (DATA / "use_after_consume.mlir").read_text().split("// -----\n")

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
"""


def lowered(text: str, name: str = "forms.tw") -> ModuleOp:
    # The check has its own tests; here it may object to what nobody would write.
    done = lower(parse(text, name))
    assert done.errors == ()
    return done.module


def plain(module: ModuleOp) -> ModuleOp:
    """A copy in which sequences declare nothing and are in order, branches unnamed.

    The language works effects out itself, and gives branches names.
    """
    copy = module.clone()
    sequences: list[NamedSequenceOp] = []
    for op in list(copy.ops):
        assert isinstance(op, NamedSequenceOp)
        op.arg_attrs = None
        op.detach()
        sequences.append(op)
    for nested in (n for op in sequences for n in op.walk()):
        nested.attributes.pop(LABELS, None)
    return ModuleOp(sorted(sequences, key=lambda op: op.sym_name.data))


def test_golden(golden: Callable[[str, str], None]) -> None:
    golden("schedules/forms.mlir", to_text(lowered(FORMS)))


def test_written_and_read_again_it_is_the_same() -> None:
    module = lowered(FORMS)
    text = print_schedule(module, "forms", {})
    assert module.is_structurally_equivalent(lowered(text))
    body = FORMS.split("\n", 1)[1]
    assert text == body, "the words of the source are not kept"


def test_every_verb_makes_ops_that_exist() -> None:
    for entry in VERBS:
        for op in entry.translation.ops:
            assert op.removeprefix(PREFIX) in op_sources(), entry.name


def test_the_page_of_the_language_has_every_verb_that_is_no_single_op() -> None:
    page = (DOCS / "schedules.md").read_text(encoding="utf-8")
    rows = "\n".join(line for line in page.splitlines() if line.startswith("|"))
    own = {source.form.partition(" ")[0] for source in op_sources().values()}
    for name in BY_NAME.keys() - own:
        assert re.search(rf"(`|= ){name} ", rows), name


def test_a_verb_of_an_op_explains_itself() -> None:
    for source in op_sources().values():
        if source.form:
            assert source.summary, source.name
            assert sys.modules[source.load().__module__].__doc__, source.name


def test_mlir_reads_the_upstream_form_back() -> None:
    module = lowered(FORMS)
    again = parse_module(to_text(module), "forms.mlir", schedule_context())
    assert module.is_structurally_equivalent(again)


@needs_mlir
def test_real_mlir_reads_it() -> None:
    text = to_text(lowered(FORMS)).replace("builtin.module @forms", "module")
    # It does not know the ops that are ours; nothing else uses what they make.
    lines = [line for line in text.splitlines() if "transform.tilewright." not in line]
    mlir_opt("\n".join(lines))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.splitlines()[0][3:])
def test_upstream_scripts_become_tw_and_back(script: str) -> None:
    whole = f"module attributes {{transform.with_named_sequence}} {{\n{script}}}\n"
    _, schedule = Schedule.split(parse_module(whole, "s.mlir", schedule_context()))
    assert schedule is not None
    text = print_schedule(schedule.module, "s", {})
    again = lowered(text)
    assert plain(schedule.module).is_structurally_equivalent(plain(again)), text


# -- any op ----------------------------------------------------------------------

SAMPLES = (
    Literal(4),
    Literal("func.func"),
    Literal(True),
    Items((Literal(1), Literal(0))),
    Items((Literal("a"),)),
    Raw("affine_map<(d0) -> (d0)>"),
    Raw("f32"),
    Raw("{a = 1 : i64}"),
    Literal(1.5),
)


def sample_attribute(constraint: object) -> Attribute | None:
    for sample in SAMPLES:
        try:
            found = attribute_for(sample, constraint, "sample")  # type: ignore[arg-type]
        except UserError:
            continue
        if found is not None:
            return found
    return None


def sample(op: type[Operation]) -> tuple[Operation, dict[str, SSAValue]] | None:
    """An op with everything it may have, on arguments of a block."""
    assert issubclass(op, IRDLOperation)
    schema = schema_of(op)
    block = Block()
    names: dict[str, SSAValue] = {}
    operands: list[list[SSAValue]] = []
    for number, (_, constraint) in enumerate(schema.operands.values()):
        of = first_accepted(constraint, HANDLE_TYPES)
        of = typed_operand(op) or of
        assert of is not None
        value = block.insert_arg(of, number)
        names[f"h{number}"] = value
        operands.append([value])
    for static in (True, False):
        properties: dict[str, Attribute] = {}
        for name, constraint in schema.properties.items():
            if name not in schema.needed and not static:
                continue
            if (found := sample_attribute(constraint)) is None:
                return None
            properties[name] = found
        statics = {name for name, _ in schema.sizes.values()}
        given = [
            [] if name in {o for _, o in schema.sizes.values()} else values
            for name, values in zip(schema.operands, operands, strict=True)
        ]
        assert statics <= set(schema.properties)
        made = op.build(
            operands=given,
            properties=dict(properties),
            result_types=[[of] for _, of in schema.results],
        )
        try:
            made.verify(verify_nested_ops=False)
        except VerifyException:
            continue
        return made, names
    return None


OPS = {name: op_named(name) for name in op_sources()}
WITHOUT_BODY = {
    name: op
    for name, op in OPS.items()
    if issubclass(op, IRDLOperation) and not op.get_irdl_definition().regions
}


@pytest.mark.parametrize("name", WITHOUT_BODY)
def test_any_op_is_a_statement(name: str) -> None:
    if name in ("yield", "include", "tune.knob"):
        pytest.skip("it has a statement of its own")
    found = sample(WITHOUT_BODY[name])
    if found is None:
        pytest.skip("no sample satisfies its verifier")
    op, names = found
    of = {value: name for name, value in names.items()}
    statement = any_op.write(op, of.__getitem__, BY_NAME)
    assert statement is not None
    targets = ", ".join(f"r{i}" for i in range(len(op.results)))
    line = f"{targets} = {statement}" if targets else statement
    assert reads_as(line, [op], names), line


def test_most_ops_have_a_sample() -> None:
    without = [name for name, op in WITHOUT_BODY.items() if sample(op) is None]
    assert len(without) <= len(WITHOUT_BODY) / 5, without


@pytest.mark.parametrize("value", SAMPLES, ids=repr)
def test_attributes_are_written_as_they_are_read(value: Literal | Items | Raw) -> None:
    found = attribute_for(value, None, "sample")
    assert found is not None
    written = f'schedule s() {{ print "x" = {text_of(found)} }}'
    (definition,) = parse(written, "s.tw").definitions
    (statement,) = definition.body
    assert isinstance(statement, Action)
    (setting,) = statement.arguments
    assert isinstance(setting, Setting)
    assert attribute_for(setting.value, None, "sample") == found


# -- running ---------------------------------------------------------------------


def run(text: str) -> str:
    schedule = Schedule.from_text(text)
    applied = apply_schedule(parse_payload(PAYLOAD), schedule, complete=False)
    return to_text(applied.payload)


TRY = """
schedule s(root) {
  f = match "func.func" in root
  f = try f {
    mm = match "linalg.matmul" in f
    vectorize mm to [2, 2, 2]
    yield f
  } else {
    mm = match "linalg.matmul" in f
    mm, l = tile mm by [4]
    yield f
  }
  annotate f "done"
}
"""

EACH = """
schedule s(root) {
  mm = match "linalg.matmul" in root
  loops = for each one in mm {
    one, l = tile one by [4]
    yield l
  }
  annotate loops "each"
}
"""

SUPPRESS = """
schedule s(root) {
  f = match "func.func" in root
  suppress f {
    mm = match "linalg.matmul" in f
    vectorize mm to [2, 2, 2]
    annotate f "went_on"
  }
}
"""


def test_try_takes_the_branch_that_applies() -> None:
    text = run(TRY)
    assert text.count("scf.for") == 2
    assert "vector." not in text
    assert "attributes {done}" in text


def test_for_each_runs_once_for_each() -> None:
    assert run(EACH).count("{each}") == 2


def test_suppress_goes_on() -> None:
    assert "attributes {went_on}" in run(SUPPRESS)


@needs_mlir
@pytest.mark.parametrize("text", [TRY, EACH, SUPPRESS])
def test_real_mlir_does_the_same(text: str) -> None:
    script = Schedule.from_text(text).to_mlir()
    body = script[script.index("{", script.index("attributes {") + 12) :]
    whole = f"module attributes {{transform.with_named_sequence}} {body}"
    whole = whole[: whole.rindex("}")] + PAYLOAD + "}\n"
    theirs = mlir_opt(
        whole, "--transform-interpreter", "--test-transform-dialect-erase-schedule"
    )
    assert_same_program(run(text), theirs)
