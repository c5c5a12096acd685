"""Output files of the tools; they are made where passes can make them too."""

from spatial_dialect.ir.output import OutputFile

__all__ = ["OutputFile"]
