"""Where the host's time of a call goes: ours, torch.compile's and eager torch's.

    python benchmarks/host_time.py resnet18 googlenet --out host.json
    python benchmarks/host_time.py 'small GPT' zoo:llama --dtype f16
    python benchmarks/host_time.py --no-gpu resnet18      ours alone, launches nothing

Each call starts with no work queued and ends when it returns, so that the GPU's time
does not count. The table has the whole, the part inside of compiled graphs, and what is
left: Dynamo's guards and AOTAutograd. Launches are counted by the profiler, for all
alike. The parts of ours are timed statement by statement, in calls of their own. The
prices are those of single operations on this host.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from pathlib import Path
from typing import Any

EAGER, OURS, TORCH = "eager", "ours", "torch.compile"


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    from harness.host_time.models import DEFAULT, DTYPES

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("models", nargs="*", default=list(DEFAULT), metavar="MODEL")
    add("--dtype", choices=list(DTYPES), default="bf16")
    add("--batch", type=int, default=16, help="images in a call (%(default)s)")
    add("--pixels", type=int, help="of an image's side (224; 64 with --no-gpu)")
    add("--rounds", type=int, default=50, help="calls that are timed (%(default)s)")
    add("--mode", default="default", help="of both compilers (%(default)s)")
    add("--no-gpu", action="store_true", help="small sizes, ours alone, no launches")
    add("--no-prices", action="store_true", help="do not time single operations")
    add("--out", type=Path, metavar="FILE", help="where the JSON record goes")
    options = parser.parse_args(arguments)
    options.pixels = options.pixels or (64 if options.no_gpu else 224)
    return options


def measure_model(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """One model by every contender."""
    import torch

    from harness.host_time import no_gpu
    from harness.host_time.measure import measured
    from harness.host_time.models import DTYPES, Size, made
    from harness.host_time.watched import watched_graphs

    device = "cpu" if options.no_gpu else "cuda"
    dtype = DTYPES[options.dtype]
    batch = 1 if options.no_gpu else options.batch
    model = made(name, Size(device, dtype, batch, options.pixels, options.no_gpu))
    mode = None if options.mode == "default" else options.mode
    ways: dict[str, dict[str, Any] | None] = {
        EAGER: None,
        OURS: {"backend": "tilewright", "mode": mode},
        TORCH: {"backend": "inductor", "mode": mode},
    }
    if options.no_gpu:
        ways = {OURS: {"backend": "tilewright", "options": no_gpu.OPTIONS}}
    found: dict[str, Any] = {}
    for way, compiler in ways.items():
        torch._dynamo.reset()
        run: Any = model.module
        if compiler is not None:
            run = torch.compile(run, dynamic=False, **compiler)
        call = model.call(run)
        with torch.no_grad(), watched_graphs() as switch:
            for _ in range(3):
                call()
            found[way] = measured(call, switch, options.rounds).record()
    return found


def table(found: dict[str, Any]) -> list[str]:
    """The lines of a model."""
    lines = [
        f"    {'us on the host':16} {'whole':>8} {'least':>8} {'graphs':>8} "
        f"{'around':>8} {'launches':>8} {'a launch':>8} {'driver':>8}"
    ]
    for way, one in found.items():
        each = one["host"] / one["launches"] if one["launches"] else 0.0
        lines.append(
            f"    {way:16} {one['host']:8.0f} {one['host_least']:8.0f} "
            f"{one['inside']:8.0f} {one['outside']:8.0f} {one['launches']:8.0f} "
            f"{each:8.1f} {one['driver']:8.0f}"
        )
    if TORCH in found:
        ratio = found[TORCH]["host"] / found[OURS]["host"]
        lines.append(f"    torch.compile / ours: {ratio:.2f}")
    lines.append("    of ours, inside of the graphs:")
    for kind, part in found[OURS]["parts"].items():
        each = part["microseconds"] / part["count"] if part["count"] else 0.0
        lines.append(
            f"      {kind:40} {part['microseconds']:8.1f} us, "
            f"{part['count']:5.0f} of {each:6.2f} us"
        )
    return lines


def main(arguments: list[str]) -> int:
    """Measure all models, print a table of each."""
    options = read_options(arguments)
    import contextlib

    import torch

    from harness.host_time.models import UnknownModelError
    from harness.host_time.no_gpu import without_gpu
    from harness.host_time.prices import prices

    warnings.simplefilter("ignore")
    if not (options.no_gpu or torch.cuda.is_available()):
        raise SystemExit("host_time: no GPU; --no-gpu times the host's side alone")
    import triton

    device = "cpu" if options.no_gpu else "cuda"
    record: dict[str, Any] = {
        "command": ["benchmarks/host_time.py", *arguments],
        "device": "none" if options.no_gpu else torch.cuda.get_device_name(),
        "torch": torch.__version__,
        "triton": triton.__version__,
        "python": sys.version.split()[0],
        "dtype": options.dtype,
        "models": {},
    }
    bad = 0
    with without_gpu() if options.no_gpu else contextlib.nullcontext():
        for name in options.models:
            print(f"{name}, {options.dtype}", flush=True)
            try:
                found = measure_model(name, options)
            except UnknownModelError as error:
                raise SystemExit(f"host_time: {error}") from None
            except Exception as error:
                bad += 1
                found = {"error": f"{type(error).__name__}: {error}"[:2000]}
                print(f"    {found['error']}", flush=True)
            else:
                print("\n".join(table(found)), flush=True)
            record["models"][name] = found
            _write(record, options.out)
    if not options.no_prices:
        print("prices of single operations, us", flush=True)
        record["prices"] = prices(device)
        for name, taken in record["prices"].items():
            print(f"    {name:56} {taken:7.2f}")
        _write(record, options.out)
    return int(bad > 0)


def _write(record: dict[str, Any], out: Path | None) -> None:
    if out is not None:
        out.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
