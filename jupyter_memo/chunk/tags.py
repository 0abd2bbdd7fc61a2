"""Tags written into the text of a note (`#field-work`), as Obsidian and its kin have them."""

from __future__ import annotations

import re

_CODE = re.compile(r"(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)", re.DOTALL)
_ELSEWHERE = re.compile(
    r"<!--.*?(?:-->|\Z)"  # comments
    r"|\[\[[^\[\]\n]*\]\]"  # wiki links, whose #part is a heading
    r"|\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)"  # the targets of links
    r"|<[^<>\n]*>"  # HTML and addresses
    r"|\$\$.*?\$\$|(?<![\\$\w])\$(?! )[^$\n]+(?<! )\$(?!\d)"  # maths
    r"|\b[a-z][a-z0-9+.-]{0,15}://\S+",
    re.DOTALL,
)
_TAG = re.compile(r"(?:(?<=[\s(,;])|^)#([\w/-]+)(?![\w/#-])", re.MULTILINE)
_COLOUR = re.compile(r"[0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8}")


def inline(text: str) -> tuple[str, ...]:
    """The tags in a stretch of Markdown that is no code block and no heading, each once, in their order.

    Letters of any script, digits, `-`, `_` and `/`; not digits alone, and nothing that could be a colour (`#fff`).
    """
    if "#" not in text:
        return ()
    plain = _ELSEWHERE.sub(" ", _CODE.sub(" ", text))
    found = (tag.strip("/-") for tag in _TAG.findall(plain))
    return tuple(dict.fromkeys(tag for tag in found if _is_tag(tag)))


def _is_tag(tag: str) -> bool:
    return any(sign.isalpha() for sign in tag) and not _COLOUR.fullmatch(tag)
