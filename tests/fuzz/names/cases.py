"""A payload, a schedule and their files, with names from an attacker.

Each text has holes. `fill` puts drawn names into them; `tame` is the same case with
harmless words in the holes that may only show in comments, strings and identifiers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from fuzz.names.hostile_text import file_name, hostile, quoted, value_name
from tilewright.codegen.source.escape import identifier, plain_name

PAYLOADS = (
    """\
func.func @FUNCTION(%ARG_0: tensor<16x32xf32>, %ARG_1: f32) -> tensor<16x32xf32> {
  %VALUE_0 = tensor.empty() : tensor<16x32xf32> LOC_0
  %VALUE_1 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
    ins(%ARG_0 : tensor<16x32xf32>) outs(%VALUE_0 : tensor<16x32xf32>) {
  ^bb0(%VALUE_2: f32, %VALUE_3: f32):
    %VALUE_4 = arith.mulf %VALUE_2, %ARG_1 : f32 LOC_1
    %VALUE_5 = math.exp %VALUE_4 : f32
    linalg.yield %VALUE_5 : f32
  } -> tensor<16x32xf32> LOC_2
  return %VALUE_1 : tensor<16x32xf32>
} LOC_3
""",
    """\
func.func @FUNCTION(%ARG_0: tensor<32x16xf32>, %ARG_1: tensor<16x32xf32>)
    -> tensor<32x32xf32> {
  %VALUE_0 = arith.constant 0.0 : f32
  %VALUE_1 = tensor.empty() : tensor<32x32xf32>
  %VALUE_2 = linalg.fill ins(%VALUE_0 : f32) outs(%VALUE_1 : tensor<32x32xf32>)
    -> tensor<32x32xf32> LOC_0
  %VALUE_3 = linalg.matmul
    ins(%ARG_0, %ARG_1 : tensor<32x16xf32>, tensor<16x32xf32>)
    outs(%VALUE_2 : tensor<32x32xf32>) -> tensor<32x32xf32> LOC_1
  %VALUE_4 = linalg.exp ins(%VALUE_3 : tensor<32x32xf32>)
    outs(%VALUE_1 : tensor<32x32xf32>) -> tensor<32x32xf32> LOC_2
  return %VALUE_4 : tensor<32x32xf32>
}
""",
    """\
func.func @FUNCTION(%ARG_0: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %VALUE_0 = arith.constant 0 : index
  %VALUE_1 = arith.constant 1 : index
  %VALUE_2 = tensor.dim %ARG_0, %VALUE_0 : tensor<?x?xf32> LOC_0
  %VALUE_3 = tensor.dim %ARG_0, %VALUE_1 : tensor<?x?xf32>
  %VALUE_4 = tensor.empty(%VALUE_2, %VALUE_3) : tensor<?x?xf32>
  %VALUE_5 = linalg.exp ins(%ARG_0 : tensor<?x?xf32>)
    outs(%VALUE_4 : tensor<?x?xf32>) -> tensor<?x?xf32> LOC_1
  %VALUE_6 = linalg.abs ins(%ARG_0 : tensor<?x?xf32>)
    outs(%VALUE_4 : tensor<?x?xf32>) -> tensor<?x?xf32> LOC_2
  return %VALUE_5, %VALUE_6 : tensor<?x?xf32>, tensor<?x?xf32>
}
""",
    """\
func.func @FUNCTION(%ARG_0: tensor<64xi32>) -> tensor<i32> {
  %VALUE_0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %VALUE_1 = arith.constant 7 : i32
  %VALUE_2 = tensor.empty() : tensor<i32>
  %VALUE_3 = linalg.fill ins(%VALUE_1 : i32) outs(%VALUE_2 : tensor<i32>)
    -> tensor<i32> LOC_0
  %VALUE_4 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]}
    ins(%ARG_0 : tensor<64xi32>) outs(%VALUE_3 : tensor<i32>) {
  ^bb0(%VALUE_5: i32, %VALUE_6: i32):
    %VALUE_7 = arith.addi %VALUE_5, %VALUE_6 : i32 LOC_1
    linalg.yield %VALUE_7 : i32
  } -> tensor<i32> LOC_2
  return %VALUE_4 : tensor<i32>
}
""",
)
OP = "!transform.any_op"
SCRIPT = f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @SEQUENCE(%h: {OP} {{transform.readonly}}) {{
    transform.yield
  }}
  transform.named_sequence @__transform_main(%VALUE_8: {OP} {{transform.readonly}}) {{
    %op = transform.structured.match ops{{["linalg.exp"]}} in %VALUE_8
      : ({OP}) -> {OP}
    %VALUE_9 = transform.tune.knob<KNOB> options = [8, 16] -> !transform.param<i64>
    transform.tune.alternatives<CHOICE>
        attributes {{tilewright.labels = [LABEL, "b"]}} {{
      %a, %b = transform.structured.tile_using_forall %op tile_sizes [%VALUE_9, 16]
        (mapping = [#gpu.block<y>, #gpu.block<x>])
        : ({OP}, !transform.param<i64>) -> ({OP}, {OP}) LOC_4
    }}, {{
    }}
    transform.include @SEQUENCE failures(propagate) (%VALUE_8) : ({OP}) -> () LOC_5
    transform.yield
  }}
}}
"""
TW = """\
schedule NAME(root) {
  op = match "linalg.exp" in root
  KNOB = knob [8, 16]
  choose CHOICE {
    LABEL { op, g = tile op by [KNOB, 16] onto [block.y, block.x] }
    b { }
  }
}
"""
_HOLE = re.compile(
    r"\b(FUNCTION|ARG|VALUE|LOC|SEQUENCE|KNOB|CHOICE|LABEL|NAME)(_\d+)?\b"
)


@dataclass(frozen=True)
class Case:
    """Two files, and the choices that close the schedule."""

    payload: str
    payload_name: str
    schedule: str | None
    schedule_name: str
    settings: tuple[str, ...]
    sizes: tuple[str, ...]
    """Options of the emitted file, where the payload leaves sizes open."""


def draw(seed: int) -> tuple[Case, Case]:
    """A case, and the same case with harmless words where names have no meaning."""
    return _make(seed, tame=False), _make(seed, tame=True)


def _make(seed: int, *, tame: bool) -> Case:
    random = Random(seed)
    payload = random.choice(PAYLOADS)
    kind = random.choice(["none", "tw", "mlir"])
    words = _Words(random, tame)
    text = words.fill(payload)
    suffix = ".tw" if kind == "tw" else ".mlir"
    names = [file_name(random, ".mlir"), file_name(random, suffix)]
    if tame:
        names = ["payload.mlir", f"schedule{suffix}"]
    if names[0] == names[1]:
        names[1] = f"s{names[1]}"
    schedule = {"none": None, "tw": TW, "mlir": SCRIPT}[kind]
    settings: tuple[str, ...] = ()
    if schedule is not None:
        words.in_tw = kind == "tw"
        schedule = words.fill(schedule)
        knob, choice = words.raw["KNOB"], words.raw["CHOICE"]
        label = words.raw["LABEL"] if random.random() < 0.8 else "b"
        settings = (f"{knob}={random.choice([8, 16])}", f"{choice}={label}")
    sizes = ("--m", "17", "--n", "20") if "?" in payload else ()
    return Case(text, names[0], schedule, names[1], settings, sizes)


class _Words:
    """The word for each hole; a hole that appears twice has one word."""

    def __init__(self, random: Random, tame: bool):
        self.random = random
        self.tame = tame
        self.in_tw = False
        self.raw: dict[str, str] = {}
        self._used = {"a", "b", "h", "op"}
        """Names that the script has already."""

    def fill(self, text: str) -> str:
        return _HOLE.sub(self._word, text)

    def _word(self, match: re.Match[str]) -> str:
        hole, kind = match[0], match[1]
        if hole not in self.raw:
            self.raw[hole] = self._draw(kind, hole)
        word = self.raw[hole]
        if kind == "LOC":
            return f"loc({quoted(word)}:1:1)" if word else ""
        is_name = kind in ("ARG", "VALUE", "NAME") or self.in_tw
        return word if is_name else quoted(word)

    def _draw(self, kind: str, hole: str) -> str:
        makers: dict[str, Callable[[], str]] = {
            "ARG": lambda: value_name(self.random),
            "VALUE": lambda: value_name(self.random),
            "LOC": lambda: self.random.choice(["", hostile(self.random)]),
        }
        # `--set NAME=VALUE` takes no other equals sign, and no space around the name.
        drawn = makers.get(
            kind, lambda: hostile(self.random).replace("=", "~").strip()
        )()
        if kind in ("ARG", "VALUE"):
            # These decide what is written inline, so they stay in the tame case.
            while drawn in self._used or drawn.lstrip("_$.-").isdigit():
                drawn = f"v{drawn}"
            self._used.add(drawn)
            return drawn
        if kind == "FUNCTION" and self.tame:
            return identifier(plain_name(drawn))  # Lines break by the same lengths.
        if self.in_tw or self.tame:
            return "payload.mlir" if kind == "LOC" and drawn else f"w{hole.lower()}"
        return drawn or "w"
