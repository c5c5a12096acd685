"""Programs in other forms than the textual IR."""
