"""`triton.reversed`: the tiles with the most iterations start first."""

from __future__ import annotations

import pytest

from support.codegen.programs import assert_right, built
from support.transforms.masked_loops import Masked, band
from tilewright.ir.errors import UserError

TW = """
schedule s(root) {{
  loop = match "scf.for" in root
  grid = match "scf.forall" in root
  canonicalize root
  {trim}
  launch grid warps = 4 {launch}
}}
"""


def schedule(launch: str, trim: str = "loop = trim loop") -> str:
    return TW.format(launch=launch, trim=trim)


@pytest.mark.parametrize(
    "launch",
    [
        pytest.param("", marks=pytest.mark.slow),
        pytest.param("persistent = 1", marks=pytest.mark.slow),
        pytest.param("reversed = 1", marks=pytest.mark.slow),
        "reversed = 1 persistent = 1",
    ],
)
def test_numbers(launch: str) -> None:
    payload = Masked(tile=(16, 16), rows=64, keys=64).product()
    made = assert_right(payload, schedule(launch))
    assert ("TILES_M - 1 - " in made.program.text) is ("reversed" in launch)


def test_open_sizes_count_their_tiles() -> None:
    payload = Masked(band(40), "?", 64, tile=(16, 16)).product()
    text = built(payload, schedule("reversed = 1")).program.text
    assert "tiles_m = tl.cdiv(M, BLOCK_M)" in text
    assert "tile_m = tiles_m - 1 - pid_m" in text


def test_a_grid_whose_tiles_are_alike_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        built(Masked(tile=(16, 16)).product(), schedule("reversed = 1", trim=""))
    assert "'triton.reversed' changes nothing here: all tiles have the same" in str(
        caught.value
    )
