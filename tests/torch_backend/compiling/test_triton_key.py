"""Triton's key is made ahead, once."""

from __future__ import annotations

import torch
from triton.runtime import cache

from tilewright.torch_backend.compiling import triton_key


def test_the_key_is_made_once_ahead_of_the_first_kernel(monkeypatch):
    monkeypatch.setattr(triton_key, "_thread", None)
    monkeypatch.setattr(torch.backends.cuda, "is_built", lambda: True)
    cache.triton_key.cache_clear()
    triton_key.start()
    triton_key.start()
    triton_key.wait()
    made = cache.triton_key.cache_info()
    assert (made.currsize, made.misses) == (1, 1)


def test_nothing_is_made_without_a_gpu(monkeypatch):
    monkeypatch.setattr(triton_key, "_thread", None)
    monkeypatch.setattr(torch.backends.cuda, "is_built", lambda: False)
    triton_key.start()
    triton_key.wait()
    assert triton_key._thread is None
