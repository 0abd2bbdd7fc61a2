"""Loading, reloading and unloading the extension; Tab completion."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

from jupyter_memo.jupyter.completion import complete
from jupyter_memo.jupyter.magics import MemoMagics
from jupyter_memo.jupyter.question import Question

HEAVY = ("lancedb", "torch", "pyarrow", "pandas", "pydantic", "onnxruntime", "tqdm", "ipywidgets", "jupyterlab")


def fresh(code: str) -> str:
    """What a new interpreter prints."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_and_loading_bring_in_nothing_heavy() -> None:
    code = f"""
        import sys
        import jupyter_memo
        from IPython.core.interactiveshell import InteractiveShell
        shell = InteractiveShell.instance()
        shell.run_line_magic("load_ext", "jupyter_memo")
        print([name for name in {HEAVY!r} if name in sys.modules])
    """
    assert "[]" == fresh(code).split("\n")[-1]


def test_importing_the_package_brings_in_nothing_but_itself() -> None:
    code = """
        import sys
        before = set(sys.modules)
        import jupyter_memo
        print(sorted(name for name in set(sys.modules) - before if name.split(".")[0] not in sys.stdlib_module_names))
    """
    assert "['jupyter_memo']" == fresh(code)


def test_every_public_name_is_there_and_sorted() -> None:
    import jupyter_memo

    names = jupyter_memo.__all__
    assert [] == [name for name in names if getattr(jupyter_memo, name, None) is None]
    constants = [name for name in names if name.isupper()]
    classes = [name for name in names if not name.isupper() and not name.startswith("_")]
    assert [*sorted(constants), *sorted(classes), "__version__"] == names


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    import jupyter_memo

    with pytest.raises(AttributeError, match="has no attribute 'Mem'"):
        jupyter_memo.Mem  # noqa: B018


def parts(shell: InteractiveShell) -> tuple[int, int, int, int]:
    return (
        sum("memo_search" in table for table in shell.magics_manager.magics.values()),
        sum(entry is Question for entry in shell.input_transformer_manager.token_transformers),
        sum(entry is complete for entry in shell.Completer.custom_matchers),
        sum(isinstance(entry, MemoMagics) for entry in shell.configurables),
    )


def test_loading_twice_leaves_one_of_each(shell: InteractiveShell) -> None:
    import jupyter_memo

    jupyter_memo.load_ipython_extension(shell)
    assert (2, 1, 1, 1) == parts(shell)
    shell.run_line_magic("reload_ext", "jupyter_memo")
    assert (2, 1, 1, 1) == parts(shell)


def test_unloading_takes_everything_away_and_closes_the_store(shell: InteractiveShell, engine: object) -> None:
    shell.run_line_magic("unload_ext", "jupyter_memo")
    assert (0, 0, 0, 0) == parts(shell)
    assert engine.closed  # type: ignore[attr-defined]
    shell.run_line_magic("load_ext", "jupyter_memo")


def offered(shell: InteractiveShell, text: str) -> list[str]:
    with provisionalcompleter():
        return [found.text for found in shell.Completer.completions(text, len(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%memo_search --lim", ["--limit"]),
        ("%%memo_search --li", ["--library", "--limit"]),
        ("r = %memo_search --max", ["--max-tokens"]),
        ("%memo_index . --dr", ["--dry-run"]),
        ("%memo_search --mode k", ["keyword"]),
        ("%memo_search -k no", ["note", "notebook"]),
        ("%memo_search --kind=pa", ["paper"]),
        ("%memo_search --profile minm", ["minmax"]),
        ("%memo do", ["doctor"]),
    ],
)
def test_tab_completes_options_and_their_values(text: str, expected: list[str], shell: InteractiveShell) -> None:
    assert expected == sorted(offered(shell, text))


def test_an_unfinished_option_offers_no_builtins(shell: InteractiveShell) -> None:
    assert "license" not in offered(shell, "%memo_search --li")


def test_the_body_of_a_cell_completes_as_before(shell: InteractiveShell) -> None:
    assert "--limit" not in offered(shell, "%%memo_search\n--li")


def test_after_unloading_options_are_not_offered(shell: InteractiveShell) -> None:
    shell.run_line_magic("unload_ext", "jupyter_memo")
    assert "--limit" not in offered(shell, "%memo_search --lim")
    shell.run_line_magic("load_ext", "jupyter_memo")
