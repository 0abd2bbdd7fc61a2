"""Markdown by heading: a section is what stands under one heading, with the titles above it as its breadcrumb.

markdown-it-py finds the blocks and their lines; the text is the source's own. Front matter is read, HTML comments and
rules are left out. Quarto, R Markdown and MyST are Markdown here: their directives and chunks are text.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from jupyter_memo.chunk import frontmatter, tags
from jupyter_memo.chunk.clean import squeezed, without_blobs
from jupyter_memo.chunk.frontmatter import FrontMatter
from jupyter_memo.chunk.section import Block, Document, Outline, Section
from jupyter_memo.records import Span

_COMMENT_OR_CODE = re.compile(r"(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)|<!--.*?(?:-->|\Z)", re.DOTALL)
_ATTRIBUTES = re.compile(r"\s*\{[#.:][^{}]*\}\s*$")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_TOML_FENCE = "+++"


def read(text: str) -> Document:
    """A Markdown file. Its tags are those of its front matter and those in its text."""
    text, blobs = without_blobs(text)
    front, body_line, body = _front_matter(text)
    outline = Outline()
    found = list(sections(body, outline, first_line=body_line))
    if front.title and not _has_top_title(found, front.title):
        found = list(sections(body, Outline(front.title), first_line=body_line))
    title = front.title or outline.title
    text_blocks = (block for section in found for block in section.blocks if not block.code)
    written = (tag for block in text_blocks for tag in tags.inline(block.text))
    front = dataclasses.replace(front, tags=tuple(dict.fromkeys((*front.tags, *written))))
    if front.worth_reading:
        found.insert(0, _as_section(text, body_line, title))
    notes = (*front.notes, *((f"{blobs} embedded images or data left out",) if blobs else ()))
    return Document(sections=tuple(found), title=title, front=front, lang=front.lang, notes=notes)


def sections(text: str, outline: Outline, *, first_line: int = 1, span: Span | None = None) -> Iterator[Section]:
    """The sections of a text, one for each heading and one for what stands before the first.

    `outline` holds the titles above the text and follows its headings, so that what comes after the text knows them.
    """
    lines = text.split("\n")
    heading: Block | None = None
    blocks: list[Block] = []
    place = span or Span()
    end = 0
    for token in _tokens(text):
        start, stop = token.map or [end, end]
        # what no token covers (definitions of links) is text as well
        blocks += _text_block(lines, end, start, first_line)
        end = stop
        if token.type == "heading_open":
            if heading or blocks:
                yield _section(outline, heading, blocks, place)
            raw = "\n".join(lines[start:stop])
            outline.enter(int(token.tag[1]), heading_title(token.content))
            heading, blocks = Block(text=raw, line=first_line + start), []
        elif token.type in ("fence", "code_block", "table_open"):
            raw = "\n".join(lines[start:stop])
            raw = squeezed(raw) if token.type == "table_open" else raw
            blocks.append(Block(text=raw, line=first_line + start, code=True))
        elif token.type not in ("hr", "front_matter"):
            blocks += _text_block(lines, start, stop, first_line)
    blocks += _text_block(lines, end, len(lines), first_line)
    if heading or blocks:
        yield _section(outline, heading, blocks, place)


def heading_title(content: str) -> str:
    """The words of a heading without its Markdown, HTML, attributes and the targets of its links."""
    children = _inline().parseInline(_ATTRIBUTES.sub("", content))[0].children or []
    words = (
        child.content
        if child.type in ("text", "code_inline", "image")
        else ""
        if child.type == "html_inline" or child.nesting
        else " "
        for child in children
    )
    return " ".join(_TAG.sub("", "".join(words)).split())


def _section(outline: Outline, heading: Block | None, blocks: list[Block], span: Span) -> Section:
    return Section(header=outline.header, heading=heading, blocks=tuple(blocks), span=span)


def _text_block(lines: list[str], start: int, stop: int, first_line: int) -> Iterator[Block]:
    """The lines as one block without comments; nothing where nothing is left."""
    raw = "\n".join(lines[start:stop])
    if "<!--" in raw:
        raw = _COMMENT_OR_CODE.sub(_no_comment, raw)
    if raw.strip():
        yield Block(text=raw, line=first_line + start)


def _no_comment(match: re.Match[str]) -> str:
    """Code stays; a comment leaves its line feeds, so that every line keeps its number."""
    return match.group() if match["ticks"] else "\n" * match.group().count("\n")


def _tokens(text: str) -> Iterator[Token]:
    """The outermost blocks in order; a heading's token holds its content."""
    tokens = _blocks().parse(text)
    for place, token in enumerate(tokens):
        if token.level == 0 and token.nesting >= 0 and token.map:
            if token.type == "heading_open":
                token.content = tokens[place + 1].content
            yield token


@cache
def _blocks() -> MarkdownIt:
    """Finds blocks only: what stands inside a paragraph does not matter for where it ends."""
    parser = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


@cache
def _inline() -> MarkdownIt:
    return MarkdownIt("commonmark")


def _has_top_title(found: list[Section], title: str) -> bool:
    """Whether the text carries its title itself: as its first heading, or as the only one of the first level."""
    headings = [section for section in found if section.heading]
    tops = [section for section in headings if len(section.header) == 1]
    if not headings or headings[0].heading is None:
        return False
    raw = headings[0].heading.text.strip()
    leads = len(tops) == 1 and (raw.startswith("# ") or raw.endswith("="))
    return leads or headings[0].header[-1].lower() == title.lower()


def _front_matter(text: str) -> tuple[FrontMatter, int, str]:
    """The front matter, the number of the first line after it, and the text from there on."""
    lines = text.split("\n")
    fence = lines[0].rstrip()
    if fence not in ("---", _TOML_FENCE):
        return FrontMatter(), 1, text
    closing = (fence, "...") if fence == "---" else (fence,)
    end = next((place for place, line in enumerate(lines[1:], 1) if line.rstrip() in closing), 0)
    if not end:
        return FrontMatter(), 1, text
    front = frontmatter.parse("\n".join(lines[1:end]), toml=fence == _TOML_FENCE)
    return front, end + 2, "\n".join(lines[end + 1 :])


def _as_section(text: str, body_line: int, title: str | None) -> Section:
    """Front matter a reader would search in, as it stands."""
    lines = text.split("\n")[1 : body_line - 2]
    header = (title,) if title else ()
    return Section(header=header, blocks=(Block(text="\n".join(lines), line=2, code=True),), join="never")
