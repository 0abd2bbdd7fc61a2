"""What looks like a key, a token or a password, so that it never reaches the index: by a file's name, and in text.

Known forms are told by their prefix. Anything else has to be given to a name such as `password` or `api_key`, and to
look drawn by lot. What stands for a secret in documentation (`your-token-here`, `${TOKEN}`, `xxxx`) is none.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePosixPath

from jupyter_memo.records import Chunk

VERSION = 1
"""Raised when other passages are held back, so that files are read again."""

NAMES = re.compile(
    r"""(?xi)
    id_(?:rsa|dsa|ecdsa|ed25519)(?:_\w+)? (?:\.txt)?
    | \.?(?:netrc|pgpass|pypirc|npmrc|htpasswd|git-credentials|vault-token) (?:\.txt)?
    | \.env(?:\.(?!example|sample|template|dist)\w+)? | [\w-]*\.env
    | (?:[\w-]+[._-])?(?:credentials?|secrets?|passwords?|passwd|api[_-]?keys?) \.(?:json|ya?ml|toml|txt|csv|ini)
    | (?:client_secret|service[_-]?account|application_default_credentials) [\w.-]* \.json
    | (?:accessKeys|.*_accessKeys) \.csv
    | .+ \.(?:pem|p12|pfx|ppk|jks|keystore|kdbx?|agekey|ovpn|asc\.key)
    """
)
"""Whole names, without folders, of files that are made to hold secrets. A .key may be a talk, and is not read."""

_KNOWN: tuple[tuple[str, str], ...] = (
    ("an AWS access key", r"(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])"),
    ("a GitHub token", r"gh[opsur]_[0-9A-Za-z]{36,255}|github_pat_\w{22,255}"),
    ("a GitLab token", r"gl(?:pat|dt|rt|ptt|ft|soat)-[\w-]{20,255}"),
    ("a Slack token", r"xox[abeoprs]-[\w-]{16,255}|xapp-\d-[\w-]{16,255}"),
    ("a Google key", r"AIza[\w-]{35}|ya29\.[\w-]{20,1024}|GOCSPX-[\w-]{20,64}"),
    ("an API key", r"sk-[\w-]{20,255}|gsk_[0-9A-Za-z]{32,255}|r8_[0-9A-Za-z]{32,255}|dapi[0-9a-f]{32}"),
    ("an API key", r"SG\.[\w-]{16,64}\.[\w-]{16,64}|dop_v1_[0-9a-f]{32,64}|nvapi-[\w-]{32,255}|lsv2_\w{32,255}"),
    ("a Hugging Face token", r"hf_[0-9A-Za-z]{30,255}"),
    ("an npm token", r"npm_[0-9A-Za-z]{36,255}"),
    ("a PyPI token", r"pypi-[\w-]{40,512}"),
    ("a Stripe key", r"[rs]k_(?:live|test)_[0-9A-Za-z]{16,255}|whsec_[0-9A-Za-z+/]{24,255}"),
    ("a JSON web token", r"(?<!-)eyJ[\w-]{10,4096}\.eyJ[\w-]{10,8192}"),
    ("an age key", r"AGE-SECRET-KEY-1[0-9A-Z]{40,80}"),
    ("a bot token", r"\d{8,10}:AA[\w-]{32,36}"),
)
_FORMS = re.compile(
    "(?<![0-9A-Za-z_])(?:" + "|".join(f"(?P<f{number}>{form})" for number, (_, form) in enumerate(_KNOWN)) + ")"
)

_BLOCK = re.compile(r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:")
_BLOCK_ENDS = re.compile(r"-----END (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY|Private-MAC:")
_BASE64 = re.compile(r"[0-9A-Za-z+/]{32}")
_REST_OF_BLOCK = re.compile(r"\s*[0-9A-Za-z+/=]{32}")
_REST_OF_TOKEN = re.compile(r"[0-9A-Za-z+/=_.-]{8}")
_KEY_BLOCK = "a private key"
BLOCK_HEAD = 600
"""Characters after the beginning of a key block within which its base64 must begin; PGP puts comments before it."""

_HEADER = re.compile(r"(?i)\b(?:bearer|basic|authorization:\s{0,4}token)\s{1,4}(?P<value>[\w.~+/-]{20,4096}={0,2})")
_WEBHOOK = re.compile(r"hooks\.slack\.com/services/(?P<value>T\w{6,16}/B\w{6,16}/\w{16,40})")
_URL = re.compile(r"://(?P<user>[^\s:/@\"'`<>]{0,64}):(?P<value>[^\s/@\"'`<>]{4,128})@(?P<host>[\w.\[-]{1,80})")
_ACCOUNT = re.compile(r"(?i)(?:account|access)\s?key\s{0,2}=\s{0,2}(?P<value>[0-9A-Za-z+/]{40,90}={0,2})")

_GIVEN = re.compile(
    r"""(?xi)
    (?P<name> pass(?:word|wd|phrase|wort|code) | kennwort | (?<![a-z])pwd | secret | token
        | api[_\- ]?key | access[_\- ]?key | auth[_\- ]?key | private[_\- ]?key | encryption[_\- ]?key | credential )
    (?P<rest> (?: [_\-] [\w\-]{0,24} | (?-i:[A-Z]) \w{0,24} | s | \d )? ) (?![a-z])
    ["'`\]\*]{0,3} [\ \t]{0,8} (?: :=|=>|==|[=:]|\ is\ |\ ist\ ) [\ \t]{0,8} [\*]{0,2}
    (?: \d{1,9}\ different\ values:\  | text,\ as\  | all\  )?  # so a column of a table is described
    (?: [bru]{0,2} (?P<quote>["'`]) (?P<quoted> [^"'`\n]{8,256} ) (?P=quote) | (?P<bare> [^\s"'`,;<>(){}\[\]]{8,256} ) )
    """
)
_OTHER_NAME = re.compile(
    r"(?i)(?:_|-|^)?(?:id|ids|ur[il]s?|endpoint|path|file|files|name|names|type|types|length|count|field|header|hash|"
    r"hashed|digest|sha\d*|format|pattern|regex|index|idx|limit|max|min|size|class|label|prefix|suffix|policy|version|"
    r"date|expir\w*|ttl)$"
)
"""Endings of a name that say of a secret something else than the secret."""

_PLACEHOLDER = re.compile(
    r"(?i)example|sample|dummy|fake|placeholder|redacted|change[-_ ]?me|replace|insert|your|todo|foobar|x{4}|\*{3}|"
    r"(?<![a-z])(?:my|foo|bar|test)(?![a-z])|\.{3}|…|\$\{|\$\(|\{\w*\}|\{\{|\}\}|%\(|<|>|environ|getenv|0{8}|12345678|abcdefg|"
    r"qwerty|lorem"
)
_SAMPLE = re.compile(r"(?i)example|your[_-]|x{6}|\.{3}|0{8}|123456789|abcdefgh")
"""What a token of a known form holds when it stands in a manual; a long one drawn by lot may well hold `my`."""

_HASHED = re.compile(
    r"\$(?:2[abxy]|argon2\w*|pbkdf2\S{0,20}|scrypt|[156y]|apr1)\$|\{?(?:SHA|SSHA|PBKDF2)", re.IGNORECASE
)
_PLAIN_WORD = re.compile(
    r"(?i)pass(?:word|wd|phrase|wort)?|secret|token|key|admin|root|user|guest|postgres|default|demo"
)

_NAME_IN_CODE = re.compile(
    r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+|[A-Za-z_]+|[a-z]+(?:_[a-z0-9]+)+|[A-Z]+(?:_[A-Z0-9]+)+|\$\w+|%\w+%|"
    r"[./~\\].*|https?:.*|@.*"
)
"""A bare value that is a name, a variable, a path or an address, and no value itself."""

_NEEDLES = (
    *("AKIA", "ASIA", "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "glptt-"),
    *("glft-", "glsoat-", "xox", "xapp-", "AIza", "ya29.", "GOCSPX", "sk-", "gsk_", "r8_", "dapi", "SG.", "dop_v1"),
    *("nvapi-", "lsv2_", "hf_", "npm_", "pypi-", "k_live_", "k_test_", "whsec_", "eyJ", "AGE-SECRET", ":AA"),
)
_GIVEN_NEEDLES = ("passw", "passphrase", "passcode", "kennwort", "pwd", "secret", "token", "credential")
_KEY_NEEDLES = tuple(
    f"{word}{sign}key" for word in ("api", "access", "auth", "private", "encryption") for sign in "_- "
)
_GLUED_KEY_NEEDLES = ("apikey", "accesskey", "authkey", "privatekey", "encryptionkey")
_CARRIED: tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...] = (
    ("credentials of a request", _HEADER, ("bearer ", "basic ", "authorization")),
    ("a webhook", _WEBHOOK, ("hooks.slack.com",)),
    ("an account key", _ACCOUNT, ("accountkey", "accesskey", "access key")),
)
"""One of these stands in every text that holds a secret of a known form, or (in lower case) of another one. Looking for
them one by one is several times as fast as one expression for all, and a pattern is tried only where its word is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """What a text seems to hold, in words, and where: `line` counts from 0, `end` is the place after it."""

    what: str
    line: int
    end: int


def by_name(name: str) -> str:
    """Why a file of this name is left alone; empty for any other. Only the name counts, not its folder."""
    if NAMES.fullmatch(PurePosixPath(name).name):
        return "by its name it holds keys or passwords"
    return ""


def find(text: str) -> Secret | None:
    """The first thing in a text that looks like a secret; None where nothing does."""
    return next(_found(text), None)


def held_back(chunks: Sequence[Chunk]) -> dict[int, Secret]:
    """The chunks of one source, in their order, that are not to be indexed: number -> what they seem to hold.

    What begins in one chunk and goes on in the next holds that back too: the rest of a key block, of a long token.
    """
    found: dict[int, Secret] = {}
    block = token = ""
    for number, chunk in enumerate(chunks):
        titles = "".join(f"{title}\n" for title in chunk.header)
        text = titles + chunk.text
        shift = titles.count("\n")
        secrets = [replace(each, line=max(0, each.line - shift)) for each in _found(text)]
        cut = number > 0 and _is_cut(chunks[number - 1], chunk)
        if block and (_REST_OF_BLOCK.match(chunk.text) or _BLOCK_ENDS.search(chunk.text)):
            secrets.append(Secret(what=block, line=0, end=0))
        elif token and cut and _REST_OF_TOKEN.match(chunk.text):
            secrets.append(Secret(what=token, line=0, end=len(text) if len(chunk.text.split()) == 1 else 0))
        elif cut and (across := _across(chunks[number - 1].text, chunk.text)):
            found.setdefault(number - 1, across)
            secrets.append(replace(across, line=0))
        if secrets:
            found[number] = secrets[0]
        block = _left_open(text) if _blocks(text) or _BLOCK_ENDS.search(text) or not secrets else block
        token = next((each.what for each in secrets if each.end == len(text)), "")
    return found


def _found(text: str) -> Iterator[Secret]:
    for block in _blocks(text):
        yield _secret(_KEY_BLOCK, text, block)
    if any(needle in text for needle in _NEEDLES):
        for token in _FORMS.finditer(text):
            if _is_token(token[0]):
                yield _secret(_KNOWN[int((token.lastgroup or "f0")[1:])][0], text, token.span())
    if "://" in text:
        for url in _URL.finditer(text):
            if _is_password(url["value"], url["user"]) and "example" not in url["host"]:
                yield _secret("a password in an address", text, url.span("value"))
    lower = text.replace("\u0130", "i").lower()  # the one letter that is longer in lower case
    for what, pattern, needles in _CARRIED:
        for place in _places(lower, needles):
            if (carried := pattern.match(text, place)) and _is_drawn(carried["value"]):
                yield _secret(what, text, carried.span("value"))
    names = _GIVEN_NEEDLES + (_KEY_NEEDLES + _GLUED_KEY_NEEDLES if "key" in lower else ())
    for place in _places(lower, names):
        if (given := _GIVEN.match(text, place)) and _is_given(given):
            yield _secret(
                f"a value of {given['name'].lower()}", text, given.span("quoted" if given["quoted"] else "bare")
            )


def _places(text: str, needles: tuple[str, ...]) -> Iterator[int]:
    """Where one of the words stands, word by word."""
    for needle in needles:
        place = text.find(needle)
        while place >= 0:
            yield place
            place = text.find(needle, place + len(needle))


def _secret(what: str, text: str, span: tuple[int, int]) -> Secret:
    return Secret(what=what, line=text.count("\n", 0, span[0]), end=span[1])


def _is_token(token: str) -> bool:
    if _SAMPLE.search(token) or _entropy(token) < 3:
        return False
    # a class of a style sheet begins like a key, too
    return not token.startswith("sk-") or _is_drawn(token)


def _is_password(value: str, user: str = "") -> bool:
    """Whether a short value is a password rather than what stands for one."""
    if _PLACEHOLDER.search(value) or value.startswith(("$", "{", "%", ":")) or value == user:
        return False
    rest = _PLAIN_WORD.sub("", value)
    return len(value) >= 6 and len(rest) >= 4 and _classes(value) >= 2


def _is_drawn(value: str) -> bool:
    """Whether a long value looks drawn by lot: letters and digits in turn, hardly any sign more often than others."""
    if len(value) < 16 or _PLACEHOLDER.search(value) or _HASHED.match(value):
        return False
    digits = sum(sign.isdigit() for sign in value)
    letters = sum(sign.isalpha() for sign in value)
    return digits >= 2 and letters >= 2 and _entropy(value) >= 3 and 6 * _turns(value) >= len(value)


def _is_given(given: re.Match[str]) -> bool:
    value = given["quoted"] or given["bare"].rstrip(".:!?*")
    if _OTHER_NAME.search(given["rest"]) or _PLACEHOLDER.search(value) or _HASHED.match(value):
        return False
    if given["bare"] and (_NAME_IN_CODE.fullmatch(value) or given.string[given.end() : given.end() + 1] in ("(", "[")):
        return False
    if given["name"].lower().startswith(("pass", "pw", "kennwort")) and not re.search(r"\s", value):
        return len(value) <= 64 and _classes(value) >= 3 and _entropy(value) >= 2.5 and _is_password(value)
    return " " not in value and _is_drawn(value)


def _classes(value: str) -> int:
    """How many of the four are there: small letters, capitals, digits, other signs."""
    small, capital, digit = (any(map(test, value)) for test in (str.islower, str.isupper, str.isdigit))
    return small + capital + digit + (not value.isalnum())


def _turns(value: str) -> int:
    """How often small letters, capitals and digits take turns, other signs passed over."""
    kinds = [sign.isdigit() + 2 * sign.isupper() for sign in value if sign.isalnum()]
    return sum(before != after for before, after in pairwise(kinds))


def _entropy(value: str) -> float:
    """Bits a sign, by how often each occurs (Shannon 1948)."""
    return -sum(count / len(value) * math.log2(count / len(value)) for count in Counter(value).values())


def _blocks(text: str) -> list[tuple[int, int]]:
    """Where key blocks begin: with base64 behind the line that says so, or cut off right there."""
    if "PRIVATE KEY" not in text and "PuTTY" not in text:
        return []
    return [
        block.span()
        for block in _BLOCK.finditer(text)
        if _BASE64.search(text, block.end(), block.end() + BLOCK_HEAD) or len(text) - block.end() < 8
    ]


def _left_open(text: str) -> str:
    """What a key block is that has begun in the text and has not ended; empty where there is none."""
    begun = _blocks(text)
    return _KEY_BLOCK if begun and not _BLOCK_ENDS.search(text, begun[-1][1]) else ""


def _is_cut(before: Chunk, after: Chunk) -> bool:
    """Whether two chunks were one line: only then can a token begin in one and end in the other."""
    ends = (before.header, before.span.cell, before.span.page, before.span.turn, before.span.end_line)
    return ends == (after.header, after.span.cell, after.span.page, after.span.turn, after.span.start_line)


def _across(before: str, after: str) -> Secret | None:
    """A token of a known form that was cut in two: neither half tells."""
    head, tail = before[-64:], after[:256]
    joined = head + tail
    if not any(needle in joined for needle in _NEEDLES):
        return None
    for token in _FORMS.finditer(joined):
        if token.start() < len(head) < token.end() and _is_token(token[0]):
            what = _KNOWN[int((token.lastgroup or "f0")[1:])][0]
            return Secret(what=what, line=before.count("\n"), end=0)
    return None
