// What a result gives when it is asked for: a citation, or the place where it is. It opens in the row of the result.
import { button, el } from './dom.js';
import * as location from './location.js';
import { line, text } from './visible.js';
import type { Folded, Result } from './wire.js';

export const STYLES: Record<string, string> = { markdown: 'Markdown', bibtex: 'BibTeX', csl: 'CSL-JSON' };

/** One at a time: opening it closes the one before. */
export class Tray {
  private node: HTMLElement | null = null;
  private back: HTMLElement | null = null;

  constructor(private readonly home: HTMLElement) {}

  /** The citation of a result, in the style that is pressed. */
  async cite(result: Result, fetch: (style: string) => Promise<string>): Promise<void> {
    const shown = el('pre', 'plain', { tabindex: 0, 'aria-label': 'citation' });
    const buttons = Object.entries(STYLES).map(([style, name]) =>
      button('link style', 'style', { 'data-style': style, 'aria-pressed': 'false' }, name)
    );
    const press = async (style: string): Promise<void> => {
      for (const other of buttons) {
        other.setAttribute('aria-pressed', String(other.dataset.style === style));
      }
      shown.textContent = text(await fetch(style));
    };
    const row = this.row(result);
    await press('markdown');
    if (row && !row.isConnected) {
      return; // meanwhile another list stands here, with another result of this rank
    }
    const node = this.open(result, 'citation', shown, buttons);
    node.addEventListener('click', event => {
      const { style } = (event.target as HTMLElement).dataset;
      if (style) {
        press(style).catch(error => {
          shown.textContent = text(error instanceof Error ? error.message : String(error));
        });
      }
    });
  }

  /** Where a result is, for homes that cannot go there. */
  place(result: Result, below?: Folded): void {
    const { passage } = result;
    const title = below ? line(below.title) : location.title(passage);
    const path = below ? line(below.uri) || title : location.path(passage);
    const place = location.place((below ?? passage).span, title);
    const words = [path, place].filter(Boolean).join(location.DOT);
    this.open(result, 'place', el('pre', 'plain', { tabindex: 0, 'aria-label': 'place' }, words), []);
  }

  /** A choice of things to do with a result, with a sentence that says where they lead. */
  offer(result: Result, name: string, said: string, choices: Readonly<Record<string, () => unknown>>): void {
    const buttons = Object.keys(choices).map(label => button('link', 'choice', { 'data-choice': label }, label));
    const node = this.open(result, name, el('p', 'quiet', {}, said), buttons, false);
    node.addEventListener('click', event => {
      const { choice } = (event.target as HTMLElement).dataset;
      if (choice) {
        event.stopPropagation();
        this.close();
        choices[choice]();
      }
    });
  }

  close(): void {
    this.node?.remove();
    this.node = null;
    this.back?.focus({ preventScroll: true });
    this.back = null;
  }

  private open(result: Result, name: string, shown: HTMLElement, buttons: HTMLElement[], copies = true): HTMLElement {
    this.node?.remove();
    this.back = this.home.ownerDocument.activeElement as HTMLElement | null;
    const copy = button('link', 'copy', {}, 'copy');
    const close = button('link', 'close', {}, 'close');
    this.node = el(
      'div',
      'tray',
      { role: 'group', 'aria-label': `${name} of result ${result.rank}` },
      el('p', 'tools', {}, ...buttons, copies && copy, close),
      shown
    );
    copy.addEventListener('click', () => {
      navigator.clipboard?.writeText(shown.textContent ?? '').then(
        () => copy.replaceChildren('copied'),
        () => this.select(shown)
      ) ?? this.select(shown);
    });
    close.addEventListener('click', event => {
      event.stopPropagation();
      this.close();
    });
    // The keys of the list mean nothing in here.
    this.node.addEventListener('keydown', event => {
      event.stopPropagation();
      if (event.key === 'Escape') {
        this.close();
      }
    });
    this.row(result)?.append(this.node);
    (buttons[0] ?? copy).focus({ preventScroll: true });
    this.node.scrollIntoView?.({ block: 'nearest' });
    return this.node;
  }

  private row({ rank }: Result): Element | null {
    return this.home.querySelector(`.jp-Memo-row[data-rank="${rank}"]`);
  }

  /** Without a clipboard the text is marked, so that one key copies it. */
  private select(shown: HTMLElement): void {
    getSelection()?.selectAllChildren(shown);
  }
}
