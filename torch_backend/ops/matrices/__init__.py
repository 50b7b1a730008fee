"""Matmuls of matrices, and what is made of them: attention, distances."""
