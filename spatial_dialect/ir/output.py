"""Output files that are either complete or not there."""

import os
import shutil
import tempfile
from contextlib import suppress
from typing import IO, Any


class OutputFile:
    """A file that appears under its name only when it is committed.

    It is written under a temporary name in the same folder, so that the final renaming is atomic.
    What is not a regular file, such as `/dev/null` or a pipe, is written directly.
    """

    stream: IO[Any]

    def __init__(self, path: str, *, binary: bool = False):
        """Open the file, for text unless it is binary.

        Raises:
            OSError: the file or its folder cannot be written.
        """
        self._temporary: str | None = None
        # Asked before links are resolved: those of /dev/stdout may lead to what has no name.
        if os.path.exists(path) and not os.path.isfile(path):
            self.stream = open(path, "wb") if binary else open(path, "w", encoding="utf-8")
            return
        self._path = os.path.realpath(path)
        if os.path.exists(self._path) and not os.access(self._path, os.W_OK):
            raise PermissionError(13, os.strerror(13), path)
        folder, name = os.path.split(self._path)
        # mkstemp would make the file private, whatever the umask.
        with tempfile.TemporaryDirectory(prefix=f".{name[:64]}.", dir=folder) as reserved:
            self._temporary = reserved + ".tmp"
            temporary = self._temporary
            self.stream = (
                open(temporary, "xb") if binary else open(temporary, "x", encoding="utf-8")
            )

    def commit(self) -> None:
        """Give the file its name.

        Raises:
            OSError: it could not be written.
        """
        self.stream.close()
        if self._temporary is not None:
            if os.path.exists(self._path):
                shutil.copymode(self._path, self._temporary)
            os.replace(self._temporary, self._path)
            self._temporary = None

    def discard(self) -> None:
        """Leave no trace of the file, unless it was committed."""
        with suppress(OSError):
            self.stream.close()
        if self._temporary is not None:
            with suppress(OSError):
                os.unlink(self._temporary)
            self._temporary = None
