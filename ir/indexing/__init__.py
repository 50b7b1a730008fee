"""Index arithmetic: affine expressions, their normal form and their ranges."""
