"""The ranking profiles there are, and all constants of one, as text and HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from jupyter_memo import own_profiles
from jupyter_memo.profile import PROFILES, Profile
from jupyter_memo.render import visible
from jupyter_memo.render.html import table as html_table
from jupyter_memo.render.text import WIDTH, wrapped
from jupyter_memo.render.text import table as text_table

HEAD = ("profile", "for", "other than in default")
OWN_HEAD = ("profile", "for", "other than in its base")
CHANGED = "*"


def profiles_plain(profiles: Sequence[Profile], width: int = WIDTH) -> str:
    """Each profile with its purpose, and below that the constants that set it apart: from `default`, or one of the
    user's own from its base."""
    label = max(len(visible.line(each.name)) for each in profiles) + 2
    lines = []
    known = {each.name: each for each in profiles}
    for each in profiles:
        name, purpose, apart = _row(each, known)
        lines += wrapped(purpose or apart, width, indent=name.ljust(label), hanging=" " * label)
        if purpose and apart:
            lines += wrapped(apart, width, indent=" " * label, hanging=" " * (label + 2))
    return "\n".join([*lines, "", "All constants of one: %memo profiles NAME"])


def profiles_html(profiles: Sequence[Profile]) -> str:
    """The same as a table, one more for those of the user's own."""
    parts, known = [], {each.name: each for each in profiles}
    for head, owned in ((HEAD, False), (OWN_HEAD, True)):
        rows = [_row(each, known) for each in profiles if (each.name not in PROFILES) == owned]
        parts += [html_table(head, rows, text=(1, 2))] if rows else []
    return "\n".join(parts)


def constants_plain(profile: Profile, base: Profile) -> str:
    """The purpose, and every constant with its value; a star and the base's value where they differ."""
    head = ("", "constant", visible.line(profile.name), f"in {visible.line(base.name)}")
    lines = text_table((head, *_constants(profile, base))) if profile != base else text_table(_alone(profile))
    return "\n".join([*wrapped(_title(profile), WIDTH), "", *lines])


def constants_html(profile: Profile, base: Profile) -> str:
    """The same as a table."""
    title = f"<p>{escape(_title(profile))}</p>"
    if profile == base:
        return f"{title}\n{html_table(('constant', 'value'), _alone(profile), text=(1,))}"
    head = ("constant", visible.line(profile.name), f"in {visible.line(base.name)}")
    rows = [(key, value, theirs) for _, key, value, theirs in _constants(profile, base)]
    return f"{title}\n{html_table(head, rows, text=(1, 2))}"


def _row(profile: Profile, known: Mapping[str, Profile]) -> tuple[str, str, str]:
    base = PROFILES["default"]
    told = visible.line(profile.purpose)
    if profile.name not in PROFILES:
        told = " · ".join(filter(None, (told, f"made from {visible.line(profile.base)}")))
        base = known.get(profile.base, base)
    changed = own_profiles.differences(profile, base)
    apart = ", ".join(f"{key} {own_profiles.written(value)}" for key, (value, _) in changed.items())
    return visible.line(profile.name), told, apart


def _title(profile: Profile) -> str:
    made = f"made from {visible.line(profile.base)}" if profile.base else ""
    return ": ".join(filter(None, (visible.line(profile.name), " · ".join(filter(None, (profile.purpose, made))))))


def _alone(profile: Profile) -> list[tuple[str, str]]:
    return [(key, own_profiles.written(value)) for key, value in own_profiles.constants(profile).items()]


def _constants(profile: Profile, base: Profile) -> list[tuple[str, str, str, str]]:
    theirs = own_profiles.constants(base)
    return [
        (CHANGED if value != theirs[key] else "", key, own_profiles.written(value), own_profiles.written(theirs[key]))
        if value != theirs[key]
        else ("", key, own_profiles.written(value), "")
        for key, value in own_profiles.constants(profile).items()
    ]
