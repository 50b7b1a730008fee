"""Temporaries of a lean launcher are parts of one allocation."""

from __future__ import annotations

from dataclasses import replace

from tilewright.codegen.launches.plan import (
    Allocate,
    Buffer,
    CallLibrary,
    Launch,
    LaunchPlan,
    Operand,
    Pointer,
    Record,
    Step,
    View,
)
from tilewright.codegen.runtime.lean.memory import Layout, Memory
from tilewright.codegen.runtime.lean.source import LeanText


def kernel(*buffers: str) -> Launch:
    """A launch on buffers."""
    return Launch("f_kernel", (8,), tuple(map(Pointer, buffers)), (), 4, 1)


def plan(*steps: Step, result: str = "out") -> LaunchPlan:
    """A plan of these steps."""
    buffers = (
        Buffer("x", "f32", (8, 32)),
        Buffer("a", "f32", (250,)),
        Buffer("memory", "i8", (512,)),
        Buffer("b", "f16", (16, 8)),
        Buffer("large", "f32", (2**20 + 1,)),
        Buffer("shared", "i8", (512,)),
        Buffer("given", "f32", (8, 8)),
        Buffer("other", "f16", (8, 8)),
        Buffer("out", "f32", (8, 8)),
        Buffer("row", "f32", (64,)),
    )
    return LaunchPlan("f", ("x",), (), buffers, (), (), steps, (result,))


PLAN = plan(
    Allocate("a"),
    kernel("x", "a"),
    Allocate("memory"),
    View("b", "memory"),
    kernel("a", "b"),
    Allocate("large"),
    Allocate("out"),
    kernel("b", "large"),
    Allocate("shared"),
    View("given", "shared"),
    kernel("large", "given"),
    CallLibrary("torch.mm", (Operand("given"),) * 2, (), Operand("out")),
)

LEAN = """\
    _arena = _empty((1536,), (1,), torch.int8)
    _at__arena = _arena.data_ptr()
    _at_a = _at__arena + 0
    launch(_at_x, _at_a)
    _at_memory = _at__arena + 1024
    launch(_at_a, _at_memory)
    large = _empty((1048577,), (1,), torch.float32)
    _at_large = large.data_ptr()
    out = _empty((8, 8), (8, 1), torch.float32)
    launch(_at_memory, _at_large)
    del _arena
    shared = _empty((128,), (1,), torch.float32)
    _at_shared = shared.data_ptr()
    launch(_at_large, _at_shared)
    del large
    torch.mm(
        _view(shared, (8, 8), (8, 1), 0), _view(shared, (8, 8), (8, 1), 0), out=out
    )
    del shared
    return out
"""


def test_what_only_kernels_use_is_in_the_arena() -> None:
    text = LeanText(PLAN, 0, packs_arguments=False).text()
    lines: list[str] = []
    for line in text.splitlines()[4:]:
        before, launched, after = line.partition("*_known[1], ")
        if launched:
            lines.append(f"    launch({after}")
        elif "_site" not in before and "else:" not in before:
            lines.append(line)
    assert "\n".join(lines) + "\n" == LEAN
    first = "(_view(_arena.view(torch.float32), (250,), (1,), 0), "
    assert f"{first}_view(_arena.view(torch.float16), (16, 8), (8, 1), 512))" in text


def test_the_arena_can_be_seen_in_any_type() -> None:
    memory = Memory(PLAN)
    assert memory.starts == {"a": 0, "memory": 1024}
    assert memory.arena_bytes % 8 == 0


def test_one_temporary_needs_no_arena() -> None:
    assert not Memory(plan(Allocate("a"), kernel("x", "a"))).starts


def test_steps_on_several_streams_have_no_order() -> None:
    steps = Allocate("a"), Allocate("memory"), kernel("a", "memory")
    assert Memory(plan(*steps)).starts
    assert not Memory(plan(*steps, Record("done", 1))).starts


def test_bytes_are_made_in_the_only_type_that_a_library_takes() -> None:
    call = CallLibrary("torch.relu", (Operand("given"),), (), Operand("out"))
    steps = Allocate("shared"), View("given", "shared"), call
    assert Memory(plan(*steps)).made["shared"] == Layout(("128",), ("1",), "f32")
    also = CallLibrary("torch.relu", (Operand("other"),), (), Operand("out"))
    both = plan(*steps, View("other", "shared"), also)
    assert Memory(both).made["shared"] == Layout(("512",), ("1",), "i8")


def test_a_result_is_made_in_its_own_shape() -> None:
    steps = Allocate("row"), View("out", "row"), kernel("x", "row")
    assert Memory(plan(*steps)).made["row"] == Layout(("8", "8"), ("8", "1"), "f32")


def test_a_number_that_is_returned_is_no_tensor() -> None:
    given = replace(plan(), arguments=("x", "s"), numbers=(("s", "f32"),))
    text = LeanText(replace(given, results=("x", "s")), 0, packs_arguments=False).text()
    assert text.endswith("    return x, s\n")
