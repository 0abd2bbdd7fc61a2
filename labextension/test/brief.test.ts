import { expect, test, vi } from 'vitest';
import { beginning, snippet } from '../src/snippet.js';
import { drawn, golden, press, said } from './golden.js';

const LONG =
  'Sensitivity of the recession function to the drying of the soil, then baseflow separation by Lyne-Hollick.';

function marks(text: string, word: string): [number, number][] {
  const at = Array.from(text.slice(0, text.indexOf(word))).length;
  return [[at, at + Array.from(word).length]];
}

function begun(text: string, word: string, code = false): string {
  const signs = Array.from(text);
  return signs.slice(beginning(signs, marks(text, word), code)).join('');
}

test('a mark that is in sight anyway leaves the beginning as it is', () => {
  expect(begun(LONG, 'recession')).toBe(LONG);
  expect(beginning(Array.from(LONG), [], false)).toBe(0);
});

test('a later mark is begun at a word a little before it', () => {
  expect(begun(LONG, 'Lyne-Hollick')).toBe('baseflow separation by Lyne-Hollick.');
});

test('a text without blanks, or of characters beyond the basic plane, is begun before the mark all the same', () => {
  expect(begun(`${'x'.repeat(90)}weir`, 'weir')).toBe(`${'x'.repeat(24)}weir`);
  expect(begun(`${'🙂'.repeat(90)} weir`, 'weir')).toBe(`${'🙂'.repeat(23)} weir`);
});

test('code is begun at the line of the mark when that is below the fold', () => {
  const code = ['a = 1', 'b = 2', 'c = 3', 'd = 4', 'e = 5', 'rate = 6', 'f = 7'].join('\n');
  expect(begun(code, 'rate', true)).toBe('rate = 6\nf = 7');
  expect(begun(code, 'c = ', true)).toBe(code);
});

test('a mark outside the snippet moves nothing', () => {
  expect(beginning(Array.from('short'), [[90, 99]], false)).toBe(0);
});

test('a brief snippet says that something was left out, and marks the same words', () => {
  const [first] = golden('response').results;
  const result = { ...first, snippet: LONG, marks: marks(LONG, 'Lyne-Hollick') };
  const short = snippet(result, true);
  expect(said(short)).toBe('… baseflow separation by Lyne-Hollick.');
  expect(said(short.querySelector('mark'))).toBe('Lyne-Hollick');
  expect(said(snippet(result))).toBe(LONG);
});

test('Enter on a result that cannot be opened says why it is there', () => {
  const open = vi.fn();
  const [row] = drawn('response', { open, opens: () => false, enterOpens: true }).node.querySelectorAll<HTMLElement>(
    '.jp-Memo-row'
  );
  press(row, 'Enter');
  expect(open).not.toHaveBeenCalled();
  expect(row.querySelector('.jp-Memo-open')).not.toBeNull();
});
