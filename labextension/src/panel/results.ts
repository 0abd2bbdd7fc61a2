// A list of results in the panel, with all that can be done with one of them.
import { el } from '../dom.js';
import * as location from '../location.js';
import { hasFile } from '../opening.js';
import { read } from '../read.js';
import { Tray } from '../tray.js';
import { draw, type Kept, type View } from '../view.js';
import { line, text } from '../visible.js';
import type { Folded, Result, SearchResponse } from '../wire.js';
import type { Host, Insertion } from './host.js';

/** What the list asks of the panel around it. */
export interface Around {
  search(query: string, offset: number): void;
  similar(search: string, result: Result): void;
  leave(): void;
  say(words: string): void;
  fail(error: unknown): void;
  /** Somebody did something with a result, so its query was a good one. */
  used(): void;
  /** What was opened or filtered is worth keeping. */
  touched(): void;
  /** The mode and profile that the list was searched by. */
  by(): { mode: string; profile: string };
}

export class Results {
  readonly node = el('div', 'jp-MemoResults');
  private view: View | null = null;
  private tray: Tray;
  private response: SearchResponse | null = null;
  private search = '';

  constructor(
    private readonly host: Host,
    private readonly around: Around,
    signal: AbortSignal
  ) {
    this.tray = new Tray(this.node);
    this.node.addEventListener('click', () => around.touched(), { signal });
    this.node.addEventListener('keyup', () => around.touched(), { signal });
  }

  get shown(): SearchResponse | null {
    return this.response;
  }

  /** Throws Unreadable where the data is of another schema. */
  show(data: unknown, search: string): SearchResponse {
    const response = read(data);
    this.view?.dispose();
    this.tray.close();
    this.response = response;
    this.search = search;
    const { host, around } = this;
    this.view = draw(this.node, response, {
      enterOpens: true,
      brief: true,
      opens: (result, below) => hasFile(result, below),
      search: (query, offset) => around.search(query, offset),
      leave: () => around.leave(),
      open: (result, below) => this.does(() => this.open(result, below)),
      cite: result => this.does(() => this.tray.cite(result, style => this.host.api.cite(search, result.rank, style))),
      insert: result => this.insert(result),
      similar: result => around.similar(search, result),
      judge: (result, grade) =>
        this.does(async () => {
          await host.api.judge(search, result.rank, grade);
          around.say(`Kept: ${grade} for result ${result.rank}.`);
        }),
      ...(host.drag && { drag: (result: Result, event: PointerEvent) => this.drag(result, event) })
    });
    this.cut(response);
    return response;
  }

  clear(): void {
    this.view?.dispose();
    this.view = null;
    this.response = null;
    this.node.replaceChildren();
  }

  restore(kept: Kept): void {
    this.view?.restore(kept);
  }

  kept(): Kept | null {
    return this.view?.kept() ?? null;
  }

  enter(): boolean {
    return this.view?.enter() ?? false;
  }

  /** There is room for the file, and for folders where two of them share its name; all of them stand in the title. */
  private cut({ results, nearest }: SearchResponse): void {
    const find = (selector: string) => [...this.node.querySelectorAll<HTMLElement>(selector)];
    const rows = results.flatMap(({ rank, passage, folded }) => {
      const row = `.jp-Memo-row[data-rank="${rank}"]`;
      return [
        ...find(`${row} .jp-Memo-where .jp-Memo-path`).map(node => ({ node, uri: passage.uri })),
        ...find(`${row} .jp-Memo-fold li .jp-Memo-path`).map((node, at) => ({ node, uri: folded[at].uri }))
      ];
    });
    const misses = find('.jp-Memo-more .jp-Memo-path').map((node, at) => ({ node, uri: nearest[at].uri }));
    const shown = [...rows, ...misses];
    const ends = location.endings(shown.map(({ uri }) => line(uri)));
    for (const [at, { node }] of shown.entries()) {
      node.title = node.textContent ?? '';
      node.textContent = ends[at] || node.title;
    }
  }

  private async open(result: Result, below?: Folded): Promise<void> {
    this.around.used();
    const { api } = this.host;
    const place = await (below ? api.openPassage(below.id) : api.open(this.search, result.rank));
    if (place.path === null) {
      const what = below ? line(below.title) : location.heading(result);
      this.around.say(`${what} cannot be opened here: it is ${line(place.why)}.`);
      this.tray.place(result, below);
      return;
    }
    this.around.say(await this.host.open(place, result));
  }

  private insert(result: Result): void {
    const target = this.host.target();
    const said = target ? `Into ${target.words}.` : 'Open a notebook or a text file first.';
    const { query = '' } = this.response ?? {};
    const into = (make: () => Promise<Insertion>) => () =>
      this.does(async () => {
        this.around.used();
        this.around.say(await this.host.insert(await make()));
      });
    this.tray.offer(
      result,
      'insert',
      said,
      target
        ? {
            citation: into(async () => ({ what: 'citation', text: await this.text(result, 'markdown') })),
            quote: into(async () => ({ what: 'quote', text: await this.text(result, 'quote') })),
            ...(query.trim() &&
              target.cells && {
                'search cell': into(async () => ({ what: 'search', text: cell(query, this.around.by()) }))
              })
          }
        : {}
    );
  }

  private text(result: Result, style: string): Promise<string> {
    return this.host.api.cite(this.search, result.rank, style);
  }

  /** The quote is asked for when the drag begins, and until it comes the passage as it is shown stands in. */
  private drag(result: Result, event: PointerEvent): void {
    const source = {
      text: quoted(result),
      begun: () => {
        this.text(result, 'quote').then(
          found => {
            source.text = found;
          },
          () => {}
        );
      }
    };
    const label = location.heading(result);
    this.host.drag?.(event, source, label);
  }

  private does(act: () => Promise<unknown>): void {
    act().catch(error => this.around.fail(error));
  }
}

/** A code cell that asks the same question with the magic. */
export function cell(query: string, { mode, profile }: { mode: string; profile: string }): string {
  const options = [mode !== '' && mode !== 'auto' && `--mode ${mode}`, profile !== '' && `--profile ${profile}`].filter(
    Boolean
  );
  return `${['%%memo_search', ...options].join(' ')}\n${query.trim()}`;
}

/** A quote of what is shown of a passage, with where it is from. */
export function quoted(result: Result): string {
  const { passage, snippet } = result;
  const place = location.place(passage.span, location.title(passage));
  const shown = text(snippet || passage.text);
  const lines = (passage.code ? fenced(shown.trimEnd()) : shown.trim().replace(ACTIVE, inert)).split('\n');
  const from = [location.path(passage), place].filter(Boolean).join(location.DOT).replace(SIGNS, '\\$&');
  return [...lines, '', `— ${from}`].map(one => `> ${one}`.trimEnd()).join('\n');
}

/** What begins HTML or an image, by which a note from elsewhere could call home; as jupyter_memo/jupyter/opening.py. */
const ACTIVE = /<(?=[A-Za-z/!?])|!(?=\[)/gu;
const SIGNS = /[\\`*{}[\]<>#|~$&]/gu;

function inert(sign: string): string {
  return `&#${sign.charCodeAt(0)};`;
}

function fenced(code: string): string {
  let fence = '```';
  while (code.includes(fence)) {
    fence += '`';
  }
  return [fence, code, fence].join('\n');
}
