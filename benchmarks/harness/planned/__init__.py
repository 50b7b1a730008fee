"""The parts of `planned.py`; `attention.py` and `tuned.py` use some of them too."""
