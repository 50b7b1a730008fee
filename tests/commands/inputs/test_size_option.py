"""`--size`: what it gives to whom, and what does not fit."""

from __future__ import annotations

import pytest

from support.codegen.open_sizes import FOLDER, TILED, built, tiled
from tilewright.codegen.launches.size_checks import refused_sizes
from tilewright.codegen.program import Shapes
from tilewright.commands.inputs.sizes import given_shapes, size_names, title_of
from tilewright.commands.inputs.tune_sizes import SizedCase, tune_cases
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.payload_work import reduction_length
from tilewright.pipeline import parse_payload, read_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.read import read_space

MLP = read_payload(FOLDER / "mlp.mlir")
PRODUCT = read_payload(FOLDER / "matmul_any.mlir")
NAMES = {"M": [(0, 0)], "K": [(0, 1), (1, 0)], "N": [(1, 1)]}


def product(*sizes: str) -> list[Shapes]:
    arguments = signature_of(find_function(PRODUCT, None)).arguments
    return given_shapes(PRODUCT, arguments, sizes, lambda: NAMES)


def mlp(*sizes: str) -> list[Shapes]:
    arguments = signature_of(find_function(MLP, None)).arguments
    return given_shapes(MLP, arguments, sizes)


def test_one_number_for_all() -> None:
    assert product("7") == [((7, 7), (7, 7))]
    assert product("7", "b=3x5") == [((7, 3), (3, 5))]


def test_equal_sizes_are_given_once() -> None:
    assert product("a=2x3", "N=4") == [((2, 3), (3, 4))]
    (shapes,) = mlp("x=10x64")
    assert shapes == ((10, 64), (64, 96), (96,), (96, 48), (10, 48), ())


def test_sizes_by_name() -> None:
    assert product("M=1", "N=2", "K=3") == [((1, 3), (3, 2))]
    names = size_names(tiled("matmul_any").program)
    assert names == NAMES
    assert title_of(names, ((1, 3), (3, 2))) == "M=1, N=2, K=3"


def test_several_values_are_several_runs() -> None:
    assert product("M=1,16", "N=2", "K=3,5") == [((1, 3), (3, 2)), ((16, 5), (5, 2))]
    assert product("1,2") == [((1, 1), (1, 1)), ((2, 2), (2, 2))]
    assert product("a=1x2,3x4", "N=9") == [((1, 2), (2, 9)), ((3, 4), (4, 9))]


def test_a_size_that_must_be_a_number() -> None:
    payload = parse_payload(
        "func.func @f(%a: tensor<?xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {\n"
        "  %e = tensor.empty() : tensor<8xf32>\n"
        "  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<8xf32>) "
        "outs(%e : tensor<8xf32>) -> tensor<8xf32>\n"
        "  return %r : tensor<8xf32>\n}"
    )
    arguments = signature_of(find_function(payload, None)).arguments
    assert given_shapes(payload, arguments, ()) == [((8,), (8,))]
    with pytest.raises(UserError, match="of a is 9, but the payload takes it to be 8"):
        given_shapes(payload, arguments, ("a=9",))


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (("M=1",), "the sizes of argument a: .* give them: --size a=128x128"),
        (("a=2x3", "b=4x5"), "0 of b is 4, but dimension 1 of a, the same .*, is 3"),
        (("a=2x3", "M=4"), "--size a=2x3 and --size M=4 do not agree on dimension 0"),
        (("M=2x3",), "M is one number"),
        (("Q=3", "5"), "no argument or size 'Q'; .* the sizes are: M, K, N"),
        (("M=1,2", "N=1,2,3", "K=4"), "2 and 3 values cannot be combined"),
        (("M=-1",), "expected a number or NAME=SIZES"),
        (("M=1,",), "expected a number or NAME=SIZES"),
    ],
)
def test_what_does_not_fit(sizes: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        product(*sizes)


def test_where_nothing_is_open() -> None:
    payload = parse_payload(
        "func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
        "  return %a : tensor<8xf32>\n}"
    )
    arguments = signature_of(find_function(payload, None)).arguments
    assert given_shapes(payload, arguments, ("a=8",)) == [((8,),)]
    with pytest.raises(UserError, match="all sizes of this payload are known"):
        given_shapes(payload, arguments, ("64",))


def test_what_a_launcher_would_say() -> None:
    plain, descriptors = (
        tiled("matmul_any", descriptors=by_descriptor).program.launch_plan
        for by_descriptor in (False, True)
    )
    odd, apart = ((4, 71), (71, 136)), ((4, 72), (71, 136))
    assert refused_sizes(plain, odd) is None
    assert refused_sizes(descriptors, ((4, 72), (72, 136))) is None
    reason = refused_sizes(descriptors, odd)
    assert reason is not None and "must be a multiple of 8 elements" in reason
    assert refused_sizes(plain, apart) == (
        "b.shape[0] is 71, a.shape[1] is 72: they must agree"
    )
    rows = built("matmul_relu").program.launch_plan
    assert "elements" in str(refused_sizes(rows, ((2**22, 512), (512, 256))))


def tuned_at(*sizes: str) -> list[SizedCase]:
    schedule = Schedule.from_path(TILED)
    return tune_cases(PRODUCT, schedule, read_space(schedule.module), sizes, 0)


def test_what_a_program_is_tuned_and_checked_at() -> None:
    asked = tuned_at("M=32,64", "N=48", "K=16")
    assert [(one.title, one.timed) for one in asked] == [
        ("M=32, N=48, K=16", True),
        ("M=64, N=48, K=16", True),
        ("M=131, N=67, K=97", False),
        ("M=144, N=80, K=112", False),
    ]
    by_descriptor = tiled("matmul_any", descriptors=True)
    assert [one.fits(by_descriptor) for one in asked] == [True, True, False, True]
    expected = asked[2].expected_results()
    assert (expected.shapes, expected.reduction) == (((131, 97), (97, 67)), 97)


def test_there_must_be_something_to_time() -> None:
    with pytest.raises(UserError, match="at M=0, N=1, K=1 there is nothing to compute"):
        tuned_at("M=0", "1")


def test_tolerances_follow_sums_over_open_sizes() -> None:
    assert reduction_length(PRODUCT) == 1
    assert reduction_length(PRODUCT, ((5, 700), (700, 3))) == 700
    assert reduction_length(MLP, mlp("9")[0]) == 96
    sums = read_payload(FOLDER / "column_sums.mlir")
    assert reduction_length(sums, ((4096, 48),)) == 4096
