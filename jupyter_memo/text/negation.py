"""What a query says in plain words that it does not want: "pasta recipes without garlic", "all notes except drafts".

Words are no signs. In "how to sort without recursion" the recursion is what the answer speaks of, and in "why not use
eval" it is the subject. So only what reads as a topic gives anything away: a question, an instruction and a heading
keep all of their words, and of what is taken for unwanted nothing is filtered; it is weighed down.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_memo.text.syntax import Part
from jupyter_memo.text.tokens import QUESTION_WORDS
from jupyter_memo.text.vocabulary import FUNCTION_WORDS
from jupyter_memo.text.words import content, identifiers, stem_column

UNWANTED_WORDS = 4
"""So many words are unwanted at most; what follows them is another part of the sentence."""

_MARKERS = tuple(
    tuple(marker.split())
    for marker in (
        "except for",
        "except",
        "without using",
        "without",
        "excluding",
        "other than",
        "apart from",
        "aside from",
        "but not about",
        "but not",
        "not about",
        "not the",
    )
)
"""Longer ones first where one begins like another."""
# fmt: off
_ALL = frozenset(("all", "any", "every", "everything", "anything", "everyone", "each", "no", "nothing", "none"))
_ARTICLES = frozenset(("the", "a", "an", "any", "all", "those", "these", "to", "see"))
_STOPS = frozenset((
    "for", "in", "with", "without", "from", "that", "which", "who", "when", "where", "while", "since", "because", "if",
    "to", "at", "as", "into", "by", "using", "is", "are", "was", "were", "but", "here", "please", "i", "we", "it",
    "except", "not", "than",
))
_FINITE = frozenset(("is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "can", "can't", "cannot",
                     "could", "should", "would", "will", "won't", "must", "may", "isn't", "doesn't", "didn't"))
_ASKING = frozenset(("find", "show", "search", "give", "get", "list", "looking", "look", "need", "want", "any", "see"))
_DOCUMENTS = frozenset((
    "note", "notes", "paper", "papers", "article", "articles", "document", "documents", "docs", "notebook", "notebooks",
    "result", "results", "passage", "passages", "page", "pages", "post", "posts", "everything", "anything", "something",
    "chats", "conversations", "mails", "emails", "messages", "books", "examples",
))
_VERBS = frozenset((
    "add", "allow", "append", "apply", "ask", "avoid", "build", "call", "change", "check", "clear", "clone", "close",
    "compare", "compile", "compress", "compute", "configure", "connect", "convert", "copy", "count", "create", "cut",
    "debug", "decompress", "define", "delete", "display", "do", "download", "draw", "drop", "echo", "edit", "enable",
    "execute", "exit", "export", "extract", "fetch", "fill", "filter", "find", "fix", "force", "format", "generate",
    "get", "give", "go", "handle", "import", "insert", "install", "installs", "iterate", "join", "keep", "kill", "list",
    "load", "login", "loop", "make", "map", "merge", "mount", "move", "open", "parse", "pass", "plot", "prevent",
    "print", "prints", "put", "read", "recursively", "redirect", "remove", "rename", "replace", "reset", "return",
    "rotate", "run", "save", "search", "select", "send", "set", "show", "skip", "sort", "speed", "split", "start",
    "stop", "store", "strip", "swap", "sync", "test", "train", "try", "turn", "unescape", "unpack", "unzip", "update",
    "upload", "use", "wait", "wrap", "write", "zip",
))
_NOUNS_IN_ING = frozenset((
    "meeting", "building", "morning", "evening", "spring", "string", "wedding", "everything", "anything", "something",
    "nothing",
))
_LEADING = frozenset(("and", "but", "or"))
# fmt: on

_AGAINST = re.compile(
    r"""(why|when|reasons?|arguments?)\s+
    ( (not|never|avoid|against)\b
    | (not\s+)?to\s+(avoid|not|never|refuse)\b | not\s+to\b
    | (do|does|did|would|should|must)(n['’]t)?\s+(i|we|you|one|people|they|somebody)\s+(not|never|avoid)\b
    | (do|does|did|would|should|must)n['’]t\s+(i|we|you|one|people|they)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_DENIALS = ("without", "no", "not", "non", "except", "exclud")
"""Stems that deny the word after them."""

_PUNCTUATION = ".,;:!?()[]{}\"'“”"
_ENDS = tuple(".,;:!?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The parts that are looked for, what is unwanted, and whether reasons against the subject are asked for."""

    parts: tuple[Part, ...]
    unwanted: tuple[str, ...] = ()
    against: bool = False


def read(parts: tuple[Part, ...]) -> Wish:
    """Take what is unwanted out of the parts. Where that would leave nothing to look for, nothing is unwanted."""
    if _AGAINST.match(" ".join(part.text for part in parts[:8])):
        return Wish(parts=parts, against=True)
    words = [_bare(part.text) for part in parts]
    if not _is_topic(parts, words):
        return Wish(parts=parts)
    kept: list[Part] = []
    unwanted: list[str] = []
    at = 0
    while at < len(parts):
        end, found = _clause(parts, words, at)
        if found:
            unwanted += found
            at = end
            while kept and _bare(kept[-1].text) in _LEADING and not kept[-1].quoted:
                kept.pop()
        else:
            kept.append(parts[at])
            at += 1
    if not unwanted or not any(map(_speaks, kept)):
        return Wish(parts=parts)
    return Wish(parts=tuple(kept), unwanted=tuple(dict.fromkeys(unwanted)))


def held(unwanted: Sequence[str], header: Sequence[str], text: str) -> tuple[str, ...]:
    """Which of the unwanted things a passage holds: all content words of one, names letter by letter. A passage that
    itself says "without garlic" or "no garlic" is no passage of garlic."""
    if not unwanted:
        return ()
    whole = "\n".join((*header, text))
    column = stem_column(whole)
    return tuple(each for each in unwanted if _holds(each, whole, column))


def _holds(unwanted: str, whole: str, column: str) -> bool:
    wanted = content(unwanted)
    if not wanted or identifiers(unwanted) == (unwanted,):
        return unwanted in whole
    denied = any(f" {sign}  {stem} " in column for sign in _DENIALS for stem in wanted[:1])
    return not denied and all(f" {stem} " in column for stem in wanted)


def _is_topic(parts: Sequence[Part], words: Sequence[str]) -> bool:
    """Whether the query names a topic, rather than asks, commands or reads like a heading of what to do."""
    if not words or parts[-1].text.endswith("?") or words[0] in QUESTION_WORDS or _FINITE.intersection(words):
        return False
    if words[0] in _ASKING and _DOCUMENTS.intersection(words[1:4]):
        return True
    doing = words[0].endswith("ing") and len(words[0]) > 5 and words[0] not in _NOUNS_IN_ING
    return words[0] not in _VERBS and not doing


def _clause(parts: Sequence[Part], words: Sequence[str], at: int) -> tuple[int, list[str]]:
    """What is unwanted by a clause that begins here, and where it ends; nothing where none begins."""
    marker = next((each for each in _MARKERS if tuple(words[at : at + len(each)]) == each), None)
    if marker is None or parts[at].quoted:
        return at, []
    following = at + len(marker)
    if not _means_it(parts, words, marker, at, following):
        return at, []
    end, groups = following, list[list[str]]([[]])
    while end < len(parts) and sum(map(len, groups)) < UNWANTED_WORDS:
        word, text = words[end], parts[end].text
        if word in _STOPS or (not word and not parts[end].quoted) or text[:1] in "([":
            break
        if word in ("and", "or", "nor") and groups[-1] and _joins(parts, words, end):
            groups.append([])
        elif word in ("and", "or", "nor"):
            break
        elif word not in _ARTICLES:
            groups[-1].append(text if parts[end].quoted else text.strip(_PUNCTUATION))
        end += 1
        if not parts[end - 1].quoted and text.endswith(_ENDS):
            break
    found = [" ".join(group) for group in groups if group]
    return (end, found) if found else (at, [])


def _means_it(parts: Sequence[Part], words: Sequence[str], marker: tuple[str, ...], at: int, following: int) -> bool:
    """Whether the marker says what is unwanted here: not in a title (Doctors Without Borders), not before what is done
    (without scanning), `except` not as a word of code."""
    if following >= len(parts) or not parts[at].text[:1].islower() or at == 0:
        return False
    if parts[at - 1].text[:1].isupper() and at == 1 and parts[following].text[:1].isupper():
        return False
    if any(part.text.endswith(_ENDS) for part in parts[at : following - 1]) or parts[following - 1].text.endswith(","):
        return False
    if marker == ("without",):
        return not words[following].endswith("ing") or len(words[following]) < 6
    if marker == ("except",):
        return bool(_ALL.intersection(words[:at]) or (words[0] in _ASKING and words[at - 1] not in ("and", "or")))
    return True


def _joins(parts: Sequence[Part], words: Sequence[str], at: int) -> bool:
    """Whether `and` or `or` leads to one more unwanted thing: a single word that ends the clause."""
    following = at + 1
    if following >= len(parts) or words[following] in _STOPS or words[following] in _ARTICLES or not words[following]:
        return False
    last = following + 1 >= len(parts) or parts[following].text.endswith(_ENDS)
    return last or words[following + 1] in _STOPS or words[following + 1] in ("and", "or", "nor")


def _speaks(part: Part) -> bool:
    word = _bare(part.text)
    return len(word) > 2 and word not in FUNCTION_WORDS and word not in _STOPS and word not in _ARTICLES


def _bare(text: str) -> str:
    return text.strip(_PUNCTUATION).replace("’", "'").lower()
