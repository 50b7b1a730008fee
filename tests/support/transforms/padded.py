"""Steps that pad products and reductions."""

from __future__ import annotations

from support.transforms.payloads import generic
from support.transforms.schedules import OP, match, schedule_of

THREE = f"({OP}) -> ({OP}, {OP}, {OP})"
ZEROS = "padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]"


def pad(how: str, target: str = "%h") -> str:
    return f"%a, %b, %c = transform.structured.pad {target} {how} : {THREE}"


def padded(how: str, op: str = "linalg.matmul") -> str:
    return schedule_of(
        match("%h", op),
        pad(how),
        *(f'transform.annotate %{r} "{r}" : {OP}' for r in "abc"),
    )


HOW = {
    "rows": f"pad_to_multiple_of [4] {{{ZEROS}, padding_dimensions = [0]}}",
    "all": f"pad_to_multiple_of [4, 4, 4] {{{ZEROS}, padding_dimensions = [0, 1, 2]}}",
    "no_copy": f"pad_to_multiple_of [4, 8] {{{ZEROS}, padding_dimensions = [0, 1], "
    'copy_back_op = "none"}',
    "linalg_copy": f"pad_to_multiple_of [3] {{{ZEROS}, padding_dimensions = [1], "
    'copy_back_op = "linalg.copy"}',
    "nofold": f"pad_to_multiple_of [2] {{{ZEROS}, padding_dimensions = [0], "
    "nofold_flags = [1, 1, 0], transpose_paddings = [[1, 0], [0, 1]]}",
    "nothing": f"{{{ZEROS}}}",
    "whole_already": f"{{{ZEROS}, padding_dimensions = [0, 1, 2]}}",
    "zeros_by_default": "pad_to_multiple_of [16, 16, 16] "
    "{padding_dimensions = [0, 1, 2]}",
    "strings": 'pad_to_multiple_of [4] {padding_values = ["0.0", "1.5", "0.0"], '
    "padding_dimensions = [0]}",
    "prescribed": "pad_to_multiple_of [4, 2] use_prescribed_tensor_shapes "
    f"{{{ZEROS}, padding_dimensions = [0, 2]}}",
    "all_in_braces": f"pad_to_multiple_of [4] {{{ZEROS}, padding_dimensions = [0], "
    "use_prescribed_tensor_shapes, mark}",
    "more_values": "pad_to_multiple_of [4] {padding_values = [0.0 : f32, 0.0 : f32, "
    "0.0 : f32, 0.0 : f32], padding_dimensions = [0]}",
}


def rows(combine: str, of: str = "f32") -> str:
    return generic(
        ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"],
        ["parallel", "reduction"],
        [(f"tensor<6x7x{of}>", of), (f"tensor<6x{of}>", of)],
        combine,
    )
