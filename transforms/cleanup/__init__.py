"""Ops that keep payload small: patterns, CSE, DCE, LICM."""
