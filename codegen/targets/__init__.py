"""The GPUs that programs are compiled for: `devices/` has a file for each of them.

`target.py` says what a description has in it, `table.py` reads the files and finds the
device that is present. Reads only `codegen/cuda_driver.py` and the errors of `ir/`.
"""

from tilewright.codegen.targets.table import (
    TARGETS,
    detect,
    device_name,
    from_properties,
    target_named,
    target_of,
)
from tilewright.codegen.targets.target import Target
from tilewright.codegen.targets.writing_for import writing_for, written_for

__all__ = [
    "TARGETS",
    "Target",
    "detect",
    "device_name",
    "from_properties",
    "target_named",
    "target_of",
    "writing_for",
    "written_for",
]
