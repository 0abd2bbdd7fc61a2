// Two profiles side by side: the same words as in the HTML that Python makes, and what pointer and keys do.
import { expect, test } from 'vitest';
import { drawComparison } from '../src/compare.js';
import * as comparing from '../src/comparing.js';
import { readComparison, Unreadable } from '../src/read.js';
import type { Comparison } from '../src/wire.js';
import { all, file, one, press, said } from './golden.js';

function golden(): Comparison {
  return readComparison(JSON.parse(file('comparison.json')));
}

function drawn(compared: Comparison = golden()) {
  const home = document.createElement('div');
  document.body.replaceChildren(home);
  return drawComparison(home, compared);
}

function python(): HTMLElement {
  return new DOMParser().parseFromString(file('comparison.html'), 'text/html').body;
}

function cells(table: Element): string[][] {
  return [...table.querySelectorAll('tbody tr')].map(row => [...row.children].map(said));
}

function named(node: ParentNode, title: string): HTMLElement {
  return all(node, 'li[tabindex]').find(row => said(one(row, '.jp-Memo-ell')) === title) as HTMLElement;
}

test('both lists are those of Python, with the same marks', () => {
  const { node } = drawn();
  const [left, right] = all(node, '.jp-Memo-slope ol');
  const name = (row: Element) => all(row, '.jp-Memo-ell').map(said).join(' · ');
  const shown = [
    all(left, 'li').map(row => [said(one(row, '.jp-Memo-num')), name(row)]),
    all(right, 'li').map(row => [
      said(one(row, '.jp-Memo-num')),
      name(row),
      said(one(row, '.jp-Memo-move > :first-child'))
    ])
  ];
  const rows = cells(all(python(), 'table')[0]);
  expect(shown).toEqual([rows.map(row => row.slice(0, 2)), rows.map(row => row.slice(2))]);
});

test('rows of one title name what tells them apart', () => {
  const { node } = drawn();
  const places = all(all(node, '.jp-Memo-slope ol')[0], '.jp-Memo-apart').map(said);
  expect(places).toEqual(['L120–138', 'data/', 'archive/data/', 'L140–151']);
});

test('every cause is told in the words of Python', () => {
  const compared = golden();
  const rows = cells(all(python(), 'table')[1]).map(([mark, ranks, passage, cause]) => ({
    mark,
    ranks,
    passage,
    cause
  }));
  for (const row of rows) {
    const move = compared.moves.find(each => row.passage.startsWith(`${each.title} · `));
    expect(move).toBeDefined();
    if (move) {
      const passage = `${comparing.title(move)} · ${comparing.where(move)}`;
      const ranks = comparing.ranks(move).replace(/\s/gu, ' ');
      const told = { mark: comparing.mark(move), ranks, passage, cause: comparing.cause(move) };
      expect(told).toEqual(row);
    }
  }
  expect(rows.length).toBe(compared.moves.filter(move => move.kind !== 'same').length);
});

test('head, notes and constants are told in the words of Python', () => {
  const compared = golden();
  const page = python();
  expect(comparing.query(compared)).toBe(said(page.querySelector('h3')));
  const paragraphs = all(page, 'p').map(said);
  expect(comparing.head(compared).join(' · ')).toBe(paragraphs[0]);
  const told = [...comparing.notes(compared).map(note => note.means), ...comparing.differing(compared)];
  expect(told).toEqual(paragraphs.slice(1));
});

test('the moves add up: what is on both pages and what is on one make both lists', () => {
  const compared = golden();
  const [a, b] = [comparing.page(compared, 'a'), comparing.page(compared, 'b')];
  const both = compared.moves.filter(move => ['up', 'down', 'same'].includes(move.kind));
  expect(a.length - both.length).toBe(compared.moves.filter(move => move.kind === 'left').length);
  expect(b.length - both.length).toBe(compared.moves.filter(move => move.kind === 'entered').length);
  const sum = both.reduce((total, move) => total + comparing.places(move), 0);
  const ranks = both.reduce((total, move) => total + Number(move.rank_a) - Number(move.rank_b), 0);
  expect(sum).toBe(ranks);
});

test('a line goes from rank to rank, and only what entered or left has a short one', () => {
  const { node } = drawn();
  const compared = golden();
  const lines = all(node, '.jp-Memo-slope path:not(.jp-Memo-hit)');
  const drawnOf = (title: string) => {
    const id = compared.moves.find(move => move.title === title)?.id;
    return lines.find(path => path.getAttribute('data-id') === id) as Element;
  };
  expect(lines.length).toBe(compared.moves.length);
  expect(drawnOf('Why the flow loses ESS').getAttribute('d')).toBe('M4 65 C60 65 90 13 146 13');
  expect(drawnOf('Why the flow loses ESS').getAttribute('class')).toContain('jp-Memo-up');
  expect(drawnOf('reverse_kl_step').getAttribute('class')).toContain('jp-Memo-down');
  expect(drawnOf('ess_table.csv').getAttribute('class')).toContain('jp-Memo-same');
  expect(drawnOf('Meeting of 12 June').getAttribute('d')).toBe('M110 195 L146 195');
  expect(drawnOf('Symmetrised priors').getAttribute('d')).toBe('M4 195 L40 195');
});

test('what is pointed at, at either end or between, tells its cause; away from it the chosen one is back', () => {
  const { node } = drawn();
  const over = (target: Element) => target.dispatchEvent(new Event('pointerover', { bubbles: true }));
  const left = all(node, '.jp-Memo-slope ol')[0];
  over(one(all(left, 'li')[1], '.jp-Memo-ell'));
  expect(said(one(node, '.jp-Memo-told'))).toContain('2 → 6');
  expect(said(one(node, '.jp-Memo-told'))).toContain('19th by keyword');
  const id = golden().moves.find(move => move.title === 'reverse_kl_step')?.id;
  over(one(node, `.jp-Memo-hit[data-id='${id}']`));
  expect(said(one(node, '.jp-Memo-told'))).toContain('21st by semantic');
  expect(all(node, '.jp-mod-self').every(each => each.getAttribute('data-id') === id)).toBe(true);
  node.dispatchEvent(new Event('pointerleave'));
  expect(said(one(node, '.jp-Memo-told'))).toContain('Point at a passage');
  named(node, 'ess_table.csv').click();
  over(all(left, 'li')[0]);
  node.dispatchEvent(new Event('pointerleave'));
  expect(said(one(node, '.jp-Memo-told'))).toContain('It stays where it is.');
});

test('keys go through the list of b, then through what left, and are kept from the notebook', () => {
  const { node } = drawn();
  const outside: string[] = [];
  document.body.addEventListener('keydown', event => outside.push(event.key));
  expect(all(node, '[tabindex="0"]').map(each => said(one(each, '.jp-Memo-ell')))).toEqual(['Why the flow loses ESS']);
  one(node, '[tabindex="0"]').focus();
  expect(said(one(node, '.jp-Memo-told'))).toContain('age (after fusion): 19 days old');
  press(document.activeElement as Element, 'j');
  expect(said(one(node, '.jp-Memo-told'))).toContain('ESS against κ at L = 14 1 → 2');
  press(document.activeElement as Element, 'k');
  press(document.activeElement as Element, 'End');
  expect(said(one(node, '.jp-Memo-told'))).toContain('Symmetrised priors 8 → –');
  expect(all(node, '[tabindex="0"]').length).toBe(1);
  press(document.activeElement as Element, 'j', { ctrlKey: true });
  expect(outside).toEqual(['j']);
  press(document.activeElement as Element, 'Escape');
  expect(node.contains(document.activeElement)).toBe(false);
});

test('two lists that are the same say so', () => {
  const compared = golden();
  const moves = compared.moves
    .filter(move => move.rank_a !== null)
    .map(move => ({ ...move, kind: 'same' as const, rank_b: move.rank_a, cause: null, steps: [] }));
  const { node } = drawn({ ...compared, moves, differences: [] });
  expect(said(node)).toContain('The two lists are the same.');
  expect(node.querySelector('.jp-Memo-up[data-id], .jp-Memo-down[data-id]')).toBeNull();
});

test('an empty list tells why, and there is nothing to point at', () => {
  const compared = golden();
  const b = { ...compared.b, listed: 0, reason: 'Nothing in this index answers this.' };
  const { node } = drawn({ ...compared, b, moves: [] });
  expect(said(node)).toContain('memtomem: Nothing in this index answers this.');
  expect(node.querySelector('.jp-Memo-slope, .jp-Memo-told')).toBeNull();
});

test('texts of the index never become markup', () => {
  const compared = golden();
  const bad = '<img src=x onerror=alert(1)>\u202e';
  const moves = compared.moves.map(move => ({
    ...move,
    id: `"]${bad}`,
    title: bad,
    uri: bad,
    cause: move.cause && { ...move.cause, group: bad, sentence: bad }
  }));
  const { node } = drawn({ ...compared, query: bad, moves, a: { ...compared.a, profile: bad } });
  one(node, '[tabindex="0"]').focus();
  expect(said(one(node, '.jp-Memo-told'))).toContain('<img src=x onerror=alert(1)>[U+202E]');
  expect(node.querySelector('img, script, [onerror]')).toBeNull();
});

test('what is no comparison cannot be read', () => {
  const data = JSON.parse(file('comparison.json'));
  expect(() => readComparison({ ...data, moves: [{}] })).toThrow(Unreadable);
  expect(() => readComparison({ ...data, schema: 2 })).toThrow('schema 2');
  expect(() => readComparison({ ...data, a: { ...data.a, arms: ['nose'] } })).toThrow('arms');
});
