// What opens in place: the explanation in a row, and below the list how it was made.

export function isOpen(item: HTMLElement): boolean {
  return item.querySelector('.jp-Memo-open') !== null;
}

/** Opens the explanation of a row, or closes it. */
export function unfold(item: HTMLElement, open: boolean, explanation: () => Node | null): void {
  const opened = item.querySelector('.jp-Memo-open');
  if (open && !opened) {
    item.append(explanation() ?? '');
  } else if (!open) {
    opened?.remove();
  }
  item.querySelector('[data-do="why"]')?.setAttribute('aria-expanded', String(isOpen(item)));
}

/** How the list was made, above the keys of a view. */
export class Making {
  private made: HTMLElement | null = null;

  constructor(
    private readonly home: HTMLElement,
    private readonly trace: () => HTMLElement
  ) {}

  get isOpen(): boolean {
    return this.made !== null;
  }

  /** By key the focus goes into what has opened; out of what closes it goes to `back`. */
  toggle(byKey: boolean, back: HTMLElement | undefined): void {
    const button = this.home.querySelector<HTMLElement>('.jp-Memo-made');
    if (this.made) {
      const inside = this.made.contains(this.home.ownerDocument.activeElement);
      this.made.remove();
      this.made = null;
      inside && (back ?? button)?.focus();
    } else {
      this.made = this.trace();
      this.home.querySelector('.jp-Memo-keys')?.before(this.made);
      byKey && this.made.querySelector<HTMLElement>('[tabindex]')?.focus();
    }
    button?.setAttribute('aria-expanded', String(this.made !== null));
  }
}
