// Where a passage is, in words: the same as jupyter_memo/render/location.py.
import { age as aged } from './format.js';
import { line } from './visible.js';
import type { Passage, Result, Span } from './wire.js';

const CRUMB = ' › ';
export const DOT = ' · ';

/** The uri and the headings above the passage: `notes/criticality.md › Open questions`, without its own title. */
export function path(passage: Passage): string {
  return [passage.uri, ...passage.header.slice(0, -1)].map(line).join(CRUMB);
}

/** The place inside the source: `L120–138`, `cell 12 · In[7]`, `p. 4`, `turn 14`, `train.schedule`, or nothing. */
export function place(span: Span, title = ''): string {
  const parts: string[] = [];
  if (span.page !== null) {
    parts.push(`p. ${span.page}`);
  }
  if (span.turn !== null) {
    parts.push(`turn ${span.turn}`);
  }
  if (span.cell !== null) {
    parts.push(`cell ${span.cell + 1}`);
    if (span.execution_count !== null) {
      parts.push(`${span.part === 'output' ? 'Out' : 'In'}[${span.execution_count}]`);
    } else if (span.part === 'output') {
      parts.push('output');
    }
  }
  if (span.key && line(span.key) !== title) {
    parts.push(line(span.key));
  }
  if (span.start_line !== null && (span.cell === null || span.start_line > 1)) {
    parts.push(lines(span.start_line, span.end_line));
  }
  return parts.join(DOT);
}

/** `L120–138`, or `L120` for one line. */
export function lines(start: number, end: number | null): string {
  return end === null || end === start ? `L${start}` : `L${start}–${end}`;
}

/** The passage's title as one line; the file name where it has none. */
export function title(passage: Passage): string {
  const own = passage.header.length > 0 ? line(passage.header[passage.header.length - 1]) : '';
  return own || line(passage.uri.slice(passage.uri.lastIndexOf('/') + 1)) || passage.id;
}

/** The title of a result: of a whole document its outermost heading, not that of its best passage. */
export function heading({ document, passage }: Result): string {
  const outermost = document !== null && passage.header.length > 0 ? line(passage.header[0]) : '';
  return outermost || title(passage);
}

/** The path of a result without its own title: of a document the uri and the headings down to its best passage. */
export function crumbs({ document, passage }: Result): string {
  return document === null ? path(passage) : [passage.uri, ...passage.header.slice(1)].map(line).join(CRUMB);
}

/** How long ago it was written: `19 days ago`. What lies in the future counts as today. */
export function age(passage: Passage, now: string): string {
  return aged((Date.parse(now) - Date.parse(passage.created_at)) / 86_400_000);
}
