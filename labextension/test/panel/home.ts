// A panel in a page, with a server that is made of what a test gives it.
import { vi } from 'vitest';
import { Api, type Job, type Place, type Standing } from '../../src/api.js';
import type { Host } from '../../src/panel/host.js';
import { mountPanel, type Panel } from '../../src/panel/panel.js';
import { stateOf } from '../../src/panel/state.js';
import { file } from '../golden.js';

export const STANDING: Standing = {
  version: '0.1.0',
  python: '3.11.7',
  environment: '~/env',
  root: '~/notes',
  writable: true,
  schema: 1,
  jobs: [],
  error: null,
  store: {
    store: '~/notes/.memo',
    read_only: false,
    profile: 'default',
    model: 'minilm',
    model_state: 'ready',
    passages: 18412,
    sources: 318,
    pending: 0,
    index_version: 212
  }
};

export const FACETS = {
  kinds: [
    ['paper', 7204],
    ['notebook', 4310]
  ],
  namespaces: [
    ['', 4],
    ['phi4', 11240]
  ],
  tags: [['ess', 12]],
  folders: [['notes', 300]],
  months: [
    ['2026-06', 10],
    ['2026-05', 4]
  ]
};

export const PLACE: Place = { path: 'notebooks/07.ipynb', kind: 'notebook', cell_id: 'a41c09d2', cell: 11, why: '' };

export const JOB: Job = {
  job: 'j1',
  paths: ['papers'],
  state: 'running',
  done: 197,
  total: 318,
  name: 'papers/a.pdf',
  seconds_left: 14,
  report: null,
  text: '',
  error: null
};

type Answers = Record<string, (body: Record<string, unknown>, init: RequestInit) => unknown>;

/** The response to a query, with the query as it was asked. */
export function answer(query: unknown, name = 'response'): unknown {
  return { ...JSON.parse(file(`${name}.json`)), query };
}

const USUAL: Answers = {
  'GET status': () => STANDING,
  'GET values': () => ({ fields: { kind: ['paper', 'note'], ns: ['phi4'] } }),
  'GET facets': () => FACETS,
  'GET index': () => ({ jobs: [] }),
  'POST search': ({ query }) => answer(query),
  'POST similar': () => answer(''),
  'POST open': () => PLACE,
  'POST cite': ({ style }) => ({ text: `a ${style}` }),
  'POST judge': ({ grade }) => ({ grade, uri: 'a.md' })
};

export interface Home {
  panel: Panel;
  node: HTMLElement;
  field: HTMLInputElement;
  host: Host;
  /** Every request: method and path, then the body. */
  asked: [string, Record<string, unknown>][];
}

export async function home(answers: Answers = {}, more: Partial<Host> = {}, kept: unknown = null): Promise<Home> {
  const asked: Home['asked'] = [];
  const all: Answers = { ...USUAL, ...answers };
  const api = new Api(async (path, init) => {
    const name = `${init.method} ${path}`;
    const body = JSON.parse(init.body ?? '{}');
    asked.push([name, body]);
    const found = await all[name]?.(body, init as RequestInit);
    return found instanceof Response ? found : Response.json(found ?? {}, { headers: { 'Memo-Search': 's1' } });
  });
  const host: Host = {
    api,
    folder: () => 'papers',
    open: vi.fn(async () => ''),
    target: () => ({ words: 'demo.ipynb, below cell 2', cells: true }),
    insert: vi.fn(async () => 'Inserted.'),
    load: async () => stateOf(kept),
    save: vi.fn(),
    ...more
  };
  const around = document.createElement('div');
  document.body.replaceChildren(around);
  const panel = mountPanel(around, host);
  await panel.wake();
  const field = around.querySelector('input') as HTMLInputElement;
  return { panel, node: around, field, host, asked };
}

export function refused(status: number, body: unknown): Response {
  return Response.json(body, { status });
}

export function type(field: HTMLInputElement, text: string): void {
  field.focus();
  field.value = text;
  field.setSelectionRange(text.length, text.length);
  field.dispatchEvent(new Event('input'));
}
