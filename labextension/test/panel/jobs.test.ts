import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Failed, type Job } from '../../src/api.js';
import { Jobs, STEP } from '../../src/panel/jobs.js';
import { JOB } from './home.js';

function server(...states: (Partial<Job> | Error)[]) {
  let at = 0;
  return {
    index: vi.fn(async () => 'j1'),
    jobs: vi.fn(async (): Promise<Job[]> => []),
    stop: vi.fn(async (): Promise<Job> => ({ ...JOB, state: 'cancelling' })),
    job: vi.fn(async (): Promise<Job> => {
      const found = states[Math.min(at, states.length - 1)];
      at += 1;
      if (found instanceof Error) {
        throw found;
      }
      return { ...JOB, ...found };
    })
  };
}

function told() {
  return { job: vi.fn(), changed: vi.fn(), failed: vi.fn() };
}

describe('an index job', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is followed to its end, which is told once', async () => {
    const [api, all] = [server({ done: 1 }, { done: 2 }, { state: 'done' }), told()];
    const jobs = new Jobs(api, all);
    await jobs.start(['papers']);
    await vi.advanceTimersByTimeAsync(5 * STEP);
    expect(api.index).toHaveBeenCalledWith(['papers']);
    expect(all.job.mock.calls.map(([job]) => job.state)).toEqual(['running', 'running', 'done']);
    expect(all.changed).toHaveBeenCalledTimes(1);
    expect(api.job).toHaveBeenCalledTimes(3);
  });

  test('that runs already is taken up', async () => {
    const [api, all] = [server({ state: 'done' }), told()];
    api.jobs.mockResolvedValue([{ ...JOB, job: 'other', state: 'done' }, JOB]);
    await new Jobs(api, all).resume('');
    await vi.advanceTimersByTimeAsync(2 * STEP);
    expect(all.job.mock.calls.map(([job]) => [job.job, job.state])).toEqual([
      ['j1', 'running'],
      ['j1', 'done']
    ]);
  });

  test('that ended is shown again until it is put away, and changes nothing', async () => {
    const [api, all] = [server(), told()];
    api.jobs.mockResolvedValue([{ ...JOB, state: 'done' }]);
    const jobs = new Jobs(api, all);
    await jobs.resume('j1');
    expect(all.job).toHaveBeenCalledTimes(1);
    expect(all.changed).not.toHaveBeenCalled();
    jobs.close();
    expect(all.job).toHaveBeenLastCalledWith(null);
  });

  test('that was begun while the others were asked for is the one that is shown', async () => {
    const [api, all] = [server({ job: 'new' }), told()];
    let listed: (found: Job[]) => void = () => undefined;
    api.jobs.mockImplementation(() => new Promise(to => (listed = to)));
    api.index.mockResolvedValue('new');
    const jobs = new Jobs(api, all);
    const resumed = jobs.resume('j1');
    await jobs.start(['']);
    listed([{ ...JOB, state: 'done' }]);
    await resumed;
    expect(jobs.current?.job).toBe('new');
  });

  test('that ended and was put away is not shown', async () => {
    const [api, all] = [server(), told()];
    api.jobs.mockResolvedValue([{ ...JOB, state: 'done' }]);
    await new Jobs(api, all).resume('');
    expect(all.job).not.toHaveBeenCalled();
  });

  test('goes on though the server did not answer for a while', async () => {
    const [api, all] = [server({}, new Error('away'), {}, { state: 'done' }), told()];
    await new Jobs(api, all).start(['']);
    await vi.advanceTimersByTimeAsync(10 * STEP);
    expect(all.failed).not.toHaveBeenCalled();
    expect(all.changed).toHaveBeenCalledTimes(1);
  });

  test('is given up when the server stays away', async () => {
    const [api, all] = [server({}, new Error('away')), told()];
    await new Jobs(api, all).start(['']);
    await vi.advanceTimersByTimeAsync(100 * STEP);
    expect(all.failed).toHaveBeenCalledTimes(1);
    expect(all.job).toHaveBeenLastCalledWith(null);
  });

  test('that the server no longer knows is given up at once', async () => {
    const [api, all] = [server({}, new Failed('LifecycleError', 'There is no such job.', '', 404)), told()];
    await new Jobs(api, all).start(['']);
    await vi.advanceTimersByTimeAsync(STEP);
    expect(all.failed).toHaveBeenCalledTimes(1);
    expect(all.job).toHaveBeenLastCalledWith(null);
  });

  test('that another one took the place of is not shown again by a late answer', async () => {
    const [api, all] = [server(), told()];
    let late: (job: Job) => void = () => undefined;
    api.job.mockImplementationOnce(() => new Promise(resolve => (late = resolve)));
    const jobs = new Jobs(api, all);
    const first = jobs.start(['a']);
    await vi.advanceTimersByTimeAsync(0);
    api.index.mockResolvedValue('j2');
    api.job.mockResolvedValue({ ...JOB, job: 'j2' });
    await jobs.start(['b']);
    late(JOB);
    await first;
    expect(jobs.current?.job).toBe('j2');
  });

  test('is stopped, and followed until it has', async () => {
    const [api, all] = [server({}, { state: 'cancelled' }), told()];
    const jobs = new Jobs(api, all);
    await jobs.start(['']);
    await jobs.stop();
    await vi.advanceTimersByTimeAsync(2 * STEP);
    expect(api.stop).toHaveBeenCalledWith('j1');
    expect(all.job.mock.calls.map(([job]) => job.state)).toEqual(['running', 'cancelling', 'cancelled']);
  });

  test('is left alone once the panel is gone', async () => {
    const [api, all] = [server({}), told()];
    const jobs = new Jobs(api, all);
    await jobs.start(['']);
    jobs.dispose();
    await vi.advanceTimersByTimeAsync(10 * STEP);
    expect(api.job).toHaveBeenCalledTimes(1);
  });
});
