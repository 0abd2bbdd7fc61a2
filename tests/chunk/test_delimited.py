"""CSV and TSV as tables in words."""

from __future__ import annotations

import csv
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_memo.chunk import delimited, registry, table
from jupyter_memo.errors import IngestError
from jupyter_memo.records import Parsed

Count = Callable[[str], int]


def parse(source: str | bytes, count: Count, *, name: str = "a.csv") -> Parsed:
    data = source.encode() if isinstance(source, str) else source
    return registry.parse(name, data, count_tokens=count, max_tokens=254)


def told(source: str | bytes, count: Count, *, name: str = "a.csv") -> list[str]:
    """What is said of each column."""
    return parse(source, count, name=name).chunks[0].text.split("\n\n")[-2].split("\n")


def test_a_small_table_is_told_whole(count: Count) -> None:
    (piece,) = parse("time,temp (degC),station\n0.5,-3.2,north\n1.0,25.1,south\n1.5,,north\n", count).chunks
    assert (
        "Table of 3 rows and 3 columns.\n\n"
        "time: numbers from 0.5 to 1.5\n"
        "temp (degC): numbers from -3.2 to 25.1, 1 empty\n"
        "station: 2 different values: north, south\n\n"
        "rows:\ntime | temp (degC) | station\n0.5 | -3.2 | north\n1.0 | 25.1 | south\n1.5 |  | north"
    ) == piece.text
    assert (1, 4) == (piece.span.start_line, piece.span.end_line)
    assert "data" == parse("a,b\n1,2\n", count).kind


def test_of_a_long_table_the_first_rows_are_shown_and_all_are_counted(count: Count) -> None:
    (piece,) = parse("n\n" + "\n".join(map(str, range(1000))), count).chunks
    assert "Table of 1000 rows and 1 column." in piece.text
    assert "n: whole numbers from 0 to 999" in piece.text
    assert piece.text.endswith("first rows:\nn\n0\n1\n2\n3\n4")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_sign_between_cells_is_found(count: Count, delimiter: str) -> None:
    source = "\n".join(delimiter.join(row) for row in (["a", "b", "c"], ["1", "2", "x y"], ["3", "4", "z"]))
    assert ["a: whole numbers from 1 to 3", "b: whole numbers from 2 to 4", "c: 2 different values: x y, z"] == told(
        source, count
    )


def test_tabs_part_the_cells_of_a_tsv_whatever_else_is_in_them(count: Count) -> None:
    assert ["a, b: 2 different values: 1, 2, 3, 4", "c: whole numbers from 1 to 2"] == told(
        "a, b\tc\n1, 2\t1\n3, 4\t2\n", count, name="a.TSV"
    )


def test_quoted_cells_may_hold_delimiters_and_line_feeds(count: Count) -> None:
    assert ["a: 2 different values: x, y, one two", "b: whole numbers, all 1"] == told(
        'a,b\n"x, y",1\n"one\ntwo",1\n', count
    )


def test_decimal_commas_are_numbers_between_semicolons(count: Count) -> None:
    assert ["t: numbers from 1,5 to 1.234,5"] == [told("t;n\n1,5;1\n1.234,5;2\n", count)[0]]


def test_without_a_header_columns_have_numbers(count: Count) -> None:
    assert ["column 1: whole numbers from 1 to 3", "column 2: whole numbers from 2 to 4"] == told("1,2\n3,4\n", count)


def test_a_header_may_be_a_comment_and_comments_are_kept(count: Count) -> None:
    text = parse("# Buoy 7, North Sea\n# time,height\n1,2.5\n2,2.75\n", count).chunks[0].text
    assert "Buoy 7, North Sea" in text
    assert "height: numbers from 2.5 to 2.75" in text


def test_a_row_of_units_is_no_row_of_data(count: Count) -> None:
    assert ["time: whole numbers from 1 to 2; unit s", "speed: whole numbers from 3 to 4; unit m/s"] == told(
        "time,speed\ns,m/s\n1,3\n2,4\n", count
    )


def test_dates_have_bounds(count: Count) -> None:
    assert ["day: dates from 2020-01-31 to 2021-12-01"] == told("day\n2021-12-01\n2020-01-31\n", count)


def test_words_for_nothing_are_empty_and_odd_values_among_numbers_are_named(count: Count) -> None:
    source = "a,b\n" + "\n".join(f"{n},NA" for n in range(20)) + "\n<LOD,nan\n"
    assert ["a: whole numbers from 0 to 19, 1 other values as <LOD", "b: empty"] == told(source, count)


def test_rows_of_different_width_lose_nothing(count: Count) -> None:
    assert "column 3: whole numbers, all 9, 1 empty" in told("a,b\n1,2\n3,4,9\n", count)[2]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_other_encodings_are_read(count: Count, encoding: str) -> None:
    source = "Größe (m),Straße\n" + "1,Fluß über der Brücke\n" * 20
    assert told(source.encode(encoding), count)[0].startswith("Größe (m): whole numbers, all 1")


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_other_ends_of_lines_are_read(count: Count, ends: str) -> None:
    assert ["a: whole numbers from 1 to 3", "b: whole numbers from 2 to 4"] == told(
        ends.join(("a,b", "1,2", "3,4")), count
    )


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("temp (degC)", "degC"),
        ("v [m/s]", "m/s"),
        ("p / hPa", "hPa"),
        ("flux (W m-2)", "W m-2"),
        ("rho (kg/m^3)", "kg/m^3"),
        ("c (µmol L⁻¹)", "µmol L⁻¹"),
        ("share (%)", "%"),
        ("value (mean)", ""),
        ("group (n=3)", ""),
        ("km/h", ""),
        ("(m)", ""),
        ("and / or", ""),
        ("(" * 500, ""),
    ],
)
def test_a_unit_is_what_is_written_as_one(name: str, unit: str) -> None:
    assert unit == table.unit_of(name)


def test_a_wide_table_is_described_up_to_a_bound(count: Count) -> None:
    source = ",".join(f"c{n}" for n in range(3000)) + "\n" + ",".join(map(str, range(3000))) + "\n"
    pieces = parse(source, count).chunks
    text = "\n".join(piece.text for piece in pieces)
    assert "c199: whole numbers" in text
    assert "c200: " not in text
    assert "c999 and 2000 more" in text
    assert 40 > len(pieces)


def test_a_cell_without_end_is_refused_and_the_rest_is_read(count: Count) -> None:
    parsed = parse('a,b\n1,"' + "x\n" * csv.field_size_limit() + "2,3\n", count)
    assert ("1 rows could not be read",) == parsed.notes
    assert "b: whole numbers, all 3" in parsed.chunks[0].text


def test_a_line_without_end_is_cut_with_a_note(count: Count) -> None:
    parsed = parse("a,b\n" + "1," * 1_500_000 + "\n2,3\n", count)
    assert ("1 lines are longer than 1000000 characters and were cut",) == parsed.notes


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rows() -> None:
    def peak(rows: int) -> int:
        data = b"a,b,c\n" + b"1,2.5,north\n" * rows
        tracemalloc.start()
        delimited.read(data, uri="a.csv")
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    small, large = peak(1000), peak(100_000)
    assert 600_000 > large - small  # the text has 1.2 MB


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"a,b\n\x00\x01\x02\x03", "binary"),
        (b'"' * 1_000_000, "no cells"),
        (b"\xff\xfea\n\x00", "UTF-16"),
    ],
)
def test_what_is_no_table_is_one_clear_error(count: Count, data: bytes, message: str) -> None:
    with pytest.raises(IngestError, match=message):
        parse(data, count)


def test_real_tables_are_told_by_their_columns(count: Count, shared_data: Path) -> None:
    paths = sorted((shared_data / "formats/misc/csv").glob("*.csv"))
    assert 3 == len(paths)
    for path in paths:
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
        (piece,) = parse(path.read_bytes(), count).chunks
        assert f"Table of {len(rows) - 1} rows and {len(rows[0])} columns." in piece.text
        assert all(value in piece.text for row in rows for value in row)


def test_a_real_table_of_judgements_is_counted(count: Count, shared_data: Path) -> None:
    path = shared_data / "cranfield/qrels.tsv"
    rows = path.read_text(encoding="utf-8").splitlines()
    text = registry.parse(path.name, path.read_bytes(), count_tokens=count).chunks[0].text
    assert f"Table of {len(rows) - 1} rows and 3 columns." in text
    scores = [int(row.split("\t")[2]) for row in rows[1:]]
    assert f"whole numbers from {min(scores)} to {max(scores)}" in text
