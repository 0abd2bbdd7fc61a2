import { describe, expect, test, vi } from 'vitest';
import { Failed } from '../../src/api.js';
import { KEPT, Values, WAIT } from '../../src/language/values.js';

describe('the values of the index', () => {
  test('are asked for once a minute', async () => {
    let now = 0;
    const ask = vi.fn(async () => ({ ns: [String(now)] }));
    const values = new Values(ask, () => now);
    expect(await values.get()).toEqual({ ns: ['0'] });
    now = KEPT - 1;
    expect(await values.get()).toEqual({ ns: ['0'] });
    now = KEPT;
    expect(await values.get()).toEqual({ ns: [String(KEPT)] });
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test('are asked for again when the index has changed', async () => {
    const ask = vi.fn(async () => ({}));
    const values = new Values(ask, () => 1);
    await values.get();
    values.forget();
    await values.get();
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test('are those held before, where new ones fail, and nobody is told', async () => {
    const answers = [async () => ({ ns: ['a'] }), () => Promise.reject(new Error('no net'))];
    let now = 0;
    const values = new Values(
      () => (answers.shift() ?? (async () => ({})))(),
      () => now
    );
    await values.get();
    now = KEPT;
    expect(await values.get()).toEqual({ ns: ['a'] });
  });

  test('are those held before, where new ones take long', async () => {
    vi.useFakeTimers();
    const values = new Values(() => new Promise(() => undefined));
    const got = values.get();
    await vi.advanceTimersByTimeAsync(WAIT);
    expect(await got).toEqual({});
    vi.useRealTimers();
  });

  test('are asked for once while they are on their way', async () => {
    const ask = vi.fn(async () => ({}));
    const values = new Values(ask, () => KEPT);
    await Promise.all([values.fresh(), values.get(), values.fresh()]);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test('are never asked for again of a server that has no such part', async () => {
    let now = 0;
    const ask = vi.fn(() => Promise.reject(new Failed('Missing', 'not there')));
    const values = new Values(ask, () => now);
    await values.get();
    values.forget();
    now = KEPT * 10;
    expect(await values.get()).toEqual({});
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
