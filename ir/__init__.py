"""What is computed: dialects, text, structure, and the reference interpreter."""

from tilewright.ir.lazy_ops import install

install()
