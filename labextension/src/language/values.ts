// The values of fields that completion offers, kept for a while: the index is not asked for every letter.
import { Failed } from '../api.js';
import type { Fields } from '../fields.js';

/** Values are asked for again when they are this old, in milliseconds; a failure is not asked again sooner either. */
export const KEPT = 60_000;

/** So long a completion waits for values, in milliseconds; JupyterLab gives up after a second. */
export const WAIT = 700;

export class Values {
  private held: Fields = {};
  private asked: Promise<void> | null = null;
  private due = 0;

  /** `ask` brings the values; where it fails, what is known without an index has to do, and nothing is said. */
  constructor(
    private readonly ask: () => Promise<Fields>,
    private readonly now: () => number = Date.now
  ) {}

  /** The values, those held before where new ones take long. */
  async get(): Promise<Fields> {
    await Promise.race([this.fresh(), new Promise(resolve => setTimeout(resolve, WAIT))]);
    return this.held;
  }

  /** Asks for what is not there or is old. Resolves when it came or failed. */
  fresh(): Promise<void> {
    if (!this.asked && this.now() >= this.due) {
      this.due = this.now() + KEPT;
      this.asked = this.ask()
        .then(
          found => {
            this.held = found;
          },
          (error: unknown) => {
            if (error instanceof Failed && error.code === 'Missing') {
              this.due = Number.POSITIVE_INFINITY; // a server without our part gets none while this page lives
            }
          }
        )
        .finally(() => {
          this.asked = null;
        });
    }
    return this.asked ?? Promise.resolve();
  }

  /** The index has changed: the next completion asks again. */
  forget(): void {
    this.due = this.due === Number.POSITIVE_INFINITY ? this.due : 0;
  }
}
