// A search box with its results, for homes that have an engine behind them. What the home can do it says with a host;
// what a host does not offer is absent. Nothing here knows of widgets, kernels or servers.
import { Completer, type Completions } from './complete.js';
import { button, el, vary } from './dom.js';
import { failure } from './frame.js';
import type { Grade } from './judging.js';
import { hasFile } from './opening.js';
import { read } from './read.js';
import { draw, type View } from './view.js';
import type { Folded, Result, SearchResponse } from './wire.js';

export { read } from './read.js';
export { draw } from './view.js';

export interface Host {
  /** The response to a query as JSON by wire.schema.json. A rejection's message is shown as it is: what, then the cure. */
  search(query: string, offset: number, signal: AbortSignal): Promise<unknown>;
  /** What may stand at the caret. */
  complete?(text: string, caret: number): Promise<Completions | null>;
  /** Opens a result, or what is folded below it, of a response with these ways. */
  open?(result: Result, below: Folded | undefined, ways: SearchResponse['ways']): unknown;
  cite?(result: Result): unknown;
  judge?(result: Result, grade: Grade): unknown;
}

export interface Search {
  /** Shows a response that came in some other way. */
  show(data: unknown): void;
  /** Asks as if it had been typed. */
  ask(query: string, offset?: number): Promise<void>;
  dispose(): void;
}

/** After so many milliseconds a search says that it is still on. */
const PATIENCE = 300;

/** Draws a search box and the results below it into `home`. */
export function mountSearch(home: HTMLElement, host: Host): Search {
  return new Mounted(home, host);
}

class Mounted implements Search {
  private readonly stop = new AbortController();
  private readonly field = el('input', 'input', {
    type: 'search',
    'aria-label': 'search',
    placeholder: 'words, -not, kind:, tag:, since:',
    autocomplete: 'off',
    spellcheck: 'false'
  });
  private readonly form: HTMLFormElement;
  private readonly state = el('div', 'jp-Memo jp-MemoState', { 'aria-live': 'polite' });
  private readonly below = el('div');
  private readonly node: HTMLElement;
  private readonly completer: Completer | null;
  private view: View | null = null;
  private running: AbortController | null = null;

  constructor(
    home: HTMLElement,
    private readonly host: Host
  ) {
    this.form = el(
      'form',
      'field',
      { role: 'search' },
      this.field,
      button('button jp-mod-primary', 'search', { type: 'submit' }, 'Search')
    );
    const box = el('div', 'jp-Memo jp-MemoBox', { 'data-lm-suppress-shortcuts': 'true' }, this.form);
    this.node = el('div', 'jp-MemoSearch', {}, box, this.state, this.below);
    const { signal } = this.stop;
    this.completer = host.complete ? new Completer(this.field, box, host.complete.bind(host), signal) : null;
    this.form.addEventListener(
      'submit',
      event => {
        event.preventDefault();
        void this.ask(this.field.value);
      },
      { signal }
    );
    this.node.addEventListener('keydown', event => this.slash(event), { signal, capture: true });
    home.replaceChildren(this.node);
  }

  show(data: unknown): void {
    const response = read(data);
    this.field.value = response.query;
    this.view?.dispose();
    const { open, cite, judge } = this.host;
    this.view = draw(this.below, response, {
      search: (query, offset) => void this.ask(query, offset),
      ...(open && {
        opens: hasFile,
        open: (result, below) => this.attempt(() => open.call(this.host, result, below, response.ways))
      }),
      ...(cite && { cite: result => this.attempt(() => cite.call(this.host, result)) }),
      ...(judge && { judge: (result, grade) => this.attempt(() => judge.call(this.host, result, grade)) })
    });
  }

  async ask(query: string, offset = 0): Promise<void> {
    this.running?.abort();
    this.completer?.close();
    this.field.value = query;
    if (!query.trim()) {
      return;
    }
    const mine = new AbortController();
    this.running = mine;
    const late = setTimeout(() => this.busy(query), PATIENCE);
    mine.signal.addEventListener('abort', () => clearTimeout(late), { once: true });
    try {
      const data = await this.host.search(query, offset, mine.signal);
      if (!mine.signal.aborted) {
        this.show(data);
        this.state.replaceChildren();
      }
    } catch (error) {
      if (!mine.signal.aborted) {
        this.fail(error);
      }
    } finally {
      clearTimeout(late);
      if (this.running === mine) {
        this.running = null;
      }
    }
  }

  dispose(): void {
    this.running?.abort();
    this.stop.abort();
    this.view?.dispose();
    this.node.remove();
  }

  /** The old list stays; what goes on is said in words and by a line. */
  private busy(query: string): void {
    const line = vary(el('i'), { '--v': 0.3 });
    this.state.replaceChildren(
      el('p', 'meta', {}, el('span', '', {}, `searching for ${query}`)),
      el('div', 'busy', { role: 'progressbar', 'aria-label': 'searching' }, line)
    );
  }

  private fail(error: unknown): void {
    this.state.replaceChildren(failure(error instanceof Error ? error.message : String(error)));
  }

  private attempt(act: () => unknown): void {
    Promise.resolve()
      .then(act)
      .catch(error => {
        if (!this.stop.signal.aborted) {
          this.fail(error);
        }
      });
  }

  /** `/` in the results goes to the box. */
  private slash(event: KeyboardEvent): void {
    if (event.key === '/' && event.target !== this.field && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      event.stopPropagation();
      this.field.focus();
      this.field.select();
    }
  }
}
