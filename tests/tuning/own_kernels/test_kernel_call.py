"""Calls: arguments by name, tensors as files and specs, programs and conditions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from support.tuning import own_kernels as samples
from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.own_kernels.candidate_program import build_program
from tilewright.tuning.own_kernels.config_choices import check_names, make_space
from tilewright.tuning.own_kernels.kernel_call import KernelCall, bind_call
from tilewright.tuning.own_kernels.kernel_source import read_kernel
from tilewright.tuning.own_kernels.space_text import space_text
from tilewright.tuning.space.read import read_space

ADD = read_kernel(samples.add_kernel)
SPACE: dict[str, list[Any]] = {"BLOCK": [32, 64, 128], "num_warps": [4, 8]}
CONFIG = {"BLOCK": 64, "num_warps": 4}


def add_call(**changes: Any) -> KernelCall:
    x = torch.arange(100, dtype=torch.float32)
    values = {"x_ptr": x, "y_ptr": x + 1, "out_ptr": x + 2, "n": 100, **changes}
    return bind_call(ADD, list(values.values()), {}, SPACE)


def launched(call: KernelCall, grid: Any = samples.grid) -> str:
    text = build_program(call, grid, CONFIG).text
    return text[text.index("def launch(") :]


def test_positions_and_names_are_one_call() -> None:
    x = torch.ones(4)
    one = bind_call(ADD, [x, x.clone()], {"out_ptr": x.clone(), "n": 4}, SPACE)
    assert list(one.values) == ["x_ptr", "y_ptr", "out_ptr", "n"]
    assert [t.name for t in one.inputs] == ["x_ptr", "y_ptr"]
    assert [t.name for t in one.outputs] == ["out_ptr"]
    assert one.device == torch.device("cpu")


@pytest.mark.parametrize(
    ("args", "kwargs", "fact"),
    [
        ([1, 2, 3, 4, 5, 6], {}, "6 arguments are given, it has 5"),
        ([1], {"x_ptr": 2}, "'x_ptr' is given twice"),
        ([1], {"y_pointer": 2}, "did you mean 'y_ptr'?"),
        ([1, 2, 3], {}, "'n' has no value"),
        ([1, 2, 3, 4, 64], {}, "'BLOCK' is searched and also given"),
        ([1, 2, 3, 4], {"num_warps": 4}, "'num_warps' is searched and also given"),
        ([1, 2, 3, 4], {}, "does not show which tensors it writes"),
    ],
)
def test_arguments_that_do_not_fit(args: Any, kwargs: Any, fact: str) -> None:
    with pytest.raises(UserError) as raised:
        bind_call(ADD, args, kwargs, SPACE)
    assert fact in str(raised.value)
    assert "own_kernels.py" in str(raised.value)


def test_outputs_may_be_named() -> None:
    x = torch.ones(4)
    call = bind_call(ADD, [x, x + 1, x + 2, 4], {}, SPACE, outputs=["y_ptr"])
    assert [t.name for t in call.outputs] == ["y_ptr"]
    with pytest.raises(UserError, match="did you mean 'out_ptr'"):
        bind_call(ADD, [x, x + 1, x + 2, 4], {}, SPACE, outputs=["out"])
    source = read_kernel(samples.silent_kernel)
    with pytest.raises(UserError, match=r"name them: outputs=\['out'\]"):
        bind_call(source, [x, 4], {}, {})


def test_an_object_that_is_no_number_is_refused() -> None:
    with pytest.raises(UserError, match="'n' is object, which is no tensor"):
        add_call(n=object())


def test_a_program_bakes_numbers_and_makes_outputs() -> None:
    program = build_program(add_call(), samples.grid, CONFIG)
    assert [s.name for s in program.arguments] == ["x_ptr", "y_ptr"]
    assert [(s.name, s.shape, s.dtype) for s in program.results] == [
        ("out_ptr", (100,), "f32")
    ]
    text = program.text
    assert "add_kernel[(2, )](" in text and "n=100," in text and "BLOCK=64," in text
    assert "out_ptr = torch.empty_strided((100, ), (1, )" in text
    assert program.kernels[0].grid == (2,) and program.kernels[0].num_warps == 4
    other = build_program(add_call(), samples.grid, {**CONFIG, "BLOCK": 128})
    assert other.key != program.key
    assert build_program(add_call(), samples.grid, CONFIG).key == program.key
    assert program.places[0][:2] == ("add_kernel", 1)


@pytest.mark.parametrize(
    ("grid", "fact"),
    [
        (lambda meta: meta["BLOKC"], "raises KeyError"),
        ((1, 2, 3, 4), "one to three integers"),
        ((1.5,), "one to three integers"),
        ((0,), "launches nothing"),
    ],
)
def test_grids_that_cannot_be_launched(grid: Any, fact: str) -> None:
    with pytest.raises(UserError, match=fact):
        launched(add_call(), grid)


def test_a_grid_may_be_a_number() -> None:
    assert "add_kernel[(7, )](" in launched(add_call(), 7)


def test_a_tensor_without_order_travels_as_its_memory() -> None:
    matrix = torch.arange(12.0).view(3, 4)
    call = add_call(y_ptr=matrix.T)
    (tensor,) = [t for t in call.tensors if t.name == "y_ptr"]
    assert tensor.spec.shape == (12,)
    assert tensor.array().tolist() == list(range(12))
    assert "y_ptr = y_ptr.as_strided((4, 3, ), (1, 4, ))" in launched(call)
    part = add_call(y_ptr=matrix[1:, 1:3])
    (tensor,) = [t for t in part.tensors if t.name == "y_ptr"]
    assert tensor.array().tolist() == [5, 6, 7, 8, 9, 10]


def test_types_that_numpy_lacks_travel_as_bits() -> None:
    call = add_call(
        **{
            "x_ptr": torch.ones(2, dtype=torch.bfloat16),
            "y_ptr": torch.ones(2, dtype=torch.uint8),
            "out_ptr": torch.empty(2, dtype=torch.float8_e5m2),
        }
    )
    one, two, out = call.tensors
    assert (one.dtype, one.array().tolist()) == ("bf16", [16256, 16256])
    assert (two.dtype, two.is_carried) == ("i8", True)
    assert "y_ptr = y_ptr.view(torch.uint8)" in launched(call)
    assert out.dtype == "f8E5M2" and out.array().dtype == np.uint8
    assert out.expected(torch.tensor([1.0, 3.0])).dtype == np.float32


def test_an_output_that_is_read_is_copied_first() -> None:
    source = read_kernel(samples.many_uses_kernel)
    names = ["a", "index", "sums", "both", "out", "other"]
    tensors = {f"{name}_ptr": torch.ones(8) for name in names}
    call = bind_call(source, list(tensors.values()), {"n": 8}, {"BLOCK": [8]})
    assert [t.name for t in call.outputs] == [
        "sums_ptr",
        "both_ptr",
        "out_ptr",
        "other_ptr",
    ]
    assert [t.name for t in call.inputs] == [
        "a_ptr",
        "index_ptr",
        "sums_ptr",
        "both_ptr",
    ]
    text = build_program(call, (1,), {"BLOCK": 8}).text
    assert "sums_ptr = sums_ptr.clone()" in text
    assert "out_ptr = torch.empty_strided" in text


def test_a_kernel_in_place_works_on_a_copy() -> None:
    x = torch.ones(8)
    call = bind_call(ADD, [x, torch.ones(8), x, 8], {}, SPACE)
    assert [t.name for t in call.outputs] == ["x_ptr"]
    assert [t.name for t in call.inputs] == ["x_ptr", "y_ptr"]
    text = launched(call)
    assert "x_ptr = x_ptr.clone()" in text and "out_ptr = x_ptr" in text
    assert text.rstrip().endswith("return x_ptr")


def test_tensors_on_two_devices_are_refused() -> None:
    with pytest.raises(UserError, match="x_ptr on cpu, y_ptr on meta"):
        add_call(y_ptr=torch.ones(3, device="meta"))


def test_the_key_in_words() -> None:
    call = add_call(n=7)
    assert call.describe(None) == {
        "x_ptr": "float32[100]",
        "y_ptr": "float32[100]",
        "out_ptr": "float32[100]",
        "n": "7",
    }
    assert call.describe(["n"])["x_ptr"] == "float32"
    assert add_call(n=0.5).describe(None).keys() == {"x_ptr", "y_ptr", "out_ptr"}
    assert call.extents(["n"]) == (7,)
    assert call.extents(None) == (100, 100, 100, 7)


def test_a_reference_of_another_shape_is_refused() -> None:
    (out,) = add_call().outputs
    with pytest.raises(UserError, match=r"has the shape \(3,\), .* \(100,\)"):
        out.expected(torch.ones(3))


# -- conditions ------------------------------------------------------------------


def blocks(**conditions: Any) -> list[tuple[Any, Any]]:
    space = make_space(add_call(), SPACE, **conditions)
    return [(p["BLOCK"], p["num_warps"]) for p in space.points()]


def test_conditions_as_text_and_as_functions() -> None:
    small = [(32, 4), (32, 8), (64, 4), (64, 8)]
    assert blocks(prune=["BLOCK > n"]) == small
    assert blocks(constraints=["BLOCK <= n"]) == small
    assert blocks(prune=[lambda BLOCK, n: BLOCK > n]) == small
    assert blocks(prune=[lambda config: config["BLOCK"] > config["n"]]) == small
    assert blocks(constraints=["min(BLOCK, 64) == 64 and num_warps in [8]"]) == [
        (64, 8),
        (128, 8),
    ]
    assert blocks(prune=["BLOCK == 32"], constraints=["num_warps == 4"]) == [
        (64, 4),
        (128, 4),
    ]


@pytest.mark.parametrize(
    ("condition", "fact"),
    [
        ("BLOKC > 3", "did you mean 'BLOCK'"),
        ("BLOCK >", "is not an expression"),
        ("__import__('os')", "'__import__', which is neither"),
        ("(lambda: 1)()", "has a Lambda"),
        ("BLOCK.real > 1", "has a Attribute"),
        (lambda BLOCK, size: True, "the parameter 'size'"),
    ],
)
def test_conditions_that_make_no_sense(condition: Any, fact: str) -> None:
    with pytest.raises(UserError) as raised:
        blocks(prune=[condition])
    assert fact in str(raised.value)


def test_a_condition_that_raises_says_so() -> None:
    with pytest.raises(UserError, match="'1 / .BLOCK - 32. > 0' raises ZeroDivision"):
        blocks(prune=["1 / (BLOCK - 32) > 0"])


def test_a_space_is_a_schedule_that_can_be_read() -> None:
    values = {**SPACE, "maxnreg": [0.5, 1e-3], "num_ctas": [True], "kpack": ["a", "b"]}
    default = {"BLOCK": 64, "maxnreg": 0.5, "num_ctas": True, "kpack": "b"}
    space = make_space(add_call(), values, ["BLOCK > n"], default=default)
    text = space_text(space)
    assert "    // require not (BLOCK > n)\n" in text
    assert text.startswith("builtin.module")  # as readers of the file expect MLIR
    read = read_space(Schedule.from_text(text, "space.mlir").module)
    assert {name: one.options for name, one in read.choices.items()} == {
        name: tuple(options) for name, options in values.items()
    }
    assert {n: c.default for n, c in read.choices.items()} == {
        "num_warps": None,
        **default,
    }


def test_defaults_are_in_the_space() -> None:
    space = make_space(add_call(), SPACE, default=CONFIG)
    assert space.default_point() == CONFIG
    with pytest.raises(UserError, match="the default BLOCK=33 is not in the space"):
        make_space(add_call(), SPACE, default={"BLOCK": 33})


@pytest.mark.parametrize(
    ("space", "fact"),
    [
        ({"BLOCKS": [1]}, "did you mean 'BLOCK'"),
        ({"BLOCK": 64}, r"write 'BLOCK': \[64\]"),
        ({"BLOCK": [torch.float16]}, "values are numbers"),
    ],
)
def test_spaces_that_make_no_sense(space: Any, fact: str) -> None:
    with pytest.raises(UserError, match=fact):
        check_names(ADD, space)
