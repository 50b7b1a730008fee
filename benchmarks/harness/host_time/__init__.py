"""The parts of `host_time.py`."""
