"""Time relu(a @ b): torch, hand-written Triton, and tilewright's own programs.

Every contender is checked against float32 before it is timed; then all of them are
timed interleaved, and compared with the best rival round by round. The file is written
anew after every step, so an interrupted run keeps what it has measured.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

from contenders import ours
from harness.options import benchmark_parser
from harness.session import Session
from harness.timing import MINIMUM_ROUNDS, Contender

EXAMPLE = """example:
  python benchmarks/matmul_relu.py --size 4096 --dtype bf16 --out results.json \\
      --ours fused=fused.tw:BM=128,BN=256,BK=64 --tuned-schedule best.tw
"""
DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16}
# Rounding the result alone gives 1.7e-3 in bf16 and 2e-4 in f16.
TOLERANCES = {"bf16": 5e-3, "f16": 1e-3}
HAND_WRITTEN = ("pointer", "descriptors", "persistent", "two_kernels")
TORCH = (
    "eager",
    "compile",
    "max-autotune-no-cudagraphs",
    "max-autotune-tma",
    "max-autotune",
)


def relu_matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """What is computed."""
    return torch.relu(a @ b)


def parse_size(text: str) -> tuple[int, int, int]:
    """Read 4096, or MxNxK."""
    sizes = [int(part) if part.isdecimal() else 0 for part in text.split("x")]
    if len(sizes) not in (1, 3) or min(sizes) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is neither 4096 nor 4096x1024x512")
    m, n, k = sizes * 3 if len(sizes) == 1 else sizes
    return m, n, k


def parse_ours(text: str) -> ours.Ours:
    """Read --ours, with the reason for a refusal."""
    try:
        return ours.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line and settle what depends on --dry."""
    parser = benchmark_parser(__doc__, EXAMPLE, budget=400.0, rounds=7)
    add = parser.add_argument
    add("--size", type=parse_size, help="one extent, or MxNxK (4096; dry: 128)")
    add("--dtype", choices=DTYPES, help="operands and result (bf16; dry: f16)")
    add(
        "--ours",
        type=parse_ours,
        action="append",
        default=[],
        metavar="NAME=SCHEDULE[:KNOB=VALUE,...]",
        help="a schedule of ours, with values for what it leaves open; repeatable",
    )
    add(
        "--tuned-schedule",
        type=Path,
        action="append",
        default=[],
        metavar="SCHEDULE",
        help="a schedule with nothing left open, named after its file; repeatable",
    )
    add(
        "--payload",
        type=Path,
        metavar="FILE",
        help="payload of our schedules; generated for --size and --dtype if not given",
    )
    add(
        "--rivals",
        default=",".join(HAND_WRITTEN + TORCH),
        metavar="NAME,...",
        help="which rivals take part, or none (%(default)s)",
    )
    add("--dry", action="store_true", help="on the CPU, to try the command itself")
    options = parser.parse_args(arguments)

    options.rivals = [r for r in options.rivals.split(",") if r not in ("", "none")]
    for rival in options.rivals:
        if rival not in HAND_WRITTEN + TORCH:
            parser.error(f"no rival {rival}: {', '.join(HAND_WRITTEN + TORCH)}")
    if options.rounds < MINIMUM_ROUNDS:
        parser.error(f"--rounds {options.rounds}: take {MINIMUM_ROUNDS} or more")
    options.size = options.size or parse_size("128" if options.dry else "4096")
    options.dtype = options.dtype or ("f16" if options.dry else "bf16")
    if options.dry and options.dtype == "bf16":
        parser.error("Triton's interpreter computes bf16 wrongly; use --dtype f16")
    if not options.dry and not torch.cuda.is_available():
        parser.error("there is no GPU here; --dry tries the command without one")
    options.ours += [ours.Ours(path.stem, path) for path in options.tuned_schedule]
    return options


def add_hand_written(
    session: Session, names: list[str], a: torch.Tensor, b: torch.Tensor
) -> None:
    """Add the best configuration of each hand-written structure."""
    if not names or not session.fits("hand-written kernels", 40):
        return
    from rivals import matmul_relu as rivals

    out = a.new_empty(session.reference.shape)
    programs = session.record["environment"].get("multiprocessors", 4)
    found: dict[str, list[rivals.Candidate]] = {}
    for name in names:
        pairs = rivals.candidates(name, a, b, out, programs)
        found[name] = [candidate for _, candidate in pairs]
        if session.dry:  # the interpreter is slow: one will do
            found[name] = found[name][:1]
    if not session.dry:
        everything = [candidate for group in found.values() for candidate in group]
        session.say(f"compiling {len(everything)} hand-written configurations")
        # Threads do: Triton lets go of the interpreter's lock while it compiles.
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            futures = [pool.submit(candidate.compile) for candidate in everything]
        for candidate, future in zip(everything, futures, strict=True):
            if (error := future.exception()) is not None:
                session.fail(f"hand {candidate.structure}", candidate.name, error)
                found[candidate.structure].remove(candidate)
        session.say("compiled")
    for name, group in found.items():
        best = session.best(
            f"hand {name}",
            [Contender(c.name, c, output="own", buffers=c.scratch) for c in group],
        )
        if best is not None:
            session.add(
                Contender(
                    f"hand {name}",
                    best.call,
                    config=best.name,
                    note=f"best of {len(group)} configurations",
                    output="own",
                    buffers=best.buffers,
                )
            )


def add_ours(
    session: Session, options: argparse.Namespace, a: torch.Tensor, b: torch.Tensor
) -> bool:
    """Add what tilewright makes of the schedules given; false if any is missing."""
    if not options.ours:
        return True
    before = len(session.contenders)
    try:
        payload = options.payload or ours.generated_payload(
            *options.size, options.dtype
        )
    except Exception as error:
        session.fail("payload", "", error)
        return False
    for mine in options.ours:
        if not session.fits(mine.name, 20):
            continue
        session.say(f"compiling {mine.name} from {mine.schedule}")
        try:
            call = ours.build(mine, str(payload), a, b)
        except Exception as error:
            session.fail(mine.name, mine.config, error)
            continue
        note = f"schedule {mine.schedule}"
        session.add(Contender(mine.name, call, mine.config, note, ours=True))
    return len(session.contenders) - before == len(options.ours)


def add_torch(
    session: Session, names: list[str], a: torch.Tensor, b: torch.Tensor
) -> None:
    """Add eager torch and torch.compile in the modes asked for."""
    from rivals import torch_modes

    for mode in torch_modes.MODES:
        if mode.name in names and session.fits(f"torch {mode.name}", mode.seconds):
            session.say(f"preparing torch {mode.name}")
            backend = "eager" if session.dry else None
            function = torch_modes.build(relu_matmul, mode, backend)
            session.add(
                Contender(
                    f"torch {mode.name}",
                    lambda function=function: function(a, b),
                    note=mode.note,
                    output=mode.output,
                )
            )


def main(arguments: list[str]) -> int:
    """Run the benchmark; 1 if one of ours is missing or nothing was timed."""
    options = read_options(arguments)
    if options.dry:  # read when triton is first imported, which is later
        os.environ["TRITON_INTERPRET"] = "1"
    from rivals import torch_modes

    m, n, k = options.size
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = False
    device = "cpu" if options.dry else "cuda"
    a = torch.randn(m, k, device=device).to(DTYPES[options.dtype])
    b = torch.randn(k, n, device=device).to(DTYPES[options.dtype])
    session = Session(
        {"m": m, "n": n, "k": k, "dtype": options.dtype},
        reference=relu_matmul(a.float(), b.float()),
        tolerance=TOLERANCES[options.dtype],
        operations=2.0 * m * n * k,
        rounds=options.rounds,
        budget=options.budget,
        out=options.out,
        dry=options.dry,
    )
    hand_written = [name for name in HAND_WRITTEN if name in options.rivals]
    complete = add_ours(session, options, a, b)
    add_hand_written(session, hand_written, a, b)
    add_torch(session, [name for name in TORCH if name in options.rivals], a, b)
    if not session.contenders:
        session.say("nothing to time")
        session.print_table()
        return 1
    graphs = torch_modes.graphs_compiled()
    session.time_all()
    graphs = torch_modes.graphs_compiled() - graphs
    session.record["method"]["graphs_compiled_while_timing"] = graphs
    session.save()
    if graphs:
        session.say(f"warning: torch compiled {graphs} graphs while it was timed")
    session.print_table()
    return 0 if complete and session.record["rows"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
