"""Predicates on payload: a matcher is a sequence whose steps all apply, or do not."""
