// The middle of the panel, which scrolls: notes, then a welcome, what the panel shows at rest, or results.
import type { Facets, Standing } from '../api.js';
import { button, el, renew } from '../dom.js';
import type { Kept } from '../view.js';
import * as editing from './editing.js';
import { filters, rest } from './rest.js';
import type { Results } from './results.js';
import type { Recent } from './state.js';
import { welcome } from './welcome.js';

export interface Told {
  /** Ask a query as it stands. */
  ask(query: string): void;
  /** Put a query into the box and ask it, with the focus in the box. */
  write(query: string): void;
  index(): void;
  retry(): void;
  scrolled(): void;
}

export interface Shown {
  notes: HTMLElement[];
  standing: Standing | null;
  indexing: boolean;
  folder: string;
  recent: readonly Recent[];
  query: string;
  /** What the results are like, when they answer no query. */
  like: string;
}

export class Middle {
  readonly node: HTMLElement;
  facets: Facets | null = null;
  private readonly notes = el('div');
  private readonly like = el('p', 'meta');
  private readonly scopes = el('details', 'more jp-MemoFilters', { hidden: true }, el('summary', '', {}, 'Filters'));
  private readonly inner = el('div');
  private readonly still = el('div');
  private query = '';
  /** What the chips and the lists were drawn from. */
  private drawn = '';

  constructor(
    private readonly results: Results,
    private readonly told: Told
  ) {
    this.scopes.append(this.inner);
    this.node = el('div', 'scroll', {}, this.notes, this.like, this.scopes, this.still, results.node);
    this.node.addEventListener('click', event => this.clicked(event));
    this.node.addEventListener('scroll', () => told.scrolled(), { passive: true });
    this.still.addEventListener('keydown', event => this.arrow(event));
  }

  get scroll(): number {
    return this.node.scrollTop;
  }

  draw(shown: Shown): void {
    const listed = this.results.shown !== null;
    this.query = shown.query;
    renew(this.notes, ...shown.notes);
    if (listed && shown.like) {
      this.like.replaceChildren(
        el('span', '', {}, 'Like ', el('b', '', {}, shown.like)),
        button('link', 'unlike', {}, 'Back')
      );
    } else if (!listed || shown.query.trim()) {
      this.like.replaceChildren();
    }
    this.results.node.hidden = !listed;
    this.still.hidden = listed;
    this.scopes.hidden = !listed || this.facets === null || this.like.hasChildNodes();
    const { notes: _, like: __, ...from } = shown;
    const drawn = JSON.stringify([listed, this.facets, from]);
    if (drawn === this.drawn) {
      return;
    }
    this.drawn = drawn;
    if (listed && this.facets) {
      this.inner.replaceChildren(filters(this.facets, shown.query));
    } else {
      this.still.replaceChildren(...this.resting(shown));
    }
  }

  /** To the first thing that can be chosen while nothing is asked. */
  enter(): void {
    this.still.querySelector<HTMLElement>('button')?.focus();
  }

  /** Whether the list was to have the focus, and has it. */
  restore(kept: Kept | null, scroll: number, enter = false): boolean {
    kept && this.results.restore(kept);
    const entered = enter && this.results.enter();
    this.node.scrollTop = scroll;
    return entered;
  }

  private resting({ standing, folder, indexing, recent, query }: Shown): Node[] {
    if (!standing) {
      return [];
    }
    const empty = standing.store === null || standing.store.passages === 0;
    if (empty && standing.error === null) {
      return indexing ? [] : [welcome(folder, standing, indexing)];
    }
    return standing.store ? [rest(recent, this.facets, query)] : [];
  }

  private clicked(event: MouseEvent): void {
    const asked = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-do]') : null;
    const { do: action = '', field = '', value = '' } = asked?.dataset ?? {};
    if (action === 'recent') {
      this.told.ask(value);
    } else if (action === 'write') {
      this.told.write(`${this.query} ${value}`);
    } else if (action === 'scope') {
      this.told.write(editing.toggled(this.query, field, value));
    } else if (action === 'month') {
      this.told.write(editing.within(this.query, value));
    } else if (action === 'unlike') {
      this.told.write('');
    } else if (action === 'index-here') {
      this.told.index();
    } else if (action === 'retry') {
      this.told.retry();
    } else if (action === 'more') {
      for (const chip of asked?.parentElement?.children ?? []) {
        chip.removeAttribute('hidden');
      }
      asked?.remove();
    }
  }

  /** Arrows go from one thing to the next, as Tab does. */
  private arrow(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const all = [...this.still.querySelectorAll<HTMLElement>('button:not([hidden])')];
      const at = all.indexOf(event.target as HTMLElement);
      all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
      event.preventDefault();
    }
  }
}
