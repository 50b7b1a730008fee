"""The Language Server Protocol: `tilewright lsp`."""
