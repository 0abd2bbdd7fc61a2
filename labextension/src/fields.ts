// Completion of the fields of a query: their names, and behind the colon the values that the index holds.
import type { Facets } from './api.js';
import type { Completions } from './complete.js';

/** The values of each field as they are typed, the commonest first. */
export type Fields = Record<string, string[]>;

/** So many letters make the beginning of a field's name; fewer begin most words. */
const LEAST = 2;

/** What may stand at the caret: after `kind:` a kind, after `ta` the field `tag:`. Null where no field is meant. What is
 * behind the caret of the same name or value is replaced with it. */
export function completions(fields: Fields, text: string, caret: number): Completions | null {
  const behind = text.slice(caret);
  const [, word = ''] = /(?:^|\s)(\S*)$/u.exec(text.slice(0, caret)) ?? [];
  const colon = word.indexOf(':');
  if (colon < 0) {
    const names = word.length < LEAST ? [] : Object.keys(fields).filter(name => name.startsWith(word.toLowerCase()));
    return found(
      names.map(name => `${name}:`),
      caret - word.length,
      caret + (/^\w*:/u.exec(behind)?.[0].length ?? 0)
    );
  }
  const known = fields[word.slice(0, colon).toLowerCase()];
  if (!known) {
    return null;
  }
  const earlier = word.slice(colon + 1).split(',');
  const typed = earlier.pop() ?? '';
  const start = bare(typed);
  const values = known.filter(value => bare(value).startsWith(start) && !earlier.includes(value) && value !== typed);
  return found(values, caret - typed.length, caret + (/^[^\s,]*/u.exec(behind)?.[0].length ?? 0));
}

/** The same completions, values with the passages that they have; of names and of other fields that is not known. */
export function counted(found: Completions | null, text: string, facets: Facets | null): Completions | null {
  const [, field = ''] = /(?:^|\s)(\w+):\S*$/u.exec(text.slice(0, found?.from)) ?? [];
  const listed = { kind: facets?.kinds, ns: facets?.namespaces, tag: facets?.tags }[field.toLowerCase()];
  if (!found || !listed) {
    return found;
  }
  const counts = new Map(listed.map(([value, passages]) => [value, passages]));
  return { ...found, counts: found.options.map(option => counts.get(option.replaceAll('"', ''))) };
}

/** The query without a field at its end whose value is still to come: `flow kind:` asks for nothing but `flow` so far. */
export function begun(names: readonly string[], text: string): string {
  const [open = '', name = ''] = /(?:^|\s)(\w+):$/u.exec(text) ?? [];
  return names.includes(name.toLowerCase()) ? text.slice(0, text.length - open.length) : text;
}

function found(options: string[], from: number, to: number): Completions | null {
  return options.length > 0 ? { from, to, options } : null;
}

function bare(value: string): string {
  return value.replace(/^"/u, '').toLowerCase();
}
