// What may stand at the caret of a memo magic, and its help. Pure: the text, the caret, the values of the index.
import { completions, type Fields } from '../fields.js';
import { memoCell } from './cell.js';
import { GRAMMAR, type Option } from './grammar.js';
import { type Form, type Line, line } from './line.js';
import { parts } from './query.js';
import { NAME, SPACE, skip } from './signs.js';

/** One thing to insert. `label` is what the list shows; behind a bracket in it stands what is not searched. */
export interface Offer {
  text: string;
  label: string;
  is: 'field' | 'value' | 'option' | 'verb';
  help: string;
}

/** Offers for the text from `from` to `to`, in UTF-16 units. Where they stand `alone`, nothing else can be meant: what a
 * kernel takes for Python is noise there. A path is not ours to know. */
export interface Offers {
  from: number;
  to: number;
  items: Offer[];
  alone: boolean;
}

/** Where the caret stands: the part of a text that a magic reads, and as what. */
type Place =
  | { is: 'line'; magic: string; from: number; to: number; form: Form; options: Option[] }
  | { is: 'query'; from: number; to: number }
  | { is: 'verb'; from: number };

const LINE = new RegExp(
  `^[${SPACE}]*(?:${NAME}[${SPACE}]*=[${SPACE}]*)?%{1,2}(memo(?:_search|_index)?)(?=[${SPACE}])`,
  'u'
);
const VERB = new RegExp(`^[${SPACE}]*([a-z_]+)(?=[${SPACE}])`, 'u');
const VARIABLE = new RegExp(`\\{\\{[^${SPACE}{}]*$`, 'u');

/** What may stand at the caret; null where a memo magic does not read what stands there, or what a variable holds. */
export function offers(source: string, caret: number, known: Fields): Offers | null {
  const place = VARIABLE.test(source.slice(0, caret)) ? null : placeOf(source, caret);
  const values = valuesOf(known);
  switch (place?.is) {
    case 'verb':
      return ofVerbs(source, caret);
    case 'line':
      return ofLine(place, source, caret, values);
    case 'query':
      return ofQuery(source, place.from, caret, values);
    default:
      return null;
  }
}

function placeOf(source: string, caret: number): Place | null {
  const cell = memoCell(source);
  if (cell) {
    const { memo_search: options } = GRAMMAR.magics;
    if (caret > cell.end) {
      return { is: 'query', from: cell.end, to: source.length };
    }
    const { to: from } = cell.magic;
    return caret > from ? { is: 'line', magic: 'memo_search', from, to: cell.end, form: 'options', options } : null;
  }
  const begin = source.lastIndexOf('\n', caret - 1) + 1;
  const found = LINE.exec(source.slice(begin));
  const from = begin + (found?.[0].length ?? 0);
  if (!found || caret <= from) {
    return null;
  }
  const [, magic] = found;
  const end = source.indexOf('\n', caret);
  const to = end < 0 ? source.length : end;
  if (magic !== 'memo') {
    const form = magic === 'memo_search' ? 'query' : 'words';
    return { is: 'line', magic, from, to, form, options: GRAMMAR.magics[magic] };
  }
  const verb = VERB.exec(source.slice(from, caret));
  if (!verb) {
    return { is: 'verb', from };
  }
  const about = GRAMMAR.verbs[verb[1]];
  const behind = from + verb[0].length;
  return about ? { is: 'line', magic: verb[1], from: behind, to, form: 'words', options: about.options } : null;
}

function ofVerbs(source: string, caret: number): Offers | null {
  const typed = /[a-z_]*$/u.exec(source.slice(0, caret))?.[0] ?? '';
  const items = Object.entries(GRAMMAR.verbs)
    .filter(([verb]) => verb.startsWith(typed))
    .map(([verb, { help }]) => offer('verb', verb, '', help.replace(/^[^:]*: /u, '')));
  return made(items, caret - typed.length, caret);
}

function ofLine(place: Place & { is: 'line' }, source: string, caret: number, values: Fields): Offers | null {
  const read = line(source, place.from, caret, place.options, place.form);
  const last = read.segments.at(-1);
  const waiting = last?.option;
  if (last?.is === 'comment') {
    return made([], caret, caret);
  }
  if (last && waiting?.metavar && (last.is === 'option' ? last.bad && last.to < caret : last.to === caret)) {
    return ofValues(waiting, source, last.is === 'option' ? behind(source, last.to) : last.from, caret, values);
  }
  const from = wordAt(source, place.from, caret);
  const typed = source.slice(from, caret);
  const open = read.segments.every(({ is, to }) => is !== 'end' || to === caret);
  if (open && (place.form !== 'query' || read.rest >= from) && (typed === '' || typed.startsWith('-'))) {
    return made(ofOptions(read, place.options, typed), from, caret, place.form !== 'words' || typed !== '');
  }
  return place.form === 'query' ? ofQuery(source, read.rest, caret, values) : null;
}

/** Where the value of an option begins that has none yet: behind `=`, or behind the blanks. */
function behind(source: string, at: number): number {
  return source[at] === '=' ? at + 1 : skip(source, at);
}

function wordAt(source: string, from: number, caret: number): number {
  const word = new RegExp(`[^${SPACE}]*$`, 'u').exec(source.slice(from, caret));
  return caret - (word?.[0].length ?? 0);
}

function ofOptions({ given }: Line, options: readonly Option[], typed: string): Offer[] {
  const used = new Set([...given.keys()].filter(option => !option.many));
  return options
    .filter(option => !used.has(option) && option.flags.some(flag => flag.startsWith(typed)))
    .map(option => offer('option', option.flags[option.flags.length - 1], option.metavar, option.help));
}

function ofValues(option: Option, source: string, from: number, caret: number, values: Fields): Offers | null {
  const typed = bare(source.slice(from, caret));
  const listed = option.choices.length > 0 ? option.choices : (values[option.values] ?? []);
  const items = listed
    .filter(value => bare(value).startsWith(typed) && value !== source.slice(from, caret))
    .map(value => offer('value', value, '', option.help));
  // Of paths and of profiles there are more than are known here, and the kernel knows them.
  const known = listed.length > 0 && option.values !== 'source' && (option.closed || option.choices.length === 0);
  return made(items, from, caret, known);
}

function ofQuery(source: string, from: number, caret: number, values: Fields): Offers {
  const inside = parts(source, skip(source, from)).find(part => part.from < caret && caret < part.to);
  const quoted = inside?.is === 'phrase' || inside?.is === 'exclusion';
  const found = quoted ? null : completions(values, source.slice(from, caret), caret - from);
  const items = (found?.options ?? []).map(text => {
    const field = GRAMMAR.fields[text.slice(0, -1)];
    return field ? offer('field', text, '', field.help) : offer('value', text, '', '');
  });
  return made(items, found ? from + found.from : caret, caret);
}

/** The values of every field as it is typed: those of the index, then those that are known without one. */
function valuesOf(known: Fields): Fields {
  return Object.fromEntries(
    Object.entries(GRAMMAR.fields).map(([name, { values }]) => [
      name,
      [...new Set([...(known[values] ?? []), ...(GRAMMAR.values[values] ?? [])])]
    ])
  );
}

function offer(is: Offer['is'], text: string, metavar: string, help: string): Offer {
  const shown = metavar ? `${text} ${metavar}` : text;
  return { is, text, label: help && is !== 'value' ? `${shown} (${help})` : shown, help };
}

function made(items: Offer[], from: number, to: number, alone = true): Offers {
  return { from, to, items, alone };
}

function bare(value: string): string {
  return value.replace(/^["']/u, '').toLowerCase();
}
