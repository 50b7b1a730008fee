"""Ops on windows and places of images: convolutions, pooling, resampling."""
