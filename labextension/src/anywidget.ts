// The search box as an anywidget: what it can do, the kernel does over the widget's messages.
import { Channel, type Model, type Waiting } from './channel.js';
import { button, el } from './dom.js';
import { completions, type Fields } from './fields.js';
import { folder } from './folder.js';
import * as format from './format.js';
import { opener } from './opening.js';
import { Tray } from './tray.js';
import type { Grade } from './view.js';
import { type Host, mountSearch, type Search } from './widget.js';
import type { Folded, Result, SearchResponse } from './wire.js';

export * from './widget.js';

const WAITING: Record<Waiting, string> = {
  no: '',
  busy: 'waiting for the running cell',
  long: 'Waiting for the running cell. If none is running, the kernel has stopped: start it and run this cell again.'
};

export default {
  render({ model, el: home }: { model: Model; el: HTMLElement }): () => void {
    const shown = new Home(model, home);
    return () => shown.dispose();
  }
};

class Home {
  private readonly channel: Channel;
  private readonly search: Search;
  private readonly tray: Tray;
  private readonly files: ReturnType<typeof opener>;
  private readonly waiting = el('span');
  private readonly said = el('span');
  private readonly pages = el('p', 'jp-Memo jp-MemoPages', { hidden: true });
  private readonly node: HTMLElement;
  private fields: Fields = {};
  private version: unknown = null;
  private ways: SearchResponse['ways'] = [];
  /** The request whose list is shown, and the offsets of the pages on the way to it. */
  private shown = '';
  private query = '';
  private trail: number[] = [];

  constructor(model: Model, home: HTMLElement) {
    const writable = model.get('writable') === true;
    this.files = opener(files(model), () => this.ways);
    this.channel = new Channel(model, state => this.waiting.replaceChildren(WAITING[state]));
    const mount = el('div');
    this.tray = new Tray(mount);
    this.search = mountSearch(mount, this.host(writable));
    const state = el('p', 'jp-Memo jp-MemoState meta', { role: 'status' }, this.waiting, this.said);
    const form = writable && folder(this.channel, () => this.refresh());
    this.node = el('div', 'jp-MemoWidget', {}, mount, this.pages, state, form);
    this.node.addEventListener('keydown', entered);
    home.append(this.node);
    this.refresh();
    const query = String(model.get('query') ?? '');
    const field = mount.querySelector('input');
    if (field) {
      field.value = query;
    }
    if (model.get('ask') === true) {
      void this.search.ask(query, Number(model.get('offset') ?? 0));
    }
  }

  dispose(): void {
    this.search.dispose();
    this.channel.dispose();
    this.node.remove();
  }

  private host(writable: boolean): Host {
    return {
      search: (query, offset, signal) => this.ask(query, offset, signal),
      complete: async (text, caret) => completions(this.fields, text, caret),
      open: (result, below, ways) => {
        this.ways = ways;
        this.open(result, below);
      },
      cite: result => this.tray.cite(result, style => this.citation(result, style)),
      ...(writable && { judge: (result: Result, grade: Grade) => this.judge(result, grade) })
    };
  }

  private async ask(query: string, offset: number, signal: AbortSignal): Promise<unknown> {
    this.said.replaceChildren();
    const asked = this.channel.ask('search', { query, offset }, { signal });
    const { response } = await asked.value;
    this.shown = asked.id;
    this.page(query, offset);
    const version = (response as { trace?: { index_version?: unknown } } | undefined)?.trace?.index_version;
    if (version !== this.version) {
      this.version = version;
      this.refresh();
    }
    return response;
  }

  /** The way back: the pages before may have been shorter than the limit, so their offsets are kept. */
  private page(query: string, offset: number): void {
    this.trail = query === this.query ? this.trail.filter(earlier => earlier < offset) : [];
    this.query = query;
    const before = this.trail.at(-1) ?? 0;
    this.trail.push(offset);
    this.pages.hidden = offset === 0;
    const back = button('link', 'previous', {}, 'Show the page before');
    back.addEventListener('click', () => void this.search.ask(query, before));
    this.pages.replaceChildren(`After the first ${format.count(offset)}. `, back);
  }

  private open(result: Result, below?: Folded): void {
    const { open, opens } = this.files;
    if (open && (opens?.(result, below) ?? true)) {
      open(result, below);
    } else {
      this.tray.place(result, below);
    }
  }

  private async citation(result: Result, style: string): Promise<string> {
    const { text } = await this.channel.ask('cite', { search: this.shown, rank: result.rank, style }).value;
    return String(text ?? '');
  }

  private async judge(result: Result, grade: Grade): Promise<void> {
    await this.channel.ask('judge', { search: this.shown, rank: result.rank, grade }).value;
    this.said.replaceChildren(`Kept: ${grade} for result ${result.rank}.`);
  }

  /** What completion knows of the index. A search without it works all the same. */
  private refresh(): void {
    this.channel.ask('values', {}, { quiet: true }).value.then(
      found => {
        this.fields = (found.fields ?? {}) as Fields;
      },
      () => {}
    );
  }
}

/** JupyterLab's way to files, where its manager of widgets hands it on. */
function files(model: Model): Parameters<typeof opener>[0] {
  const manager = (model.widget_manager ?? {}) as { rendermime?: Parameters<typeof opener>[0] };
  return manager.rendermime ?? {};
}

/** JupyterLab takes a line break in a cell for its own, and with it the form that Enter would have sent. */
function entered(event: KeyboardEvent): void {
  if (event.key === 'Enter' && !event.defaultPrevented && event.target instanceof HTMLInputElement) {
    event.preventDefault();
    event.target.form?.requestSubmit();
  }
}
