import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { expect, test } from 'vitest';
import { memoLanguage } from '../../src/language/dialect.js';

const LOOK = tagHighlighter([
  { tag: tags.keyword, class: 'keyword' },
  { tag: tags.string, class: 'string' },
  { tag: tags.invalid, class: 'invalid' },
  { tag: tags.propertyName, class: 'field' }
]);

function looks(source: string): string[] {
  const found: string[] = [];
  const tree = memoLanguage.parser.parse(source);
  expect(tree.length).toBe(source.length);
  highlightTree(tree, LOOK, (from, to, classes) => found.push(`${classes}: ${source.slice(from, to)}`));
  return found;
}

test('a tree of a cell carries the tags that themes colour', () => {
  expect(looks('%%memo_search --nope\nkind:note "a\nb"')).toEqual([
    'keyword: %%memo_search',
    'field invalid: --nope',
    'field: kind:',
    'string: note',
    'string: "a\nb"'
  ]);
});

test('another cell, and one that nobody typed, are plain', () => {
  expect(looks('kind:note')).toEqual([]);
  expect(looks(`%%memo_search\n${'kind:note '.repeat(20_000)}`)).toEqual([]);
});
