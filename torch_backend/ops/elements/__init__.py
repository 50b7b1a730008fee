"""Functions of single elements, in the types that torch gives them."""
