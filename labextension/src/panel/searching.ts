// Searches while somebody types: each waits for a pause, and takes back the one before it.

/** A pause this long in typing, in milliseconds, and the query is asked. */
export const PAUSE = 250;
/** After so many a search says that it is still on. */
export const PATIENCE = 300;

export interface Told<T> {
  found(value: T): void;
  failed(error: unknown): void;
  /** The search takes long, or no longer. */
  busy(on: boolean): void;
}

/** The latest of a row of requests. What was taken back is never told. */
export class Latest<T> {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: AbortController | null = null;

  constructor(private readonly told: Told<T>) {}

  /** Whether an answer is still to come. */
  get pending(): boolean {
    return this.timer !== undefined || this.running !== null;
  }

  /** Asks after a pause, unless another request comes before. */
  soon(request: (signal: AbortSignal) => Promise<T>, pause = PAUSE): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.now(request), pause);
  }

  async now(request: (signal: AbortSignal) => Promise<T>): Promise<void> {
    this.cancel();
    const mine = new AbortController();
    this.running = mine;
    const late = setTimeout(() => this.told.busy(true), PATIENCE);
    mine.signal.addEventListener('abort', () => clearTimeout(late));
    try {
      const value = await request(mine.signal);
      if (!mine.signal.aborted) {
        this.running = null;
        this.told.found(value);
      }
    } catch (error) {
      if (!mine.signal.aborted) {
        this.running = null;
        this.told.failed(error);
      }
    } finally {
      clearTimeout(late);
      if (!mine.signal.aborted) {
        this.told.busy(false);
      }
    }
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running?.abort();
    this.running = null;
    this.told.busy(false);
  }
}
