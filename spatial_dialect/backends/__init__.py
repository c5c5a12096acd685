"""Output targets: programs as text for people and for vendors' compilers."""
