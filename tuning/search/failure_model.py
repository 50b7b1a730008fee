"""How likely points are to fail: to spill, to need too much shared memory, to be wrong.

A Gaussian process over the choices learns 1 for points that failed, 0 for others. The
times of points are another matter: one beside a point that fails may be the fastest.
"""

from __future__ import annotations

import numpy as np

from tilewright.tuning.search.choice_process import ChoiceProcess
from tilewright.tuning.search.encoding import Codes, Encoding, Vectors


class FailureModel:
    """Fitted to points that failed or worked; predicts others."""

    def __init__(self, encoding: Encoding) -> None:
        self._process = ChoiceProcess(encoding)
        self._any = False

    def fit(self, codes: Codes, failed: Vectors) -> None:
        """Learn which points failed."""
        self._any = bool(np.any(failed))
        if self._any:
            labels = np.asarray(failed, dtype=np.float64)
            # The share of points that fail, where nothing is known.
            self._process.fit(codes, np.zeros(len(codes)), labels, mean=0.2)

    def works(self, codes: Codes) -> Vectors:
        """The probabilities that points work; 1 as long as none has failed."""
        if not self._any:
            return np.ones(len(codes))
        fails = self._process.means(codes, np.zeros(len(codes)))
        return 1.0 - np.clip(fails, 0.0, 0.97)
