// What the panel needs from the place it stands in. Nothing in this folder knows of JupyterLab's widgets.
import type { Api, Place } from '../api.js';
import type { Result } from '../wire.js';
import type { State } from './state.js';

/** What can be carried into a document. */
export type Carried = 'citation' | 'quote' | 'search';

/** What was carried: a text of Markdown, or the source of a code cell that searches. */
export interface Insertion {
  what: Carried;
  text: string;
}

/** Where an insertion would go, in words, and whether cells can go there. */
export interface Target {
  words: string;
  cells: boolean;
}

/** What the Python of a kernel says of itself. */
export interface Kernel {
  version: string;
  python: string;
  environment: string;
  store: string;
  /** What it found where it compared itself with the server. */
  checks: { ok: boolean; detail: string; cure: string }[];
  /** Why there is nothing of ours: the package is not installed, or cannot be loaded. */
  missing: string;
}

/** What a cell would hold: it may still change until it is dropped. */
export interface Dragged {
  text: string;
  /** The press has become a drag. */
  begun(): void;
}

export interface Host {
  readonly api: Api;
  /** The folder that the file browser shows, from the server's root; empty for the root, and for another drive's. */
  folder(): string;
  /** Goes to a place. Gives what is to be said of it, which is nothing when the place is simply there. */
  open(place: Place, result: Result): Promise<string>;
  /** The document that an insertion would go into; null where there is none. */
  target(): Target | null;
  /** Carries it there, and says where it went. */
  insert(insertion: Insertion): Promise<string>;
  /** A press that may become a drag. */
  drag?(event: PointerEvent, source: Dragged, label: string): void;
  /** Whether to search while somebody types, and after how long a pause, in milliseconds. */
  typing?(): { asks: boolean; pause: number };
  settings?(): void;
  /** The name of the document whose kernel could be asked, and the way to ask it. */
  kernel?: { name(): string | null; ask(): Promise<Kernel> };
  load(): Promise<State>;
  save(state: State): void;
}
