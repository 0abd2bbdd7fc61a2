import { describe, expect, test } from 'vitest';
import { stretches } from '../../src/language/cell.js';
import { GRAMMAR } from '../../src/language/grammar.js';
import { type Form, line } from '../../src/language/line.js';
import { capitals, names } from '../../src/language/names.js';
import { parts } from '../../src/language/query.js';
import { file } from '../golden.js';

interface Read {
  queries: {
    text: string;
    parts: { is: string; from: number; to: number; values?: string[]; bad?: boolean }[];
    identifiers: string[];
  }[];
  lines: {
    form: Form;
    text: string;
    wrong?: boolean;
    given?: Record<string, string[]>;
    target?: string | null;
    rest?: string;
  }[];
}

const READ: Read = JSON.parse(file('queries.json'));

describe('a query is read as Python reads it', () => {
  test.each(READ.queries)('$text', ({ text, parts: expected }) => {
    const found = parts(text).map(part => ({
      is: part.is,
      from: part.from,
      to: part.to,
      ...(part.is === 'field' && {
        values: part.values.map(value => value.text),
        bad: part.values.some(value => value.bad)
      })
    }));
    expect(found).toEqual(expected);
  });

  test.each(READ.queries)('names in $text', ({ text, identifiers }) => {
    const words = parts(text)
      .filter(part => part.is === 'word' || part.is === 'phrase')
      .map(part => (part.is === 'phrase' ? part.text.split(/\s+/u).join(' ').trim() : text.slice(part.from, part.to)))
      .filter(word => /[\p{L}\p{N}]/u.test(word));
    const meant = capitals(words.join(' '));
    const found = words.flatMap(word => names(word, meant).map(name => word.slice(name.from, name.to)));
    expect([...new Set(found)]).toEqual(identifiers);
  });
});

describe('a magic line is read as Python reads it', () => {
  test.each(READ.lines)('$form: $text', ({ form, text, wrong, given, target, rest }) => {
    const found = line(text, 0, text.length, GRAMMAR.magics.memo_search, form);
    expect(found.segments.some(segment => segment.bad)).toBe(wrong ?? false);
    if (!wrong) {
      const values = [...found.given].map(([option, listed]) => [key(option.flags), listed]);
      expect(Object.fromEntries(values)).toEqual(given);
      expect(found.target).toBe(target);
      expect(form === 'query' ? text.slice(found.rest).trimEnd() : '').toBe(rest);
    }
  });
});

function key(flags: string[]): string {
  return (flags.at(-1) ?? '').replace('--', '').replaceAll('-', '_');
}

test('no stretch of a cell lies over another', () => {
  for (const { text } of READ.queries) {
    let at = 0;
    for (const { from, to } of stretches(`%%memo_search -n 5 # c\n${text}`)) {
      expect(from).toBeGreaterThanOrEqual(at);
      expect(to).toBeGreaterThan(from);
      at = to;
    }
  }
});

test('what a part is, is told of every part of a cell', () => {
  const source = '%%memo_search r << -n 5 --nope --kind x # c\nso (kappa_c) "a {{b}}" -c tag:x kind:y,{{z}} -kind:n';
  const found = stretches(source).map(({ is, from, to }) => [is, source.slice(from, to)]);
  expect(found).toEqual([
    ['Magic', '%%memo_search'],
    ['Target', 'r'],
    ['Sign', '<<'],
    ['Option', '-n'],
    ['OptionValue', '5'],
    ['UnknownOption', '--nope'],
    ['Option', '--kind'],
    ['WrongValue', 'x'],
    ['Comment', '# c'],
    ['Word', 'so'],
    ['Word', '('],
    ['Identifier', 'kappa_c'],
    ['Word', ')'],
    ['Phrase', '"a '],
    ['Expansion', '{{b}}'],
    ['Phrase', '"'],
    ['Sign', '-'],
    ['Excluded', 'c'],
    ['Field', 'tag:'],
    ['FieldValue', 'x'],
    ['Field', 'kind:'],
    ['WrongFieldValue', 'y'],
    ['Expansion', '{{z}}'],
    ['Ignored', '-kind:n']
  ]);
});
