// One row is the tab stop of a list, and its buttons come after it; arrows move it.

const INNER = ['actions button', 'title button', 'fold summary', 'fold button'].map(part => `.jp-Memo-${part}`).join();

export class Roving {
  constructor(private readonly rows: readonly HTMLLIElement[]) {
    rows[0]?.setAttribute('tabindex', '0');
  }

  /** The tab stop, while it is shown. */
  now(): HTMLLIElement | undefined {
    return this.rows.find(item => item.getAttribute('tabindex') === '0' && !item.hidden);
  }

  choose(item: HTMLLIElement): void {
    for (const other of this.rows) {
      const here = other === item;
      other.setAttribute('tabindex', here ? '0' : '-1');
      here ? other.setAttribute('aria-current', 'true') : other.removeAttribute('aria-current');
      for (const inner of other.querySelectorAll(INNER)) {
        inner.setAttribute('tabindex', here ? '0' : '-1');
      }
    }
  }

  /** Focuses the shown row so many rows on, at most the first or last; false where none is shown. */
  move(from: HTMLLIElement | undefined, by: number): boolean {
    const shown = this.rows.filter(item => !item.hidden);
    const at = from ? shown.indexOf(from) : -1;
    const to = shown[Math.max(0, Math.min(shown.length - 1, at + by))];
    to?.focus();
    to?.scrollIntoView?.({ block: 'nearest' });
    return to !== undefined;
  }

  /** Where the tab stop was hidden, the first row that is left takes its place. */
  settle(): void {
    const first = this.rows.find(item => !item.hidden);
    if (first && !this.now()) {
      this.choose(first);
      first.removeAttribute('aria-current');
    }
  }
}

/** Gives the focus to what stands around a view. */
export function leave(view: HTMLElement): void {
  const outside = view.parentElement?.closest<HTMLElement>('[tabindex]');
  (view.ownerDocument.activeElement as HTMLElement | null)?.blur();
  outside?.focus({ preventScroll: true });
}
