"""Program pages for tests: from texts, or from a program that is long on purpose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tilewright.commands.inputs.programs import read_both
from tilewright.explorer.page.html import page
from tilewright.explorer.program.program_data import program_data
from tilewright.explorer.program.request import ProgramRequest, TextFile
from tilewright.ir.text import source_name


def data_of(folder: Path, payload: str, schedule: str | None) -> dict[str, Any]:
    """The data of a page about two texts."""
    payload_path, schedule_path = folder / "payload.mlir", None
    payload_path.write_text(payload)
    if schedule is not None:
        schedule_path = folder / "schedule.tw"
        schedule_path.write_text(schedule)
    module, parsed = read_both(payload_path, schedule_path, None)
    schedule_file = (
        TextFile(source_name(schedule_path), schedule)
        if schedule is not None and schedule_path is not None
        else None
    )
    payload_file = TextFile(source_name(payload_path), payload)
    point = {} if parsed is None else parsed.full_point({})
    return program_data(
        ProgramRequest(module, payload_file, parsed, schedule_file, point)
    )


def write_page(folder: Path, data: dict[str, Any], name: str = "page.html") -> Path:
    """The page as a file."""
    path = folder / name
    path.write_text(page("program", data), "utf-8")
    return path


def long_program(ops: int) -> tuple[str, str]:
    """A payload with a chain of ops, and a schedule with five steps for each."""
    lines = ["func.func @chain(%x0: tensor<512x512xf32>) -> tensor<512x512xf32> {"]
    lines += ["  %one = arith.constant 1.0 : f32"]
    for op in range(ops):
        lines += [
            f"  %e{op} = tensor.empty() : tensor<512x512xf32>",
            f"  %x{op + 1} = linalg.generic {{indexing_maps = "
            "[affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], "
            'iterator_types = ["parallel", "parallel"]} '
            f"ins(%x{op} : tensor<512x512xf32>) outs(%e{op} : tensor<512x512xf32>) {{",
            "  ^bb0(%in: f32, %out: f32):",
            "    %sum = arith.addf %in, %one : f32",
            "    linalg.yield %sum : f32",
            "  } -> tensor<512x512xf32>",
        ]
    lines += [f"  func.return %x{ops} : tensor<512x512xf32>", "}", ""]
    names = [f"op{op}" for op in range(ops)]
    schedule = ["schedule long(root) {", '  ops = match "linalg.generic" in root']
    schedule += [f"  {', '.join(names)} = split_handle ops"]
    for op, name in enumerate(names):
        schedule += [
            f"  {name}, grid{op} = tile {name} by [64, 64] onto [block.y, block.x]",
            f"  launch grid{op} warps = 4",
            f'  annotate grid{op} "example.first" = {op}',
            f'  annotate {name} "example.second" = {op}',
            f'  annotate {name} "example.third" = {op}',
        ]
    return "\n".join(lines), "\n".join([*schedule, "}", ""])
