"""Dataflow and choreography dialects for tile machines, built on xDSL."""
