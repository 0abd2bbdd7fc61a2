"""Paths of this machine, kept out of what is saved and shared."""

from __future__ import annotations

import re

_PATH = re.compile(
    r"""
    (?P<quote>['"`])(?:file://)?(?:~|[A-Za-z]:)?[\\/][^'"`\n]*(?P=quote)     # a quoted one may hold spaces
    | (?<![\w/\\.~-])(?:
        file://\S+
        | (?:~\w*|[A-Za-z]:)?[\\/]+[^\s'"`()\[\]{}<>|,;:]+                # from a root, a drive, a home folder
        | [\w.~-]+(?:[\\/]+[^\s'"`()\[\]{}<>|,;:\\/]+){2,}              # without its root, as stores tell it
    )
    """,
    re.VERBOSE,
)
_URL = re.compile(r"(?<![A-Za-z0-9+.-])(?!file:)[A-Za-z][A-Za-z0-9+.-]+://\S*")
_ROOTED = re.compile(r"[\\/]|~[\w.-]*[\\/]|[A-Za-z]:[\\/]")


def pathless(message: str) -> str:
    """A message on one line, each path of this machine in it replaced by its last part.

    Responses are saved with notebooks and shared; where somebody keeps their files is nobody else's business. URLs and
    names with one stroke (owner/name) stay.
    """
    line = " ".join(message.split())
    parts, end = [], 0
    for url in _URL.finditer(line):
        parts += [_PATH.sub(_last, line[end : url.start()]), url[0]]
        end = url.end()
    return "".join((*parts, _PATH.sub(_last, line[end:])))


def _last(path: re.Match[str]) -> str:
    quote = path["quote"] or ""
    bare = path[0].strip(quote) if quote else path[0]
    stop = "." if not quote and bare.endswith(".") else ""  # the end of the sentence, not of the name
    return quote + re.split(r"[\\/]+", bare.removesuffix(stop).rstrip("\\/"))[-1] + stop + quote


def portable(uri: str, folder: str = "") -> str:
    """A uri without the folders of this machine: a path from a root, a drive or a home folder is told from `folder` on
    where it lies below that, else by its last part. Relative paths and addresses of the web stay."""
    path = uri.removeprefix("file://")
    if path == uri and not _ROOTED.match(uri):
        return uri
    path = path.replace("\\", "/").rstrip("/")
    below = folder.replace("\\", "/").rstrip("/") + "/"
    return path.removeprefix(below) if folder and path.startswith(below) else path.rsplit("/", 1)[-1]
