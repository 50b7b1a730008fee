"""What every transform op builds on: handles, state, rewriter, interpreter."""
