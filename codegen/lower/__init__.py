"""Buffer level to kernel level: each grid becomes a kernel, op by op."""
