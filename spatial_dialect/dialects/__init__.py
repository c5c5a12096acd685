"""The dialects: `spatial` says what flows where, `choreo` who waits for whom."""
