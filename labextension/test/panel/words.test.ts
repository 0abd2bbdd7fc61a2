import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failed } from '../../src/api.js';
import { cures } from '../../src/panel/about.js';
import { PROFILES } from '../../src/panel/box.js';
import { progress } from '../../src/panel/progress.js';
import { foot, notes } from '../../src/panel/status.js';
import { welcome } from '../../src/panel/welcome.js';
import { all, one, said } from '../golden.js';
import { JOB, STANDING } from './home.js';

const STORE = STANDING.store as NonNullable<typeof STANDING.store>;

describe('a job in words', () => {
  const report = {
    kept: 4106,
    added: 612,
    dropped: 88,
    skipped: [{ uri: 'scan-1998.pdf', reason: 'no text layer', cure: 'Run OCR, then index again' }],
    failed: []
  };

  test('how far it is', () => {
    const node = progress(JOB);
    expect(said(node)).toBe('Indexing papers/ 197 of 318 files · 14 s leftpapers/a.pdfStop');
    expect(one(node, '[role="progressbar"]').getAttribute('aria-valuenow')).toBe('62');
  });

  test.each([
    [0.4, '197 of 318 files'],
    [42.4, '197 of 318 files · 42 s left'],
    [209, '197 of 318 files · about 3 min left']
  ])('what is left is a guess, in %d seconds', (seconds_left, words) => {
    expect(said(one(progress({ ...JOB, seconds_left }), '.jp-Memo-num'))).toBe(words);
  });

  test('what came of it, and what was not read with the cure', () => {
    const node = progress({ ...JOB, state: 'done', report });
    expect(said(node)).toContain('Indexed papers/');
    expect(said(node)).toContain('4 106 kept · 612 added · 88 dropped');
    expect(said(one(node, 'details'))).toBe('1 file skippedscan-1998.pdfno text layer. Run OCR, then index again');
    expect(one(node, 'details').hasAttribute('open')).toBe(true);
  });

  test('a long list of skipped files is closed and cut', () => {
    const skipped = Array.from({ length: 60 }, (_, at) => ({ uri: `${at}`, reason: 'binary', cure: '' }));
    const details = one(progress({ ...JOB, state: 'done', report: { ...report, skipped } }), 'details');
    expect(details.hasAttribute('open')).toBe(false);
    expect(said(details.lastElementChild?.lastElementChild)).toBe('and 10 more');
  });

  test('that it was stopped, or why it failed', () => {
    expect(said(progress({ ...JOB, state: 'cancelled' }))).toContain('What was finished is in the index, whole.');
    const error = { code: 'StoreError', message: 'The store is locked.', hint: 'Try again.' };
    expect(said(one(progress({ ...JOB, state: 'failed', error }), '[role="alert"]'))).toBe(
      'Not indexed. The store is locked. Try again.'
    );
  });
});

describe('the foot', () => {
  test('says what there is', () => {
    expect(said(foot(STANDING, false, true))).toBe('18 412 passages · 318 sources · up to date Settings About');
  });

  test('says what is still to come, and what cannot be written', () => {
    const store = { ...STORE, pending: 120, read_only: true };
    expect(said(foot({ ...STANDING, store }, false, false))).toContain('120 wait for their vectors · read-only');
    expect(said(foot(STANDING, true, false))).toContain('· indexing');
  });
});

describe('what is in the way', () => {
  test('nothing', () => {
    expect(notes(STANDING, null)).toEqual([]);
  });

  test('a server part that is missing, with the command that brings it', () => {
    const [note] = notes(null, new Failed('Missing', '', '', 404));
    expect(said(note)).toBe(
      'The server part of jupyter_memo is missing. Run pip install jupyter_memo in the environment that runs ' +
        'JupyterLab, then restart it. Look again'
    );
  });

  test('versions that do not fit', () => {
    expect(said(notes({ ...STANDING, schema: 2 }, null)[0])).toContain('this page reads schema 1');
  });

  test('an index that is being written, or cannot be', () => {
    expect(said(notes(STANDING, null, 0.62)[0])).toContain('Searches use what is ready: 62 % of this run.');
    const store = { ...STORE, read_only: true, read_only_because: 'The folder belongs to somebody else.' };
    expect(said(notes({ ...STANDING, store }, null)[0])).toBe(
      'This index is read-only. The folder belongs to somebody else.'
    );
  });

  test('a store that does not open, and a model that does not load', () => {
    const error = { code: 'StoreError', message: 'The store is broken.', hint: 'Run memo doctor.' };
    expect(said(notes({ ...STANDING, store: null, error }, null)[0])).toContain(
      'The store is broken. Run memo doctor.'
    );
    const store = { ...STORE, model_state: 'failed: no such file' };
    expect(said(notes({ ...STANDING, store }, null)[0])).toContain('Searching without meaning.');
  });
});

describe('the welcome', () => {
  test('names the folder of the file browser', () => {
    expect(said(one(welcome('my notes', STANDING, false), 'button'))).toBe('Index my notes/');
  });

  test('offers nothing where nothing can be written', () => {
    expect(all(welcome('', { ...STANDING, writable: false }, false), 'button')).toEqual([]);
  });
});

describe('two environments', () => {
  const kernel = { version: '0.1.0', python: '3.12.1', environment: '~/other', store: '~/x', checks: [], missing: '' };

  test('that agree', () => {
    expect(cures(STANDING, kernel)).toEqual(['The kernel and the server agree.']);
  });

  test('that disagree, with the cure', () => {
    const checks = [{ ok: false, detail: 'two stores', cure: '%memo open ~/notes/.memo' }];
    expect(cures(STANDING, { ...kernel, checks })).toEqual(['Two stores. To mend it: %memo open ~/notes/.memo.']);
  });

  test('of which one lacks the package', () => {
    expect(cures(STANDING, { ...kernel, missing: 'It is not installed.' })[0]).toContain('%pip install jupyter_memo');
  });

  test('of two versions, though no check says so', () => {
    expect(cures(STANDING, { ...kernel, version: '0.2.0' })[0]).toContain('0.2.0, the server 0.1.0');
  });
});

test('the profiles to choose from are those of the settings', () => {
  const schema = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'schema', 'plugin.json'), 'utf-8'));
  expect([...PROFILES]).toEqual(schema.properties.profile.enum);
});
