"""Attributes, types and diagnostics that the dialects share."""
