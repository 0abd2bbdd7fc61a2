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

/** So many folders at most tell two files of one name apart; beyond them the whole path does. */
const DEEPEST = 12;

/**
 * The shortest ending of each path that no other of them has: the name of the file, and where two share it, as many
 * folders as tell them apart. Equal paths have equal endings; one that another ends with stays whole.
 */
export function endings(paths: readonly string[]): string[] {
  const tails = new Map(paths.map(path => [path, tailsOf(path)]));
  const held = new Map<string, number>();
  for (const tail of [...tails.values()].flat()) {
    held.set(tail, (held.get(tail) ?? 0) + 1);
  }
  return paths.map(path => tails.get(path)?.find(tail => tail !== '' && held.get(tail) === 1) ?? path);
}

function tailsOf(path: string): string[] {
  const parts = path.split('/');
  const depth = Math.min(DEEPEST, parts.length);
  return Array.from({ length: depth }, (_, at) => parts.slice(-at - 1).join('/'));
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
