"""`opt --emit ttgir | llir | ptx | sass`: what Triton compiles a kernel to."""

from __future__ import annotations

import pytest

from support.command_line import Cli
from tilewright.codegen.runtime.compiled_code import LEVELS, disassembled
from tilewright.commands.opt.arguments import COMPILED
from tilewright.ir.errors import UserError

CONTAINS = {
    "ttir": "tt.func public @f_kernel",
    "ttgir": 'ttg.target = "cuda:80"',
    "llir": "define ptx_kernel void @f_kernel",
    "ptx": ".target sm_80",
    "sass": "code for sm_80",
}


def test_the_forms_are_those_of_the_compiler() -> None:
    assert LEVELS == COMPILED == tuple(CONTAINS)


@pytest.mark.slow
@pytest.mark.parametrize("form", CONTAINS)
def test_a_kernel_for_another_card(cli: Cli, form: str) -> None:
    words = ("opt", "p.mlir", "-s", "s.tw", "--emit", form, "--target", "a100")
    text = cli(*words).out
    mark = ";" if form == "llir" else "//"
    assert text.startswith(f"{mark} f_kernel for a100\n")
    assert CONTAINS[form] in text


def test_usage(cli: Cli) -> None:
    err = cli("opt", "p.mlir", "--emit", "ptxx", code=2).err
    assert "--emit ptxx: no such form; did you mean ptx?" in err
    words = ("opt", "p.mlir", "-s", "s.tw", "--target", "a100")
    assert (
        "--emit kernel, triton, ttir, ttgir, llir, ptx, sass" in cli(*words, code=2).err
    )


def test_what_is_missing_without_the_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    from triton import knobs

    class Nothing:
        @property
        def path(self) -> str:
            raise RuntimeError("Cannot find cuobjdump")

    monkeypatch.setattr(knobs, "nvidia", type("Tools", (), {"cuobjdump": Nothing()}))
    with pytest.raises(UserError, match="no SASS without cuobjdump: Cannot find") as e:
        disassembled(b"")
    assert e.value.remedy is not None and "TRITON_CUOBJDUMP_PATH" in e.value.remedy
