"""Configurations of the hand-written products that are timed, by kind of work."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Configuration:
    """One choice of tile, warps, pipeline depth and tile order."""

    block_m: int
    block_n: int
    block_k: int
    warps: int
    stages: int
    group: int = 8
    subtiles: int = 1
    flatten: bool = False
    split: int = 1

    @property
    def name(self) -> str:
        """Short text for tables: 128x256x64 w8 s3 g8."""
        text = f"{self.block_m}x{self.block_n}x{self.block_k}"
        text += f" w{self.warps} s{self.stages}"
        text += f" g{self.group}" if self.split == 1 else f" split{self.split}"
        text += f" sub{self.subtiles}" if self.subtiles > 1 else ""
        return text + (" flatten" if self.flatten else "")


C = Configuration
# None of these spills or exceeds the shared memory of an SM: see codegen.py --aot.
POINTER = (
    C(128, 256, 64, 8, 3),
    C(128, 256, 64, 8, 4),
    C(256, 128, 64, 8, 3),
    C(128, 128, 64, 8, 4),
    C(128, 128, 64, 4, 4),
    C(128, 128, 128, 8, 3),
    C(128, 64, 64, 4, 4),
    C(64, 128, 64, 4, 4),
    C(64, 64, 64, 4, 5),
    C(64, 64, 128, 4, 4),
    C(64, 32, 128, 4, 5),
    C(64, 32, 64, 4, 6),
)
DESCRIPTORS = (
    C(128, 256, 64, 8, 3),
    C(128, 256, 64, 8, 4),
    C(128, 256, 64, 8, 4, group=4),
    C(128, 256, 64, 8, 4, group=16),
    C(256, 128, 64, 8, 3),
    C(256, 128, 64, 8, 4),
    C(128, 128, 64, 8, 4),
    C(128, 128, 64, 4, 4),
    C(128, 128, 128, 8, 3),
    C(64, 256, 64, 4, 4),
    C(64, 128, 64, 4, 5),
    C(64, 64, 64, 4, 6),
    C(64, 64, 128, 4, 4),
    C(64, 32, 128, 4, 5),
    C(64, 128, 128, 4, 4, group=4),
    C(64, 128, 64, 4, 8, group=4),
    C(128, 64, 64, 4, 8, group=1),
)
PERSISTENT = (
    C(128, 256, 64, 8, 3),
    C(128, 256, 64, 8, 3, flatten=True),
    C(128, 256, 64, 8, 3, subtiles=2),
    C(128, 256, 64, 8, 3, subtiles=2, flatten=True),
    C(128, 256, 64, 8, 4, subtiles=2),
    C(128, 256, 64, 8, 4, subtiles=2, flatten=True),
    C(128, 256, 64, 8, 4, group=4, subtiles=2, flatten=True),
    C(256, 128, 64, 8, 3, subtiles=2, flatten=True),
    C(256, 128, 64, 8, 4, subtiles=2),
    C(128, 128, 64, 8, 4),
    C(128, 128, 64, 8, 4, flatten=True),
    C(128, 128, 128, 8, 3, flatten=True),
    C(128, 128, 64, 4, 4, flatten=True),
    C(64, 128, 64, 4, 5, flatten=True),
    C(64, 64, 128, 4, 4),
)
SPLIT_K = (
    C(64, 64, 128, 4, 4, split=2),
    C(64, 64, 64, 4, 4, split=4),
    C(64, 128, 64, 4, 4, split=4),
    C(128, 128, 64, 8, 4, split=4),
    C(128, 128, 64, 8, 4, split=2),
)
# Fewer rows than a tensor core's 64: the smaller instruction does, padding costs more.
FEW_ROWS_POINTER = (
    C(16, 32, 256, 4, 4),
    C(16, 64, 128, 4, 5),
    C(16, 128, 128, 4, 4),
    C(16, 64, 256, 4, 4),
    C(16, 64, 256, 4, 5, group=1),
    C(16, 64, 128, 4, 8, group=1),
)
FEW_ROWS_SPLIT_K = (
    C(16, 64, 128, 4, 4, split=4),
    C(16, 64, 128, 4, 4, split=8),
    C(16, 128, 128, 4, 4, split=8),
    C(16, 64, 256, 4, 3, split=4),
    C(16, 128, 64, 4, 5, split=8),
)
BF16 = {
    "pointer": POINTER,
    "descriptors": DESCRIPTORS,
    "persistent": PERSISTENT,
    "split_k": SPLIT_K,
}
FEW_ROWS = {
    "pointer": FEW_ROWS_POINTER,
    "descriptors": FEW_ROWS_POINTER,
    "split_k": FEW_ROWS_SPLIT_K,
}
# The error function takes many registers: 128x256 is finished in parts.
GELU = {
    "pointer": (
        C(128, 256, 64, 8, 3),
        C(128, 128, 64, 8, 4),
        C(64, 128, 64, 4, 4),
        C(64, 64, 64, 4, 5),
        C(64, 64, 128, 4, 4),
        C(64, 32, 128, 4, 5),
    ),
    "descriptors": (
        C(128, 256, 64, 8, 3, subtiles=2),
        C(128, 256, 64, 8, 4, subtiles=2),
        C(128, 256, 64, 8, 4, subtiles=4),
        C(128, 128, 64, 8, 4),
        C(128, 128, 128, 8, 3),
        C(64, 128, 64, 4, 5),
        C(64, 64, 64, 4, 6),
        C(64, 64, 128, 4, 4),
        C(64, 32, 128, 4, 5),
    ),
    "persistent": (
        C(128, 256, 64, 8, 3, subtiles=2),
        C(128, 256, 64, 8, 3, subtiles=4),
        C(128, 256, 64, 8, 4, subtiles=4),
        C(128, 256, 64, 8, 4, subtiles=2),
        C(128, 128, 64, 8, 4),
        C(128, 128, 64, 8, 4, subtiles=2),
        C(64, 128, 64, 4, 5),
        C(64, 64, 128, 4, 4),
    ),
    "split_k": (
        C(64, 64, 64, 4, 4, split=2),
        C(64, 64, 128, 4, 4, split=2),
        C(64, 64, 64, 4, 4, split=4),
    ),
}
# f32 in full precision: no tensor cores, all in registers, where what is loaded through
# descriptors would not fit.
IEEE = {
    "pointer": (
        C(128, 128, 16, 8, 3),
        C(128, 128, 16, 8, 4),
        C(128, 128, 32, 8, 3),
        C(128, 64, 16, 4, 4),
        C(64, 128, 16, 4, 4),
        C(128, 64, 32, 8, 3),
        C(64, 64, 16, 4, 4),
        C(64, 32, 32, 4, 4),
        C(32, 32, 64, 4, 4),
        C(32, 64, 16, 1, 3),
        C(32, 64, 32, 1, 2),
        C(64, 64, 32, 2, 3),
        C(32, 128, 16, 2, 3),
    ),
}
TF32 = {
    "pointer": (
        C(128, 256, 32, 8, 3),
        C(128, 128, 32, 8, 4),
        C(128, 128, 32, 4, 4),
        C(128, 64, 32, 4, 4),
        C(64, 64, 64, 4, 4),
    ),
    "descriptors": (
        C(128, 256, 32, 8, 3),
        C(128, 128, 32, 8, 4),
        C(128, 128, 32, 4, 4),
        C(64, 64, 64, 4, 4),
    ),
    "persistent": (
        C(128, 256, 32, 8, 3, subtiles=2),
        C(128, 128, 32, 8, 4),
        C(128, 128, 32, 8, 4, flatten=True),
    ),
    "transposed": (
        C(128, 256, 32, 8, 3, subtiles=2),
        C(128, 256, 32, 8, 4, subtiles=4),
        C(256, 128, 32, 8, 3, subtiles=2),
        C(128, 128, 32, 8, 4),
    ),
}
# Three products for one, each with operands of its own in registers.
TF32X3 = {
    "pointer": (
        C(128, 64, 32, 4, 3),
        C(128, 128, 32, 8, 3),
    ),
    "transposed": (
        C(128, 128, 32, 8, 3),
        C(64, 128, 32, 4, 3),
        C(64, 256, 32, 8, 3, subtiles=2),
        C(128, 128, 16, 8, 4),
    ),
}
# Eight bits: twice the depth for the same bytes.
BYTES = {
    "pointer": (
        C(128, 256, 128, 8, 3),
        C(128, 256, 128, 8, 4),
        C(128, 128, 128, 8, 4),
        C(128, 128, 128, 4, 4),
    ),
    "descriptors": (
        C(128, 256, 128, 8, 3),
        C(128, 256, 128, 8, 4),
        C(128, 256, 128, 8, 3, subtiles=2),
        C(256, 128, 128, 8, 3),
        C(128, 128, 128, 8, 4),
        C(128, 128, 128, 4, 4),
    ),
    "persistent": (
        C(128, 256, 128, 8, 3),
        C(128, 256, 128, 8, 3, subtiles=2),
        C(128, 256, 128, 8, 3, subtiles=2, flatten=True),
        C(128, 256, 128, 8, 4, subtiles=2),
        C(128, 256, 128, 8, 4, subtiles=4),
        C(128, 128, 128, 8, 4, flatten=True),
    ),
}
# An i32 tile takes twice the staging buffer of a bf16 one, and more.
BYTES_TO_I32 = {
    "pointer": BYTES["pointer"],
    "descriptors": (
        C(128, 256, 128, 8, 2),
        C(128, 256, 128, 8, 3, subtiles=2),
        C(128, 256, 128, 8, 3, subtiles=4),
        C(128, 128, 128, 8, 4),
        C(128, 128, 128, 4, 4),
    ),
    "persistent": (
        C(128, 256, 128, 8, 3, subtiles=2),
        C(128, 256, 128, 8, 3, subtiles=4),
        C(128, 256, 128, 8, 3, subtiles=2, flatten=True),
        C(128, 128, 128, 8, 4),
        C(128, 128, 128, 8, 4, flatten=True),
    ),
}
# Few tiles: small ones fill the card.
SMALL = {
    "pointer": POINTER[-6:],
    "descriptors": DESCRIPTORS[-8:-3],
    "split_k": SPLIT_K[:3],
}
# k is as short as one block: the stores are the work.
SHORT_K = {
    "pointer": (
        C(128, 128, 64, 8, 2),
        C(128, 128, 64, 4, 2),
        C(128, 256, 64, 8, 2),
        C(64, 128, 64, 4, 2),
        C(64, 256, 64, 4, 2),
    ),
    "descriptors": (
        C(128, 128, 64, 8, 2),
        C(128, 128, 64, 4, 2),
        C(128, 256, 64, 8, 2),
        C(64, 128, 64, 4, 2),
    ),
    "persistent": (
        C(128, 128, 64, 8, 3),
        C(128, 128, 64, 8, 3, flatten=True),
        C(128, 256, 64, 8, 3, subtiles=2, flatten=True),
        C(128, 128, 64, 4, 3, flatten=True),
        C(64, 128, 64, 4, 3, flatten=True),
    ),
    "walking": (
        C(128, 128, 64, 8, 3),
        C(128, 128, 64, 4, 3),
        C(128, 128, 64, 8, 4),
        C(64, 128, 64, 4, 3),
    ),
}
