"""Temporaries of a lean launcher share one allocation."""

from __future__ import annotations

import ast

from tilewright.codegen.runtime.lean.memory import arranged
from tilewright.codegen.runtime.lean.source import rewritten

LAUNCHER = """
def f(x):
    a = torch.empty(256, dtype=torch.float32, device=x.device)
    f_kernel[(8,)](x, a, num_warps=4)
    memory = torch.empty(512, dtype=torch.int8, device=x.device)
    b = memory[:256].view(torch.float16).view(16, 8)
    f_kernel[(8,)](a, b, num_warps=4)
    late = torch.empty(64, dtype=torch.float32, device=x.device)
    out = torch.empty(8, 8, dtype=torch.float32, device=x.device)
    f_kernel[(8,)](b, late, num_warps=4)
    part = torch.empty(512, dtype=torch.int8, device=x.device)
    given = part[:256].view(torch.float32).view(8, 8)
    f_kernel[(8,)](late, given, num_warps=4)
    torch.mm(given, given, out=out)
    return out
"""

LEAN = """\
def f(x):
    if ((_at_x := x.data_ptr())) & 15 or _is_watched():
        return _checked(x)
    _stream = _stream_here(0)
    _arena = _empty((1536,), (1,), torch.int8)
    _at__arena = _arena.data_ptr()
    _at_a = _at__arena + 0
    launch(_at_x, _at_a)
    _at_memory = _at__arena + 1024
    launch(_at_a, _at_memory)
    _at_late = _at__arena + 0
    out = _empty((8, 8), (8, 1), torch.float32)
    launch(_at_memory, _at_late)
    part = _empty((128,), (1,), torch.float32)
    _at_part = part.data_ptr()
    launch(_at_late, _at_part)
    del _arena
    torch.mm(_view(part, (8, 8), (8, 1), 0), _view(part, (8, 8), (8, 1), 0), out=out)
    del part
    return out
"""


def test_what_only_kernels_use_is_in_the_arena() -> None:
    (function,) = ast.parse(LAUNCHER).body
    assert isinstance(function, ast.FunctionDef)
    kernels = {"f_kernel": ["x_ptr", "y_ptr"]}
    made = rewritten(function, kernels, 0, packs_arguments=False, shapes=[(8, 32)])
    lines: list[str] = []
    for line in made.text.splitlines():
        before, launched, after = line.partition("*_known[1], ")
        if launched:
            lines.append(f"    launch({after}")
        elif "_site" not in before and "else:" not in before:
            lines.append(line)
    assert "\n".join(lines) + "\n" == LEAN
    first = "(_view(_arena.view(torch.float32), (256,), (1,), 0), "
    assert (
        f"{first}_view(_arena.view(torch.float16), (16, 8), (8, 1), 512))" in made.text
    )


def test_places_of_one_time_do_not_overlap() -> None:
    sizes = {"a": 100, "b": 2000, "c": 600, "d": 50, "e": 2**22}
    lives = {"a": (0, 3), "b": (1, 2), "c": (3, 6), "d": (3, 4), "e": (0, 9)}
    made = {name: ((str(size),), "torch.float32") for name, size in sizes.items()}
    memory = arranged(made, lives, {})
    assert "e" not in memory.starts  # too large
    ends = {name: memory.starts[name] + 4 * sizes[name] for name in memory.starts}
    assert max(ends.values()) <= memory.total < max(ends.values()) + 512
    for one in memory.starts:
        for other in memory.starts:
            if one < other and lives[one][0] <= lives[other][1]:
                if lives[other][0] <= lives[one][1]:
                    first, second = sorted((one, other), key=memory.starts.__getitem__)
                    assert ends[first] <= memory.starts[second]


def test_types_of_shared_bytes() -> None:
    made = {name: (("512",), "torch.int8") for name in ("one", "two", "none")}
    lives = dict.fromkeys(made, (0, 1))
    used: dict[str, set[str | None]] = {
        "one": {"torch.float16"},
        "two": {"torch.float16", "torch.float32"},
        "none": {None},
    }
    assert arranged(made, lives, used).types == {"one": "torch.float16"}


def test_the_arena_can_be_seen_in_any_type() -> None:
    made = {"a": (("3",), "torch.int64"), "b": (("27265",), "torch.float32")}
    memory = arranged(made, {"a": (0, 1), "b": (1, 2)}, {})
    assert len(memory.starts) == 2
    assert memory.total % 8 == 0
