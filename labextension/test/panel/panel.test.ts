import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Kernel } from '../../src/panel/host.js';
import { quoted } from '../../src/panel/results.js';
import { PAUSE } from '../../src/panel/searching.js';
import { read } from '../../src/read.js';
import type { SearchResponse } from '../../src/wire.js';
import { all, one, press, said } from '../golden.js';
import { answer, type Home, home, JOB, PLACE, refused, STANDING, type as typed } from './home.js';

const STORE = STANDING.store as NonNullable<typeof STANDING.store>;
const EMPTY_STORE = { ...STANDING, store: { ...STORE, passages: 0, sources: 0 } };

let shown: Home | null = null;

async function open(...given: Parameters<typeof home>): Promise<Home> {
  shown = await home(...given);
  return shown;
}

async function asked(found: Home, query: string): Promise<void> {
  typed(found.field, query);
  await vi.advanceTimersByTimeAsync(PAUSE);
}

function rows({ node }: Home): HTMLElement[] {
  return all(node, '.jp-MemoResults .jp-Memo-row');
}

function searches({ asked: all }: Home): unknown[] {
  return all.filter(([name]) => name === 'POST search').map(([, { query }]) => query);
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  shown?.panel.dispose();
  shown = null;
  vi.useRealTimers();
});

describe('at rest', () => {
  test('it says how to write a query, what there is, and how the index stands', async () => {
    const { node } = await open({}, {}, { recent: [{ query: 'critical flow', results: 7 }] });
    expect(said(one(node, '.jp-Memo-hints'))).toContain('kind:notebook');
    expect(said(one(node, '.jp-Memo-recent'))).toBe('critical flow 7');
    expect(all(node, '.jp-Memo-scopes .jp-Memo-chip').map(said)).toEqual([
      'paper 7 204',
      'notebook 4 310',
      'phi4 11 240',
      '#ess 12',
      'notes/* 300'
    ]);
    expect(said(one(node, '.jp-Memo-statusLine'))).toContain('18 412 passages · 318 sources · up to date');
  });

  test('a recent query is asked again', async () => {
    const found = await open({}, {}, { recent: [{ query: 'critical flow', results: 7 }] });
    one(found.node, '.jp-Memo-recent button').click();
    await vi.advanceTimersByTimeAsync(0);
    expect(searches(found)).toEqual(['critical flow']);
    expect(found.field.value).toBe('critical flow');
  });

  test('a chip puts its field into the query, and takes it out', async () => {
    const found = await open();
    await asked(found, 'flow');
    one(found.node, '.jp-Memo-scopes [data-value="paper"]').click();
    await vi.advanceTimersByTimeAsync(0);
    expect(found.field.value).toBe('flow kind:paper');
    expect(one(found.node, '.jp-Memo-scopes [data-value="paper"]').getAttribute('aria-pressed')).toBe('true');
    one(found.node, '.jp-Memo-scopes [data-value="paper"]').click();
    await vi.advanceTimersByTimeAsync(0);
    expect(searches(found)).toEqual(['flow', 'flow kind:paper', 'flow']);
  });

  test('fields complete with what the index holds', async () => {
    const found = await open();
    typed(found.field, 'flow kind:');
    await vi.advanceTimersByTimeAsync(0);
    expect(all(found.node, '[role="option"]').map(said)).toEqual(['paper 7 204', 'note']);
    press(found.field, 'Tab');
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(searches(found)).toEqual(['flow kind:paper']);
  });
});

describe('a field whose value is still to come', () => {
  test('completes and is not searched for; what stands before it is', async () => {
    const found = await open();
    await asked(found, 'kind:');
    expect(all(found.node, '[role="option"]').map(said)).toEqual(['paper 7 204', 'note']);
    await asked(found, 'flow kind:');
    await asked(found, 'flow ns:');
    expect(searches(found)).toEqual(['flow']);
    expect(found.field.value).toBe('flow ns:');
  });

  test('takes the first of what it may be at a second Enter', async () => {
    const found = await open();
    await asked(found, 'flow kind:');
    const enter = () => press(found.field, 'Enter').defaultPrevented || found.field.form?.requestSubmit();
    enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(said(one(found.node, '[aria-selected="true"] bdi'))).toBe('paper');
    enter();
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(searches(found)).toEqual(['flow', 'flow kind:paper']);
  });

  test('is asked for as it stands at Enter where the index has nothing for it', async () => {
    const found = await open();
    typed(found.field, 'lib:');
    (found.field.form as HTMLFormElement).requestSubmit();
    await vi.advanceTimersByTimeAsync(0);
    expect(searches(found)).toEqual(['lib:']);
  });
});

describe('searching', () => {
  test('waits for a pause, then lists what is found', async () => {
    const found = await open();
    typed(found.field, 'fl');
    await vi.advanceTimersByTimeAsync(PAUSE - 1);
    await asked(found, 'flow');
    expect(searches(found)).toEqual(['flow']);
    expect(rows(found).length).toBe(7);
  });

  test('does not where the settings say so; Enter does', async () => {
    const found = await open({}, { typing: () => ({ asks: false, pause: 0 }) });
    await asked(found, 'flow');
    expect(searches(found)).toEqual([]);
    (found.field.form as HTMLFormElement).requestSubmit();
    await vi.advanceTimersByTimeAsync(0);
    expect(searches(found)).toEqual(['flow']);
  });

  test('keeps the list until the next one is there', async () => {
    let release: (value: unknown) => void = () => {};
    const found = await open({
      'POST search': ({ query }) => (query === 'flow' ? answer(query) : new Promise(resolve => (release = resolve)))
    });
    await asked(found, 'flow');
    await asked(found, 'flow again');
    expect(rows(found).length).toBe(7);
    release(answer('flow again', 'degraded'));
    await vi.advanceTimersByTimeAsync(0);
    expect(rows(found).length).toBe(2);
  });

  test('sends the mode and the profile that are chosen', async () => {
    const found = await open();
    const [mode, profile] = all(found.node, 'select') as HTMLSelectElement[];
    mode.value = 'exact';
    profile.value = 'recency';
    await asked(found, 'flow');
    expect(found.asked.at(-1)?.[1]).toMatchObject({ query: 'flow', mode: 'exact', profile: 'recency' });
  });

  test('offers the profiles of the user, and searches by one that was kept', async () => {
    const store = { ...STANDING.store, profiles: ['default', 'rrf', 'papers'] };
    const found = await open(
      { 'GET status': () => ({ ...STANDING, store }) },
      {},
      { query: 'flow', profile: 'papers' }
    );
    const [, profile] = all(found.node, 'select') as HTMLSelectElement[];
    expect([...profile.options].map(option => option.value)).toEqual(['', 'default', 'rrf', 'papers']);
    expect(profile.value).toBe('papers');
    await asked(found, 'ess');
    expect(found.asked.at(-1)?.[1]).toMatchObject({ query: 'ess', profile: 'papers' });
    profile.value = '';
    profile.dispatchEvent(new Event('change'));
    await asked(found, 'ess again');
    expect(found.asked.at(-1)?.[1]).not.toHaveProperty('profile');
  });

  test('a kept profile that is gone is none', async () => {
    const store = { ...STANDING.store, profiles: ['default', 'rrf'] };
    const found = await open({ 'GET status': () => ({ ...STANDING, store }) }, {}, { profile: 'papers' });
    await asked(found, 'ess');
    expect(found.asked.at(-1)?.[1]).not.toHaveProperty('profile');
  });

  test('a refused query is said, and the list stays', async () => {
    const found = await open({
      'POST search': ({ query }) =>
        query === 'flow'
          ? answer(query)
          : refused(400, { code: 'QueryError', message: 'kind:x is not a kind.', hint: 'Kinds are note.' })
    });
    await asked(found, 'flow');
    await asked(found, 'flow kind:x');
    expect(said(one(found.node, '.jp-Memo-said'))).toBe('kind:x is not a kind. Kinds are note.');
    expect(rows(found).length).toBe(7);
  });

  test('an emptied box goes back to rest', async () => {
    const found = await open();
    await asked(found, 'flow');
    press(found.field, 'Escape');
    expect(found.field.value).toBe('');
    expect(rows(found)).toEqual([]);
    expect(one(found.node, '.jp-Memo-hints')).toBeTruthy();
  });

  test('a query is a recent one also when the box was left meanwhile', async () => {
    const found = await open();
    await asked(found, 'flow');
    found.field.dispatchEvent(new Event('change'));
    await vi.advanceTimersByTimeAsync(4000);
    expect(vi.mocked(found.host.save).mock.lastCall?.[0].recent).toMatchObject([{ query: 'flow' }]);
  });

  test('a query that was looked at becomes a recent one', async () => {
    const found = await open();
    await asked(found, 'flow');
    await vi.advanceTimersByTimeAsync(5000);
    press(found.field, 'Escape');
    expect(said(one(found.node, '.jp-Memo-recent'))).toBe('flow 44');
  });
});

test('a file that is no notebook is offered no cell', async () => {
  const found = await open({}, { target: () => ({ words: 'a.md, at the cursor', cells: false }) });
  await asked(found, 'flow');
  one(rows(found)[0], '[data-do="insert"]').click();
  expect(all(found.node, '[data-choice]').map(said)).toEqual(['citation', 'quote']);
  expect(said(one(found.node, '.jp-Memo-tray'))).toContain('Into a.md, at the cursor.');
});

describe('copies', () => {
  const renamed = (...uris: string[]) => {
    const data = answer('flow', 'evidence') as SearchResponse;
    for (const [at, uri] of uris.entries()) {
      data.results[at].passage.uri = uri;
    }
    return data;
  };

  test('of one name are told apart by as many folders as it needs', async () => {
    const found = await open({
      'POST search': () => renamed('2025/run/a.ipynb', '2026/run/a.ipynb', '2026/b.ipynb', 'x/c.md', 'x/c.md')
    });
    await asked(found, 'flow');
    const paths = all(found.node, '.jp-MemoResults .jp-Memo-where .jp-Memo-path');
    expect(paths.slice(0, 5).map(said)).toEqual(['2025/run/a.ipynb', '2026/run/a.ipynb', 'b.ipynb', 'c.md', 'c.md']);
    expect(paths[0].title).toContain('2025/run/a.ipynb › ');
  });

  test('below a result are told apart from it, too', async () => {
    const found = await open({ 'POST search': () => renamed('notebooks/07_ess-copy1.ipynb') });
    await asked(found, 'flow');
    const [row] = rows(found);
    expect(all(row, '.jp-Memo-path').map(said)).toEqual(['notebooks/07_ess-copy1.ipynb', 'old/07_ess-copy1.ipynb']);
    expect(one(row, '.jp-Memo-fold .jp-Memo-path').title).toBe('notebooks/old/07_ess-copy1.ipynb');
  });

  test('that is a record is not offered to be opened', async () => {
    const found = await open({ 'POST search': ({ query }) => answer(query, 'surfaces') });
    await asked(found, 'flow');
    const { results } = read(answer('flow', 'surfaces'));
    const offered = rows(found).map(row => row.querySelector('.jp-Memo-actions [data-do="open"]') !== null);
    expect(offered).toEqual(results.map(({ passage }) => passage.surface !== 'memory'));
    expect(new Set(offered).size).toBe(2);
  });

  test('has its snippet begun near what was found', async () => {
    const data = read(answer('flow'));
    const snippet = `${'before it '.repeat(20)}the weir`;
    const results = data.results.map(result => ({ ...result, snippet, marks: [[204, 208]] }));
    const found = await open({ 'POST search': ({ query }) => ({ ...data, query, results }) });
    await asked(found, 'weir');
    const told = said(rows(found)[1].querySelector('.jp-Memo-snippet'));
    expect(told.startsWith('… ')).toBe(true);
    expect(told.length).toBeLessThan(50);
    expect(told.endsWith('the weir')).toBe(true);
  });

  test('below a result are opened where they stand, or their place is told', async () => {
    const found = await open({
      'POST search': ({ query }) => answer(query, 'evidence'),
      'POST open': ({ id }) => (id === 'c0' ? PLACE : { path: null, kind: 'text', why: 'no longer there' })
    });
    await asked(found, 'flow');
    const [first, second] = all(found.node, '.jp-Memo-fold li button');
    first.click();
    await vi.advanceTimersByTimeAsync(0);
    expect(found.asked.at(-1)).toEqual(['POST open', { id: 'c0' }]);
    expect(found.host.open).toHaveBeenCalledWith(PLACE, expect.anything());
    second.click();
    await vi.advanceTimersByTimeAsync(0);
    expect(said(one(found.node, '.jp-Memo-said'))).toBe('3.2 Loss cannot be opened here: it is no longer there.');
    expect(said(one(found.node, '.jp-Memo-tray pre'))).toBe('papers/flow-v1.pdf · p. 5');
  });
});

describe('with the keyboard', () => {
  test('down from the box goes to the first result, and Enter opens it', async () => {
    const found = await open();
    await asked(found, 'flow');
    press(found.field, 'ArrowDown');
    expect(document.activeElement).toBe(rows(found)[0]);
    press(rows(found)[0], 'Enter');
    await vi.advanceTimersByTimeAsync(0);
    expect(found.asked.at(-1)).toEqual(['POST open', { search: 's1', rank: 1 }]);
    expect(vi.mocked(found.host.open).mock.calls[0][0]).toEqual(PLACE);
  });

  test('down while the search is on goes there once it is done', async () => {
    const found = await open();
    typed(found.field, 'flow');
    press(found.field, 'ArrowDown');
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(document.activeElement).toBe(rows(found)[0]);
  });

  test('a new list keeps the focus that was in the old one', async () => {
    const found = await open();
    await asked(found, 'flow');
    rows(found)[1].focus();
    found.panel.ask('flow');
    await vi.advanceTimersByTimeAsync(0);
    expect(document.activeElement).toBe(rows(found)[1]);
  });

  test('Shift and Tab leave the box though it could complete', async () => {
    const found = await open();
    typed(found.field, 'flow kind:');
    await vi.advanceTimersByTimeAsync(0);
    const back = new KeyboardEvent('keydown', { key: 'Tab', shiftKey: true, bubbles: true, cancelable: true });
    expect(found.field.dispatchEvent(back)).toBe(true);
    expect(found.field.value).toBe('flow kind:');
  });

  test('w unfolds why, Escape folds it and then leads back to the box', async () => {
    const found = await open();
    await asked(found, 'flow');
    press(found.field, 'ArrowDown');
    const [row] = rows(found);
    press(row, 'w');
    expect(row.querySelector('.jp-Memo-open')).not.toBeNull();
    press(row, 'Escape');
    expect(row.querySelector('.jp-Memo-open')).toBeNull();
    press(row, 'Escape');
    expect(document.activeElement).toBe(found.field);
  });

  test('a slash goes to the box', async () => {
    const found = await open();
    await asked(found, 'flow');
    press(rows(found)[2], '/');
    expect(document.activeElement).toBe(found.field);
  });

  test('the keys that work are named', async () => {
    const found = await open();
    await asked(found, 'flow');
    expect(said(one(found.node, '.jp-Memo-keys'))).toBe(
      'j k next, previous Enter open w why 0 1 2 3 judge e how the list was made / search box'
    );
  });
});

describe('a result', () => {
  async function pressed(found: Home, name: string): Promise<void> {
    one(rows(found)[0], `[data-do="${name}"]`).click();
    await vi.advanceTimersByTimeAsync(0);
  }

  async function choose(found: Home, choice: string): Promise<void> {
    one(found.node, `[data-choice="${choice}"]`).click();
    await vi.advanceTimersByTimeAsync(0);
  }

  test('is inserted as a citation, as a quote or as a search', async () => {
    const found = await open({}, {}, { mode: 'exact', profile: 'recency' });
    await asked(found, 'flow');
    for (const choice of ['citation', 'quote', 'search cell']) {
      await pressed(found, 'insert');
      expect(said(one(found.node, '.jp-Memo-tray'))).toContain('Into demo.ipynb, below cell 2.');
      await choose(found, choice);
    }
    expect(vi.mocked(found.host.insert).mock.calls.map(([insertion]) => insertion)).toEqual([
      { what: 'citation', text: 'a markdown' },
      { what: 'quote', text: 'a quote' },
      { what: 'search', text: '%%memo_search --mode exact --profile recency\nflow' }
    ]);
    expect(said(one(found.node, '.jp-Memo-said'))).toBe('Inserted.');
  });

  test('is quoted without the HTML and images of a note from elsewhere', () => {
    const [result] = read(answer('flow')).results;
    const passage = { ...result.passage, code: false, uri: 'a<img src=x>.md', header: ['![x](http://e)', 'T'] };
    const told = quoted({ ...result, passage, snippet: '<img src=x>\n![x](http://e/p.png)\n```' });
    expect(told).not.toMatch(/(?<!\\)<[a-z]|!\[/u);
    expect(told.split('\n').every(line => line.startsWith('>'))).toBe(true);
  });

  test('is quoted as code with a fence that its own cannot close', () => {
    const [result] = read(answer('flow')).results;
    const told = quoted({ ...result, passage: { ...result.passage, code: true }, snippet: 'a\n```\n<img src=x>' });
    expect(told.split('\n').slice(0, 5)).toEqual(['> ````', '> a', '> ```', '> <img src=x>', '> ````']);
  });

  test('of a list that is no longer shown is not cited in the next one', async () => {
    let cited: (value: unknown) => void = () => undefined;
    const found = await open({ 'POST cite': () => new Promise(to => (cited = to)) });
    await asked(found, 'flow');
    await pressed(found, 'cite');
    await asked(found, 'other');
    cited({ text: 'late' });
    await vi.advanceTimersByTimeAsync(0);
    expect(all(found.node, '.jp-Memo-tray')).toEqual([]);
  });

  test('that has nowhere to go says so', async () => {
    const found = await open({}, { target: () => null });
    await asked(found, 'flow');
    await pressed(found, 'insert');
    expect(said(one(found.node, '.jp-Memo-tray'))).toContain('Open a notebook or a text file first.');
  });

  test('that cannot be opened says why, and where it is', async () => {
    const found = await open({ 'POST open': () => ({ path: null, kind: 'text', why: 'no longer there' }) });
    await asked(found, 'flow');
    await pressed(found, 'open');
    expect(said(one(found.node, '.jp-Memo-said'))).toContain('it is no longer there');
    expect(said(one(found.node, '.jp-Memo-tray'))).toContain('notebooks/07_ess_vs_kappa.ipynb');
    expect(found.host.open).not.toHaveBeenCalled();
  });

  test('is judged', async () => {
    const found = await open();
    await asked(found, 'flow');
    await pressed(found, 'judge');
    one(rows(found)[0], '[data-grade="3"]').click();
    await vi.advanceTimersByTimeAsync(0);
    expect(found.asked.at(-1)).toEqual(['POST judge', { search: 's1', rank: 1, grade: 3 }]);
    expect(said(one(found.node, '.jp-Memo-said'))).toBe('Kept: 3 for result 1.');
  });

  test('leads to similar ones, and back', async () => {
    const found = await open();
    await asked(found, 'flow');
    await pressed(found, 'similar');
    expect(found.asked.some(([name, body]) => name === 'POST similar' && body.rank === 1)).toBe(true);
    expect(said(one(found.node, '.jp-Memo-scroll'))).toContain('Like result 1, ESS against κ at L = 14');
    one(found.node, '[data-do="unlike"]').click();
    await vi.advanceTimersByTimeAsync(0);
    expect(rows(found)).toEqual([]);
  });

  test('is dragged by its title, with its quote', async () => {
    const drag = vi.fn();
    const found = await open({}, { drag });
    await asked(found, 'flow');
    const down = () => new MouseEvent('pointerdown', { bubbles: true, button: 0 });
    one(rows(found)[0], '.jp-Memo-snippet').dispatchEvent(down());
    expect(drag).not.toHaveBeenCalled();
    one(rows(found)[0], '.jp-Memo-title').dispatchEvent(down());
    const source = drag.mock.calls[0][1];
    expect(source.text).toContain('> — notebooks/07_ess_vs_kappa.ipynb › Results · cell 12');
    await vi.advanceTimersByTimeAsync(0);
    expect(found.asked.map(([name]) => name)).not.toContain('POST cite');
    source.begun();
    await vi.advanceTimersByTimeAsync(0);
    expect(source.text).toBe('a quote');
  });
});

describe('the first time', () => {
  test('one press indexes the folder of the file browser, with progress, and ends at rest', async () => {
    let standing: unknown = EMPTY_STORE;
    const states = ['running', 'done'];
    const found = await open({
      'GET status': () => standing,
      'POST index': () => ({ job: 'j1' }),
      'GET index/j1': () => ({ ...JOB, state: states.shift() })
    });
    expect(said(one(found.node, '.jp-Memo-welcome button'))).toBe('Index papers/');
    one(found.node, '.jp-Memo-welcome button').click();
    await vi.advanceTimersByTimeAsync(0);
    expect(found.asked.find(([name]) => name === 'POST index')?.[1]).toEqual({ paths: ['papers'] });
    expect(said(one(found.node, '.jp-Memo-job'))).toContain('197 of 318 files');
    standing = STANDING;
    await vi.advanceTimersByTimeAsync(1000);
    expect(said(one(found.node, '.jp-Memo-job'))).toContain('Indexed papers/');
    expect(one(found.node, '.jp-Memo-hints')).toBeTruthy();
    one(found.node, '[data-do="put-away"]').click();
    expect(found.node.querySelector('.jp-Memo-job')).toBeNull();
  });

  test('a server part that is missing is said, and looked for again', async () => {
    let missing = true;
    const found = await open({ 'GET status': () => (missing ? refused(404, { message: 'Not Found' }) : STANDING) });
    expect(said(one(found.node, '[role="alert"]'))).toContain('pip install jupyter_memo');
    missing = false;
    one(found.node, '[data-do="retry"]').click();
    await vi.advanceTimersByTimeAsync(0);
    expect(found.node.querySelector('[role="alert"]')).toBeNull();
    expect(one(found.node, '.jp-Memo-hints')).toBeTruthy();
  });
});

describe('the next page', () => {
  test('has the query, what it was searched by, and what was open', async () => {
    const kept = {
      query: 'flow',
      mode: 'exact',
      profile: 'rrf',
      kept: { open: [2], current: 2, off: [['kind', 'notebook']] }
    };
    const found = await open({}, {}, kept);
    expect(found.asked.find(([name]) => name === 'POST search')?.[1]).toMatchObject({
      query: 'flow',
      mode: 'exact',
      profile: 'rrf'
    });
    expect(
      rows(found)
        .filter(row => row.querySelector('.jp-Memo-open'))
        .map(row => row.dataset.rank)
    ).toEqual(['2']);
    expect(rows(found)[1].getAttribute('aria-current')).toBe('true');
    expect(rows(found)[0].hidden).toBe(true);
  });

  test('leaves a list alone that was asked for meanwhile', async () => {
    let first: (value: unknown) => void = () => undefined;
    const kept = { query: 'flow', kept: { open: [2], current: 2, off: [] } };
    const opening = open(
      { 'POST search': ({ query }) => (query === 'flow' ? new Promise(to => (first = to)) : answer(query)) },
      {},
      kept
    );
    await vi.advanceTimersByTimeAsync(0);
    const field = document.querySelector('input') as HTMLInputElement;
    typed(field, 'other');
    await vi.advanceTimersByTimeAsync(PAUSE);
    first(answer('flow'));
    const found = await opening;
    expect(rows(found).some(row => row.querySelector('.jp-Memo-open'))).toBe(false);
  });

  test('begins anew where the list has no such page any more', async () => {
    const found = await open(
      { 'POST search': ({ query, offset }) => answer(query, Number(offset) > 0 ? 'empty' : 'response') },
      {},
      { query: 'flow', offset: 40 }
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(rows(found).length).toBeGreaterThan(0);
  });

  test('is told of a job once, not at every step of it', async () => {
    const found = await open({
      'POST index': () => ({ job: 'j1' }),
      'GET index/j1': () => JOB
    });
    found.panel.index(['papers']);
    await vi.advanceTimersByTimeAsync(5000);
    expect(found.host.save).toHaveBeenCalledTimes(1);
  });

  test('is told what stands in this one', async () => {
    const found = await open();
    await asked(found, 'flow');
    press(found.field, 'ArrowDown');
    press(rows(found)[0], 'w');
    rows(found)[0].dispatchEvent(new KeyboardEvent('keyup', { key: 'w', bubbles: true }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(vi.mocked(found.host.save).mock.lastCall?.[0]).toMatchObject({
      query: 'flow',
      kept: { open: [1], current: 1 }
    });
  });
});

describe('a server that was away', () => {
  test('is not said to be away once it answers', async () => {
    let away = false;
    const gone = () => refused(503, { code: 'WorkerGone', message: 'Gone.' });
    const found = await open({
      'GET status': () => (away ? gone() : STANDING),
      'POST search': ({ query }) => (away ? Promise.reject(new TypeError('network')) : answer(query))
    });
    await asked(found, 'flow');
    away = true;
    await asked(found, 'flow ess');
    expect(said(one(found.node, '.jp-Memo-scroll'))).toContain('Gone.');
    away = false;
    await asked(found, 'flow');
    await asked(found, 'flow ess');
    expect(said(one(found.node, '.jp-Memo-scroll'))).not.toContain('Gone.');
  });

  test('is asked for its jobs again, too', async () => {
    let away = true;
    const found = await open({
      'GET status': () => (away ? refused(503, { code: 'WorkerGone', message: 'Gone.' }) : STANDING),
      'GET index': () => (away ? refused(503, { code: 'WorkerGone', message: 'Gone.' }) : { jobs: [JOB] })
    });
    away = false;
    one(found.node, '[data-do="retry"]').click();
    await vi.advanceTimersByTimeAsync(0);
    expect(said(one(found.node, '.jp-Memo-job'))).toContain('197 of 318 files');
  });
});

describe('about', () => {
  test('closed, it gives the focus back to what opened it', async () => {
    const found = await open();
    one(found.node, '[data-do="about"]').click();
    one(found.node, '.jp-Memo-about [data-do="about"]').click();
    expect(document.activeElement).toBe(one(found.node, '.jp-Memo-statusLine [data-do="about"]'));
  });

  test('says nothing of a kernel whose document is no longer at hand', async () => {
    let answered: (kernel: Kernel) => void = () => undefined;
    const ask = () => new Promise<Kernel>(to => (answered = to));
    const found = await open({}, { kernel: { name: () => 'demo.ipynb', ask } });
    one(found.node, '[data-do="about"]').click();
    one(found.node, '[data-do="ask-kernel"]').click();
    found.panel.moved();
    answered({ version: '9.9', python: '3.12', environment: '~/k', store: '~/s', checks: [], missing: '' });
    await vi.advanceTimersByTimeAsync(0);
    expect(said(one(found.node, '.jp-Memo-about'))).not.toContain('9.9');
  });

  test('names the server, and asks a kernel only when it is told to', async () => {
    const ask = vi.fn(async () => ({
      version: '0.1.0',
      python: '3.12',
      environment: '~/k',
      store: '~/s',
      checks: [],
      missing: ''
    }));
    const found = await open({}, { kernel: { name: () => 'demo.ipynb', ask } });
    one(found.node, '[data-do="about"]').click();
    expect(said(one(found.node, '.jp-Memo-about'))).toContain('environment~/env');
    expect(ask).not.toHaveBeenCalled();
    one(found.node, '[data-do="ask-kernel"]').click();
    await vi.advanceTimersByTimeAsync(0);
    expect(said(one(found.node, '.jp-Memo-about'))).toContain('The kernel and the server agree.');
  });
});
