"""Rewrite a structured op as other ops that compute the same. Imports `tile/`."""
