"""Errors about unknown op names: suggest the new name of an old op, or a near one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from tilewright.ir.dialects.unsupported import unsupported_ops
from tilewright.ir.parsing.failures.scalar_functions import (
    function_instead,
    old_elementwise,
)
from tilewright.ir.parsing.failures.upstream_transforms import (
    UPSTREAM_TRANSFORMS,
    why_declined,
)


def _product(op: str, left: str, right: str) -> str:
    """How to write a matrix product whose operands have these loops."""
    batch = "b, " if op.startswith("batch") else ""
    loops = f"({batch}m, n, k)"
    maps = [f"affine_map<{loops} -> ({to})>" for to in (left, right, f"{batch}m, n")]
    return f"linalg.{op} indexing_maps = [{', '.join(maps)}]"


RENAMED = {
    "arith.maxf": "arith.maximumf, or arith.maxnumf if NaNs do not count",
    "arith.minf": "arith.minimumf, or arith.minnumf if NaNs do not count",
    "bufferization.to_memref": "bufferization.to_buffer",
    "builtin.func": "func.func",
    "func": "func.func",
    "linalg.batch_matmul_transpose_a": _product("batch_matmul", "b, k, m", "b, k, n"),
    "linalg.batch_matmul_transpose_b": _product("batch_matmul", "b, m, k", "b, n, k"),
    "linalg.indexed_generic": "linalg.generic with linalg.index",
    "linalg.init_tensor": "tensor.empty",
    "linalg.matmul_transpose_a": _product("matmul", "k, m", "k, n"),
    "linalg.matmul_transpose_b": _product("matmul", "m, k", "n, k"),
    "linalg.pad_tensor": "tensor.pad",
    "linalg.tensor_collapse_shape": "tensor.collapse_shape",
    "linalg.tensor_expand_shape": "tensor.expand_shape",
    "linalg.tensor_reshape": "tensor.expand_shape or tensor.collapse_shape",
    "linalg.tiled_loop": "scf.forall",
    "math.abs": "math.absf, or math.absi for integers",
    "memref.buffer_cast": "bufferization.to_buffer",
    "memref.tensor_load": "bufferization.to_tensor",
    "memref.tensor_store": "bufferization.materialize_in_destination",
    "scf.foreach_thread": "scf.forall",
    "scf.foreach_thread.perform_concurrently": "scf.forall.in_parallel",
    "subtensor": "tensor.extract_slice",
    "subtensor_insert": "tensor.insert_slice",
    "tensor.pack": "linalg.pack",
    "tensor.unpack": "linalg.unpack",
    "vector.extractelement": "vector.extract",
    "vector.insertelement": "vector.insert",
    "transform.structured.tile": "transform.structured.tile_using_for",
    "transform.structured.tile_to_forall_op": "transform.structured.tile_using_forall",
    "transform.structured.tile_to_scf_for": "transform.structured.tile_using_for",
    "transform.structured.masked_vectorize": "transform.structured.vectorize",
    "transform.structured.vectorize_children": "transform.structured."
    "vectorize_children_and_apply_patterns",
    "transform.split_handles": "transform.split_handle",
    "transform.get_closest_isolated_parent": "transform.get_parent_op "
    "{isolated_from_above}",
    "transform.test_print_remark_at_operand": "transform.debug.emit_remark_at",
    "vector.splat": "vector.broadcast",
}
"""Old names that tutorials still use, and what to write today."""

_DIALECTS = {
    "cf": "a payload has structured control flow: mlir-opt --lift-cf-to-scf",
    "complex": None,
    "emitc": None,
    "index": "use arith on values of type index",
    "llvm": "a payload stands at the level of linalg, scf and vector",
    "mhlo": "lower it to linalg first",
    "ml_program": None,
    "nvgpu": "a payload stands at the level of linalg, scf and vector",
    "nvvm": "a payload stands at the level of linalg, scf and vector",
    "omp": None,
    "quant": None,
    "shape": "use tensor.dim",
    "sparse_tensor": "only dense tensors are supported",
    "spirv": "a payload stands at the level of linalg, scf and vector",
    "stablehlo": "lower it to linalg first: "
    "stablehlo-opt --stablehlo-legalize-to-linalg",
    "torch": "lower it to linalg first: torch-mlir-opt "
    "--torch-backend-to-linalg-on-tensors-backend-pipeline",
    "tosa": "lower it to linalg first: mlir-opt --pass-pipeline="
    "'builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith))'",
    "triton": "a payload says what to compute; the Triton kernel is what comes out",
    "tt": "a payload says what to compute; the Triton kernel is what comes out",
}
"""Unsupported dialects that users are likely to try, and the remedy if there is one."""

OURS = "kernel"
"""The dialect of generated kernels, which is not suggested to users."""

_OLD_ELEMENTWISE = {"linalg.elemwise_unary": 1, "linalg.elemwise_binary": 2}
"""Predecessors of `linalg.elementwise`, and how many operands they took."""

_NEAR = 0.75
"""How similar a name must be to be suggested, from 0 to 1."""


def unknown_op(name: str, ops: Iterable[str], text: str = "") -> tuple[str, str | None]:
    """Fact and remedy for an op name that is not in `ops`; `text` follows the name."""
    if (arguments := _OLD_ELEMENTWISE.get(name)) is not None:
        remedy = old_elementwise(arguments, text)
        return f"there is no '{name}' any more", remedy
    unsupported = unsupported_ops()
    if name.startswith("linalg.") and name not in unsupported:
        if remedy := function_instead(name.removeprefix("linalg.")):
            return f"there is no op '{name}'", remedy
    known = sorted(op for op in ops if not op.startswith(f"{OURS}."))
    today = RENAMED.get(name)
    if today is not None:
        missing = " (which is not supported yet)" if today in unsupported else ""
        return f"there is no '{name}' any more", f"it is {today} today{missing}"
    if (reason := why_declined(name.removeprefix("transform."))) is not None:
        return f"the op '{name}' is not supported", reason
    if name in unsupported or name.removeprefix("transform.") in UPSTREAM_TRANSFORMS:
        return f"the op '{name}' is not supported yet", _instead(name)
    dialect, _, mnemonic = name.rpartition(".")
    if dialect in ("", "std"):
        return _without_dialect(name, mnemonic, known)
    if dialect in _DIALECTS:
        return f"the dialect '{dialect}' is not supported", _DIALECTS[dialect]
    siblings = [other for other in known if other.startswith(f"{dialect}.")]
    near = near_op(name, known)
    if not siblings and near is None:
        dialects = sorted({other.partition(".")[0] for other in known})
        return f"there is no dialect '{dialect}'", f"there are: {', '.join(dialects)}"
    remedy = f"did you mean '{near}'?" if near is not None else None
    if {f"{name}f", f"{name}i"} <= set(siblings):
        remedy = f"write {name}f for floats, {name}i for integers"
    return f"there is no op '{name}'", remedy


def near_op(name: str, known: Sequence[str]) -> str | None:
    """The op whose name is spelled like `name`, if one is near.

    Names of one dialect are compared without it: 'linalg.' alone makes short names look
    alike.
    """
    dialect, _, mnemonic = name.rpartition(".")
    siblings = {
        other.removeprefix(f"{dialect}."): other
        for other in known
        if other.startswith(f"{dialect}.")
    }
    if near := get_close_matches(mnemonic, list(siblings), 1):
        return siblings[near[0]]
    others = [other for other in known if other not in siblings.values()]
    near = get_close_matches(name, others, 1, _NEAR)
    return near[0] if near else None


def _instead(name: str) -> str | None:
    """What to write instead of an unsupported op."""
    dialect, _, mnemonic = name.partition(".")
    if dialect == "linalg" and mnemonic == "map":
        return "write it as linalg.generic or linalg.elementwise"
    if dialect == "linalg" and "pack" not in mnemonic:
        return (
            "linalg.generic can say most of it; mlir-opt --linalg-generalize-named-ops"
        )
    if dialect == "affine":
        return "lower it first: mlir-opt --lower-affine"
    if dialect == "scf":
        return "a loop of known length is scf.for"
    return None


def _without_dialect(
    name: str, mnemonic: str, known: list[str]
) -> tuple[str, str | None]:
    """Fact and remedy for an op name without a dialect: `addf`, `std.addf`."""
    same = [other for other in known if other.partition(".")[2] == mnemonic]
    if name.startswith("std."):
        fact = "there is no dialect 'std' any more"
    else:
        fact = f"the op '{name}' has no dialect before its name"
    if same:
        return fact, f"did you mean {' or '.join(f'{other!r}' for other in same)}?"
    tails = {other.partition(".")[2]: other for other in known}
    near = get_close_matches(mnemonic, list(tails), 1, _NEAR)
    return fact, f"did you mean '{tails[near[0]]}'?" if near else None
