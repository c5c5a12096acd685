"""The passes, one module or package each, named like the pass."""
