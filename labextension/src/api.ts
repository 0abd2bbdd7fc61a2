// What the server part of jupyter_memo offers below `jupyter-memo/`, and what goes wrong on the way, with its cure.
import type { Fields } from './fields.js';
import type { Settings } from './standing.js';

/** Sends one request to JupyterLab's server, with its token; rejects where no answer comes. */
export type Send = (
  path: string,
  init: { method: string; body?: string; signal?: AbortSignal | undefined; keepalive?: boolean }
) => Promise<Response>;

export interface Asked {
  query: string;
  offset?: number;
  mode?: string;
  profile?: string;
}

/** A response by wire.schema.json, and the name under which the server keeps it. */
export interface Answer {
  search: string;
  data: unknown;
}

/** Where a result is, as JupyterLab can go there; `why` says what is in the way. */
export interface Place {
  path: string | null;
  kind: string;
  cell_id?: string | null;
  cell?: number | null;
  line?: number | null;
  line_end?: number | null;
  page?: number | null;
  turn?: number | null;
  why: string;
}

type Counted = [name: string, passages: number][];

export interface Facets {
  kinds: Counted;
  namespaces: Counted;
  tags: Counted;
  folders: Counted;
  months: Counted;
}

export interface Missed {
  uri: string;
  reason: string;
  cure: string;
}

export interface Report {
  kept: number;
  added: number;
  dropped: number;
  pending?: number;
  withheld?: number;
  skipped: Missed[];
  failed: Missed[];
}

export interface Job {
  job: string;
  paths: string[];
  state: 'waiting' | 'running' | 'cancelling' | 'done' | 'failed' | 'cancelled';
  done: number;
  total: number;
  name: string;
  seconds_left: number | null;
  report: Report | null;
  text: string;
  error: Fault | null;
}

export interface Fault {
  code: string;
  message: string;
  hint: string;
}

export interface Standing {
  version: string;
  python: string;
  environment: string;
  root: string;
  writable: boolean;
  schema: number;
  jobs: string[];
  error: Fault | null;
  store: {
    store: string;
    read_only: boolean;
    read_only_because?: string;
    profile: string;
    /** The names there are, with the user's own; older servers tell of none. */
    profiles?: string[];
    model: string;
    model_state: string;
    passages: number;
    sources: number;
    pending: number;
    index_version: number;
    /** Settings and indexes that are not believed, a line each with the cure; older servers tell of none. */
    notices?: string[];
  } | null;
}

/** The server refused, or did not answer. The message says what, then the cure. */
export class Failed extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint = '',
    readonly status = 0
  ) {
    super(`${message} ${hint}`.trim());
  }
}

export const INSTALL = 'pip install jupyter_memo';

const MISSING = new Failed(
  'Missing',
  'The server part of jupyter_memo is missing.',
  `Run ${INSTALL} in the environment that runs JupyterLab, then restart JupyterLab.`,
  404
);

/** The routes as functions. Each rejects with Failed, or as the signal's owner expects once it has aborted. */
export class Api {
  constructor(private readonly send: Send) {}

  async search(asked: Asked & { view: string }, signal?: AbortSignal): Promise<Answer> {
    return this.list('search', asked, signal);
  }

  async similar(to: { text: string } | { search: string; rank: number }, view: string, signal?: AbortSignal) {
    return this.list('similar', { ...to, view }, signal);
  }

  async cite(search: string, rank: number, style: string): Promise<string> {
    return String((await this.post<{ text?: unknown }>('cite', { search, rank, style })).text ?? '');
  }

  judge(search: string, rank: number, grade: number): Promise<{ grade: number; uri: string }> {
    return this.post('judge', { search, rank, grade });
  }

  open(search: string, rank: number): Promise<Place> {
    return this.post('open', { search, rank });
  }

  /** The place of any passage, such as one that is folded below a result. */
  openPassage(id: string): Promise<Place> {
    return this.post('open', { id });
  }

  async fields(): Promise<Fields> {
    return (await this.get<{ fields?: Fields }>('values')).fields ?? {};
  }

  facets(): Promise<Facets> {
    return this.get('facets');
  }

  status(): Promise<Standing> {
    return this.get('status');
  }

  async index(paths: readonly string[]): Promise<string> {
    return (await this.post<{ job: string }>('index', { paths })).job;
  }

  async jobs(): Promise<Job[]> {
    return (await this.get<{ jobs?: Job[] }>('index')).jobs ?? [];
  }

  job(id: string): Promise<Job> {
    return this.get(`index/${encodeURIComponent(id)}`);
  }

  async stop(id: string): Promise<Job> {
    return (await this.ask(`index/${encodeURIComponent(id)}`, { method: 'DELETE' })).json();
  }

  settings(): Promise<Settings> {
    return this.get('settings');
  }

  /**
   * Changes settings in the user's own file, null takes one out; gives how all of them stand then. With `keepalive` also
   * when the page goes meanwhile.
   */
  async change(changes: Readonly<Record<string, unknown>>, keepalive = false): Promise<Settings> {
    return (await this.ask('settings', { method: 'PUT', body: JSON.stringify(changes), keepalive })).json();
  }

  private async list(path: string, body: unknown, signal?: AbortSignal): Promise<Answer> {
    const response = await this.ask(path, { method: 'POST', body: JSON.stringify(body), signal });
    return { search: response.headers.get('Memo-Search') ?? '', data: await response.json() };
  }

  private async post<T>(path: string, body: unknown): Promise<T> {
    return (await this.ask(path, { method: 'POST', body: JSON.stringify(body) })).json();
  }

  private async get<T>(path: string): Promise<T> {
    return (await this.ask(path, { method: 'GET' })).json();
  }

  private async ask(path: string, init: Parameters<Send>[1]): Promise<Response> {
    let response: Response;
    try {
      response = await this.send(path, init);
    } catch (error) {
      if (init.signal?.aborted) {
        throw error;
      }
      throw new Failed('Unreachable', "JupyterLab's server does not answer.", 'Start it again, then reload this page.');
    }
    if (!response.ok) {
      throw await failed(response);
    }
    return response;
  }
}

/** Our own refusals carry a code; a 404 without one comes from a server that knows no such routes. */
async function failed(response: Response): Promise<Failed> {
  const body: unknown = await response.json().catch(() => null);
  const { code, message, hint } = (body ?? {}) as Record<string, unknown>;
  if (typeof code === 'string') {
    return new Failed(code, String(message ?? ''), String(hint ?? ''), response.status);
  }
  if (response.status === 404) {
    return MISSING;
  }
  if (response.status === 401 || response.status === 403) {
    return new Failed('Forbidden', 'The server refused this page.', 'Sign in again, then reload it.', response.status);
  }
  return new Failed('Server', `The server answered ${response.status}.`, 'Its log says why.', response.status);
}
