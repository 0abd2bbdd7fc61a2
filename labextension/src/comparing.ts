// What two lists of one question have in common and what moved, in words: the same as jupyter_memo/render/compare.py.
import { count, fixed, NOTHING } from './format.js';
import { DOT, endings, place } from './location.js';
import { listed } from './reading.js';
import { line } from './visible.js';
import type { Comparison, Move } from './wire.js';

const LABELS: Readonly<Record<string, string>> = {
  reading: 'reading',
  depth: 'depth',
  arms: 'arms',
  fusion: 'fusion',
  recency: 'age',
  abstain: 'floor',
  fold: 'folding',
  cutoff: 'cutoff',
  mmr: 'diversity',
  page: 'page'
};
const MARKS: Partial<Record<Move['kind'], string>> = { same: NOTHING, entered: 'new', left: 'gone' };
const ARROW = ' → ';
const NO_BREAK = '\u00a0';

/** The question as one line. */
export function query(compared: Comparison): string {
  return line(compared.query) || '(no words)';
}

/** What is compared, what is on which page, how alike the orders are, of which index. */
export function head(compared: Comparison): string[] {
  const of = (...kinds: Move['kind'][]) => compared.moves.filter(move => kinds.includes(move.kind)).length;
  const [a, b] = [line(compared.a.profile), line(compared.b.profile)];
  const found = [`${count(of('same', 'up', 'down'))} in both`];
  if (of('left') > 0) {
    found.push(`${count(of('left'))} only in ${a}`);
  }
  if (of('entered') > 0) {
    found.push(`${count(of('entered'))} only in ${b}`);
  }
  const told = [`${a}${ARROW}${b}`, found.join(', ')];
  if (compared.correlation !== null) {
    told.push(`rank correlation τ = ${fixed(compared.correlation, 2)}`);
  }
  return [...told, `index ${compared.index_version}`];
}

/** What is to be said of the two lists as a whole; a fault first. */
export function notes(compared: Comparison): { means: string; fault: boolean }[] {
  const told = [];
  if (compared.degraded.flag) {
    told.push({ means: line(compared.degraded.reason), fault: true });
  }
  const remarks = [];
  if (same(compared)) {
    const many = compared.differences.length;
    const though = many === 1 ? ', though one constant differs' : many > 0 ? `, though ${many} constants differ` : '';
    remarks.push(`The two lists are the same${though}.`);
  }
  for (const side of [compared.a, compared.b]) {
    if (side.reason) {
      remarks.push(`${line(side.profile)}: ${line(side.reason)}`);
    }
  }
  remarks.push(...compared.hints.map(line));
  return [...told, ...remarks.map(means => ({ means, fault: false }))];
}

export function same(compared: Comparison): boolean {
  return compared.moves.every(move => move.kind === 'same');
}

/** What is on the page of a side, in its order. */
export function page(compared: Comparison, side: 'a' | 'b'): Move[] {
  const gone = side === 'a' ? 'entered' : 'left';
  const rank = (move: Move) => (side === 'a' ? move.rank_a : move.rank_b) ?? 0;
  return compared.moves.filter(move => move.kind !== gone).sort((one, other) => rank(one) - rank(other));
}

/** How many places higher it stands in b; 0 for what is on one page only. */
export function places(move: Move): number {
  const both = move.kind === 'up' || move.kind === 'down';
  return both && move.rank_a !== null && move.rank_b !== null ? move.rank_a - move.rank_b : 0;
}

/** `▴ 2`, `▾ 1`, `–`, `new`, `gone`. */
export function mark(move: Move): string {
  const by = places(move);
  return MARKS[move.kind] ?? `${by > 0 ? '▴' : '▾'} ${count(Math.abs(by))}`;
}

/** `5 → 3`; a dash where the whole list does not hold it. */
export function ranks(move: Move): string {
  return [move.rank_a, move.rank_b].map(written).join(ARROW.replaceAll(' ', NO_BREAK));
}

/** The passage's title as one line; the file name where it has none. */
export function title(move: Move): string {
  return line(move.title) || line(move.uri.slice(move.uri.lastIndexOf('/') + 1)) || move.id;
}

/**
 * What tells the rows of one title apart, by their ids: the end of the path, and where that is one too the place in it.
 * A title that only one of them has needs nothing, and one that is the name of the file not that again.
 */
export function apart(compared: Comparison): Map<string, string> {
  const called = new Map<string, Move[]>();
  for (const move of compared.moves) {
    called.set(title(move), [...(called.get(title(move)) ?? []), move]);
  }
  const told = new Map<string, string>();
  for (const [name, moves] of called) {
    const paths = moves.map(move => line(move.uri));
    const ends = endings(paths);
    for (const [at, move] of moves.entries()) {
      const file = ends[at].endsWith(`/${name}`) ? ends[at].slice(0, -name.length) : ends[at];
      const shared = paths.filter(path => path === paths[at]).length > 1;
      const parts = [new Set(paths).size > 1 && file, shared && place(move.span, name)];
      told.set(move.id, parts.filter(Boolean).join(DOT));
    }
  }
  return told;
}

/** Path and place. */
export function where(move: Move): string {
  return [line(move.uri), place(move.span, title(move))].filter(Boolean).join(DOT);
}

/** The group that made the move and how, then its steps where there are several: they add up to the move. */
export function cause(move: Move): string {
  if (move.cause === null) {
    return '';
  }
  const label = labelled(move.cause.group);
  const at = move.steps.findIndex(step => labelled(step.group) === label);
  const before = move.cause.alone ? [] : move.steps.slice(0, Math.max(0, at)).map(step => labelled(step.group));
  const after = before.length > 0 ? ` (after ${listed(before)})` : '';
  const told = `${label}${after}: ${line(move.cause.sentence)}`;
  if (move.steps.length < 2) {
    return told;
  }
  const steps = move.steps.map(step => `${labelled(step.group)} ${written(step.before)}${ARROW}${written(step.after)}`);
  return `${told} [${steps.join(', ')}]`;
}

/** The constants that differ, a line a group, in the order in which they were changed. */
export function differing(compared: Comparison): string[] {
  const groups = new Map<string, string[]>();
  for (const each of compared.differences) {
    const told = line(`${each.constant} ${each.a}${ARROW}${each.b}`);
    groups.set(each.group, [...(groups.get(each.group) ?? []), told]);
  }
  return [...groups].map(([group, told]) => `Different ${labelled(group)}: ${told.join(', ')}`);
}

function written(rank: number | null): string {
  return rank === null ? NOTHING : count(rank);
}

function labelled(group: string): string {
  return Object.hasOwn(LABELS, group) ? LABELS[group] : line(group);
}
