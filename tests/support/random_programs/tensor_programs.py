"""Random programs on small tensors, for tests of bufferization.

They have straight-line code, loops that carry tensors, parallel loops, branches and
calls, with overlapping slices, views, values that are used twice and destinations that
are reused. They never read memory that was not written.
"""

from __future__ import annotations

from random import Random

WHOLE, PART = "tensor<8xf32>", "tensor<4xf32>"
MATRIX, ANY = "tensor<2x4xf32>", "tensor<?xf32>"
ID = "affine_map<(d0) -> (d0)>"
KINDS = ("fill", "add", "add", "extract", "insert", "write")
LOOPS = ("for", "forall")
VIEWS = ("row", "put_row", "cast", "reshape")
ELEMENTS = ("element", "put_element", "pad", "concat", "new", "constant", "materialize")
BRANCHES = ("if", "select", "switch", "execute")
CALLS = ("call",)
CALLEES = {
    "same": f"return %y : {WHOLE}",
    "constant": "%r = arith.constant dense<[1., 2., 3., 4., 5., 6., 7., 8.]> : "
    f"{WHOLE}\n  return %r : {WHOLE}",
    "sum": f"%r = linalg.add ins(%x, %y : {WHOLE}, {WHOLE}) outs(%y : {WHOLE}) -> "
    f"{WHOLE}\n  return %r : {WHOLE}",
}


class Program:
    """Writes one function, line by line."""

    def __init__(self, seed: int, *more: str, loops: tuple[str, ...] = LOOPS):
        self.random = Random(seed)
        self.more, self.loops = more, loops
        self.lines: list[str] = []
        self.called: set[str] = set()
        self.count = 0

    def text(self) -> str:
        """A function of two tensors, which returns one to three of its values."""
        # Storage of its own to begin with: an argument's is never written anyway.
        owned = [self.add(["%a", "%b"], WHOLE, fresh=True) for _ in range(2)]
        start = owned if self.random.random() < 0.8 else [*owned, "%a"]
        whole, _ = self.body(start, [], self.random.randint(2, 7), depth=0)
        results = [self.pick(whole) for _ in range(self.random.randint(1, 3))]
        types = ", ".join([WHOLE] * len(results))
        return "\n".join(
            [
                f"func.func @f(%a: {WHOLE}, %b: {WHOLE}, %flag: i1, %which: index) "
                f"-> ({types}) {{",
                "  %c0 = arith.constant 0 : index",
                "  %c1 = arith.constant 1 : index",
                "  %c3 = arith.constant 3 : index",
                "  %one = arith.constant 1.0 : f32",
                "  %half = arith.constant 0.5 : f32",
                *self.lines,
                f"  return {', '.join(results)} : {types}",
                "}",
                *(
                    f"func.func private @{name}(%x: {WHOLE}, %y: {WHOLE}) -> {WHOLE} "
                    f"{{\n  {CALLEES[name]}\n}}"
                    for name in sorted(self.called)
                ),
                "",
            ]
        )

    def body(
        self, whole: list[str], part: list[str], steps: int, depth: int
    ) -> tuple[list[str], list[str]]:
        """Some ops over the values in scope; the values in scope afterwards."""
        whole, part = list(whole), list(part)
        for _ in range(steps):
            kinds = [*KINDS, *self.more]
            if depth < 2:
                kinds += self.loops
            match self.random.choice(kinds):
                case "fill":
                    whole.append(self.fill(self.pick(whole)))
                case "add":
                    values, kind = (
                        (part, PART)
                        if part and self.random.random() < 0.5
                        else (whole, WHOLE)
                    )
                    values.append(self.add(values, kind))
                case "extract":
                    at = self.random.choice([0, 2, 4])
                    part.append(
                        self.op(
                            f"tensor.extract_slice {self.pick(whole)}[{at}] [4] [1]"
                            f" : {WHOLE} to {PART}"
                        )
                    )
                case "insert" if part:
                    at = self.random.choice([0, 2, 4])
                    whole.append(
                        self.op(
                            f"tensor.insert_slice {self.pick(part)} into "
                            f"{self.pick(whole)}[{at}] [4] [1] : {PART} into {WHOLE}"
                        )
                    )
                case "write" if part:
                    vector = self.op(
                        f"vector.transfer_read {self.pick(part)}[%c0], %one "
                        f"{{in_bounds = [true]}} : {PART}, vector<4xf32>"
                    )
                    part.append(
                        self.op(
                            f"vector.transfer_write {vector}, {self.pick(part)}[%c0] "
                            f"{{in_bounds = [true]}} : vector<4xf32>, {PART}"
                        )
                    )
                case "for":
                    whole += self.for_loop(whole, part, depth)
                case "forall":
                    whole.append(self.forall(whole, part, depth))
                case "if" | "switch" | "execute" as kind:
                    whole.append(self.branch(kind, whole, part, depth))
                case kind:
                    self.more_ops(kind, whole, part)
        return whole, part

    def more_ops(self, kind: str, whole: list[str], part: list[str]) -> None:
        """Views, single elements, new tensors, choices, calls."""
        one = self.pick(whole)
        match kind:
            case "row":
                at = self.random.choice([0, 1])
                part.append(
                    self.op(
                        f"tensor.extract_slice {self.matrix(one)}[{at}, 0] [1, 4] "
                        f"[1, 1] : {MATRIX} to {PART}"
                    )
                )
            case "put_row" if part:
                at = self.random.choice([0, 1])
                whole.append(
                    self.flat(
                        f"tensor.insert_slice {self.pick(part)} into "
                        f"{self.matrix(one)}[{at}, 0] [1, 4] [1, 1] : {PART} into "
                        f"{MATRIX}"
                    )
                )
            case "reshape":
                shape = self.op("arith.constant dense<[2, 4]> : tensor<2xindex>")
                whole.append(
                    self.flat(
                        f"tensor.reshape {one}({shape}) : ({WHOLE}, tensor<2xindex>) "
                        f"-> {MATRIX}"
                    )
                )
            case "cast":
                other = self.op(f"tensor.cast {one} : {WHOLE} to {ANY}")
                filled = self.fill(other, ANY) if self.random.random() < 0.5 else other
                whole.append(self.op(f"tensor.cast {filled} : {ANY} to {WHOLE}"))
            case "element":
                value = self.op(f"tensor.extract {one}[%c3] : {WHOLE}")
                whole.append(
                    self.op(
                        f"tensor.insert {value} into {self.pick(whole)}[%c1] : {WHOLE}"
                    )
                )
            case "put_element" if part:
                part.append(
                    self.op(f"tensor.insert %one into {self.pick(part)}[%c3] : {PART}")
                )
            case "pad" if part:
                whole.append(
                    self.op(
                        f"tensor.pad {self.pick(part)} low[1] high[3] {{\n"
                        "^bb0(%p: index):\n  tensor.yield %half : f32\n}"
                        f" : {PART} to {WHOLE}"
                    )
                )
            case "concat" if part:
                whole.append(
                    self.op(
                        f"tensor.concat dim(0) {self.pick(part)}, {self.pick(part)} : "
                        f"({PART}, {PART}) -> {WHOLE}"
                    )
                )
            case "new":
                whole.append(self.op(f"tensor.splat %half : {WHOLE}"))
                part.append(
                    self.op(f"tensor.from_elements %one, %half, %one, %one : {PART}")
                )
            case "constant":
                values = ", ".join(f"{n}.5" for n in range(8))
                whole.append(
                    self.op(f"arith.constant dense<[{values}]> : {WHOLE}"),
                )
            case "materialize":
                other = self.pick(whole)
                if other not in ("%a", "%b"):
                    other = self.op(
                        f"bufferization.alloc_tensor() copy({other}) : {WHOLE}"
                    )
                    whole.append(
                        self.op(
                            "bufferization.materialize_in_destination "
                            f"{one} in {other} : ({WHOLE}, {WHOLE}) -> {WHOLE}"
                        )
                    )
            case "select":
                other = self.pick(whole)
                whole.append(self.op(f"arith.select %flag, {one}, {other} : {WHOLE}"))
            case "call":
                callee = self.random.choice(list(CALLEES))
                self.called.add(callee)
                other = self.pick(whole)
                whole.append(
                    self.op(
                        f"func.call @{callee}({one}, {other}) : ({WHOLE}, {WHOLE}) -> "
                        f"{WHOLE}"
                    )
                )
            case _:
                pass

    def matrix(self, name: str) -> str:
        """A tensor in two dimensions."""
        return self.op(
            f"tensor.expand_shape {name} [[0, 1]] output_shape [2, 4] : {WHOLE} into "
            f"{MATRIX}"
        )

    def flat(self, text: str) -> str:
        """A tensor in one dimension again."""
        return self.op(
            f"tensor.collapse_shape {self.op(text)} [[0, 1]] : {MATRIX} into {WHOLE}"
        )

    def branch(self, kind: str, whole: list[str], part: list[str], depth: int) -> str:
        """One of two tensors, each of which may be computed in its branch."""
        result = self.name()
        opening, between = {
            "if": (f"scf.if %flag -> ({WHOLE}) {{", "} else {"),
            "switch": (
                f"scf.index_switch %which -> {WHOLE}\ncase 1 {{",
                "}\ndefault {",
            ),
            "execute": (f"scf.execute_region -> {WHOLE} {{", None),
        }[kind]
        self.lines.append(f"{result} = {opening}")
        for separator in (between, None):
            inner, _ = self.body(
                whole, part, self.random.randint(0, 3), depth=max(depth, 1) + 1
            )
            self.lines += [f"scf.yield {self.pick(inner)} : {WHOLE}", separator or "}"]
            if separator is None:
                break
        return result

    def for_loop(self, whole: list[str], part: list[str], depth: int) -> list[str]:
        """A loop that carries one or two tensors."""
        inits = [self.pick(whole) for _ in range(self.random.randint(1, 2))]
        args = [self.name() for _ in inits]
        result = self.name()
        carried = ", ".join(f"{a} = {i}" for a, i in zip(args, inits, strict=True))
        types = ", ".join([WHOLE] * len(inits))
        many = f":{len(inits)}" if len(inits) > 1 else ""
        self.lines.append(
            f"{result}{many} = scf.for {self.name()} = %c0 to %c3 step %c1 "
            f"iter_args({carried}) -> ({types}) {{"
        )
        inner, _ = self.body(
            [*whole, *args, *args], part, self.random.randint(1, 4), depth + 1
        )
        yields = [
            self.random.choice(inner[-3:] if self.random.random() < 0.6 else inner)
            for _ in inits
        ]
        self.lines += [f"scf.yield {', '.join(yields)} : {types}", "}"]
        if not many:
            return [result]
        return [f"{result}#{i}" for i in range(len(inits))]

    def forall(self, whole: list[str], part: list[str], depth: int) -> str:
        """A parallel loop over the two halves of a tensor."""
        arg, index, at = self.name(), self.name(), self.name()
        result = self.name()
        self.lines += [
            f"{result} = scf.forall ({index}) in (2) shared_outs({arg} = "
            f"{self.pick(whole)}) -> ({WHOLE}) {{",
            f"{at} = affine.apply affine_map<(d0) -> (d0 * 4)>({index})",
        ]
        tile = self.op(f"tensor.extract_slice {arg}[{at}] [4] [1] : {WHOLE} to {PART}")
        _, tiles = self.body(
            [*whole, arg], [*part, tile, tile], self.random.randint(1, 4), depth + 1
        )
        self.lines += [
            "scf.forall.in_parallel {",
            f"tensor.parallel_insert_slice {tiles[-1]} into {arg}[{at}] [4] [1] : "
            f"{PART} into {WHOLE}",
            "}",
            "}",
        ]
        return result

    def fill(self, target: str, kind: str = WHOLE) -> str:
        """Overwrite a tensor, or a new one, with a number."""
        if kind == WHOLE and self.random.random() < 0.5:
            target = self.op(f"tensor.empty() : {WHOLE}")
        return self.op(
            f"linalg.fill ins({self.random.choice(['%one', '%half'])} : f32) "
            f"outs({target} : {kind}) -> {kind}"
        )

    def add(self, values: list[str], kind: str, fresh: bool = False) -> str:
        """An element-wise sum into a destination; sometimes on top of what is there."""
        left, right, out = (self.pick(values) for _ in range(3))
        if fresh or self.random.random() < 0.3:
            out = self.op(f"tensor.empty() : {kind}")
            addend = "%y"
        else:
            addend = self.random.choice(["%y", "%z"])
        return self.op(
            f"linalg.generic {{indexing_maps = [{ID}, {ID}, {ID}], "
            f'iterator_types = ["parallel"]}} ins({left}, {right} : {kind}, {kind}) '
            f"outs({out} : {kind}) {{\n^bb0(%x: f32, %y: f32, %z: f32):\n"
            f"  %s = arith.addf %x, {addend} : f32\n  %h = arith.mulf %s, %half : f32\n"
            f"  linalg.yield %h : f32\n}} -> {kind}"
        )

    def pick(self, values: list[str]) -> str:
        """One of the values, a recent one more often."""
        recent = values[-3:] if self.random.random() < 0.6 else values
        return self.random.choice(recent)

    def op(self, text: str) -> str:
        """Append an op with one result; return the result's name."""
        name = self.name()
        self.lines.append(f"{name} = {text}")
        return name

    def name(self) -> str:
        """A new name."""
        self.count += 1
        return f"%v{self.count}"
