"""Rewriting structured ops as other ops that compute the same."""
