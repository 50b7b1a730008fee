"""The transform dialect: one file a transformation, handles, and the interpreter."""

from tilewright.ir.lazy_ops import install

install()
