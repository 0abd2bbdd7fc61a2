import { describe, expect, test } from 'vitest';
import { cells } from '../../src/lab/cells.js';
import { served } from '../../src/lab/drives.js';
import { told } from '../../src/lab/kernel.js';
import { asQuery } from '../../src/lab/picking.js';
import { cellAt, factory, shownAs } from '../../src/lab/places.js';

describe('a place', () => {
  const place = { path: 'a.md', kind: 'text', why: '' };

  test.each([
    [{ path: 'a.ipynb', kind: 'notebook', cell: 3 }, 'cell', 'Notebook'],
    [{ path: 'a.md', line: 12 }, 'lines', 'Editor'],
    [{ path: 'a.md' }, 'whole', 'default'],
    [{ path: 'a.csv', kind: 'csv', line: 12 }, 'row', 'default'],
    [{ path: 'a.pdf', kind: 'pdf', page: 4 }, 'page', 'default'],
    [{ path: 'a.docx', page: 4 }, 'nothing', 'default'],
    [{ path: null }, 'nothing', 'default']
  ])('%j is shown as %s by %s', (given, way, name) => {
    expect(shownAs({ ...place, ...given })).toBe(way);
    expect(factory({ ...place, ...given })).toBe(name);
  });

  test('a cell is found by its id wherever it moved, else by its number', () => {
    expect(cellAt(['a', 'b', 'c'], { cell_id: 'c', cell: 0 })).toBe(2);
    expect(cellAt(['a', 'b', 'c'], { cell: 1 })).toBe(1);
    expect(cellAt(['a', 'b', 'c'], { cell_id: 'gone', cell: 1 })).toBe(-1);
    expect(cellAt(['a'], { cell: 7 })).toBe(-1);
  });
});

describe('an insertion', () => {
  test('a citation or a quote is a Markdown cell', () => {
    const { cells: made } = cells({ what: 'quote', text: '> a' }, [], 'text/x-python');
    expect(made).toEqual([{ cell_type: 'markdown', metadata: {}, source: '> a' }]);
  });

  test('a search brings the extension along where it is not loaded', () => {
    const search = { what: 'search', text: '%%memo_search\nflow' } as const;
    expect(cells(search, ['import os'], '').cells.map(cell => cell.source)).toEqual([
      '%load_ext jupyter_memo',
      '%%memo_search\nflow'
    ]);
    expect(cells(search, ['import os\n%load_ext jupyter_memo'], '').cells.length).toBe(1);
  });

  test('a search in a notebook of another language says what it needs', () => {
    const search = { what: 'search', text: '%%memo_search\nflow' } as const;
    expect(cells(search, [], 'text/x-rsrc').note).toContain('Python kernel');
    expect(cells(search, [], 'text/x-ipython').note).toBe('');
    expect(cells(search, [], '').note).toBe('');
  });
});

describe('marked text', () => {
  test('becomes words without the signs of a query', () => {
    expect(asQuery('  the "flow"\n -- loses -ESS = 0.08 ')).toBe('the flow loses ESS 0.08');
  });

  test('is cut to what a query can hold', () => {
    expect(asQuery('word '.repeat(100)).split(' ').length).toBe(40);
  });
});

test('a path of another drive is none of the server', () => {
  const contents = {
    driveName: (path: string) => (path.includes(':') ? path.split(':')[0] : ''),
    localPath: (path: string) => path.split(':').at(-1) ?? ''
  };
  const paths = ['notes/a', '', 'RTC:notes/a', 'S3:notes/a', 'S3:'];
  expect(paths.map(path => served(contents, path))).toEqual(['notes/a', '', 'notes/a', null, null]);
});

describe('what a kernel says', () => {
  const hex = (text: string) =>
    [...new TextEncoder().encode(text)].map(byte => byte.toString(16).padStart(2, '0')).join('');

  test('are the facts of its Python', () => {
    const facts = { version: '0.1.0', python: '3.11.7', environment: '/é', store: '/s', checks: [] };
    const found = { status: 'ok', data: { 'text/plain': `'${hex(JSON.stringify(facts))}'` } };
    expect(told(found)).toEqual({ ...facts, missing: '' });
  });

  test('of another version is taken as far as it can be', () => {
    const facts = { version: 7, store: null, checks: [null, 'x', {}, { ok: false, detail: 'old', cure: 5 }] };
    const found = (made: unknown) => ({ status: 'ok', data: { 'text/plain': `'${hex(JSON.stringify(made))}'` } });
    expect(told(found(facts))).toMatchObject({ version: '', checks: [{ ok: false, detail: 'old', cure: '' }] });
    expect(told(found({ version: '1', checks: null })).checks).toEqual([]);
    expect(told(found(null)).checks).toEqual([]);
  });

  test('is that the package is not there', () => {
    const found = { status: 'error', ename: 'ModuleNotFoundError', evalue: "No module named 'jupyter_memo'" };
    expect(told(found).missing).toContain('not installed');
  });

  test('is why it cannot be used', () => {
    expect(told({ status: 'error', ename: 'ImportError', evalue: 'x' }).missing).toContain('ImportError: x');
    expect(told(undefined).missing).toContain('no answer');
  });
});
