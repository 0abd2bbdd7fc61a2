// What stands around the list: the head with its notes, the legend, the end, and what is said instead of a list.
import type { Child } from './dom.js';
import { button, el, spaced } from './dom.js';
import * as format from './format.js';
import { LETTERS } from './ledger.js';
import * as reading from './reading.js';
import { line, text } from './visible.js';
import type { SearchResponse } from './wire.js';

/** The query as typed, in which exclusions and fields stand in the code face, and the line under it. */
export function head(response: SearchResponse, filters: Child): HTMLElement {
  const commands = new Set([...response.filters, ...response.excluded.map(word => `-${word}`)]);
  const words = reading.query(response).split(' ').filter(Boolean);
  const shown = words.flatMap((word, at) => [at > 0 && ' ', commands.has(word) ? el('code', '', {}, word) : word]);
  const query = words.length > 0 ? shown : ['(no words)'];
  return el(
    'div',
    'head',
    {},
    el('p', 'query', { role: 'heading', 'aria-level': 3, dir: 'auto' }, ...query),
    el(
      'div',
      'meta',
      { 'aria-live': 'polite' },
      ...spaced(
        el('span', '', {}, el('b', 'shown', {}, reading.shown(response))),
        el('span', `badge ${response.degraded.flag ? 'jp-mod-degraded' : ''}`, {}, reading.mode(response)),
        el('span', '', {}, format.ms(response.trace.total_ms)),
        ...reading.run(response).map(([words, value]) => el('span', '', {}, words, value && el('b', '', {}, value)))
      )
    ),
    response.queries.length > 0 && el('p', 'where also', { dir: 'auto' }, reading.also(response)),
    filters
  );
}

/** How many there are; where chips hide some, how many of these are left. */
export function shown(response: SearchResponse, left: number): string {
  const size = response.results.length;
  return left === size ? reading.shown(response) : `${format.count(left)} of these ${format.count(size)}`;
}

export function notes(response: SearchResponse): HTMLElement[] {
  const note = (fault: boolean, ...told: Child[]) =>
    el('p', `note ${fault ? '' : 'jp-mod-info'}`, { role: 'status' }, el('span', '', {}, ...told));
  return [
    ...reading.notes(response).map(({ fault, what, means }) => note(fault, el('b', '', {}, what), ` ${means}`)),
    ...reading.misread(response).map(told => note(true, told))
  ];
}

/** What went wrong, in the tone of the other notes, and below it the plain text that came with it. */
export function failure(message: string, plain = ''): HTMLElement {
  return el(
    'div',
    'jp-Memo',
    {},
    el('p', 'note jp-mod-error', { role: 'alert' }, el('span', '', {}, message)),
    plain !== '' && el('pre', 'plain', { dir: 'auto' }, text(plain))
  );
}

export function legend(response: SearchResponse): Child {
  if (!reading.voted(response)) {
    return null;
  }
  const arms = reading
    .arms(response)
    .map(({ arm, ran, reason }) =>
      el(
        'span',
        `arm jp-mod-${arm} ${ran ? '' : 'jp-mod-off'}`,
        ran ? {} : { title: reason },
        el('span', 'swatch'),
        el('b', '', {}, LETTERS[arm]),
        ' ',
        ran ? arm : `${arm} – did not run`
      )
    );
  const key = el('span', 'legendKey', {}, 'K2: second in the keyword arm');
  return el('div', 'legend', { role: 'group', 'aria-label': 'arms' }, ...spaced(...arms, key));
}

/** Why there is nothing: a sentence, then where it looked and what to do next, and closed what came nearest. */
export function empty(response: SearchResponse, researchable: boolean): HTMLElement[] {
  const rows = reading.empty(response);
  if (rows.length === 0) {
    return [];
  }
  const [[, reason], ...others] = rows;
  const [sentence, ...because] = reason.split(': ');
  const why = because.join(': ');
  const told: [string, string][] = why ? [['Why', why[0].toUpperCase() + why.slice(1)], ...others] : others;
  const list = told.flatMap(([name, text]) => [
    el('dt', '', {}, name),
    el('dd', '', {}, ...(name === 'Words' && researchable ? words(response) : [text]))
  ]);
  return [
    el('p', 'void', {}, why ? `${sentence}.` : reason),
    ...(list.length > 0 ? [el('dl', 'help', {}, ...list)] : []),
    ...nearest(response)
  ];
}

/** Words that the passages near to the question use, each a search of its own. */
function words(response: SearchResponse): Child[] {
  const each = response.words_to_try.map(word => button('link', 'word', { 'data-value': word }, line(word)));
  return ['used near it: ', ...each.flatMap((word, at) => (at > 0 ? [', ', word] : [word]))];
}

function nearest(response: SearchResponse): HTMLElement[] {
  const items = reading
    .nearest(response)
    .map(({ title, path, rest }) =>
      el(
        'li',
        '',
        {},
        ...spaced(el('bdi', '', {}, title), path && el('bdi', 'path', {}, path), rest && el('span', 'num', {}, rest))
      )
    );
  const many = items.length === 1 ? 'nearest miss' : 'nearest misses';
  const summary = el('summary', '', {}, `${format.count(items.length)} ${many} — not results`);
  return items.length > 0 ? [el('details', 'more fold', {}, summary, el('ul', '', {}, ...items))] : [];
}

/** Why the list ends, what would shorten it, and the way to how it was made. */
export function end(response: SearchResponse, researchable: boolean): HTMLElement {
  const told: Child[] = reading
    .ending(response)
    .flatMap(({ bold, rest }, at) => [at > 0 && ' ', bold && el('b', '', {}, bold), rest]);
  if (researchable && response.truncated > 0) {
    told.push(' ', button('link', 'next', {}, 'Show the next page'));
  }
  const hint = reading.narrow(response);
  if (hint) {
    const typed = el('code', '', {}, hint[1]);
    const field = researchable ? button('link', 'narrow', { 'data-value': hint[1] }, typed) : typed;
    told.push(told.length > 0 && ' ', hint[0], field, hint[2]);
  }
  const made = button('link made', 'trace', { 'aria-expanded': 'false' }, 'How this list was made');
  const remarks = [...reading.legs(response), ...reading.remarks(response)].map(told => el('p', '', {}, told));
  if (remarks.length === 0) {
    const between = told.at(-1) instanceof HTMLButtonElement ? ' · ' : ' ';
    return el('div', 'end', {}, el('p', '', {}, ...told, told.length > 0 && between, made));
  }
  return el(
    'div',
    'end',
    {},
    ...spaced(told.length > 0 && el('p', '', {}, ...told), ...remarks, el('p', '', {}, made))
  );
}

/** The keys that work here. */
export function keys(offered: {
  list: boolean;
  open: boolean;
  enterOpens: boolean;
  filter: string;
  judge: boolean;
}): HTMLElement {
  const enterOpens = offered.open && offered.enterOpens;
  const rows: [boolean, string[], string][] = [
    [offered.list, ['j', 'k'], 'next, previous'],
    [offered.list, ['Enter'], enterOpens ? 'open' : 'why'],
    [offered.list && offered.open, [enterOpens ? 'w' : 'o'], enterOpens ? 'why' : 'open'],
    [offered.list && offered.judge, ['0', '1', '2', '3'], 'judge'],
    [true, ['e'], 'how the list was made'],
    [offered.filter !== '', ['/'], offered.filter]
  ];
  const told = rows
    .filter(([works]) => works)
    .map(([, signs, what]) => el('span', '', {}, ...spaced(...signs.map(sign => el('kbd', '', {}, sign)), what)));
  return el('p', 'keys', {}, ...spaced(...told));
}
