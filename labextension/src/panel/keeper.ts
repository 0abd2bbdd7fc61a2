// Keeps the state of the panel for the next page, and the queries that were meant.
import type { Host } from './host.js';
import { EMPTY, remembered, type State } from './state.js';

/** A reader who looks at a list for so long, in milliseconds, has meant its query. */
export const MEANT = 3000;
const SAVED = 400;

export class Keeper {
  private held: State = EMPTY;
  private loaded = false;
  private meant: ReturnType<typeof setTimeout> | undefined;
  private saving: ReturnType<typeof setTimeout> | undefined;

  /** `seen` gives what stands in the page: what it was searched by, what is open, how far it is scrolled. */
  constructor(
    private readonly host: Pick<Host, 'load' | 'save'>,
    private readonly seen: () => Pick<State, 'mode' | 'profile' | 'kept' | 'scroll'>
  ) {}

  get state(): State {
    return this.held;
  }

  async load(): Promise<State> {
    this.held = await this.host.load();
    this.loaded = true;
    return this.held;
  }

  change(part: Partial<State>): void {
    this.held = { ...this.held, ...part };
    this.save();
  }

  /** Saves after a pause: scrolling alone would save a hundred times a second. */
  save(): void {
    clearTimeout(this.saving);
    if (!this.loaded) {
      return;
    }
    this.saving = setTimeout(() => this.host.save({ ...this.held, ...this.seen() }), SAVED);
  }

  remember(query: string, results: number): void {
    clearTimeout(this.meant);
    this.change({ recent: remembered(this.held.recent, query, results) });
  }

  /** Somebody did something with the list of the query at hand. */
  used({ query, total }: { query: string; total: number }): void {
    if (this.held.query.trim() && this.held.query.trim() === query.trim()) {
      this.remember(this.held.query, total);
    }
  }

  /** Remembers a query once its list was looked at for a while. */
  watch(query: string, results: number): void {
    clearTimeout(this.meant);
    if (query.trim()) {
      this.meant = setTimeout(() => this.remember(query, results), MEANT);
    }
  }

  unwatch(): void {
    clearTimeout(this.meant);
  }

  dispose(): void {
    clearTimeout(this.meant);
    clearTimeout(this.saving);
  }
}
