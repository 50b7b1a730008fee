"""Recorded spaces teach the learned model, and a replay can use it."""

from __future__ import annotations

import math

from support.paths import EXAMPLES
from support.tuning.samples import matmul
from tilewright.codegen.targets import target_named
from tilewright.tuning.learning.features import ESTIMATE, describe_program
from tilewright.tuning.learning.learned_estimates import LearnedEstimates
from tilewright.tuning.replay.machine import SEQUENTIAL, SimulatedStages
from tilewright.tuning.replay.recorded_examples import origin_of, recorded_examples
from tilewright.tuning.replay.recorded_guide import RecordedGuide
from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace

FOLDER = EXAMPLES / "matmul_relu"
H200 = target_named("h200")


def recorded(name: str, size: int) -> RecordedSpace:
    """Sixteen points, twice as slow as estimated, and four that failed."""
    payload = (FOLDER / "payload.mlir").read_text().replace("512", str(size))
    points: list[RecordedPoint] = []
    for bm in (32, 64, 128, 256):
        for bn in (16, 32, 64, 128, 256):
            features = describe_program(matmul(size, bm=bm, bn=bn), H200)
            points.append(
                RecordedPoint(
                    {"BM": bm, "BN": bn},
                    "ok" if bn > 16 else "wrong",
                    f"{bm} {bn}",
                    p50=2 * features[ESTIMATE] if bn > 16 else None,
                    estimate=features[ESTIMATE],
                    description=features,
                )
            )
    schedule = (FOLDER / "tuned.tw").read_text()
    return RecordedSpace(name, payload, schedule, "card", "", tuple(points))


def test_points_that_ran_are_examples() -> None:
    small, large = recorded("small", 512), recorded("large", 1024)
    examples = recorded_examples(small)
    assert len(examples) == 16
    assert {e.origin for e in examples} == {origin_of(small)}
    assert origin_of(small).family == origin_of(large).family
    assert origin_of(small).schedule == origin_of(large).schedule


def test_a_guide_may_estimate_by_what_other_spaces_teach() -> None:
    small, large = recorded("small", 512), recorded("large", 1024)
    point = {"BM": 128, "BN": 64}
    (plain,) = RecordedGuide(large, SimulatedStages(SEQUENTIAL)).estimate([point])
    learned = LearnedEstimates(origin_of(large), recorded_examples(small))
    unknown = {"BM": 128, "BN": 512}
    better, missing = RecordedGuide(
        large, SimulatedStages(SEQUENTIAL), learned
    ).estimate([point, unknown])
    assert plain is not None and better is not None
    assert 1.8 < better / plain < 2.2
    assert missing == math.inf
