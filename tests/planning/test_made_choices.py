"""Plans whose choices are made."""

from __future__ import annotations

import re

from tilewright.codegen.targets import target_named
from tilewright.payloads import Payload, relu
from tilewright.pipeline import build, parse_payload
from tilewright.planning.plan import Plan, plan


def _planned(*, is_open: bool) -> tuple[Plan, str]:
    """A plan of a matmul and sums of rows, and its program without lines of plans."""
    p = Payload("net")
    x, w = p.input("x", (256, 128), "f16"), p.input("w", (128, 512), "f16")
    p.output(relu(x @ w), x.sum(1))
    payload = parse_payload(p.text())
    found = plan(payload, target_named("h200"), is_open=is_open)
    text = build(payload, found.schedule).program.text
    return found, re.sub(r"<planned>:\d+", "", text)


def test_the_program_is_that_of_the_defaults() -> None:
    with_choices, expected = _planned(is_open=True)
    made, program = _planned(is_open=False)
    assert program == expected
    assert " knob [" in with_choices.text and "choose kernel" in with_choices.text
    assert " knob [" not in made.text and "choose kernel" not in made.text


def test_other_candidates_stay_known() -> None:
    """A kernel that is refused has a next one."""
    with_choices, _ = _planned(is_open=True)
    made, _ = _planned(is_open=False)
    labels = [
        [[candidate.sketch.label for candidate in k.candidates] for k in each.kernels]
        for each in (with_choices, made)
    ]
    assert labels[0] == labels[1]
    assert max(map(len, labels[0])) > 1
