// Which cells of a notebook are memo cells, and the language that they get. All others keep the one they have.
import type { ISignal } from '@lumino/signaling';
import { isMemo } from './cell.js';

export const MIME = 'text/x-memo-query';

/** What is used of a cell's model. */
export interface Cell {
  readonly type: string;
  mimeType: string;
  readonly isDisposed: boolean;
  readonly sharedModel: { getSource(): string };
  readonly contentChanged: ISignal<unknown, void>;
  readonly mimeTypeChanged: ISignal<unknown, unknown>;
}

/** What is used of JupyterLab's registry of languages. */
export interface Languages {
  findByMIME(mime: string): { support?: unknown } | null;
  getLanguage(mime: string): Promise<unknown>;
}

export class Switching {
  private readonly seen = new WeakSet<Cell>();

  /** `edited` is told of each change inside a memo cell. */
  constructor(
    private readonly languages: Languages,
    private readonly edited: () => void = () => undefined
  ) {}

  /** Follows a cell for as long as it lives. `usual` is the language that the cells of its notebook have. */
  watch(cell: Cell, usual: () => string): void {
    if (cell.type !== 'code' || this.seen.has(cell)) {
      return;
    }
    this.seen.add(cell);
    const settle = (): void => void this.settle(cell, usual);
    cell.mimeTypeChanged.connect(settle);
    cell.contentChanged.connect(() => {
      settle();
      if (cell.mimeType === MIME) {
        this.edited();
      }
    });
    settle();
  }

  private async settle(cell: Cell, usual: () => string): Promise<void> {
    const before = cell.mimeType;
    if (before === wanted(cell, usual)) {
      return;
    }
    await this.loaded(before);
    if (cell.isDisposed) {
      return;
    }
    const now = wanted(cell, usual);
    if (cell.mimeType !== now) {
      cell.mimeType = now;
    }
  }

  /** When the language before has come. An editor takes languages as they come, and the last one stays: what it still
   * waits for would replace what is set now. */
  private async loaded(mime: string): Promise<void> {
    const ready = this.languages.findByMIME(mime)?.support !== undefined;
    await Promise.resolve(this.languages.getLanguage(mime)).catch(() => undefined);
    if (!ready) {
      // the editor waits for the same; let it go first
      await new Promise(resolve => setTimeout(resolve));
    }
  }
}

function wanted(cell: Cell, usual: () => string): string {
  if (isMemo(cell.sharedModel.getSource())) {
    return MIME;
  }
  return cell.mimeType === MIME ? usual() : cell.mimeType;
}
