// The text of a passage with the words that were found in it.
import type { Child } from './dom.js';
import { el } from './dom.js';
import { text } from './visible.js';
import type { Result } from './wire.js';

/** Characters that are drawn; a saved output holds fewer, so only a made-up one is cut. */
const MOST = 10_000;

/** The snippet as a paragraph, or with its line breaks where the passage is code. */
export function snippet(result: Result): HTMLElement {
  const code = result.passage.code;
  const signs = Array.from(result.snippet); // marks count characters as Python does, not UTF-16 units
  const clean = (from: number, to: number) => {
    const shown = text(signs.slice(from, to).join(''));
    return code ? shown : shown.replace(/\n/g, ' ');
  };
  const children: Child[] = [];
  let at = 0;
  const end = Math.min(signs.length, MOST);
  for (const [from, to] of result.marks) {
    if (at <= from && from < to && to <= end) {
      children.push(clean(at, from), el('mark', '', {}, clean(from, to)));
      at = to;
    }
  }
  const rest = clean(at, end) + (signs.length > MOST ? ' …' : '');
  children.push(code ? rest.replace(/\s+$/u, '') : rest);
  return el(code ? 'pre' : 'p', 'snippet', { dir: 'auto' }, ...children);
}

/** A text without marks, in the same face as a snippet. */
export function quote(whole: string, code: boolean): HTMLElement {
  const cut = whole.length > 10 * MOST ? `${whole.slice(0, 10 * MOST)} …` : whole;
  return el(code ? 'pre' : 'p', 'snippet whole', { dir: 'auto' }, text(cut));
}
