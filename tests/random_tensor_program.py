"""Random programs on small tensors, to try bufferization with.

Straight code, loops that carry tensors and parallel loops, over slices that overlap,
values used twice and destinations used again. Nothing reads what was never written.
"""

from __future__ import annotations

from random import Random

WHOLE, PART = "tensor<8xf32>", "tensor<4xf32>"
ID = "affine_map<(d0) -> (d0)>"


class Program:
    """Writes one function, line by line."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def text(self) -> str:
        """A function of two tensors; it returns one to three of what it computed."""
        # Storage of its own to begin with: an argument's is never written anyway.
        owned = [self.add(["%a", "%b"], WHOLE, fresh=True) for _ in range(2)]
        start = owned if self.random.random() < 0.8 else [*owned, "%a"]
        whole, _ = self.body(start, [], self.random.randint(2, 7), depth=0)
        results = [self.pick(whole) for _ in range(self.random.randint(1, 3))]
        types = ", ".join([WHOLE] * len(results))
        return "\n".join(
            [
                f"func.func @f(%a: {WHOLE}, %b: {WHOLE}) -> ({types}) {{",
                "  %c0 = arith.constant 0 : index",
                "  %c1 = arith.constant 1 : index",
                "  %c3 = arith.constant 3 : index",
                "  %one = arith.constant 1.0 : f32",
                "  %half = arith.constant 0.5 : f32",
                *self.lines,
                f"  return {', '.join(results)} : {types}",
                "}",
                "",
            ]
        )

    def body(
        self, whole: list[str], part: list[str], steps: int, depth: int
    ) -> tuple[list[str], list[str]]:
        """Some ops over the values in scope; the values in scope afterwards."""
        whole, part = list(whole), list(part)
        for _ in range(steps):
            kinds = ["fill", "add", "add", "extract", "insert", "write"]
            if depth < 2:
                kinds += ["for", "forall"]
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
                case _:
                    pass
        return whole, part

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

    def fill(self, target: str) -> str:
        """Overwrite a tensor, or a new one, with a number."""
        if self.random.random() < 0.5:
            target = self.op(f"tensor.empty() : {WHOLE}")
        return self.op(
            f"linalg.fill ins({self.random.choice(['%one', '%half'])} : f32) "
            f"outs({target} : {WHOLE}) -> {WHOLE}"
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
        """Append an op with one result; its name."""
        name = self.name()
        self.lines.append(f"{name} = {text}")
        return name

    def name(self) -> str:
        """A new name."""
        self.count += 1
        return f"%v{self.count}"
