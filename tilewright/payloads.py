"""Payloads built from Python, under the name that users import them by.

from tilewright.payloads import Payload, linear
"""

from tilewright.frontend.builder import *  # noqa: F403
