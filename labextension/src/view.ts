// A search response, drawn. One view for every home: the output of a cell (no kernel, no trust) and the widget.
// Everything is made of elements and text nodes; no text from an index becomes markup, a link or a style.
import { el } from './dom.js';
import { explain } from './explain.js';
import * as facets from './facets.js';
import * as frame from './frame.js';
import { type Grade, Judging } from './judging.js';
import { type Actions, canOpen, row } from './row.js';
import { trace } from './trace.js';
import type { Result, SearchResponse } from './wire.js';

export type { Actions, Grade } from './row.js';

/** A drawn response. `dispose` takes it away again, with all that listens. */
export interface View {
  readonly node: HTMLElement;
  dispose(): void;
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
  private readonly chosen: facets.Chosen;
  private readonly judging: Judging;
  private readonly list: HTMLOListElement;
  private readonly none: HTMLElement;
  private made: HTMLElement | null = null;

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
    this.list = el('ol', 'list', { 'aria-label': 'results' }, ...this.rows);
    this.none = el('p', 'more', { hidden: true }, 'These filters leave nothing. ');
    this.none.append(el('button', 'link', { type: 'button', 'data-do': 'all' }, 'Show all again'));
    this.node = el(
      'div',
      'jp-Memo',
      { 'data-lm-suppress-shortcuts': 'true' },
      frame.head(response, facets.bar(found, response.filters, researchable)),
      ...frame.notes(response),
      ...frame.empty(response),
      this.rows.length > 0 && frame.legend(response),
      this.rows.length > 0 && this.list,
      this.none,
      frame.end(response, researchable),
      frame.keys({
        list: this.rows.length > 0,
        open: response.results.some(result => canOpen(result, actions)),
        judge: actions.judge !== undefined,
        filter: found.length > 0
      })
    );
    this.rows[0]?.setAttribute('tabindex', '0');
    if (response.open_why) {
      for (const item of this.rows) {
        this.unfold(item, true);
      }
    }
    const { signal } = this.stop;
    this.node.addEventListener('click', event => this.clicked(event), { signal });
    this.node.addEventListener('keydown', event => this.pressed(event), { signal });
    this.node.addEventListener('focusin', event => this.entered(event), { signal });
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
      this.current(item);
    }
    if (!asked) {
      return;
    }
    const { do: action = '', facet = '', value = '', grade = '' } = asked.dataset;
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
      this.act(item, action, grade);
    } else {
      this.again(action, value);
    }
  }

  /** What a row offers. */
  private act(item: HTMLLIElement, action: string, grade: string): void {
    const result = this.result(item);
    if (action === 'why') {
      this.unfold(item);
    } else if (action === 'open') {
      this.actions.open?.(result);
    } else if (action === 'cite') {
      this.actions.cite?.(result);
    } else if (action === 'judge') {
      this.judging.toggle(item, result);
    } else if (action === 'grade') {
      this.judging.judge(item, result, Number(grade) as Grade);
    }
  }

  /** What needs another search. */
  private again(action: string, value: string): void {
    const { query, offset, results } = this.response;
    if (action === 'next') {
      this.actions.search?.(query, offset + results.length);
    } else if (action === 'narrow') {
      this.actions.search?.(`${query} ${value}`, 0);
    } else if (action === 'drop') {
      const left = query.split(/\s+/).filter(word => word !== value);
      this.actions.search?.(left.join(' '), 0);
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
    const here = item ?? this.now();
    switch (key) {
      case 'j':
      case 'ArrowDown':
        return this.move(here, item ? 1 : 0);
      case 'k':
      case 'ArrowUp':
        return this.move(here, item ? -1 : 0);
      case 'Enter':
        return target === item && item !== null && this.unfold(item);
      case 'o':
        return this.open(here);
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

  private open(item: HTMLLIElement | undefined): boolean {
    if (item && canOpen(this.result(item), this.actions)) {
      this.actions.open?.(this.result(item));
    }
    return true;
  }

  private move(from: HTMLLIElement | undefined, by: number): boolean {
    const shown = this.rows.filter(item => !item.hidden);
    const at = from ? shown.indexOf(from) : -1;
    const to = shown[Math.max(0, Math.min(shown.length - 1, at + by))];
    to?.focus();
    to?.scrollIntoView?.({ block: 'nearest' });
    return true;
  }

  /** Closes what is open, from the inside out, and then leaves the list. */
  private leave(item: HTMLLIElement | null): boolean {
    if (item && this.judging.isOpen(item)) {
      this.judging.toggle(item, this.result(item));
      item.focus();
    } else if (item?.querySelector('.jp-Memo-open')) {
      this.unfold(item, false);
      item.focus();
    } else if (this.made) {
      this.trace(true);
    } else {
      const outside = this.node.parentElement?.closest<HTMLElement>('[tabindex]');
      (this.node.ownerDocument.activeElement as HTMLElement | null)?.blur();
      outside?.focus({ preventScroll: true });
    }
    return true;
  }

  private entered(event: FocusEvent): void {
    const item = event.target instanceof Element ? event.target.closest<HTMLLIElement>('.jp-Memo-row') : null;
    if (item) {
      this.current(item);
    }
  }

  /** One row is the tab stop of the list, and its buttons come after it. */
  private current(item: HTMLLIElement): void {
    for (const other of this.rows) {
      const here = other === item;
      other.setAttribute('tabindex', here ? '0' : '-1');
      here ? other.setAttribute('aria-current', 'true') : other.removeAttribute('aria-current');
      for (const inner of other.querySelectorAll('.jp-Memo-actions button, .jp-Memo-title button')) {
        inner.setAttribute('tabindex', here ? '0' : '-1');
      }
    }
  }

  private now(): HTMLLIElement | undefined {
    return this.rows.find(item => item.getAttribute('tabindex') === '0' && !item.hidden);
  }

  private result(item: HTMLLIElement): Result {
    return this.response.results[this.rows.indexOf(item)];
  }

  private unfold(item: HTMLLIElement, open = !item.querySelector('.jp-Memo-open')): boolean {
    const opened = item.querySelector('.jp-Memo-open');
    if (open && !opened) {
      item.append(explain(this.result(item), this.response) ?? '');
    } else if (!open) {
      opened?.remove();
    }
    const shown = item.querySelector('.jp-Memo-open') !== null;
    item.querySelector('[data-do="why"]')?.setAttribute('aria-expanded', String(shown));
    return true;
  }

  private trace(byKey = false): boolean {
    const button = this.node.querySelector<HTMLElement>('.jp-Memo-made');
    if (this.made) {
      const inside = this.made.contains(this.node.ownerDocument.activeElement);
      this.made.remove();
      this.made = null;
      inside && (this.now() ?? button)?.focus();
    } else {
      this.made = trace(this.response);
      this.node.querySelector('.jp-Memo-keys')?.before(this.made);
      byKey && this.made.querySelector<HTMLElement>('[tabindex]')?.focus();
    }
    button?.setAttribute('aria-expanded', String(this.made !== null));
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
    if (left.length > 0 && !this.now()) {
      this.current(left[0]);
      left[0].removeAttribute('aria-current');
    }
    const told = this.node.querySelector('.jp-Memo-shown');
    if (told) {
      told.textContent = frame.shown(this.response, left.length);
    }
  }
}
