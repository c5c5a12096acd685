"""What programs compute: the reference meaning of dataflow on numpy arrays."""
