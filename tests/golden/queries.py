"""What Python reads in queries and on magic lines: run this file to write `queries.json` beside it.

The front end reads the same texts and must find the same parts at the same places, so that what an editor shows as a
phrase, an exclusion or a field is one. Places are in UTF-16 units, as editors count.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from IPython.core.error import UsageError

from jupyter_memo.jupyter import manual, options
from jupyter_memo.query import Scope
from jupyter_memo.text import fields, syntax
from jupyter_memo.text.identifiers import identifiers

FILE = Path(__file__).with_name("queries.json")
NOW = datetime(2026, 11, 29, 9, 41, tzinfo=UTC)

QUERIES = (
    "why does the flow lose ESS near kappa_c",
    '"mass renormalisation" in the flow',
    "“turbidity sensor” and „low light“ and «bon» and 「名前」",
    '("in brackets") and (plain)',
    "a -tutorial -draft,-x state-of-the-art --limit - x -5 -.5",
    '-"hello world" -“two words” - "kept"',
    "flow NOT tutorial NOT kind:note NOT -kind:note",
    "ALL CAPITALS NOT LEFT OUT",
    'kind:note,paper tag:"a b",c ns:phi4 source:notes/*.md',
    'kind:notte trust:9 trust:2 trust:1,2 Kind:NOTE kind:note,wrong KIND:"note"',
    "since:2026 since:2026-06 before:2026-06-30 as_of:today since:7d since:soon since:2026-13 before:2026-02-30",
    "since:2026-06-30T12:00 since:2026-W05 before:yesterday. since:2026-06,2026-07",
    "lib:numpy version:2.1 lang:EN namespace:a,b,c",
    "-kind:note -tag:x,y wanted",
    "kind: note kind:: kind:://x http://kind:note source:http://example.org/a source://x",
    'tag:"open value',
    'tag:"","" tag:,x kind:note, paper',
    'an "unpaired quote kind:note -word "',
    'an “unpaired quote and "two of them"',
    '"" and "  " and "!!"',
    '"several\nlines of one phrase" -"and of\nan exclusion"\n-word',
    "xkind:note (kind:note) a=kind:note",
    'what is {{name}} kind:{{kind}} "in {{phrase}}" -{{left}} {{ not }} {{1}}',
    "os.path.join DataFrame C++ C# F# python3 utf-8 ABC-1234 v1.2.3 e.g. U.S. well-known",
    "https://example.org/a_(b)). 10.1103/PhysRevD.100.034515, me@example.org localhost:8080",
    "%timeit @decorator #12 $HOME_DIR __init__ _x_ _private deadbeef1 1234567",
    "don't it's HMC's can’t ERP시스템 名前 kappa_c의 n/a and/or src/main.py a/b .gitignore /etc/hosts C:\\x\\y",
    "HMC AND ESS OR NOT",
    "-HMC -C++ -DataFrame -# -_ -$x -/etc/x -%y",
    '😀 kind:note 😀 "😀 x" -😀 -é -ß',
    '\x85kind:note\x1f-word\u3000"a\u00a0b"\ufeffkind:note',
    "ſince:2026 KIND:paper ﬁeld:x",
    "NOT",
    "a NOT",
    'NOT -x NOT "a b" NOT !!',
    "-",
    '-"',
    "",
    "  \n ",
    "trust:0",
    'tag:#x tag:“quoted so”,y lang:"de"',
    'what is the type of a "module" in the "import system"?',
    "用C++写 学C#和 读10.1103/PhysRevD.100.034515的 2021年10.1000/x。 kappa_c를 用pandas读取 numpy와 scipy用",
    "名前:kappa_c /src:名前 ERP-시스템-v2 名.py 모델C++ C用++ C＋＋ @データ #課題 $한글 --色 /路径/a.py 〇x_y 𠮷a_b",
    "ｶﾅx_y ゝa_b ㆍc_d 々HMC ー_x ・x_y ㄅa1 ᄀA1 中https://example.org/路 localhost:8080用 me@例え.jp foo::바 의::x",
    "@𠮷 10.1103/-- _'s.py",
    "a::b::c x:y key:value std::vector<int> array[0] f(x) x=y",
)

LINES = (
    ("options", "--limit 5 --kind note -k paper -o found"),
    ("options", "-n5 --limit"),
    ("options", "--limit five"),
    ("options", "--limit=7 --mode=exact --explain"),
    ("options", "--explain=1"),
    ("options", "--kind notte"),
    ("options", "--nope 3"),
    ("options", "-X"),
    ("options", "found << --quiet # and a comment"),
    ("options", "--quiet found <<"),
    ("options", "a << b << -q"),
    ("options", "--source \"my notes/*.md\" --tag 'a b' -t c#d"),
    ("options", '--source "open'),
    ("options", "--source 'it'"),
    ("options", "--tag --kind note"),
    ("options", "--tag -- x"),
    ("options", "--tag= x"),
    ("options", "-o 1x"),
    ("options", "-o ähm"),
    ("options", "a query where none may stand"),
    ("options", "# only a comment --limit"),
    ("options", '--tag "# none" --limit 3'),
    ("options", "--"),
    ("options", ""),
    ("options", "   --no-sync   "),
    ("query", "--limit 5 why # not"),
    ("query", "-- --limit 5"),
    ("query", "r << -n 3 kind:note -x"),
    ("query", "--Limit 3"),
    ("query", "--share titles --profile rrf what"),
    ("query", "-5 degrees"),
    ("query", "--größe x"),
)


class Recorder(syntax._Parse):
    """The parser of queries, with a note of each part that it takes."""

    def __init__(self, text: str) -> None:
        super().__init__(text, NOW)
        self.noted: list[dict[str, Any]] = []
        self.told: list[str] = []
        self.given: tuple[str, ...] | None = None
        self.bad = False

    def into_scope(self, scope: Scope, name: str, values: tuple[str, ...], now: datetime) -> Scope:
        self.given, self.bad = values, True
        scope = fields.into_scope(scope, name, values, now)
        self.bad = False
        return scope

    def _field(self, at: int, *, ignored: bool = False) -> int:
        self.given = None
        end = super()._field(at, ignored=ignored)
        if end and self.given is not None:
            self._note("field", at, end, values=list(self.given), bad=self.bad)
        elif end and not ignored:
            self._note("ignored", at, end)
        return end

    def _not(self, at: int) -> int:
        before = len(self.hints)
        end = super()._not(at)
        if end:
            self._note("exclusion" if before == len(self.hints) else "ignored", at, end)
        return end

    def _minus(self, at: int) -> int:
        end = super()._minus(at)
        if end:
            self._note("exclusion", at, end)
        return end

    def _phrase(self, at: int) -> int:
        before = len(self.parts)
        end = super()._phrase(at)
        self.told += [part.text for part in self.parts[before:]]
        if end:
            self._note("phrase", at, end)
        return end

    def _word(self, at: int) -> int:
        end = super()._word(at)
        self.told.append(self.parts[-1].text)
        self._note("word", at, end)
        return end

    def _note(self, what: str, start: int, end: int, **more: Any) -> None:
        self.noted.append({"is": what, "from": units(self.text[:start]), "to": units(self.text[:end]), **more})


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def query(text: str) -> dict[str, Any]:
    """The parts of a query, and the names in its words."""
    recorder = Recorder(text)
    with patch.object(syntax, "into_scope", recorder.into_scope):
        recorder.run()
    told = " ".join(word for word in recorder.told if any(character.isalnum() for character in word))
    return {"text": text, "parts": recorder.noted, "identifiers": list(identifiers(told))}


def line(form: str, text: str) -> dict[str, Any]:
    """A magic line taken apart; `wrong` where the magic refuses it."""
    try:
        parsed = options.parse(options.without_comment(text) if form == "options" else text, manual.SEARCH)
        if form == "options" and parsed.rest:
            raise UsageError(parsed.rest)
    except UsageError:
        return {"form": form, "text": text, "wrong": True}
    given = {
        key: [] if value is True else [str(each) for each in (value if isinstance(value, tuple) else (value,))]
        for key, value in parsed.given.items()
    }
    return {"form": form, "text": text, "given": given, "target": parsed.target, "rest": parsed.rest}


def dumps() -> str:
    found = {"queries": [query(text) for text in QUERIES], "lines": [line(*each) for each in LINES]}
    return json.dumps(found, indent=1, ensure_ascii=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(dumps(), encoding="utf-8")
