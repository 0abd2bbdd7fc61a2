"""A response as JSON and back, and the JSON Schema of that form.

`python -m jupyter_memo.wire` writes `wire.schema.json` beside this file; with `--check` it only compares and exits 1
where the two differ. Numbers are raw, never rounded; times are ISO 8601 in UTC with Z; keys keep the order of the
fields in `response.py`, after the two of this form: `schema` (a version) and `text` (how much passage text is inside).
What a reader finds missing has the default that the schema names.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from jupyter_memo.comparison import Comparison
from jupyter_memo.errors import QueryError, StoreError
from jupyter_memo.records import Span
from jupyter_memo.response import SHARES, Folded, Result, SearchResponse, Share

SCHEMA = 1
SCHEMA_FILE = Path(__file__).with_name("wire.schema.json")

TextLevel = Share
"""full: every field, every passage whole. The others are what a view needs, small enough for a notebook: what `shared`
leaves; no field that has its default value or repeats another of its result (REPEATS); of the places of a result those
where it moved."""

LEFT_OUT: dict[Share, str] = {
    "titles": "Saved with titles and places only (share: titles); snippets are left out. Run the cell again with "
    "--share snippets to see them.",
    "none": "Saved with numbers only (share: none); titles, paths and snippets are left out. Run the cell again with "
    "--share snippets to see them.",
}
"""What a reader of a saved response is told of a share level; what snippets leave out, nobody misses."""

REPEATS: tuple[tuple[str, str], ...] = (
    ("why.final", "score"),
    ("why.rank", "rank"),
    ("why.relevance", "relevance"),
    ("why.band", "band"),
    ("why.provenance.uri", "passage.uri"),
    ("why.provenance.source_id", "passage.source_id"),
    ("why.provenance.sha256", "passage.sha256"),
    ("why.provenance.recorded_at", "passage.recorded_at"),
    ("why.freshness.created_at", "passage.created_at"),
)
"""Fields of a result that hold what another field of it holds, and which one. Missing, they are to be read there."""

_ADAPTER = TypeAdapter(SearchResponse)
_COMPARISON = TypeAdapter(Comparison)


def to_dict(response: SearchResponse, text: TextLevel = "full") -> dict[str, Any]:
    """The response as plain dicts, lists, strings and numbers, in a stable order.

    Lone surrogates, which no UTF-8 file can hold, become U+FFFD.
    """
    if text != "full":
        response = shared(response, text)
        response = dataclasses.replace(response, results=tuple(map(_moves, response.results)))
    dumped = _ADAPTER.dump_python(response, mode="json", exclude_defaults=text != "full")
    if text != "full":
        for result in dumped["results"]:
            _leave_out_repeats(result)
    return {"schema": SCHEMA, "text": text, **_storable(dumped)}


def shared(response: SearchResponse, share: Share) -> SearchResponse:
    """The response with no more text than a share level allows, and a hint that says what is left out.

    full: all of it. snippets: no passage text beyond the snippets and the few lines around those of documents. titles:
    no snippets and no words of texts. none: no title, path, heading, tag or name of the index, nor the hints, which
    name some; ranks, scores and what was asked stay. Doing it twice changes nothing. Raises QueryError for an unknown
    level.
    """
    if share not in SHARES:
        raise QueryError(f"text {share!r} is unknown. Use one of: {', '.join(SHARES)}")
    told = LEFT_OUT.get(share)
    said = () if share == "none" else response.hints
    hints = said if told is None or told in said else (*said, told)
    return dataclasses.replace(
        response,
        results=tuple(_shared(result, share) for result in response.results),
        hints=hints,
        narrow_hint=None if share == "none" else response.narrow_hint,
        words_to_try=() if share in ("titles", "none") else response.words_to_try,
        nearest=() if share == "none" else response.nearest,
        ways=() if share == "none" else response.ways,
    )


def _shared(result: Result, share: Share) -> Result:
    passage, why = result.passage, result.why
    passage = dataclasses.replace(passage, text=passage.text if share == "full" else "")
    if share == "none":
        passage = dataclasses.replace(
            passage,
            uri="",
            header=(),
            span=Span(),
            namespace="",
            owner="",
            library=None,
            version=None,
            tags=(),
            source_id="",
            sha256="",
            forget_reason=None,
        )
    if why is not None:
        provenance = dataclasses.replace(
            why.provenance, uri=passage.uri, source_id=passage.source_id, sha256=passage.sha256
        )
        why = dataclasses.replace(why, provenance=provenance)
    bare = share in ("titles", "none")
    return dataclasses.replace(
        result,
        passage=passage,
        snippet="" if bare else result.snippet,
        marks=() if bare else result.marks,
        document=None if result.document is None else passage.uri or None,
        why=why,
        before="" if bare else result.before,
        after="" if bare else result.after,
        folded=tuple(_below(each, share) for each in result.folded),
    )


def _below(folded: Folded, share: Share) -> Folded:
    if share == "none":
        folded = dataclasses.replace(folded, uri="", title="", span=Span())
    return dataclasses.replace(folded, own=()) if share in ("titles", "none") else folded


def dumps(response: SearchResponse, text: TextLevel = "full") -> str:
    """The response as compact JSON text."""
    return json.dumps(to_dict(response, text), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def loads(text: str) -> SearchResponse:
    """The response that `dumps` wrote. Raises StoreError for another version, a broken or an incomplete text."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise StoreError(f"this is not JSON: {error}. Save the response again with response.to_json()") from error
    version = data.pop("schema", None) if isinstance(data, dict) else None
    if version != SCHEMA:
        raise StoreError(
            f"this response has schema {version!r}, this version reads schema {SCHEMA}. "
            "Run: pip install -U jupyter_memo"
        )
    data.pop("text", None)
    try:
        for result in data.get("results", ()):
            _fill_in_repeats(result)
        return _ADAPTER.validate_python(data)
    except (AttributeError, KeyError, TypeError) as error:
        raise StoreError("this response is damaged. Save it again with response.to_json()") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise StoreError(
            f"this response cannot be read: {where}: {first['msg']}. Save it again with response.to_json()"
        ) from error


def comparison(compared: Comparison) -> dict[str, Any]:
    """The comparison as plain dicts, lists, strings and numbers, by its share level, without what has its default."""
    light = comparison_shared(compared, compared.share)
    return {"schema": SCHEMA, **_storable(_COMPARISON.dump_python(light, mode="json", exclude_defaults=True))}


def comparison_shared(compared: Comparison, share: Share) -> Comparison:
    """The comparison with no more text than a share level allows: of `none` no title, no path, and no hints, which name
    some. There are no texts of passages in it."""
    if share != "none":
        return compared
    return dataclasses.replace(
        compared,
        # The id of a document is its path.
        moves=tuple(
            dataclasses.replace(move, id=str(number), title="", uri="", span=Span())
            for number, move in enumerate(compared.moves, 1)
        ),
        hints=(LEFT_OUT["none"],),
    )


def comparison_dumps(compared: Comparison) -> str:
    """The comparison as compact JSON text."""
    return json.dumps(comparison(compared), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `to_dict` returns, and as `Comparison` of what `comparison` does."""
    body = _ADAPTER.json_schema(mode="serialization")
    compared = _COMPARISON.json_schema(mode="serialization")
    inner = compared.pop("$defs")
    body["$defs"] |= {**inner, "Comparison": compared}
    for kind in (body, *body["$defs"].values()):
        for field in kind["properties"].values():
            field.pop("title", None)
    for copy, _ in REPEATS:
        *_, owner, name = copy.split(".")
        body["$defs"][owner.capitalize()]["required"].remove(name)
    head = {
        "schema": {"const": SCHEMA, "description": "The version of this form", "type": "integer"},
        "text": {"enum": list(SHARES), "description": "How much passage text is inside", "type": "string"},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **body,
        "properties": {**head, **body["properties"]},
        "required": [*head, *body["required"]],
    }


def generated(file: Path, made: object, module: str, arguments: list[str], *, indent: int = 2) -> int:
    """Write what `module` makes to its file as JSON, or with --check compare it. Returns the exit status."""
    text = json.dumps(made, indent=indent, ensure_ascii=False) + "\n"
    if "--check" not in arguments:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return 0
    if file.is_file() and file.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write(f"{file.name} is out of date. Run: python -m {module}\n")
    return 1


def main(arguments: list[str]) -> int:
    """Write the schema file, or with --check compare it. Returns the exit status."""
    return generated(SCHEMA_FILE, schema(), "jupyter_memo.wire", arguments)


def _moves(result: Result) -> Result:
    """A result without the places where it stayed."""
    why = result.why
    if why is None:
        return result
    places = tuple(
        place
        for before, place in zip((None, *why.places), why.places, strict=False)
        if before is None or (before.rank, before.score) != (place.rank, place.score)
    )
    return dataclasses.replace(result, why=dataclasses.replace(why, places=places))


def _leave_out_repeats(result: dict[str, Any]) -> None:
    for copy, original in REPEATS:
        owner, name = _at(result, copy)
        if owner is not None and owner.get(name) == _get(result, original):
            owner.pop(name, None)


def _fill_in_repeats(result: dict[str, Any]) -> None:
    for copy, original in REPEATS:
        owner, name = _at(result, copy)
        if owner is not None and name not in owner:
            owner[name] = _get(result, original)


def _at(result: dict[str, Any], path: str) -> tuple[dict[str, Any] | None, str]:
    """The dict that holds the field at a dotted path, None where a result carries no reasons, and the field's name."""
    *owners, name = path.split(".")
    here: dict[str, Any] | None = result
    for owner in owners:
        here = here.get(owner) if here is not None else None
    return here, name


def _get(result: dict[str, Any], path: str) -> Any:
    owner, name = _at(result, path)
    return owner.get(name) if owner is not None else None


def _storable(value: Any) -> Any:
    """The same tree without lone surrogates."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {key: _storable(inner) for key, inner in value.items()}
    return [_storable(inner) for inner in value] if isinstance(value, list) else value


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
