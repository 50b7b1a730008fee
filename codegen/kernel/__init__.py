"""The parts that a kernel is built from: parameters, axes, addresses, masks."""
