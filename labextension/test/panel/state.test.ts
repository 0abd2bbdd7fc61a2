import { describe, expect, test } from 'vitest';
import { EMPTY, remembered, stateOf } from '../../src/panel/state.js';

describe('what is kept', () => {
  test.each([null, undefined, 'x', [], { query: 7, recent: 'x', kept: { open: 1 }, scroll: 'far' }])(
    'from %j comes an empty state',
    data => {
      expect(stateOf(data)).toEqual(EMPTY);
    }
  );

  test('is what was saved', () => {
    const state = {
      ...EMPTY,
      query: 'flow',
      mode: 'exact',
      scroll: 120,
      recent: [{ query: 'a', results: 2 }],
      kept: { open: [1], current: 2, off: [['kind', 'note']] as [string, string][] },
      job: 'j1'
    };
    expect(stateOf(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  test('a broken recent query is left out', () => {
    expect(stateOf({ recent: [{ query: 'a' }, { query: 'b', results: 1 }] }).recent).toEqual([
      { query: 'b', results: 1 }
    ]);
  });
});

describe('recent queries', () => {
  test('the latest stands first, once', () => {
    const recent = remembered(
      [
        { query: 'a', results: 1 },
        { query: 'b', results: 2 }
      ],
      'b',
      3
    );
    expect(recent).toEqual([
      { query: 'b', results: 3 },
      { query: 'a', results: 1 }
    ]);
  });

  test('one that grew out of the last takes its place', () => {
    expect(remembered([{ query: 'flo', results: 1 }], 'flow', 3)).toEqual([{ query: 'flow', results: 3 }]);
  });

  test('nothing is nothing to remember', () => {
    expect(remembered([], '  ', 3)).toEqual([]);
  });
});
