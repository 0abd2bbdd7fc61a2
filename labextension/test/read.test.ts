import { describe, expect, test } from 'vitest';
import { read, Unreadable } from '../src/read.js';
import { file, golden, NAMES } from './golden.js';

type Json = Record<string, unknown>;

function parsed(name = 'response'): Json {
  return JSON.parse(file(`${name}.json`));
}

/** What the notebook holds: no field that has its default or repeats another one. */
function light(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(light);
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, light(inner)]));
}

describe('what is read', () => {
  test.each(NAMES)('%s is whole', name => {
    expect(golden(name)).toEqual(parsed(name));
  });

  test('what repeats another field is read there', () => {
    const data = light(parsed()) as { results: { why: Json; passage: Json }[] };
    for (const { why } of data.results) {
      for (const name of ['final', 'rank', 'relevance', 'band']) {
        delete why[name];
      }
      why.provenance = { trust: 2 };
      delete (why.freshness as Json).created_at;
    }
    expect(read(data)).toEqual(golden('response'));
  });

  test('what is missing has its default', () => {
    const data = parsed() as { degraded?: unknown; shape?: unknown; hints?: unknown; share?: unknown };
    for (const name of ['degraded', 'hints', 'share', 'recorded'] as const) {
      delete (data as Json)[name];
    }
    const response = read(data);
    expect([response.degraded.flag, response.hints, response.share]).toEqual([false, [], 'snippets']);
  });

  test('fields of a later version are left aside', () => {
    expect('novelty' in read({ ...parsed(), novelty: 1 })).toBe(false);
  });
});

describe('what cannot be read', () => {
  const broken: [string, unknown, RegExp][] = [
    ['nothing', null, /no search result/],
    ['a list', [], /no search result/],
    ['another version', { schema: 2 }, /schema 2.*up to date/],
    ['no version', { query: 'x' }, /schema none/],
    ['a number that is a text', { ...parsed(), total: '44' }, /total is no integer/],
    ['a number that is none', { ...parsed(), total: Number.NaN }, /total is no integer/],
    ['half a result', { ...parsed(), total: 1.5 }, /total is no whole number/],
    ['a missing field', { ...parsed(), query: undefined }, /query is missing/],
    ['an unknown word', { ...parsed(), score_scale: 'magic' }, /score_scale has a value/],
    ['a time that is none', { ...parsed(), now: 'soon' }, /now is no time/],
    ['results that are none', { ...parsed(), results: 7 }, /results is no such list/],
    ['a result that is none', { ...parsed(), results: [7] }, /results\.0 is no record/],
    ['inherited fields', { ...parsed(), trace: Object.create({ mode_asked: 'auto' }) }, /trace\.mode_asked is missing/]
  ];
  test.each(broken)('%s is said with a cure', (_name, data, message) => {
    expect(() => read(data)).toThrow(Unreadable);
    expect(() => read(data)).toThrow(message);
  });
});
