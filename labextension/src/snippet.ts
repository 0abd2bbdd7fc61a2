// The text of a passage with the words that were found in it.
import type { Child } from './dom.js';
import { el } from './dom.js';
import { text } from './visible.js';
import type { Result } from './wire.js';

/** Characters that are drawn; a saved output holds fewer, so only a made-up one is cut. */
const MOST = 10_000;

/** So many characters are surely within the two lines that a narrow list shows of a text, and so many rows of code. */
const ROOM = 64;
const ROWS = 4;
/** A row of code in a narrow list wraps at about so many characters. */
const WIDE = 40;
/** What is left of the text before the first mark where it begins later. */
const BEFORE = 24;

/**
 * Where a short view of a snippet begins, in characters, so that its first mark is in sight: at 0 where it is so anyway;
 * in a text at a word a little before the mark, in code at the line of the mark.
 */
export function beginning(
  signs: readonly string[],
  marks: readonly (readonly [number, number])[],
  code: boolean
): number {
  const [from, to] = marks[0] ?? [0, 0];
  if (!(0 < from && from < to && to <= signs.length)) {
    return 0;
  }
  if (code) {
    const above = signs.slice(0, from).join('').split('\n');
    const rows = above.reduce((sum, row) => sum + Math.max(1, Math.ceil(row.length / WIDE)), 0);
    return rows <= ROWS ? 0 : signs.lastIndexOf('\n', from - 1) + 1;
  }
  if (to <= ROOM) {
    return 0;
  }
  const earliest = from - BEFORE;
  if (earliest <= 0) {
    return 0;
  }
  const blank = signs.findIndex((sign, at) => at >= earliest - 1 && at < from - 1 && /\s/u.test(sign));
  return blank < 0 ? earliest : blank + 1;
}

/**
 * The snippet as a paragraph, or with its line breaks where the passage is code. A brief one begins near its first mark.
 */
export function snippet(result: Result, brief = false): HTMLElement {
  const code = result.passage.code;
  const signs = Array.from(result.snippet); // marks count characters as Python does, not UTF-16 units
  const clean = (from: number, to: number) => {
    const shown = text(signs.slice(from, to).join(''));
    return code ? shown : shown.replace(/\n/g, ' ');
  };
  const children: Child[] = [];
  let at = brief ? beginning(signs, result.marks, code) : 0;
  if (at > 0) {
    children.push(code ? '…\n' : '… ');
  }
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
