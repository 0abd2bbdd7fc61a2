"""First paint of a page of results and the bytes of what draws it: python tests/bench/view.py [RUNS]

The committed bundle of the widget draws the golden response, repeated to 10 and to 100 results, in headless Chromium.
Reading checks the JSON against the schema, drawing makes the elements, layout is the first one after it; each figure
is that of a fresh page, the median of RUNS, so nothing has been compiled before.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

PROJECT = Path(__file__).resolve().parents[2]
BUILT = PROJECT / "jupyter_memo" / "jupyter"
PAINT = """async ([source, data]) => {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const { read, draw } = await import(url);
    const home = document.getElementById('home');
    const times = [performance.now()];
    const response = read(data);
    times.push(performance.now());
    draw(home, response);
    times.push(performance.now());
    home.getBoundingClientRect();
    times.push(performance.now());
    return times.slice(1).map((time, at) => time - times[at]);
}"""


def page_of(results: int) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads((PROJECT / "tests/golden/response.json").read_text(encoding="utf-8"))
    found = whole["results"]
    return {**whole, "results": [{**found[at % len(found)], "rank": at + 1} for at in range(results)]}


def main(runs: int) -> None:
    source = (BUILT / "static" / "widget.js").read_text(encoding="utf-8")
    style = (BUILT / "static" / "widget.css").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for results in (10, 100):
            data = page_of(results)
            measured = []
            for _ in range(runs):
                page = browser.new_page(viewport={"width": 1000, "height": 900})
                page.set_content(f"<style>{style}</style><main id='home'></main>")
                measured.append(page.evaluate(PAINT, [source, data]))
                page.close()
            read, draw, layout = (statistics.median(column) for column in zip(*measured, strict=True))
            print(f"{results:>3} results: read {read:.1f} ms, draw {draw:.1f} ms, layout {layout:.1f} ms")
        browser.close()
    for folder in ("labextension", "static"):
        sizes = [path.stat().st_size for path in (BUILT / folder).rglob("*") if path.is_file()]
        print(f"{folder}: {sum(sizes):,} bytes in {len(sizes)} files")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
