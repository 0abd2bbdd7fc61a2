import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PAUSE } from '../../src/panel/searching.js';
import { one } from '../golden.js';
import { type Home, home, JOB, type as typed } from './home.js';

let shown: Home;

beforeEach(async () => {
  vi.useFakeTimers();
  let done = 0;
  shown = await home(
    {
      'POST index': () => ({ job: 'j1' }),
      'GET index/j1': () => ({ ...JOB, done: ++done })
    },
    {},
    { recent: [{ query: 'critical flow', results: 7 }] }
  );
});
afterEach(() => {
  shown.panel.dispose();
  vi.useRealTimers();
});

test('a job that goes on takes the focus from nothing', async () => {
  shown.panel.index(['papers']);
  await vi.advanceTimersByTimeAsync(600);
  const recent = one(shown.node, '.jp-Memo-recent button');
  recent.focus();
  await vi.advanceTimersByTimeAsync(2000);
  expect(document.activeElement).toBe(recent);
  const stop = one(shown.node, '[data-do="stop"]');
  stop.focus();
  await vi.advanceTimersByTimeAsync(2000);
  expect((document.activeElement as HTMLElement).dataset.do).toBe('stop');
});

test('chips are drawn again when the query changes', async () => {
  typed(shown.field, 'flow tag:ess');
  await vi.advanceTimersByTimeAsync(PAUSE);
  expect(one(shown.node, '.jp-Memo-scopes [data-value="ess"]').getAttribute('aria-pressed')).toBe('true');
  typed(shown.field, 'flow');
  await vi.advanceTimersByTimeAsync(PAUSE);
  expect(one(shown.node, '.jp-Memo-scopes [data-value="ess"]').getAttribute('aria-pressed')).toBe('false');
});
