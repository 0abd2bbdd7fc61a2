import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Latest, PATIENCE, PAUSE } from '../../src/panel/searching.js';

function told() {
  return { found: vi.fn(), failed: vi.fn(), busy: vi.fn() };
}

describe('searches while somebody types', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('only the last of quick ones is asked', async () => {
    const all = told();
    const latest = new Latest<string>(all);
    const first = vi.fn(async () => 'a');
    latest.soon(first);
    vi.advanceTimersByTime(PAUSE - 1);
    latest.soon(async () => 'ab');
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(first).not.toHaveBeenCalled();
    expect(all.found.mock.calls).toEqual([['ab']]);
  });

  test('a new one takes the running one back, whose answer is not told', async () => {
    const all = told();
    const latest = new Latest<string>(all);
    const signals: AbortSignal[] = [];
    const slow = (value: string, ms: number) => (signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<string>(resolve => setTimeout(() => resolve(value), ms));
    };
    void latest.now(slow('old', 500));
    void latest.now(slow('new', 100));
    await vi.advanceTimersByTimeAsync(600);
    expect(signals.map(signal => signal.aborted)).toEqual([true, false]);
    expect(all.found.mock.calls).toEqual([['new']]);
  });

  test('a long one says that it is on, and then that it is over', async () => {
    const all = told();
    const latest = new Latest<string>(all);
    void latest.now(() => new Promise(resolve => setTimeout(() => resolve('late'), PATIENCE * 2)));
    await vi.advanceTimersByTimeAsync(PATIENCE);
    expect(all.busy).toHaveBeenLastCalledWith(true);
    expect(latest.pending).toBe(true);
    await vi.advanceTimersByTimeAsync(PATIENCE);
    expect(all.busy).toHaveBeenLastCalledWith(false);
    expect(latest.pending).toBe(false);
  });

  test('a failure is told, unless it was taken back', async () => {
    const all = told();
    const latest = new Latest<string>(all);
    await latest.now(() => Promise.reject(new Error('no')));
    expect(all.failed).toHaveBeenCalledTimes(1);
    const running = latest.now(
      signal => new Promise((_, no) => signal.addEventListener('abort', () => no(new Error('x'))))
    );
    latest.cancel();
    await running;
    expect(all.failed).toHaveBeenCalledTimes(1);
  });
});
