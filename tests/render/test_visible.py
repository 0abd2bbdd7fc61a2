"""Hostile and odd characters in indexed text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_memo.render import visible


def test_plain_text_stays_as_it_is() -> None:
    assert "τ_int ≈ 38 ± 4, naïve 中文\n\tcode" == visible.text("τ_int ≈ 38 ± 4, naïve 中文\n\tcode")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;https://evil.example\x07click\x1b]8;;\x07", "click"),
        ("\x1b]0;title never closed\nnext", "\nnext"),
        ("\x9b2Jgone", "gone"),
        ("a\x1bcb", "ab"),
    ],
)
def test_terminal_sequences_are_removed(given: str, shown: str) -> None:
    assert shown == visible.text(given)


@pytest.mark.parametrize("sign", ["\u202e", "\u202a", "\u2066", "\u2069", "\u200f", "\u061c"])
def test_bidirectional_controls_are_named(sign: str) -> None:
    assert f"a[U+{ord(sign):04X}]b" == visible.text(f"a{sign}b")


def test_control_characters_are_named() -> None:
    assert "a[U+0000]b[U+0008]" == visible.text("a\x00b\x08")


@pytest.mark.parametrize("sign", ["\u200b", "\ufeff", "\u2060", "\u00ad", "\U000e0041", "\U000e0100", "\u3164"])
def test_invisible_characters_are_removed(sign: str) -> None:
    assert "passw0rd" == visible.text(f"pass{sign}w0rd")


def test_a_joiner_inside_latin_is_removed_and_one_inside_persian_stays() -> None:
    assert "ab می\u200cخواهم" == visible.text("a\u200db می\u200cخواهم")


def test_a_joined_emoji_stays_whole() -> None:
    assert "👩\u200d🔬" == visible.text("👩\u200d🔬")


def test_lone_surrogates_become_the_replacement_character() -> None:
    assert "a\ufffd" == visible.text("a\ud800")


def test_every_kind_of_line_break_is_a_newline() -> None:
    assert "a\nb\nc\nd" == visible.text("a\r\nb\u2028c\rd")


def test_a_line_has_no_line_break_and_no_double_space() -> None:
    assert "a b c" == visible.line(" a\n\tb  c ")


def test_right_to_left_text_is_closed_so_that_numbers_behind_it_stay() -> None:
    assert ("שלום" + visible.LRM, "hello") == (visible.closed("שלום"), visible.closed("hello"))


@given(st.text())
def test_nothing_that_can_redraw_or_reorder_survives(value: str) -> None:
    shown = visible.text(value)
    assert not [sign for sign in shown if unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\n\t"]
    assert not [sign for sign in shown if unicodedata.bidirectional(sign) in visible_overrides()]


def visible_overrides() -> tuple[str, ...]:
    return ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
