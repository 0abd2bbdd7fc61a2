// Requests to the kernel over a widget's messages: see jupyter_memo/jupyter/answering.py for their form.

/** What anywidget hands to a front end. */
export interface Model {
  readonly widget_manager?: unknown;
  get(name: string): unknown;
  on(event: string, listener: (message: unknown) => void): void;
  off(event: string, listener: (message: unknown) => void): void;
  send(message: unknown): void;
}

export interface Progress {
  done: number;
  total: number;
  name: string;
}

export interface Options {
  signal?: AbortSignal | undefined;
  progress?: ((step: Progress) => void) | undefined;
  /** Nobody waits for it, so nobody is told that it waits. */
  quiet?: boolean;
}

/** A request under way: its name, by which later ones can refer to it, and what it gives. */
export interface Asked {
  id: string;
  value: Promise<Record<string, unknown>>;
}

/** How long the oldest request has waited for the kernel to take it up. */
export type Waiting = 'no' | 'busy' | 'long';

/** The request was taken back. */
export class Cancelled extends Error {}

/** After so many milliseconds a kernel that has not taken a request up is running a cell. */
const BUSY = 400;
/** After so many it may as well be gone. */
const LONG = 10_000;

interface Pending {
  resolve(value: Record<string, unknown>): void;
  reject(error: Error): void;
  options: Options;
  timers: ReturnType<typeof setTimeout>[];
  waiting: Waiting;
}

export class Channel {
  private readonly key = Math.random().toString(36).slice(2);
  private readonly pending = new Map<string, Pending>();
  private count = 0;
  private told: Waiting = 'no';
  private readonly listener = (message: unknown) => this.heard(message);

  constructor(
    private readonly model: Model,
    private readonly waits: (state: Waiting) => void
  ) {
    model.on('msg:custom', this.listener);
  }

  /** Asks the kernel. Kernels read messages between cells, or beside them: the answer comes when it comes. */
  ask(what: string, data: Record<string, unknown> = {}, options: Options = {}): Asked {
    this.count += 1;
    const id = `${this.key}-${this.count}`;
    const value = new Promise<Record<string, unknown>>((resolve, reject) => {
      if (options.signal?.aborted) {
        reject(new Cancelled());
        return;
      }
      const pending: Pending = { resolve, reject, options, timers: [], waiting: 'no' };
      this.pending.set(id, pending);
      if (!options.quiet) {
        pending.timers = [this.later(pending, 'busy', BUSY), this.later(pending, 'long', LONG)];
      }
      options.signal?.addEventListener('abort', () => this.cancel(id), { once: true });
      this.model.send({ request: id, do: what, view: this.key, ...data });
    });
    return { id, value };
  }

  /** Listens no more. What was asked stays without an answer. */
  dispose(): void {
    this.model.off('msg:custom', this.listener);
    for (const pending of this.pending.values()) {
      pending.timers.forEach(clearTimeout);
    }
    this.pending.clear();
  }

  private cancel(id: string): void {
    const pending = this.settle(id);
    if (pending) {
      pending.reject(new Cancelled());
      this.model.send({ request: `${id}-cancel`, do: 'cancel', of: id });
    }
  }

  private heard(message: unknown): void {
    const { request = '', is, value, error, ...step } = (message ?? {}) as Record<string, unknown>;
    const pending = this.pending.get(String(request));
    if (!pending) {
      return;
    }
    if (is === 'begun') {
      this.begun(pending);
    } else if (is === 'progress') {
      pending.options.progress?.(step as unknown as Progress);
    } else if (is === 'done' || is === 'failed' || is === 'cancelled') {
      this.settle(String(request));
      if (is === 'done') {
        pending.resolve((value ?? {}) as Record<string, unknown>);
      } else {
        pending.reject(is === 'failed' ? failed(error) : new Cancelled());
      }
    }
  }

  private settle(id: string): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (pending) {
      this.begun(pending);
    }
    return pending;
  }

  private begun(pending: Pending): void {
    pending.timers.forEach(clearTimeout);
    pending.waiting = 'no';
    this.tell();
  }

  private later(pending: Pending, state: Waiting, after: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      pending.waiting = state;
      this.tell();
    }, after);
  }

  private tell(): void {
    const states = [...this.pending.values()].map(pending => pending.waiting);
    const state = states.includes('long') ? 'long' : states.includes('busy') ? 'busy' : 'no';
    if (state !== this.told) {
      this.told = state;
      this.waits(state);
    }
  }
}

function failed(error: unknown): Error {
  const { message = 'The kernel could not answer.', hint = '' } = (error ?? {}) as Record<string, unknown>;
  return new Error(`${message} ${hint}`.trim());
}
