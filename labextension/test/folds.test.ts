// What stands below a result and around it, against the HTML that Python makes of the same response; marks by character.
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as reading from '../src/reading.js';
import type { Folded, Result, SearchResponse } from '../src/wire.js';
import { all, drawn, file, golden, one, press, said } from './golden.js';

function folds(node: ParentNode): string[][] {
  return all(node, 'details')
    .filter(each => said(each.querySelector('summary')).endsWith('more like this'))
    .map(each => [
      said(each.querySelector('summary')),
      ...all(each, 'li').map(item => [...item.children].map(said).join(' · '))
    ]);
}

test.each(['evidence', 'hostile'] as const)('what is folded in %s is told as Python tells it', name => {
  const python = new DOMParser().parseFromString(file(`${name}.html`), 'text/html').body;
  const view = drawn(name).node;
  expect(folds(view).length).toBeGreaterThan(0);
  expect(folds(view)).toEqual(folds(python));
});

test('a fold is closed, and what is not the same in every word is never told to be', () => {
  const view = drawn('evidence').node;
  const told = all(view, 'details.jp-Memo-fold');
  expect(told.every(each => !each.hasAttribute('open'))).toBe(true);
  const shares = all(view, '.jp-Memo-fold .jp-Memo-num').map(each => said(each).split(' the same')[0]);
  expect(shares).toEqual(['100\u202f%', '99\u202f%', '81\u202f%'].map(share => share.replace('\u202f', ' ')));
});

test('the text around a document is shown as context, without marks', () => {
  const view = drawn('evidence').node;
  const around = all(view, 'details').find(each => said(each.querySelector('summary')) === reading.AROUND);
  expect(all(around as ParentNode, '.jp-Memo-where').map(said)).toEqual(['before it', 'after it']);
  expect(all(around as ParentNode, '.jp-Memo-snippet').map(said)).toEqual([
    '…the text above. 2 Methods Short.',
    'What follows…'
  ]);
  expect(all(around as ParentNode, 'mark')).toEqual([]);
});

test('a filter with a blank is typed in quotes, and a bound is told as one', () => {
  const hint = { field: 'source', value: 'field notes/', leaves: 7, of: 90, at_most: true };
  const narrowed = reading.narrow({ ...golden('evidence'), narrow_hint: hint });
  expect(narrowed).toEqual(['To shorten the list: ', 'source:"field notes/"', ' would leave at most 7 of 90.']);
});

test('marks count characters as Python does, also those that JavaScript counts as two', () => {
  const response = golden('evidence');
  const snippet = '🙂🙂 weir 👩‍👩‍👧 𠀀水 gauge';
  const signs = Array.from(snippet);
  const marks = ['weir', '𠀀水', 'gauge'].map(word => {
    const at = Array.from(snippet.slice(0, snippet.indexOf(word))).length;
    return [at, at + Array.from(word).length] as [number, number];
  });
  expect(signs.slice(...marks[2]).join('')).toBe('gauge');
  const [first, ...others] = response.results;
  const view = drawn({ ...response, results: [{ ...first, snippet, marks }, ...others] }).node;
  expect(all(one(view, '.jp-Memo-row'), 'mark').map(said)).toEqual(['weir', '𠀀水', 'gauge']);
});

test('a weight of age that takes less than half a thousandth is not told in the row', () => {
  const response = golden('evidence');
  const aged = (factor: number) => ({
    ...response,
    results: response.results.slice(0, 1).map(result => ({
      ...result,
      why: result.why && { ...result.why, weights: [{ name: 'age', factor, detail: '' }] }
    }))
  });
  const told = (factor: number) => all(drawn(aged(factor) as SearchResponse).node, '[title="weight of age"]').length;
  expect([told(0.9996), told(0.9)]).toEqual([0, 1]);
});

describe('what is folded', () => {
  const open = vi.fn();
  const buttons = (view: ParentNode) => all(view, '.jp-Memo-fold li button');

  afterEach(() => open.mockClear());

  test('is opened each by a button of its own, where the home can', () => {
    const response = golden('evidence');
    const opens = (_: Result, below?: Folded) => below?.surface !== 'memory';
    const { node } = drawn(response, { open, opens });
    const ids = response.results.flatMap(result => result.folded);
    const files = ids.filter(({ surface }) => surface === 'file');
    expect(buttons(node).map(said)).toEqual(files.map(({ uri }) => uri));
    expect(files.length).toBeLessThan(ids.length);
    for (const button of buttons(node)) {
      button.click();
    }
    expect(open.mock.calls.map(([, below]) => below)).toEqual(files);
    expect(buttons(drawn('evidence').node)).toEqual([]);
  });

  test('is reached by Tab in the current row alone, and opened by o', () => {
    const { node } = drawn('evidence', { open });
    const stops = () => all(node, '.jp-Memo-fold :is(summary, button)').filter(each => each.tabIndex === 0);
    expect(stops()).toEqual([]);
    const fold = one(node, '.jp-Memo-fold:has(li button)');
    one(fold, 'button').focus();
    expect(stops()).toEqual(all(fold.closest('li.jp-Memo-row') as Element, '.jp-Memo-fold :is(summary, button)'));
    press(one(fold, 'button'), 'o');
    press(fold.closest('li.jp-Memo-row') as Element, 'o');
    expect(open.mock.calls.map(([result, below]) => [result.rank, below?.id])).toEqual([
      [open.mock.calls[0][0].rank, open.mock.calls[0][0].folded[0].id],
      [open.mock.calls[0][0].rank, undefined]
    ]);
  });
});
