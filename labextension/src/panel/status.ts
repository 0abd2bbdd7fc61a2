// How the index and the server stand: the line at the foot of the panel, and the notes that a reader must see first.
import { Failed, INSTALL, type Standing } from '../api.js';
import { button, el } from '../dom.js';
import * as format from '../format.js';
import { SCHEMA } from '../read.js';
import { line } from '../visible.js';

/** The foot: what there is, whether it is up to date, and the ways to the settings and to what runs here. */
export function foot(standing: Standing | null, indexing: boolean, settings: boolean, open = false): HTMLElement {
  return el(
    'div',
    'statusLine',
    {},
    el('span', '', {}, ...told(standing, indexing)),
    ' ',
    el(
      'span',
      'tools',
      {},
      settings && button('link', 'settings', {}, 'Settings'),
      settings && ' ',
      button('link', 'about', { 'aria-expanded': String(open) }, 'About')
    )
  );
}

function told(standing: Standing | null, indexing: boolean): (HTMLElement | string)[] {
  const store = standing?.store;
  if (!store) {
    return [standing ? 'no index' : ''];
  }
  const { passages, sources, pending } = store;
  if (passages === 0) {
    return [indexing ? 'indexing' : 'nothing is indexed yet'];
  }
  const parts = [
    ` ${passages === 1 ? 'passage' : 'passages'}`,
    `${format.count(sources)} ${sources === 1 ? 'source' : 'sources'}`,
    indexing ? 'indexing' : pending > 0 ? `${format.count(pending)} wait for their vectors` : '',
    store.read_only || !standing?.writable ? 'read-only' : ''
  ];
  // What is as it should be is told where there is room for it.
  const calm = !indexing && pending === 0 && el('span', 'hideSmall', {}, ' · up to date');
  return [el('b', '', {}, format.count(passages)), parts.filter(Boolean).join(' · '), calm || ''];
}

/**
 * What a reader must know, worst first: a part that is missing, two versions that do not fit, a store that does not open
 * or is written just now; `indexed` is the share of a running job that is done.
 */
export function notes(standing: Standing | null, error: unknown, indexed: number | null = null): HTMLElement[] {
  if (error instanceof Failed) {
    return [error.code === 'Missing' ? missing() : note('error', error.message, '', true)];
  }
  if (!standing) {
    return error ? [note('error', String(error), '', true)] : [];
  }
  const found: HTMLElement[] = [];
  if (standing.schema !== SCHEMA) {
    found.push(
      note(
        'error',
        'The server and this page are of different versions.',
        `The server has jupyter_memo ${line(standing.version)} (schema ${standing.schema}), this page reads schema ` +
          `${SCHEMA}. Run pip install --upgrade jupyter_memo in its environment, restart JupyterLab, reload this page.`
      )
    );
  }
  if (standing.error) {
    const { message, hint } = standing.error;
    found.push(note('error', line(message), line(hint), true));
  }
  const state = standing.store?.model_state ?? '';
  if (state.startsWith('failed')) {
    found.push(note('', 'Searching without meaning.', `The model did not load: ${line(state)}.`));
  }
  if (standing.store?.read_only && standing.store.read_only_because) {
    found.push(note('info', 'This index is read-only.', line(standing.store.read_only_because)));
  }
  for (const notice of standing.store?.notices ?? []) {
    const [what, ...cure] = line(notice).split('. ');
    found.push(note('info', `${what}.`, cure.join('. ')));
  }
  if (indexed !== null && standing.store && standing.store.passages > 0) {
    found.push(
      note('info', 'The index is being written.', `Searches use what is ready: ${format.percent(indexed)} of this run.`)
    );
  }
  return found;
}

function missing(): HTMLElement {
  return el(
    'div',
    'note jp-mod-error',
    { role: 'alert' },
    el(
      'span',
      '',
      {},
      el('b', '', {}, 'The server part of jupyter_memo is missing.'),
      ' Run ',
      el('code', '', {}, INSTALL),
      ' in the environment that runs JupyterLab, then restart it. ',
      again()
    )
  );
}

function note(tone: string, what: string, means: string, retry = false): HTMLElement {
  return el(
    'div',
    `note ${tone && `jp-mod-${tone}`}`,
    { role: tone === 'error' ? 'alert' : 'status' },
    el('span', '', {}, el('b', '', {}, what), means && ` ${means}`, retry && ' ', retry && again())
  );
}

function again(): HTMLElement {
  return button('link', 'retry', {}, 'Look again');
}
