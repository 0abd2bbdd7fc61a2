// A search response, drawn. One view for every home: the output of a cell (no kernel, no trust) and the widget.
// Everything is made of elements and text nodes; no text from an index becomes markup, a link or a style.
import { again } from './again.js';
import { el } from './dom.js';
import { explain } from './explain.js';
import * as facets from './facets.js';
import * as folding from './folding.js';
import * as frame from './frame.js';
import { type Grade, Judging } from './judging.js';
import { leave, Roving } from './roving.js';
import { type Actions, canOpen, row } from './row.js';
import { trace } from './trace.js';
import type { Result, SearchResponse } from './wire.js';

export type { Actions, Grade } from './row.js';

/** A drawn response. `dispose` takes it away again, with all that listens. */
export interface View {
  readonly node: HTMLElement;
  /** What a reader did to it, and the way to have it so again. */
  kept(): Kept;
  restore(kept: Kept): void;
  /** Puts the focus on the current row, at first the first one; false where there is none. */
  enter(): boolean;
  dispose(): void;
}

/** The ranks that stand open, the rank of the current row, and the filters that are off as (facet, value). */
export interface Kept {
  open: number[];
  current: number | null;
  off: [string, string][];
}

/** Draws `response` as the only child of `home`. */
export function draw(home: HTMLElement, response: SearchResponse, actions: Actions = {}): View {
  const view = new Drawn(response, actions);
  home.replaceChildren(view.node);
  return view;
}

class Drawn implements View {
  readonly node: HTMLElement;
  private readonly stop = new AbortController();
  private readonly rows: HTMLLIElement[];
  private readonly roving: Roving;
  private readonly chosen: facets.Chosen;
  private readonly judging: Judging;
  private readonly list: HTMLOListElement;
  private readonly none: HTMLElement;
  private readonly made: folding.Making;

  constructor(
    private readonly response: SearchResponse,
    private readonly actions: Actions
  ) {
    const top = Math.max(0, ...response.results.map(result => result.score));
    const found = facets.facets(response);
    const researchable = actions.search !== undefined;
    this.chosen = new facets.Chosen(found);
    this.judging = new Judging((result, grade) => actions.judge?.(result, grade));
    this.rows = response.results.map(result => row(result, response, top, actions));
    this.roving = new Roving(this.rows);
    this.list = el('ol', 'list', { 'aria-label': 'results' }, ...this.rows);
    this.none = el('p', 'more', { hidden: true }, 'These filters leave nothing. ');
    this.none.append(el('button', 'link', { type: 'button', 'data-do': 'all' }, 'Show all again'));
    this.node = el(
      'div',
      'jp-Memo',
      { 'data-lm-suppress-shortcuts': 'true' },
      frame.head(response, facets.bar(found, response.filters, researchable)),
      ...frame.notes(response),
      ...frame.empty(response, researchable),
      this.rows.length > 0 && frame.legend(response),
      this.rows.length > 0 && this.list,
      this.none,
      frame.end(response, researchable),
      frame.keys({
        list: this.rows.length > 0,
        open: response.results.some(result => canOpen(result, actions)),
        judge: actions.judge !== undefined,
        enterOpens: actions.enterOpens === true,
        filter: actions.leave ? 'search box' : found.length > 0 ? 'filter' : ''
      })
    );
    if (response.open_why) {
      for (const item of this.rows) {
        this.unfold(item, true);
      }
    }
    this.made = new folding.Making(this.node, () => trace(this.response));
    const { signal } = this.stop;
    this.node.addEventListener('click', event => this.clicked(event), { signal });
    this.node.addEventListener('keydown', event => this.pressed(event), { signal });
    this.node.addEventListener('focusin', event => this.entered(event), { signal });
    if (actions.drag) {
      this.node.addEventListener('pointerdown', event => this.held(event), { signal });
    }
  }

  kept(): Kept {
    const rank = (item: HTMLLIElement) => this.result(item).rank;
    const current = this.rows.find(item => item.hasAttribute('aria-current'));
    return {
      open: this.rows.filter(folding.isOpen).map(rank),
      current: current ? rank(current) : null,
      off: this.chosen.kept()
    };
  }

  restore(kept: Kept): void {
    this.chosen.restore(kept.off);
    this.sift();
    for (const item of this.rows) {
      const { rank } = this.result(item);
      if (kept.open.includes(rank)) {
        this.unfold(item, true);
      }
      if (rank === kept.current) {
        this.roving.choose(item);
      }
    }
  }

  enter(): boolean {
    return this.roving.move(this.roving.now(), 0);
  }

  dispose(): void {
    this.stop.abort();
    this.node.remove();
  }

  private clicked(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const asked = target?.closest<HTMLElement>('[data-do]');
    const item = target?.closest<HTMLLIElement>('.jp-Memo-row') ?? null;
    if (item) {
      this.roving.choose(item);
    }
    if (!asked) {
      return;
    }
    const { do: action = '', facet = '', value = '' } = asked.dataset;
    if (action === 'chip') {
      event.shiftKey ? this.chosen.only(facet, value) : this.chosen.toggle(facet, value);
      this.sift();
    } else if (action === 'chips') {
      for (const chip of asked.parentElement?.children ?? []) {
        chip.removeAttribute('hidden');
      }
      asked.remove();
    } else if (action === 'all') {
      this.chosen.clear();
      this.sift();
    } else if (action === 'trace') {
      this.trace();
    } else if (item) {
      this.act(item, action, asked.dataset);
    } else {
      const next = again(this.response, action, value);
      next && this.actions.search?.(next.query, next.offset);
    }
  }

  /** What a row offers. */
  private act(item: HTMLLIElement, action: string, { grade = '', below }: DOMStringMap): void {
    const result = this.result(item);
    if (action === 'why') {
      this.unfold(item);
    } else if (action === 'open') {
      this.actions.open?.(result, below === undefined ? undefined : result.folded[Number(below)]);
    } else if (action === 'cite' || action === 'insert' || action === 'similar') {
      this.actions[action]?.(result);
    } else if (action === 'judge') {
      this.judging.toggle(item, result);
    } else if (action === 'grade') {
      this.judging.judge(item, result, Number(grade) as Grade);
    }
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) {
      return;
    }
    const target = event.target as Element;
    const item = target.closest<HTMLLIElement>('.jp-Memo-row');
    if (this.key(event.key, target, item)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Carries out one key; false where it means nothing here. */
  private key(key: string, target: Element, item: HTMLLIElement | null): boolean {
    const here = item ?? this.roving.now();
    switch (key) {
      case 'j':
      case 'ArrowDown':
        return this.roving.move(here, item ? 1 : 0) || true;
      case 'k':
      case 'ArrowUp':
        return this.roving.move(here, item ? -1 : 0) || true;
      case 'Enter':
        return (
          target === item && item !== null && (this.entersInto(item) ? this.open(item, target) : this.unfold(item))
        );
      case 'w':
        return this.actions.enterOpens === true && here !== undefined && this.unfold(here);
      case 'o':
        return this.open(here, target);
      case 'e':
        return this.trace(true);
      case '/':
        this.node.querySelector<HTMLElement>('.jp-Memo-filters button')?.focus();
        return true;
      case 'Escape':
        return this.leave(item);
      default:
        return /^[0-3]$/.test(key) && this.graded(item, Number(key) as Grade);
    }
  }

  private entersInto(item: HTMLLIElement): boolean {
    return this.actions.enterOpens === true && canOpen(this.result(item), this.actions);
  }

  /** Opens a result, or the one below it that has the focus. */
  private open(item: HTMLLIElement | undefined, from: Element): boolean {
    const one = item && (from.closest('.jp-Memo-fold li')?.querySelector('button') ?? item);
    if (item && one instanceof HTMLButtonElement) {
      this.act(item, 'open', one.dataset);
    } else if (item && canOpen(this.result(item), this.actions)) {
      this.actions.open?.(this.result(item));
    }
    return true;
  }

  /** Closes what is open, from the inside out, and then leaves the list. */
  private leave(item: HTMLLIElement | null): boolean {
    if (item && this.judging.isOpen(item)) {
      this.judging.toggle(item, this.result(item));
      item.focus();
    } else if (item && folding.isOpen(item)) {
      this.unfold(item, false);
      item.focus();
    } else if (this.made.isOpen) {
      this.trace(true);
    } else if (this.actions.leave) {
      this.actions.leave();
    } else {
      leave(this.node);
    }
    return true;
  }

  private entered(event: FocusEvent): void {
    const item = event.target instanceof Element ? event.target.closest<HTMLLIElement>('.jp-Memo-row') : null;
    if (item) {
      this.roving.choose(item);
    }
  }

  /** A press on a rank or a title may become a drag; one on the text marks it. */
  private held(event: PointerEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const item = target?.closest('.jp-Memo-rank, .jp-Memo-title')?.closest<HTMLLIElement>('.jp-Memo-row');
    if (item && event.button === 0) {
      this.actions.drag?.(this.result(item), event);
    }
  }

  private result(item: HTMLLIElement): Result {
    return this.response.results[this.rows.indexOf(item)];
  }

  private unfold(item: HTMLLIElement, open = !folding.isOpen(item)): boolean {
    folding.unfold(item, open, () => explain(this.result(item), this.response));
    return true;
  }

  private trace(byKey = false): boolean {
    this.made.toggle(byKey, this.roving.now());
    return true;
  }

  private graded(item: HTMLLIElement | null, grade: Grade): boolean {
    if (!item || !this.judging.isOpen(item)) {
      return false;
    }
    this.judging.judge(item, this.result(item), grade);
    return true;
  }

  /** Shows the rows that the chips leave, and says how many. */
  private sift(): void {
    for (const item of this.rows) {
      item.hidden = !this.chosen.shows(this.result(item));
    }
    for (const chip of this.node.querySelectorAll<HTMLElement>('[data-do="chip"]')) {
      const { facet = '', value = '' } = chip.dataset;
      chip.setAttribute('aria-pressed', String(this.chosen.on(facet, value)));
    }
    const left = this.rows.filter(item => !item.hidden);
    this.none.hidden = left.length > 0;
    this.roving.settle();
    const told = this.node.querySelector('.jp-Memo-shown');
    if (told) {
      told.textContent = frame.shown(this.response, left.length);
    }
  }
}
