"""The hand-written rivals of the benchmarks, in Triton's interpreter; torch's modes."""

import json

import pytest
import torch

from support import warm_python
from support.paths import BENCHMARKS
from support.project.benchmark_modules import load

CASES = {
    # structure, (m, n, k), loads, block m n k, subtiles, flatten
    "pointer": ("pointer", (256, 128, 64), "pointer", (64, 64, 32), 1, False),
    "pointer ragged": ("pointer", (100, 72, 40), "pointer", (64, 64, 32), 1, False),
    "pointer groups": ("pointer", (320, 96, 32), "pointer", (64, 32, 32), 1, False),
    "descriptors": ("descriptors", (128, 128, 64), "descriptors", (64, 64, 32), 1, 0),
    "descriptors ragged": (
        *("descriptors", (100, 72, 40), "descriptors"),
        *((64, 64, 32), 1, False),
    ),
    "persistent": ("persistent", (256, 128, 64), "persistent", (64, 64, 32), 1, 0),
    "persistent flatten": (
        *("persistent", (320, 96, 64), "persistent"),
        *((64, 32, 32), 1, True),
    ),
    "persistent subtiles": (
        *("persistent", (100, 200, 40), "persistent"),
        *((64, 64, 32), 2, True),
    ),
    "two kernels": ("two_kernels", (100, 72, 40), "pointer", (64, 64, 32), 1, 0),
    "two kernels tma": ("two_kernels", (128, 64, 64), "descriptors", (64,) * 3, 1, 0),
}


CHILD = """
import importlib.util, json, math, sys, torch

spec = importlib.util.spec_from_file_location("rival_kernels", sys.argv[1])
rivals = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = rivals
spec.loader.exec_module(rivals)
torch.manual_seed(0)
answers = {}
for title, case in json.loads(sys.argv[2]).items():
    structure, (m, n, k), loads, blocks, subtiles, flatten = case
    config = rivals.Configuration(*blocks, 4, 2, 2, subtiles, bool(flatten))
    a, b = torch.randn(m, k).half(), torch.randn(k, n).half()
    a[1, 2] = math.nan
    out = torch.full((m, n), math.inf, dtype=torch.float16)
    found = rivals.candidates(structure, a, b, out, 3, [(loads, config)])
    (name, candidate), = found
    for buffer in candidate.scratch:
        buffer.fill_(math.inf)
    result = candidate()
    want = torch.relu(a.double() @ b.double())
    answers[title] = {
        "nan": bool(result[1].isnan().all()) and int(result.isnan().sum()) == n,
        "error": ((result - want).nan_to_num(0).norm() / want.nan_to_num(0).norm())
        .item(),
        "same": result is out,
    }
odd = torch.zeros(4, 36, dtype=torch.float16), torch.zeros(36, 70, dtype=torch.float16)
out = torch.zeros(4, 70, dtype=torch.float16)
answers["odd rows"] = {
    name: len(list(rivals.candidates(name, *odd, out, 3))) for name in rivals.STRUCTURES
}
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def interpreted():
    # Interpreting needs a process of its own, and one serves all cases.
    path = BENCHMARKS / "rivals" / "matmul_relu.py"
    run = warm_python.run(CHILD, [str(path), json.dumps(CASES)])
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("title", CASES)
def test_rival_is_right(interpreted, title):
    answer = interpreted[title]
    assert answer["error"] < 1e-3
    # The interpreter's maximum always keeps NaN; on the GPU `propagate_nan` does.
    assert answer["nan"], "NaN belongs in the whole of one row, and nowhere else"
    assert answer["same"]


@pytest.mark.slow
def test_descriptors_are_left_out_where_rows_are_not_aligned(interpreted):
    counts = interpreted["odd rows"]
    assert counts["descriptors"] == counts["persistent"] == 0
    assert counts["pointer"] > 0 and counts["two_kernels"] > 0


@pytest.mark.slow
def test_modes_do_not_evict_one_another():
    torch_modes = load("rivals/torch_modes")
    compiled = []

    def backend(name):
        def compile_graph(graph, inputs):
            compiled.append(name)
            return graph.forward

        return compile_graph

    def function(a, b):
        return torch.relu(a @ b)

    a = torch.randn(4, 4)
    first = torch_modes.build(function, torch_modes.MODES[1], backend("first"))
    first(a, a)
    second = torch_modes.build(function, torch_modes.MODES[2], backend("second"))
    for call in (second, first, second):
        assert torch.equal(call(a, a), function(a, a))
    assert compiled == ["first", "second"]


RAGGED = """
import json, sys, torch
import torch.nn.functional as F

sys.path.insert(0, sys.argv[1])
from rivals import elementwise, rows
from rivals.gemm import candidates as gemm
from rivals.gemm.configurations import Configuration

torch.manual_seed(0)
answers = {}


def answer(title, candidate, want):
    candidate.out.fill_(float("inf"))
    for _ in range(2):  # the counters of split-K must be left as they were found
        found = candidate()
    answers[title] = ((found.double() - want).norm() / want.norm()).item()


m, n, k = 100, 72, 40
x, w = torch.randn(m, k).half(), torch.randn(k, n).half()
bias, added = torch.randn(n).half(), torch.randn(m, n).half()
rows_scale, columns_scale = torch.rand(m), torch.rand(n)
out = torch.empty(m, n).half()
plain = x.double() @ w.double()
scaled = plain * rows_scale[:, None] * columns_scale
linear = F.gelu(plain + bias.double()) + added.double()
for structure in gemm.STRUCTURES:
    config = Configuration(64, 32, 16, 4, 2, 2, split=2)
    if structure in ("descriptors", "persistent"):
        config = Configuration(64, 64, 16, 4, 2, 2, subtiles=4, flatten=True)
    product = gemm.Product(x, w, out, bias, added, activation="gelu")
    answer(f"linear {structure}", gemm.candidate(product, structure, config, 3), linear)
    product = gemm.Product(
        x, w.T.contiguous(), out, None, None, rows_scale, columns_scale,
        transposed=True,
    )
    answer(f"scaled {structure}", gemm.candidate(product, structure, config, 3), scaled)

a, b = torch.randn(3, 64, 32).half(), torch.randn(3, 32, 72).half()
batch = gemm.Product(a, b, torch.empty(3, 64, 72).half())
for structure in ("pointer", "descriptors", "persistent"):
    config = Configuration(32, 64, 16, 4, 2, 2)
    made = gemm.candidate(batch, structure, config, 3)
    answer(f"batch {structure}", made, a.double() @ b.double())

for n in (100, 2100):
    x, added = torch.randn(5, n).half(), torch.randn(5, n).half()
    weight, bias = torch.randn(n).half(), torch.randn(n).half()
    out = torch.empty_like(x)
    sum = (x + added).double()
    works = {
        "softmax": (rows.RowWork(x, out), torch.softmax(x.double(), -1)),
        "rmsnorm": (
            rows.RowWork(x, out, weight),
            F.rms_norm(x.double(), (n,), weight.double(), rows.EPSILON),
        ),
        "layernorm": (
            rows.RowWork(x, out, weight, bias, added),
            F.layer_norm(sum, (n,), weight.double(), bias.double(), rows.EPSILON),
        ),
    }
    for name, (work, want) in works.items():
        for candidate in rows.candidates(work, 3):
            if "w4" in candidate.name:
                title = f"{name} {n} {candidate.structure} {candidate.name}"
                answer(title, candidate, want)

x, y = torch.randn(1000).half(), torch.randn(1000).half()
for gelu in (False, True):
    want = F.gelu(x.double() + y.double()) if gelu else x.double() + y.double()
    candidate = next(elementwise.candidates(x, y, torch.empty_like(x), gelu))
    answer(f"sum {gelu}", candidate, want)
print(json.dumps(answers))
"""


@pytest.mark.slow
def test_rivals_of_the_table_are_right_where_nothing_divides():
    run = warm_python.run(RAGGED, [str(BENCHMARKS)])
    assert run.returncode == 0, run.stderr
    answers = json.loads(run.stdout.splitlines()[-1])
    structures = {"pointer", "descriptors", "persistent", "split_k", "looped", "rows"}
    assert structures <= {word for title in answers for word in title.split()}
    wrong = {title: error for title, error in answers.items() if not error < 1e-3}
    assert not wrong
