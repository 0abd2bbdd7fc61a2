// The search panel: a box, below it what answers, and at the foot how the index stands.
import { el } from '../dom.js';
import { begun, completions, counted, type Fields } from '../fields.js';
import { GRAMMAR } from '../language/grammar.js';
import type { Result } from '../wire.js';
import { Asking, type Found } from './asking.js';
import { Box } from './box.js';
import * as editing from './editing.js';
import { Foot } from './foot.js';
import type { Host } from './host.js';
import { Keeper } from './keeper.js';
import { Middle } from './middle.js';
import { Results } from './results.js';
import { Said } from './said.js';
import { Latest, PAUSE } from './searching.js';
import { notes } from './status.js';

/** What the commands of JupyterLab ask of the panel. */
export interface Panel {
  readonly node: HTMLElement;
  /** Brings the state of the page before back. Until the first call the server is not asked anything. */
  wake(): Promise<void>;
  focus(): void;
  ask(query: string): void;
  similar(text: string, label: string): void;
  index(paths: readonly string[]): void;
  about(): void;
  /** The folder or the document at hand is another one. */
  moved(): void;
  dispose(): void;
}

const FIELDS = Object.keys(GRAMMAR.fields);

export function mountPanel(home: HTMLElement, host: Host): Panel {
  return new Mounted(home, host);
}

class Mounted implements Panel {
  readonly node: HTMLElement;
  private woken: Promise<void> | null = null;
  private readonly stop = new AbortController();
  private readonly box: Box;
  private readonly middle: Middle;
  private readonly results: Results;
  private readonly foot: Foot;
  private readonly latest: Latest<Found>;
  private readonly asking: Asking;
  private readonly keeper: Keeper;
  private readonly said = new Said(() => void this.refresh());
  private fields: Fields = {};
  private version = -1;
  private entering = false;

  constructor(
    home: HTMLElement,
    private readonly host: Host
  ) {
    const { signal } = this.stop;
    this.latest = new Latest<Found>({
      found: found => this.found(found),
      failed: error => this.said.fail(error),
      busy: on => this.said.busy(on)
    });
    this.asking = new Asking(host.api, () => this.box.by);
    this.keeper = new Keeper(host, () => ({
      ...this.box.by,
      kept: this.results.kept(),
      scroll: this.middle.scroll
    }));
    this.box = new Box(
      {
        typed: () => this.typed(),
        asked: () => this.submit(),
        down: () => this.down(),
        complete: async (text, caret) => counted(completions(this.fields, text, caret), text, this.middle.facets)
      },
      signal
    );
    this.results = new Results(
      host,
      {
        search: (query, offset) => this.search(query, offset),
        similar: (search, result) => this.like(search, result),
        leave: () => this.box.focus(),
        say: words => this.said.say(words),
        fail: error => this.said.fail(error),
        used: () => this.remember(),
        touched: () => this.keeper.save(),
        by: () => this.box.by
      },
      signal
    );
    this.middle = new Middle(this.results, {
      ask: query => this.ask(query),
      write: query => this.write(query),
      index: () => this.index([host.folder()]),
      retry: () => void Promise.all([this.refresh(), this.foot.resume(this.keeper.state.job)]),
      scrolled: () => this.keeper.save()
    });
    this.foot = new Foot(host, {
      changed: () => void this.refresh(true),
      job: job => job !== this.keeper.state.job && this.keeper.change({ job }),
      fail: error => this.said.fail(error),
      redraw: () => this.redraw()
    });
    this.node = el(
      'div',
      'panel',
      { 'data-lm-suppress-shortcuts': 'true' },
      el('h2', 'sr', {}, 'Search your notes'),
      this.box.node,
      this.said.node,
      this.middle.node,
      this.foot.node
    );
    this.node.addEventListener('keydown', event => this.slash(event), { signal, capture: true });
    home.replaceChildren(el('div', 'jp-Memo jp-MemoPanel', {}, this.node));
  }

  wake(): Promise<void> {
    this.woken ??= this.begin();
    return this.woken;
  }

  focus(): void {
    this.box.focus();
  }

  ask(query: string): void {
    this.box.query = query;
    this.search(query, 0);
  }

  similar(text: string, label: string): void {
    this.box.query = '';
    void this.latest.now(this.asking.likeText(text, label));
  }

  index(paths: readonly string[]): void {
    this.foot.start(paths);
  }

  about(): void {
    this.foot.about(true);
  }

  moved(): void {
    this.redraw();
    this.foot.moved();
  }

  dispose(): void {
    this.keeper.dispose();
    this.stop.abort();
    this.latest.cancel();
    this.foot.dispose();
    this.node.parentElement?.remove();
  }

  private async begin(): Promise<void> {
    const state = await this.keeper.load();
    this.box.query ||= state.query;
    this.box.by = state;
    this.redraw();
    const { query, offset, kept, scroll, job } = state;
    await Promise.all([this.refresh(), this.foot.resume(job)]);
    if (query.trim() && this.box.query === query) {
      await this.latest.now(this.asking.query(query, offset));
      const { shown } = this.results;
      if (shown && this.box.query === query) {
        // The index may have shrunk since: a page behind the end of the list is none.
        offset > 0 && shown.results.length === 0 ? this.search(query, 0) : this.middle.restore(kept, scroll);
      }
    }
  }

  private typed(): void {
    const query = begun(FIELDS, this.box.query);
    const { asks, pause } = this.host.typing?.() ?? { asks: true, pause: PAUSE };
    query.trim() !== this.keeper.state.query.trim() && this.keeper.unwatch();
    if (!query.trim()) {
      this.rest();
    } else if (asks && (query.trim() !== this.results.shown?.query.trim() || this.latest.pending)) {
      this.entering = false;
      this.latest.soon(this.asking.query(query, 0), pause);
    }
  }

  private submit(): void {
    const { query } = this.box;
    if (begun(FIELDS, query) !== query) {
      void this.box.suggest().then(offered => offered || this.search(query, 0));
      return;
    }
    this.search(query, 0);
    this.remember();
  }

  private search(query: string, offset: number): void {
    this.box.query = query;
    this.entering = false;
    if (query.trim()) {
      void this.latest.now(this.asking.query(query, offset));
    } else {
      this.rest();
    }
  }

  private rest(): void {
    this.latest.cancel();
    this.results.clear();
    this.said.clear();
    this.keeper.change({ query: '', offset: 0 });
    this.redraw();
  }

  private like(search: string, result: Result): void {
    this.box.query = '';
    void this.latest.now(this.asking.likeResult(search, result));
  }

  private found({ query, offset, search, data, like }: Found): void {
    let response: ReturnType<Results['show']>;
    const { state } = this.keeper;
    const again = query !== '' && state.query === query && state.offset === offset && this.results.shown !== null;
    const before = again ? this.results.kept() : null;
    const { scroll } = this.middle;
    const held = this.results.node.contains(this.node.ownerDocument.activeElement);
    try {
      response = this.results.show(data, search);
    } catch (error) {
      this.said.fail(error);
      return;
    }
    this.said.clear();
    this.keeper.change({ query, offset });
    this.redraw(like);
    const entered = this.middle.restore(before, again ? scroll : 0, held || this.entering);
    this.entering = false;
    held && !entered && this.box.field.focus();
    this.keeper.watch(query, response.total);
    if (response.trace.index_version !== this.version || this.foot.error !== null) {
      void this.refresh();
    }
  }

  /** Down from the box goes to the list, at once or as soon as it is there. */
  private down(): void {
    if (this.latest.pending) {
      this.entering = true;
    } else if (!this.results.enter()) {
      this.middle.enter();
    }
  }

  private remember(): void {
    this.results.shown && this.keeper.used(this.results.shown);
  }

  /** What the index holds: the fields that complete, the chips, the foot. */
  private async refresh(again = false): Promise<void> {
    const standing = await this.foot.refresh();
    if (!standing) {
      this.redraw();
      return;
    }
    this.version = standing.store?.index_version ?? this.version;
    this.box.standard(standing.store?.profile ?? '', standing.store?.profiles);
    if (standing.store) {
      const { api } = this.host;
      const [fields, facets] = await Promise.all([api.fields().catch(() => ({})), api.facets().catch(() => null)]);
      this.fields = fields;
      this.middle.facets = facets;
    }
    this.redraw();
    const { query } = this.box;
    const { state } = this.keeper;
    if (again && query.trim()) {
      void this.latest.now(this.asking.query(query, query === state.query ? state.offset : 0));
    }
  }

  private redraw(like = ''): void {
    const { standing } = this.foot;
    this.middle.draw({
      notes: notes(standing, this.foot.error, this.foot.indexed),
      standing,
      indexing: this.foot.indexing,
      folder: this.host.folder(),
      recent: this.keeper.state.recent,
      query: this.box.query,
      like
    });
  }

  /** A chip or a hint changes the query; what is asked then is the whole of it. */
  private write(query: string): void {
    this.ask(editing.words(query).join(' '));
    this.box.field.focus();
  }

  private slash(event: KeyboardEvent): void {
    const target = event.target as Element;
    if (event.key === '/' && !target.matches('input, select') && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      event.stopPropagation();
      this.box.focus();
    }
  }
}
