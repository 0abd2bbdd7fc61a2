"""JSON, YAML, TOML and JSON Lines by key."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_memo.chunk import pack, registry, structured
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Parsed

Count = Callable[[str], int]


def parse(name: str, source: str, count: Count, *, target: int | None = 0, window: int = 100) -> Parsed:
    return registry.parse(name, source.encode(), count_tokens=count, max_tokens=window, target_tokens=target)


def keys(parsed: Parsed) -> list[tuple[str | None, int | None, int | None]]:
    return [(piece.span.key, piece.span.start_line, piece.span.end_line) for piece in parsed.chunks]


YAML = """# about the file
name: demo

# what it needs
needs:
  - one
  - two
on: {push: true}
"""
TOML = """# head
title = "demo"
[tool.ruff]
line-length = 120
[tool."x.y"]
text = '''
[not.a.table]
'''
[[package]]
name = "a"
[[package]]
name = "b"
"""
JSON = '{\n "a": 1,\n "b": {\n  "c": [1, 2]\n },\n "d": "x"\n}\n'


def test_yaml_by_top_level_key_with_the_comments_above_it(count: Count) -> None:
    parsed = parse("a.yml", YAML, count)
    assert [("name", 1, 2), ("needs", 4, 7), ("on", 8, 8)] == keys(parsed)
    assert "# what it needs\nneeds:\n  - one\n  - two" == parsed.chunks[1].text


def test_toml_by_key_and_table_whatever_stands_in_its_strings(count: Count) -> None:
    assert [
        ("title", 1, 2),
        ("tool.ruff", 3, 4),
        ("tool.x.y", 5, 8),
        ("package[0]", 9, 10),
        ("package[1]", 11, 12),
    ] == keys(parse("a.toml", TOML, count))


def test_json_by_top_level_key(count: Count) -> None:
    parsed = parse("a.json", JSON, count)
    assert [("a", 1, 2), ("b", 3, 5), ("d", 6, 7)] == keys(parsed)
    assert ("data", "json") == (parsed.kind, parsed.lang)


@pytest.mark.parametrize(("name", "source"), [("a.yml", YAML), ("a.toml", TOML), ("a.json", JSON)])
def test_a_small_file_is_one_piece_when_packing(count: Count, name: str, source: str) -> None:
    (piece,) = parse(name, source, count, target=None).chunks
    assert source.strip("\n") == piece.text
    assert (None, ()) == (piece.span.key, piece.header)


def test_a_long_value_is_cut_at_its_own_keys(count: Count) -> None:
    value = {"jobs": {name: {"run": "word " * 30} for name in ("build", "test")}}
    parsed = parse("a.json", json.dumps(value, indent=1), count, window=70)
    assert [("jobs", "build"), ("jobs", "test")] == [piece.header for piece in parsed.chunks]


def test_elements_of_a_list_are_numbered_and_gathered(count: Count) -> None:
    value = [{"id": number, "text": "word " * 10} for number in range(6)]
    source = "[\n" + ",\n".join(map(json.dumps, value)) + "\n]"
    alone = parse("a.json", source, count, window=60)
    assert "[3]" == alone.chunks[3].span.key
    assert 4 > len(parse("a.json", source, count, target=None, window=100).chunks)


def test_escapes_in_json_are_written_out(count: Count) -> None:
    source = r'{"text": "caf\u00e9\nsecond \ud83d\ude00 \"line\""}'
    (piece,) = parse("a.json", source, count, target=None).chunks
    assert '{"text": "café\nsecond 😀 "line""}' == piece.text
    assert (1, 1) == (piece.span.start_line, piece.span.end_line)


def test_json_lines_are_records_packed_up_to_the_target(count: Count) -> None:
    source = "\n".join(json.dumps({"id": number, "text": "word " * 10}) for number in range(6))
    assert [f"[{number}]" for number in range(6)] == [key for key, *_ in keys(parse("a.jsonl", source, count))]
    packed = parse("a.jsonl", source, count, target=None)
    assert [(1, 4), (5, 6)] == [(piece.span.start_line, piece.span.end_line) for piece in packed.chunks]


def test_lines_that_are_no_json_are_counted(count: Count) -> None:
    assert ("1 lines are not valid JSON and were left out",) == parse("a.jsonl", '{"a": 1}\nnope\n', count).notes


def test_yaml_of_several_documents_doubled_keys_and_custom_tags_is_read(count: Count) -> None:
    parsed = parse("a.yaml", "a: 1\na: !Ref x\n---\nb: *x\n".replace("*x", "&x 2"), count)
    assert "a: !Ref x" in "\n".join(piece.text for piece in parsed.chunks)


def test_yaml_aliases_do_not_multiply(count: Count) -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    assert 40 == len(parse("a.yml", "\n".join(lines), count).chunks)


@pytest.mark.parametrize(
    ("name", "source", "place"),
    [
        ("a.json", '{"a": 1,\n}', "line 2"),
        ("a.yaml", "a: [\nb: 1", "line"),
        ("a.toml", "a = \n", "line 1"),
        ("a.jsonl", "nope\nnope", "One JSON value a line"),
        ("a.json", "[" * 9**5, "deep"),
        ("a.yaml", "a: *nothing", "undefined alias"),
    ],
)
def test_what_is_not_valid_is_one_clear_error(count: Count, name: str, source: str, place: str) -> None:
    with pytest.raises(IngestError) as caught:
        parse(name, source, count)
    assert place in str(caught.value)
    assert "\n" not in str(caught.value)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab é[]{}:,#'\"\\\n-=", max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc.# ", min_size=1, max_size=5), inner, max_size=4)
    ),
    max_leaves=25,
)


def _check(parsed: Parsed, source: str) -> None:
    lines = source.split("\n")
    wanted, got = (Counter(re.sub(r"[\W_]", "", text)) for text in (source, "".join(p.text for p in parsed.chunks)))
    assert wanted == got
    for piece in parsed.chunks:
        first, last = piece.span.start_line, piece.span.end_line
        assert first is not None
        assert last is not None
        assert " ".join(piece.text.split()) in " ".join(" ".join(lines[first - 1 : last]).split())


def _count(text: str) -> int:
    return len(re.findall(r"\w+|[^\w\s]", text))


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.text("abc.# ", min_size=1, max_size=5), VALUES, min_size=1, max_size=5),
    st.sampled_from([0, None]),
)
def test_nothing_of_a_yaml_file_is_lost_and_every_line_is_exact(value: dict[str, Any], target: int | None) -> None:
    source = yaml.safe_dump(value, allow_unicode=True)
    _check(parse("a.yaml", source, _count, target=target, window=30), source)


@settings(max_examples=200, deadline=None)
@given(VALUES, st.sampled_from([None, 1]), st.sampled_from([0, None]))
def test_nothing_of_a_json_file_is_lost_and_every_line_is_exact(
    value: Any, indent: int | None, target: int | None
) -> None:
    source = json.dumps(value, indent=indent, ensure_ascii=False)
    if "\\" not in source and re.search(r"\w", source):
        _check(parse("a.json", source, _count, target=target, window=30), source)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 999) | st.text("ab \n\\é", max_size=12),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text("kl", max_size=3), inner, max_size=4),
    max_leaves=60,
)


@settings(max_examples=60, deadline=None)
@given(
    value=st.lists(VALUES, min_size=3, max_size=30),
    form=st.sampled_from(["json", "jsonl", "yaml"]),
    indent=st.sampled_from([None, 1]),
    target=st.sampled_from([None, 0, 8]),
)
def test_elements_that_are_kept_together_become_the_pieces_they_would_be_one_by_one(
    count: Count, value: list[Any], form: str, indent: int | None, target: int | None
) -> None:
    if form == "jsonl":
        source = "\n".join(json.dumps(each) for each in value)
    else:
        source = yaml.safe_dump(value) if form == "yaml" else json.dumps(value, indent=indent)

    def fits(text: str, whole: bool) -> bool:
        return count(text) <= 16

    sections = structured.read(source, form, fits, uri="a").sections
    size = 24 if target is None else target
    assert pack.fit(pack._apart(sections), count_tokens=count, max_tokens=24, target_tokens=size) == pack.fit(
        sections, count_tokens=count, max_tokens=24, target_tokens=size
    )


@pytest.mark.parametrize(("name", "between"), [("a.json", ","), ("a.json", ",\n"), ("a.jsonl", "\n")])
def test_of_a_list_of_many_tiny_elements_each_is_counted_once(count: Count, name: str, between: str) -> None:
    elements = 5000
    listed = between.join(str(number) for number in range(elements))
    counted: Counter[str] = Counter()

    def counting(text: str) -> int:
        counted[text.strip()] += 1
        return count(text)

    source = f"[{listed}]" if name == "a.json" else listed
    parsed = registry.parse(name, source.encode(), count_tokens=counting, max_tokens=100)
    assert 1.2 * elements > sum(counted.values())
    assert elements == len(re.findall(r"\d+", " ".join(piece.text for piece in parsed.chunks)))
