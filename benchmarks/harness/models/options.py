"""What the command lines over torch models have in common: which works, where."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping

from harness.models.works import DTYPES, Work, works
from harness.options import benchmark_parser, checked_options


def model_parser(
    description: str | None, example: str, *, rounds: int | None = 5
) -> argparse.ArgumentParser:
    """A parser with the options that choose works."""
    parser = benchmark_parser(description, example, budget=480.0, rounds=rounds)
    add = parser.add_argument
    add("--works", default="", metavar="REGEX", help="only works whose name matches")
    add("--dtypes", default="bf16,f32", metavar="TYPE,...", help="(%(default)s)")
    add("--list", action="store_true", help="print the names of the works, and stop")
    add(
        "--smoke",
        "--dry",
        dest="dry",
        action="store_true",
        help="on the CPU, small sizes, to try the command itself",
    )
    return parser


def model_options(
    parser: argparse.ArgumentParser,
    arguments: list[str],
    lists: Mapping[str, Iterable[str]] | None = None,
) -> argparse.Namespace:
    """Parse; `lists` are further options with commas, and the names that they take."""
    options = checked_options(
        parser, arguments, pattern="works", offline=("dry", "list")
    )
    for name, known in {"dtypes": DTYPES, **(lists or {})}.items():
        setattr(options, name, _listed(parser, name, getattr(options, name), known))
    return options


def _listed(
    parser: argparse.ArgumentParser, name: str, given: str, known: Iterable[str]
) -> list[str]:
    allowed, found = list(known), given.split(",")
    if unknown := [one for one in found if one not in allowed]:
        parser.error(f"--{name}: {unknown[0]!r} is none of {', '.join(allowed)}")
    return found


def chosen_works(options: argparse.Namespace, *, training: bool) -> dict[str, Work]:
    """The works that the options name."""
    every = works(options.dtypes, training=training)
    return {name: work for name, work in every.items() if options.works.search(name)}
