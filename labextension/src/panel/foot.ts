// The foot of the panel: the index job that runs, how the index stands, and what runs where.
import type { Job, Standing } from '../api.js';
import { el, renew } from '../dom.js';
import { about, type Shown } from './about.js';
import type { Host } from './host.js';
import { isActive, Jobs } from './jobs.js';
import { progress } from './progress.js';
import { foot } from './status.js';

export interface Told {
  /** The index has changed. */
  changed(): void;
  /** The job to come back to; empty for none. */
  job(id: string): void;
  fail(error: unknown): void;
  /** What the foot knows has changed: the server's standing, or whether a job runs. */
  redraw(): void;
}

export class Foot {
  readonly node = el('div', 'status');
  standing: Standing | null = null;
  error: unknown = null;
  private readonly job = el('div');
  private readonly line = el('div');
  private readonly more = el('div', '', { hidden: true });
  private readonly jobs: Jobs;
  private shown: Omit<Shown, 'standing' | 'document'> = { kernel: null, asking: false, failed: '' };

  constructor(
    private readonly host: Host,
    private readonly told: Told
  ) {
    this.node.append(this.more, this.job, this.line);
    this.jobs = new Jobs(host.api, {
      job: job => this.took(job),
      changed: () => told.changed(),
      failed: error => told.fail(error)
    });
    this.node.addEventListener('click', event => this.clicked(event));
    this.draw();
  }

  get indexing(): boolean {
    return isActive(this.jobs.current);
  }

  /** The share of a running job that is done; null while none runs. */
  get indexed(): number | null {
    const job = this.jobs.current;
    return job && isActive(job) && job.total > 0 ? Math.min(1, job.done / job.total) : null;
  }

  async refresh(): Promise<Standing | null> {
    try {
      this.standing = await this.host.api.status();
      this.error = null;
    } catch (error) {
      this.standing = null;
      this.error = error;
    }
    this.draw();
    return this.standing;
  }

  start(paths: readonly string[]): void {
    void this.jobs.start(paths);
  }

  resume(kept: string): Promise<void> {
    return this.jobs.resume(kept);
  }

  about(open = this.more.hidden): void {
    this.more.hidden = !open;
    this.draw();
    const stay = open
      ? this.more.querySelector<HTMLElement>('button')
      : this.line.querySelector<HTMLElement>('[data-do="about"]');
    stay?.focus();
  }

  moved(): void {
    this.shown = { kernel: null, asking: false, failed: '' };
    this.draw();
  }

  dispose(): void {
    this.jobs.dispose();
  }

  private took(job: Job | null): void {
    const held = this.job.contains(this.job.ownerDocument.activeElement);
    const open = this.job.querySelector<HTMLDetailsElement>('details')?.open;
    this.job.replaceChildren(job ? progress(job) : '');
    const details = this.job.querySelector<HTMLDetailsElement>('details');
    if (details && open !== undefined) {
      details.open = open;
    }
    held && this.job.querySelector<HTMLElement>('button')?.focus();
    this.told.job(job?.job ?? '');
    this.draw();
    this.told.redraw();
  }

  private draw(): void {
    const open = !this.more.hidden;
    renew(this.line, foot(this.standing, this.indexing, this.host.settings !== undefined, open));
    const document = this.host.kernel?.name() ?? null;
    if (open) {
      const held = this.more.contains(this.more.ownerDocument.activeElement);
      renew(this.more, about({ standing: this.standing, document, ...this.shown }));
      if (held && !this.more.contains(this.more.ownerDocument.activeElement)) {
        this.more.querySelector<HTMLElement>('button:enabled')?.focus();
      }
    }
  }

  private clicked(event: MouseEvent): void {
    const asked = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-do]') : null;
    switch (asked?.dataset.do) {
      case 'stop':
        void this.jobs.stop();
        break;
      case 'put-away':
        this.jobs.close();
        break;
      case 'settings':
        this.host.settings?.();
        break;
      case 'about':
        this.about();
        break;
      case 'ask-kernel':
        void this.ask();
        break;
      default:
    }
  }

  private async ask(): Promise<void> {
    const asking = { ...this.shown, asking: true, failed: '' };
    this.shown = asking;
    this.draw();
    let told: Foot['shown'];
    try {
      const kernel = (await this.host.kernel?.ask()) ?? null;
      told = { kernel, asking: false, failed: '' };
    } catch (error) {
      told = { kernel: null, asking: false, failed: error instanceof Error ? error.message : String(error) };
    }
    // Meanwhile another document may be at hand, whose kernel it is not.
    if (this.shown === asking) {
      this.shown = told;
      this.draw();
    }
  }
}
