// What the panel shows before anything is asked: how a query is written, what was asked before, what there is.
import type { Facets } from '../api.js';
import { button, el, spaced, vary } from '../dom.js';
import * as format from '../format.js';
import { line } from '../visible.js';
import * as editing from './editing.js';
import type { Recent } from './state.js';

const HINTS: readonly (readonly [string, string])[] = [
  ['"reverse KL"', 'these words together'],
  ['-tutorial', 'without'],
  ['kind:notebook', 'note paper code data …'],
  ['ns:phi4', 'a namespace'],
  ['tag:ess', 'a tag'],
  ['since:2026-06', 'or before: as_of:'],
  ['ERR_NAN_ESS', 'identifiers match whole']
];

const RECENT_SHOWN = 6;
const CHIPS = 12;
const LABEL = 32;
const MONTHS_MOST = 24;

export function rest(recent: readonly Recent[], found: Facets | null, query: string): HTMLElement {
  return el(
    'div',
    'rest',
    {},
    heading('Write it like this'),
    el('dl', 'hints', {}, ...HINTS.flatMap(([code, means]) => [written(code), ' ', el('dd', '', {}, means), ' '])),
    recent.length > 0 && heading('Recent'),
    recent.length > 0 && el('ul', 'recent', {}, ...recent.slice(0, RECENT_SHOWN).map(asked)),
    found && filters(found, query)
  );
}

/** What the index holds, as chips that put a field into the query or take it out. */
export function filters(found: Facets, query: string): HTMLElement {
  const all = found.kinds.reduce((sum, [, passages]) => sum + passages, 0);
  const folders = found.folders.filter(([name, passages]) => name !== '' && passages < all);
  return el(
    'div',
    'scopes',
    {},
    ...group('Kinds', 'kind', found.kinds, query),
    ...group('Namespaces', 'ns', found.namespaces, query),
    ...group('Tags', 'tag', found.tags, query, '#'),
    ...group(
      'Folders',
      'source',
      folders.map(([name, count]) => [`${name.replace(/\/$/u, '')}/*`, count]),
      query
    ),
    ...months(found.months, query)
  );
}

function heading(text: string): HTMLElement {
  return el('h3', 'label', {}, text);
}

function written(code: string): HTMLElement {
  return el(
    'dt',
    '',
    {},
    button('', 'write', { 'data-value': code, title: 'put it into the query' }, el('code', '', {}, code))
  );
}

function asked({ query, results }: Recent): HTMLElement {
  const told = format.count(results);
  return el(
    'li',
    '',
    {},
    button('ell', 'recent', { 'data-value': query, title: line(query) }, el('bdi', '', {}, line(query))),
    ' ',
    el('span', 'num', { 'aria-label': `${told} results` }, told)
  );
}

function group(name: string, field: string, values: [string, number][], query: string, sign = ''): HTMLElement[] {
  const named = values.filter(([value]) => value !== '' && !value.includes('"'));
  if (named.length === 0) {
    return [];
  }
  const chips = named.map(([value, count], at) => {
    const label = sign + line(value);
    return button(
      'chip',
      'scope',
      {
        'aria-pressed': String(editing.has(query, field, value)),
        'data-field': field,
        'data-value': value,
        title: `${field}:${line(value)}`,
        hidden: at >= CHIPS
      },
      label.length > LABEL ? `${label.slice(0, LABEL)}…` : label,
      ' ',
      el('i', '', {}, format.count(count))
    );
  });
  const more = named.length - CHIPS;
  return [
    heading(name),
    el(
      'div',
      'filters',
      { role: 'group', 'aria-label': name },
      ...spaced(...chips, more > 0 && button('link', 'more', {}, `${format.count(more)} more`))
    )
  ];
}

/** The last two years as bars; a press bounds the query to that month. */
function months(found: [string, number][], query: string): HTMLElement[] {
  const shown = found
    .filter(([month]) => /^\d{4}-\d{2}$/u.test(month))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const last = shown.slice(-MONTHS_MOST);
  if (last.length < 2) {
    return [];
  }
  const most = Math.max(...last.map(([, count]) => count));
  const bars = last.map(([month, count]) =>
    button(
      'month',
      'month',
      {
        'aria-pressed': String(editing.isWithin(query, month)),
        'aria-label': `${month}: ${format.count(count)}`,
        title: `${month}: ${format.count(count)} passages`,
        'data-value': month
      },
      vary(el('i'), { '--v': count / most })
    )
  );
  return [
    heading('Dates'),
    el(
      'div',
      'dates',
      { role: 'group', 'aria-label': 'Dates' },
      el('span', 'months', {}, ...bars),
      el('span', 'quiet', {}, `${last[0][0]} – ${last[last.length - 1][0]}`)
    )
  ];
}
