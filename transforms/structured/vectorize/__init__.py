"""Structured ops to vector code."""
