// Completion of the fields of a query: their names, and behind the colon the values that the index holds.
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
  const begun = bare(typed);
  const values = known.filter(value => bare(value).startsWith(begun) && !earlier.includes(value) && value !== typed);
  return found(values, caret - typed.length, caret + (/^[^\s,]*/u.exec(behind)?.[0].length ?? 0));
}

function found(options: string[], from: number, to: number): Completions | null {
  return options.length > 0 ? { from, to, options } : null;
}

function bare(value: string): string {
  return value.replace(/^"/u, '').toLowerCase();
}
