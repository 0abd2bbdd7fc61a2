"""Tab completion inside the magics: options, and the values of those that have a list of them."""

from __future__ import annotations

import re

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult, context_matcher

from jupyter_memo.jupyter import manual

_MAGIC = re.compile(r"\s*(?:[^\W\d]\w*\s*=\s*)?%{1,2}(memo(?:_search|_index)?)\b(?P<rest>.*)", re.DOTALL)


@context_matcher(identifier="jupyter_memo")  # type: ignore[untyped-decorator]
def complete(context: CompletionContext) -> SimpleMatcherResult:
    """What may stand at the cursor of a memo magic; nothing anywhere else."""
    lines = context.full_text.split("\n")
    before = lines[context.cursor_line][: context.cursor_position] if context.cursor_line < len(lines) else ""
    found = _MAGIC.fullmatch(before)
    if not found or not found["rest"][:1].isspace():
        return SimpleMatcherResult(completions=[], suppress=False)
    offers = candidates(found[1], found["rest"])
    offers = tuple(offer for offer in offers if offer.startswith(context.token))
    return SimpleMatcherResult(
        completions=[SimpleCompletion(text=offer, type="param") for offer in offers], suppress=bool(offers)
    )


def candidates(magic: str, rest: str) -> tuple[str, ...]:
    """Everything that may come next, given what stands behind the magic's name up to the cursor."""
    *earlier, word = re.split(r"[\s=]+", rest)
    verb = earlier[1] if magic == "memo" and len(earlier) > 1 else ""
    options = manual.VERB_OPTIONS.get(verb, manual.OPTIONS[magic])
    previous = earlier[-1] if earlier else ""
    waiting = next((option for option in options if previous in option.flags and option.metavar), None)
    if waiting is not None:
        if waiting.many or not waiting.metavar.endswith(",B"):
            return waiting.choices or manual.own_names(waiting.key)
        first = word.rpartition(",")[0]
        return tuple(f"{first},{name}" if first else name for name in manual.own_names(waiting.key))
    if magic == "memo" and not verb:
        return tuple(manual.VERBS)
    if verb == "profiles" and len(earlier) == 2:
        return manual.own_names("profiles")
    return tuple(option.long for option in options) if word.startswith("-") or not word else ()
