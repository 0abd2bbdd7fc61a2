// What is kept of the panel from one page to the next, and what was asked before.
import type { Kept } from '../view.js';

export interface Recent {
  query: string;
  results: number;
}

export interface State {
  query: string;
  mode: string;
  profile: string;
  offset: number;
  kept: Kept | null;
  scroll: number;
  recent: Recent[];
  /** The index job whose end was not yet put away. */
  job: string;
}

export const EMPTY: State = {
  query: '',
  mode: '',
  profile: '',
  offset: 0,
  kept: null,
  scroll: 0,
  recent: [],
  job: ''
};

const RECENT_MOST = 12;

/** The state in `data`, which may be old or broken: a field that is not as it should be is as at first. */
export function stateOf(data: unknown): State {
  const given = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  const text = (name: keyof State) => (typeof given[name] === 'string' ? (given[name] as string) : '');
  const number = (name: keyof State) => (Number.isFinite(given[name]) ? Math.max(0, Number(given[name])) : 0);
  return {
    query: text('query'),
    mode: text('mode'),
    profile: text('profile'),
    offset: number('offset'),
    kept: keptOf(given.kept),
    scroll: number('scroll'),
    recent: (Array.isArray(given.recent) ? given.recent : []).filter(isRecent).slice(0, RECENT_MOST),
    job: text('job')
  };
}

/** The latest first; a query that grew out of an earlier one takes its place. */
export function remembered(recent: readonly Recent[], query: string, results: number): Recent[] {
  const asked = query.trim();
  if (!asked) {
    return [...recent];
  }
  const others = recent.filter((one, at) => one.query !== asked && !(at === 0 && asked.startsWith(one.query)));
  return [{ query: asked, results }, ...others].slice(0, RECENT_MOST);
}

function isRecent(value: unknown): value is Recent {
  const one = value as Partial<Recent> | null;
  return typeof one?.query === 'string' && Number.isFinite(one.results);
}

function keptOf(value: unknown): Kept | null {
  const kept = value as Partial<Kept> | null;
  if (!kept || !Array.isArray(kept.open) || !Array.isArray(kept.off)) {
    return null;
  }
  return {
    open: kept.open.filter(rank => Number.isSafeInteger(rank)),
    current: Number.isSafeInteger(kept.current) ? Number(kept.current) : null,
    off: kept.off.filter(pair => Array.isArray(pair) && pair.every(part => typeof part === 'string'))
  };
}
