"""Mapping loops to the GPU's grid."""
