"""Texts nobody planned for, asked of an index: each has an answer, and the response names the query as it was typed."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.errors import QueryError
from jupyter_memo.models.protocols import Embedder
from jupyter_memo.query import MODES, Mode

PIECES = [
    *"\"'“”„«»「」-–:;,.()[]{}<>|\\/~^$%#@*+?!=& \t\n\r\x00\x1b\u202e",
    *(
        "NOT ",
        '-"',
        "-x",
        "--flag",
        '""',
        "kind:",
        "kind:note",
        'tag:"b c"',
        "since:7d",
        "since:banana",
        "trust:99999999",
    ),
    *("source:C:\\", "as_of:9999", "before:1", "ns:a'b", "without ", "why not ", "last week ", "like: ", "like:"),
    *(
        "C:\\Users\\me\\a.txt",
        "\\\\server\\share",
        "C++",
        "std::",
        "{x:1}",
        "https://a.org/(b)",
        "probe",
        "prob",
        "drift",
    ),
    *("데이터베이스", "İ", "ſ", "ß", "e\u0301", "\ud800", "\udfff", "🙂", "\U0010ffff", "१२", "a" * 300, "1" * 500),
]


def texts(seed: int, count: int) -> Iterator[str]:
    chance = random.Random(seed)
    for number in range(count):
        if number % 5 == 4:
            yield "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randint(1, 40)))
        else:
            yield chance.choice(["", " "]).join(chance.choices(PIECES, k=chance.randint(1, 10)))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Memo]:
    with Memo.open(tmp_path_factory.mktemp("any"), embedder=embedder) as memo:
        memo.add(
            [{"id": f"{number}", "text": f"The probe drifts by {number} ppm. 데이터베이스 C++"} for number in range(12)]
        )
        yield memo


def check(memo: Memo, text: str, mode: Mode) -> None:
    if text.strip():
        assert text == memo.search(text, mode=mode, limit=3, sync=False).query
    else:
        with pytest.raises(QueryError, match="the query is empty"):
            memo.search(text, mode=mode)


def test_any_of_some_texts_is_answered_as_it_was_typed(filled: Memo) -> None:
    for number, text in enumerate(texts(3, 120)):
        check(filled, text, MODES[number % len(MODES)])


@pytest.mark.parametrize("unit", ['"', "-", ":", "C:\\", "{", "kind:note ", "probe ", '-"a" ', "without "])
def test_a_long_text_is_answered_as_it_was_typed(filled: Memo, unit: str) -> None:
    check(filled, unit * (10_000 // len(unit)), "auto")


ADVERSARIAL = [
    "\u202edrowssap\u202c the probe",
    "\u2066isolate\u2069 probe \u200f\u05e2\u05d1\u05e8",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 family -\U0001f468\u200d\U0001f680",
    "\ud83d probe \udc69 -\udc69",
    "' OR '1'='1",
    "'; DROP TABLE passages; --",
    "kind:note' or true --",
    "tag:a]) or array_has_any(tags, ['b",
    "source:*'%27 or uri like '%",
    "\"') or true or (''='\" -\"') and false --\"",
    '+probe +(drift OR "a b"~5)^2.5 field:[1 TO 10] /re.*x/ pro?e* NOT *:*',
    "lex:probe AND -cjk:* ~~~ && ||",
    "\\\\?\\C:\\very\\long\\path\\*.txt -C:\\Windows",
    r"\frac{a}{b} \sum_{i=0}^{n} x_i^2 $\alpha\leq\beta$ \$5",
    r"""for f in *.py; do grep -n "x" "$f" | awk '{print $1}' >> out 2>&1; done""",
    r"^(?:(?<name>\w+)|(?!x)y{2,3})*?$ (a+)+$ [\u4e00-\u9fff]+",
    "since:99999999999999999999d before:-99999999y as_of:now:now kind:,,,",
    "%s %n {0} {{x}} ${jndi:ldap://x/a} <script>alert(1)</script>",
    "Z\u0338\u0321\u033c\u0347algo \ufb01 \u00df \u0130 \u01c4 \u338f \u2167 \ufdfa",
]


@pytest.mark.parametrize("text", ADVERSARIAL)
def test_what_means_something_to_another_system_is_only_text_here(filled: Memo, text: str) -> None:
    for mode in MODES:
        check(filled, text, mode)


@pytest.mark.parametrize(
    "text", ['"' + "가 a " * 2_000 + '"', "source:*x* " * 2_000, "".join(map(chr, range(0x4E00, 0x6E00)))]
)
def test_what_would_make_thousands_of_clauses_is_answered_by_every_arm(filled: Memo, text: str) -> None:
    response = filled.search(text, limit=3, sync=False)
    assert text == response.query
    assert not response.degraded.flag


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(20))
def test_any_of_twenty_thousand_texts_is_answered_as_it_was_typed(filled: Memo, seed: int) -> None:
    for number, text in enumerate(texts(100 + seed, 1_000)):
        check(filled, text, MODES[number % len(MODES)])


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "unit", ['"', "“", "-", ":", "C:\\", "{", "a ", "probe ", "tag:x ", '-"a" ', '"a b" ', "without "]
)
def test_a_hundred_kilobytes_are_answered_as_they_were_typed(filled: Memo, unit: str) -> None:
    check(filled, unit * (100_000 // len(unit)), "auto")
