"""Facts a dataflow program must have as a whole."""
from spatial_dialect.dialects.spatial import ProgramOp


def verify_program(program: ProgramOp) -> None:
    """Check the program."""
