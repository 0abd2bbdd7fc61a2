// How a list was made: the counts falling stage by stage, when each stage and arm ran, and what did not run and why.
import type { Child } from './dom.js';
import { el, vary } from './dom.js';
import { label, named } from './explain.js';
import * as format from './format.js';
import * as reading from './reading.js';
import { line } from './visible.js';
import type { SearchResponse } from './wire.js';

const FUNNEL = 6;
const TICKS = 8;
const WORDS: Record<string, string> = {
  fusion: 'found by an arm',
  abstain: 'kept',
  document: 'after grouping',
  cutoff: 'above the cutoff',
  fold: 'without duplicates',
  limit: 'within the limit',
  budget: 'within the budget'
};

/** The whole view of the trace, as a section whose heading can take the focus. */
export function trace(response: SearchResponse): HTMLElement {
  return el(
    'section',
    'trace',
    {},
    el('h4', 'section', { tabindex: -1 }, 'How this list was made'),
    funnel(response),
    water(response),
    el('div', 'pair', {}, filters(response), ran(response))
  );
}

/** How many passages were left after each step that took some away. */
export function counts(response: SearchResponse): { left: number; words: string; unit: string }[] {
  const scope = response.trace.filters;
  const all: { left: number; words: string; unit: string }[] = [];
  if (scope.length > 0) {
    all.push({ left: scope[0].left, words: 'in the index', unit: 'passages' });
    all.push({ left: scope[scope.length - 1].left, words: 'in scope', unit: '' });
  }
  let before = -1;
  for (const stage of response.trace.stages) {
    if (stage.stage === 'fusion' || (before >= 0 && stage.after !== before && stage.stage in WORDS)) {
      all.push({ left: stage.after, words: WORDS[stage.stage], unit: '' });
      before = stage.after;
    }
  }
  const shown = { left: response.results.length, words: 'shown', unit: '' };
  return [...all.slice(0, FUNNEL - 1), shown];
}

function funnel(response: SearchResponse): HTMLElement {
  const steps = counts(response);
  const top = Math.log(Math.max(2, steps[0].left));
  const share = (left: number) => (left > 1 ? Math.log(left) / top : 0);
  const items = steps.map((step, at) => {
    const next = steps[at + 1] ?? step;
    const before = steps[at - 1];
    const gone = before && before.left !== step.left ? format.count(step.left - before.left) : '';
    return el(
      'li',
      '',
      {},
      vary(el('i'), { '--a': share(step.left), '--b': share(next.left) }),
      el('b', '', {}, format.count(step.left)),
      step.words,
      el('br'),
      step.unit || gone
    );
  });
  return el('ol', 'funnel', {}, ...items);
}

function water(response: SearchResponse): HTMLElement {
  const total = response.trace.total_ms;
  const steps = reading.steps(response);
  const longest = Math.max(total, ...steps.map(step => step.startMs + step.tookMs), 0.001);
  const tick = nice(longest / TICKS);
  const span = tick * TICKS;
  const ticks = Array.from({ length: TICKS }, (_, at) =>
    vary(el('span', '', {}, number(at * tick)), { '--x': at / TICKS })
  );
  const rows = steps.map(step =>
    el(
      'tr',
      `${step.arm ? 'sub' : ''} ${step.ran ? '' : 'jp-mod-off'}`,
      {},
      el('th', '', { scope: 'row' }, step.arm ? named(step.arm, !step.ran) : step.name),
      el('td', '', {}, step.left),
      el('td', '', {}, step.gone),
      el('td', '', {}, step.ms),
      el('td', '', {}, lane(step, span))
    )
  );
  return el(
    'table',
    'water',
    {},
    el('colgroup', '', {}, ...[1, 2, 3, 4, 5].map(() => el('col'))),
    el(
      'thead',
      '',
      {},
      el(
        'tr',
        '',
        {},
        ...['stage', 'left', 'gone', 'ms'].map(name => el('th', '', { scope: 'col' }, name)),
        el('th', 'text', { scope: 'col' }, el('span', 'sr', {}, 'when, and a note'), el('div', 'axis', {}, ...ticks))
      )
    ),
    el('tbody', '', {}, ...rows),
    el(
      'tfoot',
      '',
      {},
      el(
        'tr',
        '',
        {},
        el('th', '', { scope: 'row' }, 'total'),
        el('td', '', {}, format.count(response.results.length)),
        el('td'),
        el('td', '', {}, format.traceMs(total)),
        el('td')
      )
    )
  );
}

/** A bar where the stage ran, and its note on the side that has more room. */
function lane(step: reading.Step, span: number): HTMLElement {
  const start = Math.max(0, Math.min(1, step.startMs / span));
  const width = Math.max(0, Math.min(1 - start, step.tookMs / span));
  const right = 1 - start - width;
  const toLeft = start > right;
  const at = { '--x': start, '--w': width, '--room': Math.max(start, right) };
  return el(
    'div',
    `lane ${step.arm && step.ran ? `jp-mod-${step.arm}` : ''}`,
    {},
    step.ran && vary(el('i'), at),
    step.note !== '' && vary(el('span', toLeft ? '=left' : '', { title: step.note }, step.note), at)
  );
}

/** The next of 1, 2, 2.5, 5, 10 … that is not below the value. */
function nice(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find(step => step * power >= value) ?? 10) * power;
}

function number(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function filters(response: SearchResponse): Child {
  const rows = reading.filters(response);
  if (rows.length === 0) {
    return null;
  }
  const cells = (row: readonly string[]) =>
    row.map((text, at) => (at === 0 ? el('th', '', { scope: 'row' }, text) : el('td', '', {}, text)));
  return el(
    'section',
    '',
    {},
    label('Filters, applied inside every arm'),
    el(
      'table',
      'scope',
      {},
      el(
        'thead',
        '',
        {},
        el('tr', '', {}, ...['predicate', 'gone', 'left'].map(name => el('th', '', { scope: 'col' }, name)))
      ),
      el('tbody', '', {}, ...rows.map(row => el('tr', '', {}, ...cells(row)))),
      el('tfoot', '', {}, el('tr', '', {}, ...cells(['in scope', '', rows[rows.length - 1][2]])))
    )
  );
}

function ran(response: SearchResponse): HTMLElement {
  const unrun = reading.unrun(response);
  const uncalled = reading.uncalled(response);
  const excluded = response.excluded.map(word => `-${line(word)}`).join(' ');
  const conditions = reading.conditions(response);
  return el(
    'section',
    '',
    {},
    unrun.length > 0 && label('What did not run'),
    unrun.length > 0 && facts(unrun),
    uncalled.length > 0 && label('What nothing called for'),
    uncalled.length > 0 && facts(uncalled),
    label('Run'),
    facts(excluded ? [['Left out', excluded], ...conditions] : conditions)
  );
}

function facts(rows: readonly (readonly [string, string])[]): HTMLElement {
  const told = rows.flatMap(([name, text]) => [el('dt', '', {}, name), el('dd', '', {}, text)]);
  return el('dl', 'facts', {}, ...told);
}
