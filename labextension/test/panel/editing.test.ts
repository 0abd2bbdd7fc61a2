import { describe, expect, test } from 'vitest';
import { added, has, isWithin, removed, toggled, within, words } from '../../src/panel/editing.js';

describe('a query in words', () => {
  test('what is quoted stays together', () => {
    expect(words('a "b c" source:"my notes/*" -d')).toEqual(['a', '"b c"', 'source:"my notes/*"', '-d']);
  });

  test('a value of a field is found among others', () => {
    expect(has('flow kind:note,paper', 'kind', 'paper')).toBe(true);
    expect(has('flow kind:note,paper', 'kind', 'code')).toBe(false);
    expect(has('source:"my notes/*"', 'source', 'my notes/*')).toBe(true);
  });

  test('a field is added at the end, and a second value beside the first', () => {
    expect(added('flow', 'kind', 'note')).toBe('flow kind:note');
    expect(added('kind:note flow', 'kind', 'paper')).toBe('kind:note,paper flow');
    expect(added('', 'source', 'my notes/*')).toBe('source:"my notes/*"');
  });

  test('a value is taken out, and the field with its last one', () => {
    expect(removed('flow kind:note,paper', 'kind', 'note')).toBe('flow kind:paper');
    expect(removed('flow kind:note', 'kind', 'note')).toBe('flow');
  });

  test('pressing twice changes nothing', () => {
    const query = 'flow tag:ess';
    expect(toggled(toggled(query, 'source', 'a b, c/*'), 'source', 'a b, c/*')).toBe(query);
  });

  test('a month bounds the query on both sides, and once more not at all', () => {
    const bounded = within('flow since:2025', '2026-12');
    expect(bounded).toBe('flow since:2026-12 before:2027-01');
    expect(isWithin(bounded, '2026-12')).toBe(true);
    expect(within(bounded, '2026-12')).toBe('flow');
  });
});
