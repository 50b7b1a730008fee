"""Whether two programs launch the same machine code in the same way."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.codegen.runtime.compile import CompiledStats


def code_key(program: GeneratedProgram, stats: Sequence[CompiledStats]) -> str | None:
    """A key that programs share if they launch the same code in the same way.

    None where the code of a kernel is not known.
    """
    if not stats or not all(one.code for one in stats):
        return None
    text = program.text
    launcher = text[text.find(f"\ndef {program.entry}(") :]
    # The code has the constants in it, and the number of warps; stages are none of the
    # launcher's business.
    launcher = re.sub(r"^\s*([A-Z_0-9]+|num_stages)=-?\d+,$", "", launcher, flags=re.M)
    parts = [(one.code, one.shared_bytes, one.num_warps) for one in stats]
    return hashlib.sha256(repr((launcher, parts)).encode()).hexdigest()
