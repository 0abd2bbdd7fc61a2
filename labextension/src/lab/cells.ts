// The cells that an insertion becomes.
import type { Insertion } from '../panel/host.js';

export type Cell = {
  cell_type: 'markdown' | 'code';
  metadata: Record<string, never>;
  source: string;
};

const LOAD = '%load_ext jupyter_memo';
const LOADED = /^\s*%(?:load|reload)_ext\s+jupyter_memo\b/mu;

/** The cells, and what is to be said of them. `language` is the MIME type of the kernel's code, empty without one. */
export function cells(
  { what, text }: Insertion,
  sources: readonly string[],
  language: string
): { cells: Cell[]; note: string } {
  if (what !== 'search') {
    return { cells: [cell('markdown', text)], note: '' };
  }
  const loaded = sources.some(source => LOADED.test(source));
  const other = language !== '' && !/python/u.test(language);
  return {
    cells: [...(loaded ? [] : [cell('code', LOAD)]), cell('code', text)],
    note: other ? ' It needs a Python kernel; this notebook has another one.' : ''
  };
}

function cell(cell_type: Cell['cell_type'], source: string): Cell {
  return { cell_type, metadata: {}, source };
}
