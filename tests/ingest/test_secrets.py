"""What looks like a secret stays out of the index. Every key here is made up while the test runs."""

from __future__ import annotations

import json
import random
import string
from pathlib import Path

import nbformat
import pytest

from jupyter_memo.engine import Memo
from jupyter_memo.ingest import secrets
from jupyter_memo.records import Chunk, Span
from jupyter_memo.render import report as rendering
from jupyter_memo.response import IndexReport, SourceReport

LETTERS = string.ascii_letters + string.digits
BASE64 = LETTERS + "+/"


def lot(length: int, signs: str = LETTERS, seed: int = 7) -> str:
    return "".join(random.Random(seed).choices(signs, k=length))


def github() -> str:
    return "gh" + "p_" + lot(36)


def key_block(lines: int = 6) -> str:
    body = "\n".join(lot(64, BASE64, seed) for seed in range(lines))
    kind = "PRIVATE " + "KEY"
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"


SECRETS = {
    "AWS access key": "AK" + "IA" + lot(16, string.ascii_uppercase + "234567"),
    "GitHub": github(),
    "GitHub, fine-grained": "github" + "_pat_" + lot(22) + "_" + lot(59),
    "GitLab": "gl" + "pat-" + lot(20),
    "Slack": "xo" + "xb-" + lot(12, string.digits) + "-" + lot(24),
    "Google": "AI" + "za" + lot(35),
    "OpenAI": "s" + "k-proj-" + lot(48),
    "Anthropic": "s" + "k-ant-api03-" + lot(80),
    "Hugging Face": "h" + "f_" + lot(34, string.ascii_letters),
    "npm": "np" + "m_" + lot(36),
    "PyPI": "py" + "pi-AgEI" + lot(80),
    "Stripe": "s" + "k_live_" + lot(24),
    "JWT": "ey" + "J" + lot(33) + ".ey" + "J" + lot(60) + "." + lot(43),
    "private key": key_block(),
    "connection string": "postgresql://writer:" + lot(14) + "@db.river.org/levels",
    "bearer": "Authorization: Bearer " + lot(40),
    "password in code": f'password = "{lot(6)}!{lot(4)}7"',
    "password in .env": f"DB_PASSWORD={lot(12)}#9z",
    "password in prose": f"The password is {lot(10)}$4.",
    "key in JSON": json.dumps({"api_key": lot(32, "0123456789abcdef")}),
    "key in YAML": f"secretKey: {lot(40)}",
    "column of a table": f"user: 2 different values: me, you\npassword: 2 different values: {lot(6)}!{lot(4)}7, x",
    "hex secret": f'SECRET_KEY = "{lot(64, "0123456789abcdef")}"',
    "AWS secret": f"aws_secret_access_key = {lot(40, BASE64)}",
}

NO_SECRETS = {
    "placeholder": 'api_key = "your-token-goes-here-123"',
    "crosses": "token: xxxxxxxxxxxxxxxxxxxxxxxx",
    "angle brackets": "password: <YOUR_PASSWORD_2>",
    "variable": "password=${DB_PASSWORD_1}",
    "environment": 'token = os.environ["HF_TOKEN_2"]',
    "call": "password = get_password_v2(user)",
    "attribute": "token = settings.token_v2.value",
    "documentation key": "AK" + "IAIOSFODNN7EXAMPLE",
    "annotation": "def login(password: str, token: Optional[str] = None): ...",
    "token count": "max_tokens = 1234567890123456",
    "model name": 'tokenizer = "sentence-transformers/all-MiniLM-L6-v2"',
    "prose": "The secret of a good measurement is a clean window, and the key is patience.",
    "prose with a number": "The password is required1.",
    "hash": 'hashed_password = "$2b$12$EixZaYVK1fsbw1ZfbX3OXePaWxn96p36WQoeG6Lruj3vj"',
    "style sheet": '<div class="sk-estimator-doc-link fitted">',
    "url with a port": "http://localhost:8888/lab?path=notes",
    "plain connection string": "postgresql://user:password@localhost/app",
    "public key": "-----BEGIN PUBLIC KEY-----\n" + lot(64, BASE64),
    "key block in documentation": "-----BEGIN PRIVATE " + "KEY-----\n...\n-----END PRIVATE " + "KEY-----",
    "digest": f"sha256: {lot(64, '0123456789abcdef')}",
    "doi": "token economies, https://doi.org/10.1000/182x9a8b7c6d5e4f3",
}


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_found(name: str) -> None:
    assert secrets.find(f"Some words before.\n\n{SECRETS[name]}\nand after.") is not None


@pytest.mark.parametrize("name", NO_SECRETS)
def test_what_only_looks_like_one_is_none(name: str) -> None:
    assert secrets.find(f"Some words before.\n\n{NO_SECRETS[name]}\nand after.") is None


def test_a_secret_is_told_with_its_line() -> None:
    found = secrets.find(f"one\ntwo\n{github()}")
    assert found is not None
    assert ("a GitHub token", 2) == (found.what, found.line)


def test_a_letter_that_is_longer_in_lower_case_does_not_hide_what_follows() -> None:
    assert secrets.find(f"\u0130\u0130\u0130 {SECRETS['password in code']}") is not None


@pytest.mark.parametrize(
    "name",
    ["id_rsa", "keys/id_ed25519", "server.pem", "credentials.json", ".netrc", "vault.kdbx", "client_secret_7.json",
     "secrets.toml", ".env", "prod.env", "my-credentials.yaml"],
)  # fmt: skip
def test_a_file_made_for_secrets_is_known_by_its_name(name: str) -> None:
    assert secrets.by_name(name)


@pytest.mark.parametrize("name", ["secrets.py", "notes/secrets.md", ".env.example", "tokens.json", "keys.csv", "a.md"])
def test_another_file_is_not(name: str) -> None:
    assert not secrets.by_name(name)


def test_the_rest_of_a_key_block_is_held_back_with_its_beginning() -> None:
    lines = key_block(12).split("\n")
    texts = ("before", "\n".join(lines[:5]), "\n".join(lines[5:10]), "\n".join(lines[10:]), "after")
    assert [1, 2, 3] == sorted(secrets.held_back([Chunk(text=text) for text in texts]))


def test_a_key_block_that_never_ends_does_not_take_the_text_behind_it() -> None:
    texts = (key_block().rpartition("\n")[0], "Words that follow.")
    assert [0] == sorted(secrets.held_back([Chunk(text=text) for text in texts]))


def test_a_token_cut_in_two_is_held_back_in_both_pieces() -> None:
    token = SECRETS["GitHub, fine-grained"]
    line = Span(start_line=3, end_line=3)
    pieces = [Chunk(text=text, span=line) for text in (f"It is {token[:15]}", token[15:])]
    assert [0, 1] == sorted(secrets.held_back(pieces))


def test_what_stands_behind_a_secret_at_the_end_of_a_line_is_kept() -> None:
    chunks = [
        Chunk(text=SECRETS["password in .env"], span=Span(start_line=1, end_line=1)),
        Chunk(text="INTERNATIONALISATION=on", span=Span(start_line=2, end_line=2)),
    ]
    assert [0] == sorted(secrets.held_back(chunks))


def test_a_secret_in_a_heading_holds_back_what_stands_below() -> None:
    assert [0] == sorted(secrets.held_back([Chunk(text="harmless", header=("Access", github()))]))


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def reported(report: IndexReport) -> dict[str, SourceReport]:
    return {source.uri: source for source in report.sources}


def stored(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_passage_with_a_secret_is_in_no_part_of_the_store(memo: Memo, tmp_path: Path) -> None:
    token = github()
    write(tmp_path, "a.md", f"# Access\n\nA harmless line.\n\n## Key\n\nThe token is\n{token}\n{'words ' * 300}")
    chat = [{"role": "user", "content": f"my token: {token}"}, {"role": "assistant", "content": "Revoke it at once."}]
    write(tmp_path, "talk.jsonl", "\n".join(map(json.dumps, chat)))
    cell = nbformat.v4.new_code_cell("print(token)", outputs=[nbformat.v4.new_output("stream", text=token)])
    write(tmp_path, "run.ipynb", nbformat.writes(nbformat.v4.new_notebook(cells=[cell])))
    report = memo.index(tmp_path)
    assert "Revoke it at once." == memo.search("revoke").results[0].passage.text
    assert token.encode() not in stored(Path(memo.path))
    assert token not in rendering.plain(report) + rendering.html(report) + str(report)
    assert {"a.md": 1, "talk.jsonl": 1, "run.ipynb": 1} == {
        uri.rsplit("/", 1)[-1]: source.withheld for uri, source in reported(report).items() if source.withheld
    }


def test_the_report_says_how_many_why_and_where_again_in_each_run(memo: Memo, tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", f"# Key\n\nThe token is\n{github()}\n")
    first, second = memo.index(path), memo.index(path)
    told = [(source.status, source.reason) for report in (first, second) for source in report.sources]
    assert [("skipped", "1 passage held back: a GitHub token (line 4)")] * 2 == told
    assert "--allow-secrets" in rendering.plain(second)


def test_a_secret_written_into_an_indexed_file_takes_its_passage_out(memo: Memo, tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", "# Note\n\nThe gauge was moved.\n")
    memo.index(path)
    write(tmp_path, "a.md", f"# Note\n\nThe gauge was moved. {github()}\n")
    report = memo.index(path)
    assert (1, 0) == (report.dropped, len(memo.search("gauge", sync=False).results))


def test_what_is_allowed_for_a_file_is_remembered(memo: Memo, tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", f"# Note\n\nThe gauge has the token {github()}.\n")
    memo.index(path, allow_secrets=True)
    write(tmp_path, "a.md", f"# Note\n\nThe gauge now has the token {github()}.\n")
    assert (1, 0) == ((report := memo.index(tmp_path)).added, report.withheld)
    assert (0, 1) == ((report := memo.index(path, allow_secrets=False)).added, report.withheld)


def test_a_file_made_for_secrets_is_skipped_unless_a_setting_allows_it(tmp_path: Path) -> None:
    path = write(tmp_path, "files/credentials.json", '{"station": "AB1"}')
    with Memo.open(tmp_path / "store", embedder="hash") as memo:
        report = memo.index(path)
        assert ("skipped", "by its name it holds keys or passwords") == (
            report.sources[0].status,
            report.sources[0].reason,
        )
    with Memo.open(tmp_path / "store", embedder="hash", index__allow_secrets=["credentials.json"]) as memo:
        assert 1 == memo.index(path).added


def test_the_doctor_counts_what_is_held_back(memo: Memo, tmp_path: Path) -> None:
    memo.index(write(tmp_path, "a.md", f"# Note\n\nThe gauge has the token {github()}.\n"))
    (check,) = (check for check in memo.doctor() if check.name == "secrets")
    assert "passages 1, sources 1" in check.detail


def test_why_not_names_what_was_held_back(memo: Memo, tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", f"# Note\n\nThe gauge has the token {github()}.\n")
    memo.index(path)
    told = memo.why_not("gauge", str(path))
    assert "held back" in told.sentence
    assert "--allow-secrets" in told.cure


def test_records_are_checked_only_where_that_is_asked_for(memo: Memo) -> None:
    record = {"id": "phone/1", "text": f"The gauge has the token {github()}."}
    assert 0 == memo.add([record]).withheld
    assert 1 == memo.add([{**record, "id": "phone/2"}], allow_secrets=False).withheld


def test_a_record_held_back_leaves_no_title_either(memo: Memo) -> None:
    memo.add([{"id": "phone/1", "title": github(), "text": "The gauge."}], allow_secrets=False)
    assert github().encode() not in stored(Path(memo.path))


def test_real_notes_notebooks_and_code_hold_no_secret(shared_data: Path) -> None:
    files = [path for name in ("formats", "notebooks") for path in (shared_data / name).rglob("*") if path.is_file()]
    texts = {path.name: path.read_bytes().decode("utf-8", "replace") for path in files if path.suffix != ".pdf"}
    assert [] == [name for name, text in texts.items() if secrets.find(text)]
