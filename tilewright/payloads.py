"""Payloads built from Python, under the name that users import them by.

from tilewright.payloads import Payload, linear
"""

from tilewright.ir.payloads import *  # noqa: F403
from tilewright.ir.payloads import __all__ as __all__
