"""Run every kernel of the golden set on the GPU, and check memory with a sanitizer.

    python benchmarks/golden.py --out golden.json
    python benchmarks/golden.py --sanitize --out golden.json
    python benchmarks/golden.py --random 300 --seed 1 --out random.json

The set: the modules in tests/data/buffer, the structures of a grid in every dtype and
at sizes that divide and that do not, the payloads with a schedule each in
tests/data/scheduled, the row examples on odd shapes, programs for any size at several
of them, and all payloads in examples/payloads by the default schedule. Each runs on
random inputs, and again on inputs with infinities and NaNs, with new memory poisoned,
against the numpy interpreter on the same inputs. `--sanitize` runs it under
compute-sanitizer. `--random N` runs N random payloads under random schedules instead
(`tests/fuzz`), in every dtype. Exits 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
import torch

from harness.parallel import compile_all
from harness.timing import command_line, environment, write_json

ROOT = Path(__file__).parents[1]
SIZES = ((96, 192, 64), (100, 136, 72), (1, 7, 16), (127, 1000, 127))
DTYPES = ("f16", "bf16", "f32")


@dataclass(frozen=True)
class Case:
    """A program to run, and what it should compute."""

    name: str
    program: Any
    expected: Callable[[list[Any]], list[Any]]
    reduction: int
    shapes: tuple[tuple[int, ...], ...] | None = None
    """Of the arguments, where the program leaves sizes open."""


def cases(only: str) -> Iterator[Case | tuple[str, str]]:
    """The programs of the set; a pair has a refused program and the reason."""
    from support.codegen import row_reductions as rows
    from support.codegen import scheduled_programs
    from support.codegen.buffer_level import CASES, matmul_relu, parse, text_of
    from support.codegen.grid_structures import STRUCTURES, TILE
    from tilewright.codegen.generate import generate
    from tilewright.ir.errors import SilenceableFailure
    from tilewright.ir.interpreter import run
    from tilewright.pipeline import build, read_payload, reduction_length

    texts = {case: text_of(case) for case in CASES}
    for structure, attributes in STRUCTURES.items():
        for sizes in SIZES:
            for dtype in DTYPES:
                name = f"{structure} {'x'.join(map(str, sizes))} {dtype}"
                texts[name] = matmul_relu(
                    *sizes, TILE, dtype=dtype, attributes=attributes
                )
    for name, text in texts.items():
        if only not in name:
            continue
        module = parse(text)
        try:
            program = generate(parse(text)).program
        except SilenceableFailure as failure:
            yield name, failure.fact
            continue
        yield Case(name, program, lambda inputs, m=module: run(m, inputs), 512)
    scheduled = {
        f"scheduled {name}": (
            scheduled_programs.payload(name),
            scheduled_programs.built(name).program,
        )
        for name in scheduled_programs.NAMES
        if only in f"scheduled {name}"
    }
    scheduled |= {
        f"rows {name}": (rows.payload_of(name), rows.built(name).program)
        for name in rows.CASES
        if only in f"rows {name}"
    }
    for name, (payload, program) in scheduled.items():
        yield Case(
            name,
            program,
            lambda inputs, m=payload: run(m, inputs),
            reduction_length(payload),
        )
    yield from open_sizes(only)
    for path in sorted((ROOT / "examples" / "payloads").glob("*.mlir")):
        if only not in path.stem:
            continue
        payload = read_payload(path)
        try:
            program = build(payload, None).program
        except SilenceableFailure as failure:
            yield path.stem, failure.fact
            continue
        yield Case(
            path.stem,
            program,
            lambda inputs, m=payload: run(m, inputs),
            reduction_length(payload),
        )


def open_sizes(only: str) -> Iterator[Case]:
    """Programs for any size: whole tiles and not, multiples of 16 and not, 1, 0."""
    from support.codegen.open_sizes import CASES
    from tilewright.ir.interpreter import run
    from tilewright.pipeline import reduction_length

    for title, make in CASES.items():
        if only not in f"open {title}":
            continue
        case = make()
        for inputs in case.inputs:
            shapes = tuple(tuple(array.shape) for array in inputs)
            sizes = " ".join("x".join(map(str, shape)) for shape in shapes if shape)
            yield Case(
                f"open {title}: {sizes}",
                case.made.program,
                lambda given, m=case.payload: run(m, given),
                reduction_length(case.payload, shapes),
                shapes,
            )


def check(case: Case, directory: Path, seed: int, special: bool) -> str:
    """The outcome of a run: `ok`, or what is wrong."""
    from tilewright.codegen.runtime.launch import load
    from tilewright.ir.tolerance import compare
    from tilewright.tuning.measure.correctness import empty_is_nan
    from tilewright.tuning.measure.inputs import from_torch, random_inputs, to_torch

    specs = list(case.program.arguments)
    if case.shapes is not None:
        specs = [replace(s, shape=n) for s, n in zip(specs, case.shapes, strict=True)]
    inputs = random_inputs(specs, seed)
    if special:
        inputs = [_with_specials(array, seed) for array in inputs]
    with np.errstate(all="ignore"):
        expected = case.expected([array.copy() for array in inputs])
    tensors = [
        array.item() if spec.is_scalar else to_torch(array, spec.dtype, "cuda")
        for spec, array in zip(case.program.arguments, inputs, strict=True)
    ]
    with empty_is_nan():
        results = load(case.program, directory)(*tensors)
    results = results if isinstance(results, tuple | list) else [results]
    for spec, got, want in zip(case.program.results, results, expected, strict=True):
        outcome = compare(from_torch(got, spec.dtype), want, spec.dtype, case.reduction)
        if not outcome.ok:
            return f"WRONG: {outcome.message}"
    return "ok"


def _with_specials(array: Any, seed: int) -> Any:
    """A few infinities and NaNs, where the type has them; scales stay finite."""
    if array.ndim < 2 or array.dtype.kind not in "fV" or array.dtype.itemsize == 1:
        return array
    if not array.size:
        return array
    random = np.random.default_rng(seed)
    flat = array.reshape(-1)
    for value in (np.nan, np.inf, -np.inf):
        flat[random.integers(flat.size)] = value
    return array


def random_rows(
    count: int, seed: int, options: argparse.Namespace
) -> list[dict[str, str]]:
    """Run random programs on the GPU: a row for each program and each refusal."""
    from contenders.random_pairs import draw

    start = time.time()
    drawn = list(draw(count, seed))
    rows = [{"name": d.name, "outcome": d.why} for d in drawn if d.program is None]
    found = [d for d in drawn if d.program is not None]
    print(f"{len(drawn)} pairs drawn in {time.time() - start:.0f} s", flush=True)
    with tempfile.TemporaryDirectory(prefix="tilewright-random-") as name:
        directory = Path(name)
        failed = compiled_ahead(found, directory, options)
        for each in found:
            for question in each.asked:
                if options.plain and question.is_special:
                    continue
                special = " with inf and NaN" if question.is_special else ""
                title = f"{each.name}{special}"
                outcome = failed.get(each.name) or check_random(
                    each, question, directory
                )
                rows.append({"name": title, "outcome": outcome})
    for row in rows:
        if row["outcome"] != "ok" and not row["outcome"].startswith("refused"):
            print(f"{row['name']}: {row['outcome']}", flush=True)
    return rows


def check_random(each: Any, question: Any, directory: Path) -> str:
    """The outcome of a random program: `ok`, or what is wrong."""
    from fuzz.kernels.pairs import judge
    from tilewright.codegen.runtime.launch import load
    from tilewright.tuning.measure.correctness import empty_is_nan
    from tilewright.tuning.measure.inputs import from_torch, to_torch

    program = each.program
    try:
        tensors = [
            array.item() if spec.is_scalar else to_torch(array, spec.dtype, "cuda")
            for spec, array in zip(program.arguments, question.inputs, strict=True)
        ]
        with empty_is_nan():
            results = load(program, directory)(*tensors)
        results = results if isinstance(results, tuple | list) else [results]
        arrays = [
            from_torch(got, spec.dtype)
            for spec, got in zip(program.results, results, strict=True)
        ]
        wrong = judge(each.pair, program, question, arrays)
    except Exception as error:
        return f"FAILED: {type(error).__name__}: {error}"[:400]
    return "ok" if wrong is None else f"WRONG: {wrong.message}"


def compiled_ahead(
    found: Sequence[Any], directory: Path, options: argparse.Namespace
) -> dict[str, str]:
    """Compile named programs in parallel, unless asked not to; what failed, by name."""
    if options.here:
        return {}
    start = time.time()
    _, failed = compile_all(((each.name, each.program) for each in found), directory)
    print(f"{len(found)} programs compiled in {time.time() - start:.0f} s", flush=True)
    return failed


def golden_rows(only: str, options: argparse.Namespace) -> list[dict[str, str]]:
    """Run the golden set on the GPU: a row for each program and each refusal."""
    rows: list[dict[str, str]] = []
    found: list[Case] = []
    for entry in cases(only):
        if isinstance(entry, Case):
            found.append(entry)
        else:
            rows.append({"name": entry[0], "outcome": f"refused: {entry[1]}"})
    with tempfile.TemporaryDirectory(prefix="tilewright-golden-") as name:
        directory = Path(name)
        failed = compiled_ahead(found, directory, options)
        for seed, case in enumerate(found):
            for special in [False] if options.plain else [False, True]:
                title = f"{case.name}{' with inf and NaN' if special else ''}"
                try:
                    outcome = failed.get(case.name) or check(
                        case, directory, seed, special
                    )
                except Exception as error:
                    outcome = f"FAILED: {type(error).__name__}: {error}"[:400]
                rows.append({"name": title, "outcome": outcome})
                if outcome != "ok":
                    print(f"{title}: {outcome}", flush=True)
    return rows


def sanitize(arguments: list[str]) -> int:
    """Run the set again under compute-sanitizer, on ordinary inputs."""
    tool = shutil.which("compute-sanitizer")
    for folder in ("/usr/local/cuda/bin", "/usr/local/cuda/compute-sanitizer"):
        tool = tool or shutil.which("compute-sanitizer", path=folder)
    if tool is None:
        print("no compute-sanitizer on this machine", file=sys.stderr)
        return 2
    command = [tool, "--error-exitcode", "99", sys.executable, *arguments]
    return subprocess.run(command, check=False).returncode


def main() -> int:
    """Run the set."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("golden.json"))
    parser.add_argument("--only", default="", help="part of a name")
    parser.add_argument("--sanitize", action="store_true", help="under the sanitizer")
    parser.add_argument("--random", type=int, default=0, help="so many random programs")
    parser.add_argument("--seed", type=int, default=1, help="of the first of them")
    parser.add_argument("--plain", action="store_true", help="no infinities and NaNs")
    parser.add_argument(
        "--here",
        action="store_true",
        help="compile in this process, as the sanitizer wants it",
    )
    options = parser.parse_args()
    if not torch.cuda.is_available():
        print("this checks kernels on a GPU, and there is none", file=sys.stderr)
        return 2
    if options.sanitize:
        rest = [word for word in sys.argv if word != "--sanitize"]
        return sanitize([*rest, "--plain", "--here"])
    start = time.time()
    if options.random:
        rows = random_rows(options.random, options.seed, options)
    else:
        rows = golden_rows(options.only, options)
    document = {
        "command": command_line(),
        "environment": environment(),
        "criterion": "every element within ir/tolerance.py of the numpy interpreter",
        "rows": rows,
    }
    write_json(options.out, document)
    good = sum(row["outcome"] == "ok" for row in rows)
    refused = sum(row["outcome"].startswith("refused") for row in rows)
    bad = len(rows) - good - refused
    print(f"{good} right, {refused} refused, {bad} wrong; {time.time() - start:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
