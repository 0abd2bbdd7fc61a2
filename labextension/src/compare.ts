// Two profiles on one question, drawn: their lists side by side, a line from rank to rank, and the cause of the move
// that is pointed at. No kernel, no trust; all text is text nodes.
import * as comparing from './comparing.js';
import { type Child, el, renew, spaced, svg } from './dom.js';
import { leave, Roving } from './roving.js';
import { line } from './visible.js';
import type { Comparison, Move, Side } from './wire.js';

/** Height of a row, and the width of the figure between the lists; the style sheet has the same. */
const ROW = 26;
const WIDTH = 150;
const CLASSES: Readonly<Record<Move['kind'], string>> = {
  up: 'jp-Memo-up',
  entered: 'jp-Memo-up',
  down: 'jp-Memo-down',
  left: 'jp-Memo-down',
  same: 'jp-Memo-same'
};
const SAID: Readonly<Record<Move['kind'], string>> = { up: ' up', down: ' down', same: 'stays', entered: '', left: '' };

/** Draws a comparison as the only child of `home`. */
export function drawComparison(home: HTMLElement, compared: Comparison): { node: HTMLElement; dispose(): void } {
  const made = new Slope(compared);
  home.replaceChildren(made.node);
  return made;
}

class Slope {
  readonly node: HTMLElement;
  private readonly stop = new AbortController();
  private readonly byRow = new Map<Element, Move>();
  private readonly rows: HTMLLIElement[] = [];
  private readonly apart: Map<string, string>;
  private readonly roving: Roving;
  private readonly told = el('div', 'told', { role: 'status' });
  /** The one that was chosen by keys or a click; what the pointer is over comes before it, and goes. */
  private chosen: Move | null = null;

  constructor(private readonly compared: Comparison) {
    const [name, ...rest] = comparing.head(compared);
    this.apart = comparing.apart(compared);
    const different = comparing.differing(compared);
    this.node = el(
      'div',
      'jp-Memo',
      { 'data-lm-suppress-shortcuts': 'true' },
      el(
        'div',
        'head',
        {},
        el('p', 'query', { role: 'heading', 'aria-level': 3, dir: 'auto' }, comparing.query(compared)),
        el(
          'div',
          'meta',
          {},
          ...spaced(el('span', '', {}, el('b', '', {}, name)), ...rest.map(told => el('span', '', {}, told)))
        )
      ),
      ...comparing.notes(compared).map(note),
      ...(compared.moves.length > 0 ? [this.figure(), legend(), this.told] : []),
      different.length > 0 &&
        el(
          'details',
          'different',
          {},
          el('summary', '', {}, 'Constants that differ'),
          ...different.map(told => el('p', '', {}, told))
        ),
      this.rows.length > 0 && keys()
    );
    this.roving = new Roving(this.rows);
    this.tell(null);
    const { signal } = this.stop;
    this.node.addEventListener('pointerover', event => this.over(event), { signal });
    this.node.addEventListener('pointerleave', () => this.tell(this.chosen), { signal });
    this.node.addEventListener('focusin', event => this.entered(event), { signal });
    this.node.addEventListener('click', event => this.clicked(event), { signal });
    this.node.addEventListener('keydown', event => this.pressed(event), { signal });
  }

  dispose(): void {
    this.stop.abort();
    this.node.remove();
  }

  private figure(): HTMLElement {
    const { compared } = this;
    const [a, b] = [comparing.page(compared, 'a'), comparing.page(compared, 'b')];
    const left = a.map(move => this.row(move, 'a', move.kind === 'left'));
    const right = b.map(move => this.row(move, 'b', true));
    // In the order of b, then what left it: as the lists are read.
    this.rows.push(...right, ...left.filter((_, at) => a[at].kind === 'left'));
    const height = ROW * Math.max(a.length, b.length);
    const box = { viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' };
    return el(
      'div',
      'slope',
      {},
      heading(compared.a),
      el('span'),
      heading(compared.b),
      el('ol', '', { 'aria-label': `list of ${line(compared.a.profile)}` }, ...left),
      svg('svg', box, ...compared.moves.flatMap(move => stroke(move))),
      el('ol', '', { 'aria-label': `list of ${line(compared.b.profile)}` }, ...right)
    );
  }

  private row(move: Move, side: 'a' | 'b', stop: boolean): HTMLLIElement {
    const place = this.apart.get(move.id);
    const name = [
      el('span', 'ell', { dir: 'auto' }, comparing.title(move)),
      place && el('span', 'ell apart', { dir: 'auto' }, place)
    ];
    const rank = el('span', 'num', {}, String(side === 'a' ? move.rank_a : move.rank_b));
    const loud = move.kind === 'up' || move.kind === 'down' ? 'b' : 'span';
    const moved = stop && el('span', 'move', {}, el(loud, '', {}, comparing.mark(move)), said(move));
    const attributes = { 'data-id': move.id, tabindex: stop ? -1 : null };
    const made = el(
      'li',
      '',
      attributes,
      ...spaced(...(side === 'a' ? [moved, ...name, rank] : [rank, ...name, moved]))
    );
    this.byRow.set(made, move);
    return made;
  }

  private pointed(event: Event): Move | null {
    const found = event.target instanceof Element ? event.target.closest('[data-id]') : null;
    const id = found?.getAttribute('data-id');
    return (found && this.byRow.get(found)) ?? this.compared.moves.find(move => move.id === id) ?? null;
  }

  private over(event: Event): void {
    this.tell(this.pointed(event) ?? this.chosen);
  }

  private entered(event: Event): void {
    const row = event.target as HTMLLIElement;
    if (this.rows.includes(row)) {
      this.choose(row);
    }
  }

  private clicked(event: Event): void {
    const move = this.pointed(event);
    const row = this.rows.find(each => this.byRow.get(each) === move);
    if (move && row) {
      row.focus({ preventScroll: true });
      this.choose(row);
    }
  }

  private choose(row: HTMLLIElement): void {
    this.roving.choose(row);
    this.chosen = this.byRow.get(row) ?? null;
    this.tell(this.chosen);
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.rows.includes(event.target as HTMLLIElement)) {
      return;
    }
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      this.roving.move(this.roving.now(), step);
    } else if (event.key === 'Home' || event.key === 'End') {
      this.roving.move(this.roving.now(), event.key === 'Home' ? -this.rows.length : this.rows.length);
    } else if (event.key === 'Escape') {
      leave(this.node);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Says what moved, and marks it in both lists and between them. */
  private tell(move: Move | null): void {
    for (const each of this.node.querySelectorAll('[data-id]')) {
      each.classList.toggle('jp-mod-self', move !== null && each.getAttribute('data-id') === move.id);
    }
    renew(
      this.told,
      ...(move ? cause(move) : [el('p', 'quiet', {}, 'Point at a passage: what moved it stands here.')])
    );
  }
}

function heading(side: Side): HTMLElement {
  const arms = side.arms.length > 0 ? side.arms.join(', ') : 'no arm ran';
  return el('h4', '', {}, line(side.profile), ' ', el('span', '', {}, arms));
}

function said(move: Move): Child {
  return SAID[move.kind] ? el('span', 'sr', {}, SAID[move.kind]) : null;
}

/** The line of a move, and a wider one that nobody sees, to be pointed at. */
function stroke(move: Move): SVGElement[] {
  const y = (rank: number | null) => ROW * ((rank ?? 1) - 1) + ROW / 2;
  const [from, to] = [y(move.rank_a), y(move.rank_b)];
  const path = {
    entered: `M110 ${to} L${WIDTH - 4} ${to}`,
    left: `M4 ${from} L40 ${from}`,
    same: `M4 ${from} C60 ${from} 90 ${to} ${WIDTH - 4} ${to}`
  };
  const d = path[move.kind as keyof typeof path] ?? path.same;
  const shared = { 'vector-effect': 'non-scaling-stroke', 'data-id': move.id, d };
  return [svg('path', { ...shared, class: CLASSES[move.kind] }), svg('path', { ...shared, class: 'jp-Memo-hit' })];
}

function cause(move: Move): HTMLElement[] {
  const why = comparing.cause(move);
  return [
    el('p', '', { dir: 'auto' }, el('b', '', {}, comparing.title(move)), ` ${comparing.ranks(move)}`),
    ...[comparing.where(move), why || 'It stays where it is.'].filter(Boolean).map(told => el('p', '', {}, told))
  ];
}

function note({ means, fault }: { means: string; fault: boolean }): HTMLElement {
  return el('p', `note ${fault ? '' : 'jp-mod-info'}`, { role: 'status' }, el('span', '', {}, means));
}

function legend(): HTMLElement {
  const each = (name: string, told: string) =>
    el(
      'span',
      '',
      {},
      svg(
        'svg',
        { width: 22, height: 8, 'aria-hidden': 'true' },
        svg('path', { class: `jp-Memo-${name}`, d: 'M0 4H22' })
      ),
      ` ${told}`
    );
  return el('p', 'meta slopeKey', {}, ...spaced(each('up', 'rises'), each('down', 'falls'), each('same', 'stays')));
}

function keys(): HTMLElement {
  const told = (signs: string[], what: string) =>
    el('span', '', {}, ...spaced(...signs.map(sign => el('kbd', '', {}, sign)), what));
  return el('p', 'keys', {}, told(['j', 'k'], 'next, previous'), ' ', told(['Esc'], 'leave'));
}
