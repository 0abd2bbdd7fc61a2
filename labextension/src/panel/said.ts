// The line under the box: what was done, what goes on, what went wrong.
import { Failed } from '../api.js';
import { el } from '../dom.js';
import { failure } from '../frame.js';

export class Said {
  readonly node: HTMLElement;
  private readonly words = el('div', 'said', { role: 'status', 'aria-live': 'polite' });
  private readonly line = el(
    'div',
    'busy jp-mod-waiting',
    { role: 'progressbar', 'aria-label': 'searching', hidden: true },
    el('i')
  );

  /** `gone` is told when the server does not answer, or not for us: the panel says more of that elsewhere. */
  constructor(private readonly gone: () => void) {
    this.node = el('div', '', {}, this.line, this.words);
  }

  say(words: string): void {
    this.words.replaceChildren(words && el('p', 'meta', {}, words));
  }

  fail(error: unknown): void {
    const code = error instanceof Failed ? error.code : '';
    if (code === 'Superseded') {
      return;
    }
    if (code === 'Missing' || code === 'Unreachable') {
      this.clear();
      this.gone();
      return;
    }
    this.words.replaceChildren(failure(error instanceof Error ? error.message : String(error)));
  }

  busy(on: boolean): void {
    this.line.hidden = !on;
  }

  clear(): void {
    this.words.replaceChildren();
  }
}
