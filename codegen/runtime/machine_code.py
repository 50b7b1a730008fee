"""The machine code of a compiled kernel, without what does not run.

Different sources may become the same instructions: a pipeline that is deeper than its
loop is long, or parts of a tile that fit into one anyway. Their binaries differ in the
debug information, which has the lines and the name of the source file.
"""

from __future__ import annotations

import hashlib
import re
import struct
import subprocess
import tempfile

_HEADER, _SECTION = struct.Struct("<40xQ12xH"), struct.Struct("<4xIQ8xQQ")
_LOADED = 2
"""The flag of sections that are loaded onto the device; debug information is not."""
_NO_BITS = 8
"""The type of sections that have a size but no content."""


def code_hash(cubin: bytes) -> str:
    """A hash of the parts of an ELF binary that are loaded onto the device."""
    found = hashlib.sha256()
    start, count = _HEADER.unpack_from(cubin)
    for number in range(count):
        kind, flags, offset, size = _SECTION.unpack_from(cubin, start + 64 * number)
        if flags & _LOADED and kind != _NO_BITS:
            found.update(size.to_bytes(8) + cubin[offset : offset + size])
    return found.hexdigest()[:32]


def resource_usage(cubin: bytes) -> tuple[int, int]:
    """Registers and stack bytes per thread, which cuobjdump reads from the binary."""
    from triton import knobs

    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        tool = knobs.nvidia.cuobjdump.path
        done = subprocess.run(
            [tool, "-res-usage", file.name],
            capture_output=True,
            text=True,
            check=False,
        )
    found = re.search(r"REG:(\d+) STACK:(\d+)", done.stdout + done.stderr)
    if found is None:
        raise RuntimeError(f"cuobjdump did not report resources: {done.stderr.strip()}")
    return int(found[1]), int(found[2])
