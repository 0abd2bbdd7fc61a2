// Which of JupyterLab's documents shows a place, and where in it.
import type { Place } from '../api.js';

/** What JupyterLab has no viewer for. */
const CLOSED = /\.(docx?|pptx?|xlsx?|od[pst]|epub|parquet|feather|arrow|sqlite3?|db|gz|zip|npz?)$/iu;

export type Way = 'cell' | 'lines' | 'row' | 'page' | 'whole' | 'nothing';

export function shownAs(place: Place): Way {
  const { path, kind } = place;
  if (path === null || CLOSED.test(path)) {
    return 'nothing';
  }
  if (kind === 'notebook') {
    return 'cell';
  }
  if (kind === 'pdf') {
    return place.page ? 'page' : 'whole';
  }
  if (!place.line) {
    return 'whole';
  }
  return kind === 'csv' || /\.tsv$/iu.test(path) ? 'row' : 'lines';
}

/** The factory that shows it so; the file's own where the whole is shown. */
export function factory(place: Place): string {
  return { cell: 'Notebook', lines: 'Editor' }[shownAs(place) as string] ?? 'default';
}

/** The index of the cell: by its id, else by the number it had; -1 where neither is there. */
export function cellAt(ids: readonly string[], place: Pick<Place, 'cell_id' | 'cell'>): number {
  const byId = place.cell_id ? ids.indexOf(place.cell_id) : -1;
  const number = place.cell ?? -1;
  if (byId >= 0 || place.cell_id) {
    return byId;
  }
  return number < ids.length ? number : -1;
}
