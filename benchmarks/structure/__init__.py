"""What structure earns over the planned kernels; `record.py` has the command."""
