"""Payloads of one named convolution or pooling, by the letters of its layouts."""

from __future__ import annotations

from tilewright.ir.dialects.linalg import WINDOW_OPS, PoolingOp, WindowOp

SIZES = {"n": 2, "g": 2, "c": 8, "f": 16, "m": 2, "d": 5, "h": 7, "w": 8}
WINDOW = {"d": 2, "h": 3, "w": 2}
STRIDES, DILATIONS = [2, 1, 2], [1, 2, 1]
STARTS = {"max": "0xFF800000", "min": "0x7F800000"}


def shaped(letters: str, sizes: dict[str, int], of: str) -> str:
    """A tensor with a dimension for each letter."""
    return f"tensor<{'x'.join(str(sizes[letter]) for letter in letters)}x{of}>"


def filled_window(name: str, *, tail: str = "") -> str:
    """A function that fills an output and runs the op; `tail` reads %r of type RESULT.

    Convolutions multiply f16 and add f32, quantized ones i8 and i32.
    """
    op = WINDOW_OPS[f"linalg.{name}"]
    layouts, count = op.WINDOW, len(op.WINDOW.places)
    has_steps = "n" in layouts.image
    strides = STRIDES[:count] if has_steps else [1] * count
    dilations = DILATIONS[:count] if has_steps else [1] * count
    out = dict(SIZES)
    for at, letter in enumerate(layouts.places):
        reach = (WINDOW[letter] - 1) * dilations[at] + 1
        out[letter] = (SIZES[letter] - reach) // strides[at] + 1
    given, made, start = _elements(op)
    image = shaped(layouts.image, SIZES, given)
    window = shaped(layouts.window, SIZES | WINDOW, given)
    result = shaped(layouts.output, out, made)
    is_pooling = issubclass(op, PoolingOp)
    points = ["%p", "%q"][: op.SCALARS]
    arguments = [f"%x: {image}", *([] if is_pooling else [f"%w: {window}"])]
    arguments += [f"{point}: i32" for point in points]
    steps = (
        f" {{dilations = dense<{dilations}> : tensor<{count}xi64>, "
        f"strides = dense<{strides}> : tensor<{count}xi64>}}"
        if has_steps
        else ""
    )
    types = ", ".join([image, window, *(["i32"] * len(points))])
    lines = [
        f"func.func @f({', '.join(arguments)}) -> {result} {{",
        f"  %z = arith.constant {start} : {made}",
        f"  %e = tensor.empty() : {result}",
        *([f"  %w = tensor.empty() : {window}"] if is_pooling else []),
        f"  %s = linalg.fill ins(%z : {made}) outs(%e : {result}) -> {result}",
        f"  %r = {op.name}{steps} ins({', '.join(['%x', '%w', *points])} : {types}) "
        f"outs(%s : {result}) -> {result}",
        *([tail.replace("RESULT", result)] if tail else []),
        f"  return {'%y' if tail else '%r'} : {result}",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _elements(op: type[WindowOp]) -> tuple[str, str, str]:
    """The element types of operands and result, and the number to start from."""
    if op.SCALARS:
        return "i8", "i32", "0"
    if not issubclass(op, PoolingOp):
        return "f16", "f32", "0.0"
    if op.KIND.endswith("unsigned"):
        return "i32", "i32", "0"
    return "f32", "f32", STARTS.get(op.KIND, "0.0")
