// One result: rank, text and, beside it, the reason of the rank in one glance.
import type { Child } from './dom.js';
import { button, el, spaced, vary } from './dom.js';
import * as format from './format.js';
import type { Grade } from './judging.js';
import { ARMS, home, LETTERS, type Ledger, ledger, ranks, shares } from './ledger.js';
import * as location from './location.js';
import * as reading from './reading.js';
import { quote, snippet } from './snippet.js';
import type { Folded, Result, SearchResponse } from './wire.js';

export type { Grade } from './judging.js';

/** What a home of the view can do beyond showing; what it does not offer is absent, not grey. */
export interface Actions {
  /** Search again, for the text and from the offset on. */
  search?(query: string, offset: number): void;
  /** Go to the very cell, page or line of a result, or of what is folded below it. */
  open?(result: Result, below?: Folded): void;
  /** Whether that can be done for this one; without it, for all. */
  opens?(result: Result, below?: Folded): boolean;
  /** Put a citation of a result where the host puts citations. */
  cite?(result: Result): void;
  /** Store how well a result answers the query: 0 not relevant, 1 related, 2 relevant, 3 the answer. */
  judge?(result: Result, grade: Grade): void;
  /** Carry a result into the document that is being worked on. */
  insert?(result: Result): void;
  /** Search for what is like this result. */
  similar?(result: Result): void;
  /** A pointer went down on a result's rank or title, from where it may be dragged. */
  drag?(result: Result, event: PointerEvent): void;
  /** Leave the list, upwards. */
  leave?(): void;
  /** There is room for a few lines of a snippet only, so they are those around what was found. */
  brief?: boolean;
  /** Enter opens a result instead of unfolding why it is there; `w` unfolds in both cases. */
  enterOpens?: boolean;
}

const STEPS: Record<Result['band'], number> = {
  strong: 4,
  moderate: 3,
  weak: 2,
  'very-weak': 1,
  'keyword-only': 0
};

/** The row of one result. `top` is the score of the first, which the bars are drawn against. */
export function row(result: Result, response: SearchResponse, top: number, actions: Actions): HTMLLIElement {
  const entry = ledger(result, response);
  const opens = canOpen(result, actions);
  return el(
    'li',
    'row',
    { tabindex: -1, 'data-rank': result.rank },
    ...spaced(
      el('span', 'rank', {}, String(result.rank)),
      el(
        'div',
        '',
        {},
        ...spaced(title(result, opens), where(result, response, entry), ...passage(result, response, actions))
      ),
      why(result, response, entry, top, acts(entry !== null, opens, actions))
    )
  );
}

/** From here on a weight takes nothing worth a figure: what is hardly aged says nothing of it. */
const WEIGHTLESS = 0.9995;

export function canOpen(result: Result, actions: Actions, below?: Folded): boolean {
  return actions.open !== undefined && (actions.opens?.(result, below) ?? true);
}

function title(result: Result, opens: boolean): HTMLElement {
  const shown = el('bdi', '', {}, location.heading(result));
  return el('h4', 'title', {}, opens ? button('', 'open', { tabindex: -1 }, shown) : shown);
}

function where(result: Result, response: SearchResponse, entry: Ledger | null): HTMLElement {
  const place = location.place(result.passage.span, location.title(result.passage));
  const path = location.crumbs(result);
  const factor = result.why?.weights.find(weight => weight.name === 'age')?.factor ?? 1;
  const aged = factor < WEIGHTLESS ? entry?.weights.find(line => line.name === 'age') : undefined;
  const at = home(result, response);
  return el(
    'p',
    'where',
    {},
    ...spaced(
      path && el('bdi', 'path', {}, path),
      place && el('bdi', 'loc', {}, place),
      el('span', '', {}, result.passage.kind),
      el(
        'span',
        '',
        {},
        location.age(result.passage, response.now),
        aged && ' ',
        aged && el('span', '', { title: 'weight of age' }, aged.value)
      ),
      at && el('span', '', { title: 'surface, and the score there' }, at)
    )
  );
}

/** The text as far as this output was allowed to keep it. */
function passage(result: Result, response: SearchResponse, actions: Actions): Child[] {
  const { code, text } = result.passage;
  const more = response.share === 'full' && text !== '' && text.trim() !== result.snippet.trim();
  return [
    result.snippet !== '' && snippet(result, actions.brief),
    result.document !== null && el('p', 'where', {}, 'best passage of its document'),
    more && fold('The whole passage', quote(text, code)),
    around(result),
    result.folded.length > 0 && folded(result, response, actions)
  ];
}

/** What stands beside the best passage of a document, closed. */
function around(result: Result): Child {
  const sides = reading
    .around(result)
    .flatMap(([side, text]) => [el('p', 'where', {}, side), quote(text, result.passage.code)]);
  return sides.length > 0 && fold(reading.AROUND, ...sides);
}

/** What says the same, closed: where it stands, which opens it where the home can, and how alike it is. */
function folded(result: Result, response: SearchResponse, actions: Actions): HTMLElement {
  const items = reading.folds(result, response).map(([where, place, told], at) => {
    const path = el('bdi', 'path', {}, where);
    const opens = canOpen(result, actions, result.folded[at]);
    const shown = opens ? button('link', 'open', { tabindex: -1, 'data-below': at }, path) : path;
    return el('li', '', {}, ...spaced(shown, place && el('bdi', 'loc', {}, place), el('span', 'num', {}, told)));
  });
  return fold(reading.folded(result), el('ul', '', {}, ...items));
}

/** Something closed in a row; like the row's buttons it is a tab stop while the row is the current one. */
function fold(summary: string, ...children: Child[]): HTMLElement {
  return el('details', 'fold', {}, el('summary', '', { tabindex: -1 }, summary), ...children);
}

function why(result: Result, response: SearchResponse, entry: Ledger | null, top: number, offered: Child): HTMLElement {
  const scored = response.score_scale !== 'none';
  return el(
    'div',
    'why',
    {},
    ...spaced(
      scored &&
        el(
          'div',
          'score',
          {},
          ...spaced(el('b', '', {}, format.score(result.score, response.score_scale)), band(result))
        ),
      scored && bar(result, entry, top),
      entry && letters(result),
      offered
    )
  );
}

function band(result: Result): HTMLElement {
  const cosine = result.relevance === null ? 'not found by meaning' : `cosine ${format.fixed(result.relevance, 3)}`;
  const steps = [0, 1, 2, 3].map(step => vary(el('i', step < STEPS[result.band] ? '=on' : ''), { '--n': step }));
  return el('span', 'band', { title: cosine }, el('span', 'steps', { 'aria-hidden': 'true' }, ...steps), result.band);
}

/** As long as the score is high, relative to the first result; its parts are what each arm gave. */
function bar(result: Result, entry: Ledger | null, top: number): Child {
  const length = top > 0 ? Math.min(1, Math.max(0, result.score / top)) : 0;
  const given = shares(result);
  if (entry === null || given.length === 0) {
    const label = `score ${entry?.score ?? ''}`.trim();
    const plain = vary(el('i'), { '--v': length, '--c': 'var(--jp-Memo-edge)' });
    return el('div', 'bar', { role: 'img', 'aria-label': label }, length > 0 && plain);
  }
  const value = new Map(entry.votes.map(vote => [vote.name, vote.value]));
  const told = given.map(({ arm }) => `${arm} ${value.get(arm)}`);
  const drawn = given.map(({ arm, share }, at) =>
    vary(el('i', `jp-mod-${arm}`, { title: told[at] }), { '--v': share * length })
  );
  return el('div', 'bar', { role: 'img', 'aria-label': `contributions: ${told.join(', ')}` }, ...drawn);
}

function letters(result: Result): HTMLElement {
  const found = ranks(result);
  const cells = ARMS.map(arm => {
    const rank = found.get(arm) ?? null;
    return rank === null
      ? el('span', '=none', { title: `${arm}: not found` }, el('span', '', { 'aria-hidden': 'true' }, '·'))
      : el('span', '', { title: `${arm}: rank ${rank}` }, LETTERS[arm], el('b', '', {}, String(rank)));
  });
  return el('div', 'ranks', {}, ...spaced(...cells));
}

function acts(explained: boolean, opens: boolean, actions: Actions): Child {
  const offered = [
    explained && button('', 'why', { tabindex: -1, 'aria-expanded': 'false' }, 'why'),
    opens && button('', 'open', { tabindex: -1 }, 'open'),
    actions.cite && button('', 'cite', { tabindex: -1 }, 'cite'),
    actions.insert && button('', 'insert', { tabindex: -1 }, 'insert'),
    actions.similar && button('', 'similar', { tabindex: -1 }, 'similar'),
    actions.judge && button('', 'judge', { tabindex: -1, 'aria-expanded': 'false' }, 'judge')
  ].filter(Boolean);
  return offered.length > 0 && el('div', 'actions', {}, ...spaced(...offered));
}
