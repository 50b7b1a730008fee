"""The library: every sequence on its payloads, in every alternative, by the numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

import pytest

from support.mlir_opt import needs_mlir
from support.paths import DOCS, EXAMPLES
from support.sampling import mostly_slow
from support.schedule_files import run_upstream
from tilewright.check_schedule.report import checked
from tilewright.ir.errors import UserError
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import (
    Payload,
    Tensor,
    attention,
    cross_entropy,
    gated_mlp,
    gelu,
    layernorm,
    linear,
    log_softmax,
    logsumexp,
    matmul,
    mlp,
    relu,
    rmsnorm,
    scaled_matmul,
    softmax,
)
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.library.imports import FOLDER, module_names
from tilewright.schedules.library.prelude import sequences_of
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.values import Value

Point = Mapping[str, Value]
TILES: Point = {"BM": 32, "BN": 32, "BK": 32}


@dataclass(frozen=True)
class Case:
    """A sequence of the library, a payload for it, and small tiles."""

    sequence: str
    payload: Callable[[Payload], Tensor]
    point: Point = field(default_factory=dict[str, Value])
    kernels: int = 1


def product_of(
    p: Payload, m: int = 64, n: int = 96, k: int = 64, dtype: str = "f16"
) -> Tensor:
    return p.input("a", (m, k), dtype) @ p.input("b", (k, n), dtype)


def layer(p: Payload) -> Tensor:
    x, w = p.input("x", (70, 64), "f16"), p.input("w", (64, 100), "f16")
    bias, rest = p.input("bias", (100,), "f16"), p.input("r", (70, 100), "f16")
    return linear(x, w, bias=bias, activation="gelu", residual=rest)


def with_prologue(p: Payload) -> Tensor:
    x, w = p.input("x", (64, 64), "f16"), p.input("w", (64, 96), "f16")
    return relu(relu(x, dtype="f16") @ gelu(w, dtype="f16"), dtype="f16")


def two_tails(p: Payload) -> Tensor:
    return gelu(relu(product_of(p), dtype="f32"), dtype="f16")


def batch(p: Payload) -> Tensor:
    a, b = p.input("a", (3, 40, 64), "f16"), p.input("b", (3, 64, 48), "f16")
    return matmul(a, b, dtype="f16")


def layers(p: Payload) -> Tensor:
    x = p.input("x", (64, 64), "f16")
    pairs = [
        (p.input(f"w{i}", (64, 64), "f16"), p.input(f"b{i}", (64,), "f16"))
        for i in range(3)
    ]
    return mlp(x, pairs, activation="relu")


def gated(p: Payload) -> Tensor:
    x, down = p.input("x", (64, 64), "f16"), p.input("down", (96, 64), "f16")
    gate, up = (p.input(name, (64, 96), "f16") for name in ("gate", "up"))
    return gated_mlp(x, gate, up, down)


def scaled(p: Payload) -> Tensor:
    a, b = (p.input(name, (64, 128), "f8E4M3FN") for name in "ab")
    scales = (p.input(name, (64,), "f32") for name in ("a_scale", "b_scale"))
    return scaled_matmul(a, b.T, *scales, dtype="bf16")


def rows(
    compute: Callable[[Payload, Tensor], Tensor], columns: int = 300
) -> Callable[[Payload], Tensor]:
    return lambda p: compute(p, p.input("x", (5, columns), "f16"))


def norm(p: Payload, x: Tensor) -> Tensor:
    weight, bias = (p.input(n, (x.shape[-1],), "f16") for n in ("weight", "bias"))
    return layernorm(x, weight, bias)


def root_mean_square(p: Payload, x: Tensor) -> Tensor:
    return rmsnorm(x, p.input("weight", (x.shape[-1],), "f16"))


def entropy(p: Payload, x: Tensor) -> Tensor:
    return cross_entropy(x, p.input("labels", (5,), "i64"))


def heads(
    queries: int = 64, key_heads: int = 2, groups: int = 1, causal: bool = False
) -> Callable[[Payload], Tensor]:
    def made(p: Payload) -> Tensor:
        q = p.input("q", (1, key_heads * groups, queries, 32), "f16")
        k, v = (p.input(n, (1, key_heads, 64, 32), "f16") for n in "kv")
        found = attention(q, k, v, causal=causal)
        assert isinstance(found, Tensor)
        return found

    return made


ATTENTION: Point = {"BM": 32, "BN": 32}
LONG: Point = {"BN": 1024}

CASES: dict[str, Case] = {
    "product": Case("gemm.tiled", product_of, TILES),
    "layer": Case("gemm.tiled", layer, TILES),
    "prologue": Case("gemm.tiled", with_prologue, TILES),
    "two tails": Case("gemm.tiled", two_tails, TILES),
    "persistent": Case(
        "gemm.tiled", layer, {**TILES, "persistent": 1, "flatten": 1, "parts": 2}
    ),
    "batch": Case("gemm.batched", batch, TILES),
    "f32": Case("gemm.f32", lambda p: product_of(p, dtype="f32"), TILES),
    "split_k": Case("gemm.split_k", lambda p: relu(product_of(p, k=256)), TILES),
    "cublas": Case("gemm.cublas", layer, {"BM": 32, "BN": 64}, 1),
    "vectors": Case(
        "elementwise.vectors",
        lambda p: gelu(p.input("x", (1000,), "f32") + p.input("y", (1000,), "f32")),
        {"block": 512},
    ),
    "matrices": Case(
        "elementwise.matrices",
        lambda p: gelu(relu(p.input("x", (30, 100), "f16"))),
        {"rows": 8, "columns": 32},
    ),
    "sums": Case("rows.whole", rows(lambda p, x: x.sum(-1)), {"rows": 2}),
    "softmax": Case("rows.whole", rows(lambda p, x: softmax(x))),
    "layernorm": Case("rows.whole", rows(norm), {"rows": 2}),
    "rmsnorm": Case("rows.whole", rows(root_mean_square), {"rows": 4}),
    "persistent rows": Case("rows.persistent", rows(lambda p, x: softmax(x))),
    "logsumexp": Case("rows.online", rows(lambda p, x: logsumexp(x, -1), 2500), LONG),
    "cross_entropy": Case("rows.online", rows(entropy, 2500), LONG),
    "long softmax": Case("rows.two_passes", rows(lambda p, x: softmax(x), 2500), LONG),
    "long log_softmax": Case(
        "rows.two_passes", rows(lambda p, x: log_softmax(x, -1), 2500), LONG
    ),
    "long layernorm": Case("rows.two_passes", rows(norm, 2500), LONG),
    "mlp": Case("mlp.layers", layers, TILES, 3),
    "gated": Case("mlp.gated", gated, TILES, 2),
    "fp8": Case("fp8.scaled", scaled, TILES),
    "quantized": Case("fp8.quantized", product_of, TILES, 7),
    "flash": Case("attention.flash", heads(), ATTENTION),
    "causal": Case("attention.masked", heads(causal=True), ATTENTION),
    "grouped": Case("attention.grouped", heads(groups=2, causal=True), ATTENTION),
    "decoding": Case("attention.decoding", heads(queries=1, groups=4), {"BN": 32}),
}


QUICK = ("layer", "prologue", "vectors", "layernorm", "gated", "fp8", "flash")
"""A case of each file; the others are slow together."""


def including(sequence: str) -> Schedule:
    """The shortest schedule that uses a sequence of the library."""
    module = sequence.partition(".")[0]
    return Schedule.from_text(
        f"import {module}\nschedule s(root) {{ include {sequence}(root) }}", "s.tw"
    )


def alternatives(schedule: Schedule) -> Iterator[dict[str, Value]]:
    """Every combination of branches."""
    found = {
        choice.name: choice.options
        for choice in schedule.open_choices()
        if isinstance(choice.op, AlternativesOp)
    }
    for labels in product(*found.values()):
        yield dict(zip(found, labels, strict=True))


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", mostly_slow(CASES, QUICK))
def test_numbers_in_every_alternative(name: str) -> None:
    case = CASES[name]
    p = Payload(case.sequence.replace(".", "_"))
    p.output(case.payload(p))
    payload = parse_payload(p.text())
    schedule = including(case.sequence)
    inputs = make_case(payload, 1)
    for branches in alternatives(schedule):
        built = build(payload, schedule, {**case.point, **branches})
        assert not built.warnings, branches
        comparison = check_kernel_ir(built, inputs)
        assert comparison.ok, (branches, comparison.message)
        assert len(built.program.kernels) == case.kernels, branches


@pytest.mark.sampled(50)
@pytest.mark.parametrize("module", module_names())
def test_a_default_for_every_choice(module: str) -> None:
    for name in {case.sequence for case in CASES.values()} & {*sequences_of(module)}:
        if name.startswith(f"{module}."):
            schedule = including(name)
            assert all(choice.default is not None for choice in schedule.open_choices())
            assert checked(schedule, ()).findings == ()
            text = schedule.to_tw()
            assert f"import {module}\n" in text
            again = Schedule.from_text(text, "again.tw")
            assert again.to_tw() == text
            made = schedule.with_defaults({}).to_tw()
            assert not Schedule.from_text(made, "made.tw").open_choices()


def entries() -> set[str]:
    """The sequences that take the root of a payload."""
    found: set[str] = set()
    for module in module_names():
        text = (FOLDER / f"{module}.tw").read_text("utf-8")
        names = re.findall(r"^sequence (\w+)\(root\)", text.split("\n// -- ")[0], re.M)
        found |= {f"{module}.{name}" for name in names}
    return found


PARTS = {"elementwise.chain", "rows.one_pass"}
"""Sequences of the root that others include."""


def test_every_sequence_is_a_case_and_documented() -> None:
    assert {case.sequence for case in CASES.values()} == entries() - PARTS
    page = (DOCS / "library.md").read_text("utf-8")
    documented = set(re.findall(r"^\| `(\w+\.\w+)\(", page, re.M))
    assert documented == (entries() - PARTS) | {"gemm.fused"}


@needs_mlir
@pytest.mark.parametrize("loads", ["pointers", "descriptors"])
def test_the_product_runs_upstream(loads: str) -> None:
    schedule = Schedule.from_text(
        "import gemm\nschedule s(root) {\n"
        '  mm = match "linalg.matmul" in root\n  fill = match "linalg.fill" in root\n'
        '  tail = match "linalg.generic" in root\n'
        "  include gemm.fused(mm, fill, tail)\n}",
        "s.tw",
    ).with_defaults({"loads": loads, "BM": 64, "BN": 64, "BK": 32})
    payload = (EXAMPLES / "payloads" / "linear_gelu_residual.mlir").read_text()
    text = run_upstream(schedule, payload)
    assert text.count("scf.forall (") == 1 and "triton.num_warps = 8 : i64" in text
    assert ("triton.descriptors" in text) == (loads == "descriptors")
    assert run_upstream(Schedule.from_text(schedule.to_tw()), payload) == text


def test_ops_before_the_product_run_in_its_loop() -> None:
    p = Payload("prologue")
    p.output(with_prologue(p))
    built = build(parse_payload(p.text()), including("gemm.tiled"), TILES)
    loop = built.program.text.split("for ", 1)[1]
    before_product = loop.split("tl.dot", 1)[0]
    assert "tl.maximum" in before_product and "tl.exp2" in before_product


def schedules_of(page: str) -> list[str]:
    """The schedules that a page shows, indented by four spaces."""
    blocks = re.findall(r"(?:^(?:    .*)?\n)+", (DOCS / page).read_text("utf-8"), re.M)
    texts = [re.sub(r"^    ", "", block, flags=re.M) for block in blocks]
    return [text for text in texts if re.search(r"^schedule \w+\(root\)", text, re.M)]


def test_the_schedules_of_the_page_work() -> None:
    p = Payload("layer")
    p.output(layer(p))
    payload = parse_payload(p.text())
    shown = schedules_of("library.md")
    assert len(shown) == 2
    for text in shown:
        schedule = Schedule.from_text(text.split("\n\ntilewright")[0], "page.tw")
        built = build(payload, schedule, TILES)
        assert check_kernel_ir(built, make_case(payload, 1)).ok


def test_errors_name_the_line_that_includes() -> None:
    p = Payload("layer")
    p.output(layer(p))
    payload = parse_payload(p.text())
    text = """import gemm
schedule s(root) {
  grid, k = include gemm.tiled(root)
  evict grid [nothing = "last"]
}
"""
    with pytest.raises(UserError) as caught:
        build(payload, Schedule.from_text(text, "s.tw"), TILES)
    assert "library/gemm.tw:" in str(caught.value).splitlines()[0]
    assert "s.tw:3:13: note: in 'gemm.tiled', included here" in str(caught.value)
    with pytest.raises(UserError) as caught:
        build(payload, including("gemm.batched"), TILES)
    assert "there is no loop 3" in str(caught.value)
    assert "without a batch: gemm.tiled" in str(caught.value)
    assert "s.tw:2:20: note: in 'gemm.batched', included here" in str(caught.value)
