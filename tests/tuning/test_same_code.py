"""Programs whose machine code is the same are measured once."""

from __future__ import annotations

import struct
from dataclasses import replace

from support.tuning.samples import broken
from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.runtime.compile import CompiledStats
from tilewright.codegen.runtime.machine_code import code_hash
from tilewright.tuning.results.records import Setting, Versions
from tilewright.tuning.stages.build_jobs import BuiltPoint
from tilewright.tuning.stages.candidates import Candidate, Ending
from tilewright.tuning.stages.code_key import code_key
from tilewright.tuning.stages.trials import Trials


def binary(code: bytes, debug: bytes) -> bytes:
    """An ELF file with a section that is loaded and one that is not."""
    sections = b""
    for flags, offset, size in ((6, 64, len(code)), (0, 64 + len(code), len(debug))):
        sections += struct.pack("<IIQQQQ24x", 0, 1, flags, 0, offset, size)
    at = 64 + len(code) + len(debug)
    header = b"\x7fELF".ljust(40, b"\0") + struct.pack("<Q12xH2x", at, 2)
    return header + code + debug + sections


def test_debug_information_does_not_count() -> None:
    plain = code_hash(binary(b"code", b"gemm_1.py"))
    assert plain == code_hash(binary(b"code", b"another.py"))
    assert plain != code_hash(binary(b"edoc", b"gemm_1.py"))


def program(stages: int, grid: int = 4) -> GeneratedProgram:
    launch = (
        f"    kernel[({grid},)](\n        BLOCK=64,\n        num_stages={stages},\n"
    )
    made = broken(f"{launch}    )\n    return a + 1")
    return replace(made, key=f"{stages} {grid}")


STATS = CompiledStats("kernel", 32, 0, 0, 4, 0, 0, 0.1, 100, "abc")


def test_stages_of_the_launch_are_in_the_code() -> None:
    key = code_key(program(2), (STATS,))
    assert key == code_key(program(3), (STATS,))
    assert key != code_key(program(2, grid=8), (STATS,))
    assert key != code_key(program(2), (replace(STATS, code="abd"),))
    assert code_key(program(2), (replace(STATS, code=""),)) is None


def test_points_with_known_code_get_its_result() -> None:
    setting = Setting("payload", "schedule", "host", Versions.current())
    trials = Trials(setting, None, reuse=False, measured=True)

    def candidate(number: int) -> Candidate:
        made = Candidate(
            number, {"stages": number}, BuiltPoint(program(number), {}, ()), {}
        )
        trials.begin(made)
        return made

    first, second, third = (candidate(number) for number in (2, 3, 4))
    assert trials.same_code(first, "code") is None
    assert trials.same_code(second, "code") == []
    ended = trials.end(first, Ending("ok", times=(1.0, 1.0, 1.0)))
    assert [(t.number, t.origin, t.milliseconds) for t in ended] == [
        (2, "new", 1.0),
        (3, "duplicate", 1.0),
    ]
    later = trials.same_code(third, "code")
    assert later is not None
    assert [(t.number, t.origin, t.milliseconds) for t in later] == [
        (4, "duplicate", 1.0)
    ]
    assert later[0].point == {"stages": 4}
