// From what a notebook holds to a response that can be drawn. The notebook may be old, cut by hand or made by an
// attacker, so every field is checked against the schema; what is missing has the schema's default.
import type { Comparison, Field, SearchResponse } from './wire.js';
import { RECORDS } from './wire.js';

export const SCHEMA = 1;

/** Fields of a result that are left out where another one holds the same, and which: REPEATS in jupyter_memo/wire.py. */
const REPEATS: readonly (readonly [string, string])[] = [
  ['why.final', 'score'],
  ['why.rank', 'rank'],
  ['why.relevance', 'relevance'],
  ['why.band', 'band'],
  ['why.provenance.uri', 'passage.uri'],
  ['why.provenance.source_id', 'passage.source_id'],
  ['why.provenance.sha256', 'passage.sha256'],
  ['why.provenance.recorded_at', 'passage.recorded_at'],
  ['why.freshness.created_at', 'passage.created_at']
];

type Json = Record<string, unknown>;

/** What was found cannot be shown; the message is a sentence with the cure. */
export class Unreadable extends Error {}

/** The response in `data`, whole and checked. Throws Unreadable. */
export function read(data: unknown): SearchResponse {
  const known = ofThisSchema(data);
  const results = Array.isArray(known.results) ? known.results.map(repeated) : known.results;
  return record('SearchResponse', { ...known, results }, '') as unknown as SearchResponse;
}

/** The comparison in `data`, whole and checked. Throws Unreadable. */
export function readComparison(data: unknown): Comparison {
  return record('Comparison', ofThisSchema(data), '') as unknown as Comparison;
}

function ofThisSchema(data: unknown): Json {
  if (!isRecord(data)) {
    throw new Unreadable('This output holds no search result. Run the cell again.');
  }
  if (data.schema !== SCHEMA) {
    throw new Unreadable(
      `This result has schema ${JSON.stringify(data.schema) ?? 'none'}, this extension reads schema ${SCHEMA}. ` +
        'Bring jupyter_memo up to date where JupyterLab runs, then reload the page.'
    );
  }
  return data;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A result with the fields back that repeat another one. */
function repeated(result: unknown): unknown {
  if (!isRecord(result) || !isRecord(result.why)) {
    return result;
  }
  const passage = isRecord(result.passage) ? result.passage : {};
  const why: Json = { ...result.why };
  for (const name of ['provenance', 'freshness']) {
    why[name] = isRecord(why[name]) ? { ...why[name] } : {};
  }
  for (const [copy, original] of REPEATS) {
    const [, owner, name] = copy.split('.');
    const here = (name === undefined ? why : why[owner]) as Json;
    const key = name ?? owner;
    if (here[key] === undefined) {
      const from = original.split('.');
      here[key] = from.length === 1 ? result[from[0]] : passage[from[1]];
    }
  }
  return { ...result, why };
}

function record(name: string, value: unknown, at: string): Json {
  if (!isRecord(value)) {
    throw unreadable(at, 'is no record');
  }
  const made: Json = {};
  for (const [key, field] of Object.entries(RECORDS[name])) {
    const inner = Object.hasOwn(value, key) ? value[key] : undefined;
    made[key] = one(field, inner, at ? `${at}.${key}` : key);
  }
  return made;
}

function one(field: Field, value: unknown, at: string): unknown {
  if (value === undefined) {
    if (field.missing !== undefined) {
      return structured(field.missing);
    }
    if (field.is === 'record' && !field.orNull) {
      return record(field.of as string, {}, at);
    }
    throw unreadable(at, 'is missing');
  }
  if (value === null && field.orNull) {
    return null;
  }
  switch (field.is) {
    case 'record':
      return record(field.of as string, value, at);
    case 'list':
    case 'tuple':
      return list(field, value, at);
    case 'time':
      if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) {
        throw unreadable(at, 'is no time');
      }
      return value;
    default:
      return plain(field, value, at);
  }
}

function list(field: Field, value: unknown, at: string): unknown[] {
  const each = field.each as Field[];
  if (!Array.isArray(value) || (field.is === 'tuple' && value.length !== each.length)) {
    throw unreadable(at, 'is no such list');
  }
  return value.map((inner, index) => one(each[field.is === 'tuple' ? index : 0], inner, `${at}.${index}`));
}

function plain(field: Field, value: unknown, at: string): unknown {
  const is = field.is === 'integer' ? 'number' : field.is;
  if (typeof value !== is || (is === 'number' && !Number.isFinite(value))) {
    throw unreadable(at, `is no ${field.is}`);
  }
  if (field.is === 'integer' && !Number.isSafeInteger(value)) {
    throw unreadable(at, 'is no whole number');
  }
  if (field.among && !field.among.includes(value as string | number)) {
    throw unreadable(at, 'has a value that this version does not know');
  }
  return value;
}

function structured(missing: unknown): unknown {
  return Array.isArray(missing) ? [] : missing;
}

function unreadable(at: string, what: string): Unreadable {
  return new Unreadable(`This result cannot be read: ${at || 'it'} ${what}. Run the cell again.`);
}
