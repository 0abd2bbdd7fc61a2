import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { MISREAD } from '../src/reading.js';
import { draw } from '../src/view.js';
import type { Result } from '../src/wire.js';
import { all, drawn, golden, one, press, said } from './golden.js';

function rows(view: { node: HTMLElement }): HTMLElement[] {
  return all(view.node, '.jp-Memo-row');
}

function chip(node: HTMLElement, facet: string, value: string): HTMLElement {
  return one(node, `[data-facet="${facet}"][data-value="${value}"]`);
}

function visible(view: { node: HTMLElement }): string[] {
  return rows(view)
    .filter(row => !row.hidden)
    .map(row => said(row.querySelector('.jp-Memo-rank')));
}

describe('keyboard', () => {
  test('keys stay inside the view', () => {
    const view = drawn('response');
    expect(view.node.dataset.lmSuppressShortcuts).toBe('true');
    const outside = vi.fn();
    document.addEventListener('keydown', outside);
    const event = press(rows(view)[0], 'j');
    document.removeEventListener('keydown', outside);
    expect(event.defaultPrevented).toBe(true);
    expect(outside).not.toHaveBeenCalled();
  });

  test('j and k move the one tab stop and stop at the ends', () => {
    const view = drawn('response');
    const list = rows(view);
    list[0].focus();
    press(list[0], 'j');
    press(list[1], 'ArrowDown');
    expect(document.activeElement).toBe(list[2]);
    expect(list.filter(row => row.tabIndex === 0)).toEqual([list[2]]);
    expect(list.filter(row => row.hasAttribute('aria-current'))).toEqual([list[2]]);
    for (let at = 0; at < 20; at += 1) {
      press(document.activeElement as Element, 'k');
    }
    expect(document.activeElement).toBe(list[0]);
    for (let at = 0; at < 20; at += 1) {
      press(document.activeElement as Element, 'j');
    }
    expect(document.activeElement).toBe(list[6]);
  });

  test('Enter opens and closes the reason of the row', () => {
    const view = drawn('response');
    const [first] = rows(view);
    first.focus();
    press(first, 'Enter');
    expect(said(one(first, '.jp-Memo-votes tfoot'))).toContain('0.04190');
    expect(one(first, '[data-do="why"]').getAttribute('aria-expanded')).toBe('true');
    press(first, 'Enter');
    expect(first.querySelector('.jp-Memo-open')).toBeNull();
  });

  test('e opens how the list was made and gives the focus back', () => {
    const view = drawn('response');
    const [, second] = rows(view);
    second.focus();
    press(second, 'e');
    const made = one(view.node, '.jp-Memo-trace');
    expect(made.contains(document.activeElement)).toBe(true);
    press(document.activeElement as Element, 'e');
    expect(view.node.querySelector('.jp-Memo-trace')).toBeNull();
    expect(document.activeElement).toBe(second);
  });

  test('Escape closes from the inside out and then leaves', () => {
    const view = drawn('response');
    const [first] = rows(view);
    first.focus();
    press(first, 'e');
    first.focus();
    press(first, 'Enter');
    press(first, 'Escape');
    expect(first.querySelector('.jp-Memo-open')).toBeNull();
    expect(view.node.querySelector('.jp-Memo-trace')).not.toBeNull();
    press(first, 'Escape');
    expect(view.node.querySelector('.jp-Memo-trace')).toBeNull();
    press(document.activeElement as Element, 'Escape');
    expect(view.node.contains(document.activeElement)).toBe(false);
  });

  test('/ goes to the first filter', () => {
    const view = drawn('response');
    press(rows(view)[0], '/');
    expect(one(view.node, '.jp-Memo-filters').contains(document.activeElement)).toBe(true);
  });

  test('keys of the browser are left alone', () => {
    const view = drawn('response');
    expect(press(rows(view)[0], 'e', { ctrlKey: true }).defaultPrevented).toBe(false);
    expect(press(rows(view)[0], 'x').defaultPrevented).toBe(false);
    expect(press(rows(view)[0], '1').defaultPrevented).toBe(false);
  });
});

describe('filters', () => {
  test('a chip takes its results away and brings them back, and the head says how many are left', () => {
    const view = drawn('response');
    const notebook = chip(view.node, 'kind', 'notebook');
    expect(said(notebook)).toBe('notebook 2');
    notebook.click();
    expect(visible(view)).toEqual(['2', '3', '4', '5', '7']);
    expect(notebook.getAttribute('aria-pressed')).toBe('false');
    expect(said(one(view.node, '.jp-Memo-shown'))).toBe('5 of these 7');
    notebook.click();
    expect(visible(view).length).toBe(7);
    expect(said(one(view.node, '.jp-Memo-shown'))).toBe('7 of 44');
  });

  test('with Shift a chip shows only its own, and all again the second time', () => {
    const view = drawn('response');
    const press = () =>
      chip(view.node, 'kind', 'note').dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }));
    press();
    expect(visible(view)).toEqual(['3']);
    press();
    expect(visible(view).length).toBe(7);
  });

  test('a result with two tags stays while one of them is on', () => {
    const view = drawn('evidence');
    const { results } = golden('evidence');
    const ranks = (...counts: number[]) =>
      results.filter(result => counts.includes(result.passage.tags.length)).map(result => String(result.rank));
    chip(view.node, 'tag', 'ess').click();
    expect(visible(view)).toEqual(ranks(0, 2));
    chip(view.node, 'tag', 'criticality').click();
    expect(visible(view)).toEqual(ranks(0));
  });

  test('months are filters too', () => {
    const view = drawn('response');
    chip(view.node, 'date', '2026-11').click();
    expect(visible(view)).toEqual(['2', '4', '6']);
  });

  test('the tab stop moves on when its row is hidden', () => {
    const view = drawn('response');
    chip(view.node, 'kind', 'notebook').click();
    expect(rows(view)[1].tabIndex).toBe(0);
    press(view.node, 'j');
    expect(document.activeElement).toBe(rows(view)[1]);
  });

  test('filters that leave nothing say so and can be taken back', () => {
    const view = drawn('degraded');
    chip(view.node, 'kind', 'code').click();
    chip(view.node, 'kind', 'notebook').click();
    expect(visible(view)).toEqual([]);
    one(view.node, '[data-do="all"]').click();
    expect(visible(view)).toEqual(['1', '2']);
  });

  test('a facet that says what another one says is left out', () => {
    const facets = all(drawn('response').node, '[data-facet]').map(node => node.dataset.facet);
    expect([...new Set(facets)]).toEqual(['kind', 'date']);
  });
});

describe('what a home offers', () => {
  test('without a host nothing is offered that needs one', () => {
    const view = drawn('response');
    expect(all(view.node, '.jp-Memo-actions button').map(said)).toEqual(Array(7).fill('why'));
    expect(view.node.querySelector('[data-do="drop"], [data-do="narrow"], [data-do="next"]')).toBeNull();
    expect(view.node.querySelector('a[href]')).toBeNull();
    expect(said(one(view.node, '.jp-Memo-keys'))).not.toContain('open');
  });

  test('open, cite and judge reach the host with the result', () => {
    const open = vi.fn();
    const cite = vi.fn();
    const judge = vi.fn();
    const view = drawn('response', { open, cite, judge });
    const [, second] = rows(view);
    second.focus();
    press(second, 'o');
    one(second, '[data-do="cite"]').click();
    one(second, '[data-do="judge"]').click();
    press(second, '3');
    const { uri } = golden('response').results[1].passage;
    for (const called of [open, cite, judge]) {
      expect((called.mock.calls[0][0] as Result).passage.uri).toBe(uri);
    }
    expect(judge.mock.calls[0][1]).toBe(3);
    expect(one(second, '[data-grade="3"]').getAttribute('aria-checked')).toBe('true');
  });

  test('a filter of the query is dropped and a hint is taken by searching again', () => {
    const search = vi.fn();
    const view = drawn('response', { search });
    one(view.node, '[data-do="drop"]').click();
    one(view.node, '[data-do="narrow"]').click();
    const { query } = golden('response');
    expect(search.mock.calls).toEqual([
      [query.replace(' since:2026-06', ''), 0],
      [`${query} kind:notebook`, 0]
    ]);
  });
});

test('of a query as long as a page the beginning heads the list', () => {
  const response = { ...golden('response'), query: `like: ${'ödometer '.repeat(200)}` };
  const view = draw(document.body, response);
  const shown = view.node.querySelector('.jp-Memo-query')?.textContent ?? '';
  expect(shown).toHaveLength(600);
  expect(shown.endsWith('…')).toBe(true);
});

test('what is disposed no longer listens', () => {
  const view = drawn('response');
  const [first] = rows(view);
  view.dispose();
  press(first, 'Enter');
  expect(first.querySelector('.jp-Memo-open')).toBeNull();
  expect(view.node.isConnected).toBe(false);
});

test('no text of an index becomes an element, an attribute or a style', () => {
  const view = drawn({ ...golden('hostile'), open_why: true }, { open() {}, cite() {}, judge() {}, search() {} });
  press(view.node, 'e');
  const made = new Set(all(view.node, '*').map(node => node.tagName.toLowerCase()));
  for (const tag of ['script', 'img', 'iframe', 'style', 'a', 'foreignobject', 'object', 'link']) {
    expect(made.has(tag)).toBe(false);
  }
  const names = new Set(all(view.node, '*').flatMap(node => node.getAttributeNames()));
  expect([...names].filter(name => /^on|^href|^src|^xlink/.test(name))).toEqual([]);
  expect(
    all(view.node, '[style]').every(node => /^(--[\w]+: [\d.a-z()-]+;? ?)+$/i.test(node.getAttribute('style') ?? ''))
  ).toBe(true);
  expect(view.node.textContent).toContain("<img src=x onerror='window.__xss = 1'>");
  expect(view.node.textContent).toContain('user[U+202E]gpj.exe');
});

test('a reason that was asked for stands open', () => {
  const view = drawn({ ...golden('response'), open_why: true });
  expect(all(view.node, '.jp-Memo-open').length).toBe(7);
});

test('a saved output of titles only has no snippets, one of numbers only no titles', () => {
  const whole = golden('response');
  const titles = whole.results.map(result => ({ ...result, snippet: '', marks: [] as [number, number][] }));
  const view = drawn({ ...whole, share: 'titles', results: titles });
  expect(view.node.querySelector('.jp-Memo-snippet')).toBeNull();
  expect(said(one(view.node, '.jp-Memo-title'))).toBe('ESS against κ at L = 14');
});

test('a full output has the whole passage behind the snippet where it is more', () => {
  const view = drawn({ ...golden('response'), share: 'full' });
  const whole = all(view.node, '.jp-Memo-whole');
  expect(whole.map(said)).toEqual([golden('response').results[1].passage.text]);
});

test('words that the notes use are searched for when they are pressed, where the home can search', () => {
  const search = vi.fn();
  const { node } = drawn('refused', { search });
  const [word] = all(node, '[data-do="word"]');
  word.click();
  expect(search).toHaveBeenCalledWith(said(word), 0);
  expect(all(drawn('refused').node, '[data-do="word"]')).toEqual([]);
});

test('what was typed wrongly is said above the list, the rest below it', () => {
  const wrong = [
    'kind:memory is not a kind. Kinds are note, code. It was looked for as words.',
    '-kind:note was ignored: a field says what is wanted, not what is left out.'
  ];
  const right = '“weri” stands nowhere here; “weir” was looked for too.';
  const { node } = drawn({ ...golden('response'), hints: [wrong[0], right, wrong[1]] });
  const notes = all(node, '.jp-Memo-note');
  expect(notes.map(said)).toEqual(wrong);
  const list = one(node, '.jp-Memo-list');
  expect(notes.every(note => note.compareDocumentPosition(list) & Node.DOCUMENT_POSITION_FOLLOWING)).toBe(true);
  const below = said(one(node, '.jp-Memo-end'));
  expect(below).toContain(right);
  expect(below).not.toContain('looked for as words');
});

test.each(MISREAD)('a query that was not taken as typed is told by Python with: %s', told => {
  const sources = ['syntax.py', 'plan.py'].map(name =>
    readFileSync(join(import.meta.dirname, '..', '..', 'jupyter_memo', 'text', name), 'utf-8')
  );
  expect(sources.join('\n')).toContain(told);
});

test('the texts of neighbours in a row do not run together', () => {
  const [row] = rows(drawn('response', { open: () => {}, cite: () => {} }));
  const { path, place, kind } = {
    path: said(row.querySelector('.jp-Memo-path')),
    place: said(row.querySelector('.jp-Memo-loc')),
    kind: golden('response').results[0].passage.kind
  };
  expect(said(one(row, '.jp-Memo-where'))).toContain(`${path} ${place} ${kind} `);
  expect(said(one(row, '.jp-Memo-actions'))).toBe('why open cite');
});

test('what the search has to say comes before the way to how it was made', () => {
  const response = { ...golden('empty'), hints: ['kind:notte is no kind.'] };
  const told = all(one(drawn(response).node, '.jp-Memo-end'), 'p').map(said);
  expect(told.slice(-2)).toEqual(['kind:notte is no kind.', 'How this list was made']);
});
