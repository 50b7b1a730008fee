"""Transform ops that are missing, old or misspelt are told apart."""

from __future__ import annotations

import pytest
from schedule_tools import OP, parse_schedule, schedule_of

from tilewright.ir.errors import UserError

CASES = {
    "transform.structured.pack": "is not supported yet",
    "transform.structured.convert_conv2d_to_img2col": "is not supported yet",
    "transform.structured.tile": "it is transform.structured.tile_using_for today",
    "transform.structured.tile_using_fo": "did you mean "
    "'transform.structured.tile_using_for'?",
    "transform.split_handles": "it is transform.split_handle today",
}


@pytest.mark.parametrize("name", CASES)
def test_a_name_that_is_not_known(name) -> None:
    with pytest.raises(UserError) as caught:
        parse_schedule(schedule_of(f"%x = {name} %root : ({OP}) -> {OP}"))
    error = caught.value
    assert CASES[name] in str(error)
    assert error.place is not None and error.place.line == 3
