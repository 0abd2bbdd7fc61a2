// Index jobs run in the server; this follows one of them, also across a reload of the page.
import { type Api, Failed, type Job } from '../api.js';

/** How often a running job is asked for, in milliseconds, and the longest wait where the server does not answer. */
export const STEP = 500;
const STEP_MOST = 8000;

export interface Told {
  /** What is known of the job now; null when there is none to show. */
  job(job: Job | null): void;
  /** The index has changed. */
  changed(): void;
  failed(error: unknown): void;
}

export function isActive(job: Job | null): boolean {
  return job !== null && ['waiting', 'running', 'cancelling'].includes(job.state);
}

export class Jobs {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wait = STEP;
  private now: Job | null = null;
  /** The one that is followed: what still comes in of another is late. */
  private id = '';
  private over = false;

  constructor(
    private readonly api: Pick<Api, 'index' | 'jobs' | 'job' | 'stop'>,
    private readonly told: Told
  ) {}

  get current(): Job | null {
    return this.now;
  }

  async start(paths: readonly string[]): Promise<void> {
    try {
      this.id = await this.api.index(paths);
      await this.follow(this.id);
    } catch (error) {
      this.told.failed(error);
    }
  }

  /** Takes up a job that runs already, or the one whose end was not yet put away. */
  async resume(kept: string): Promise<void> {
    const before = this.id;
    const jobs = await this.api.jobs().catch((): Job[] => []);
    const found = jobs.find(isActive) ?? jobs.find(job => job.job === kept);
    // A list tells of no reports.
    const whole = found && !isActive(found) ? await this.api.job(found.job).catch(() => null) : found;
    if (whole && this.id === before) {
      this.take(whole);
    }
  }

  async stop(): Promise<void> {
    if (this.now && isActive(this.now)) {
      try {
        this.take(await this.api.stop(this.now.job));
      } catch (error) {
        this.told.failed(error);
      }
    }
  }

  /** Puts the end of a job away. */
  close(): void {
    this.now = null;
    this.id = '';
    this.told.job(null);
  }

  dispose(): void {
    this.over = true;
    clearTimeout(this.timer);
  }

  private async follow(id: string): Promise<void> {
    try {
      const job = await this.api.job(id);
      if (id === this.id) {
        this.wait = STEP;
        this.take(job);
      }
    } catch (error) {
      if (id !== this.id || this.over) {
        return;
      }
      if (this.wait >= STEP_MOST || (error instanceof Failed && error.status === 404)) {
        this.wait = STEP;
        this.close();
        this.told.failed(error);
        return;
      }
      this.wait *= 2;
      this.again(id);
    }
  }

  private take(job: Job): void {
    if (this.over) {
      return;
    }
    const was = this.now;
    this.now = job;
    this.id = job.job;
    this.told.job(job);
    if (isActive(job)) {
      this.again(job.job);
    } else if (was && was.job === job.job && isActive(was)) {
      this.told.changed();
    }
  }

  private again(id: string): void {
    clearTimeout(this.timer);
    if (!this.over) {
      this.timer = setTimeout(() => void this.follow(id), this.wait);
    }
  }
}
