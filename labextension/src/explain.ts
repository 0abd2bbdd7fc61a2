// The reason of one rank in full: the votes and their sum, the way from votes to rank, and where the passage is from.
import type { Child } from './dom.js';
import { el } from './dom.js';
import * as format from './format.js';
import { rungs, standings } from './ladder.js';
import { byRanks, type Ledger, ledger, matched } from './ledger.js';
import * as location from './location.js';
import * as reading from './reading.js';
import { line } from './visible.js';
import type { Result, SearchResponse } from './wire.js';

/** What stands under a row that was opened; nothing for a result that carries no reasons. */
export function explain(result: Result, response: SearchResponse): HTMLElement | null {
  const entry = ledger(result, response);
  if (entry === null) {
    return null;
  }
  return el(
    'div',
    'open',
    {},
    el('section', '', {}, label('Votes'), votes(entry, response), label('The sum'), sum(entry), afterwards(entry)),
    way(result, response, entry),
    el('section', 'wide', {}, facts(result, response))
  );
}

export function label(text: string): HTMLElement {
  return el('h5', 'label', {}, text);
}

/** An arm by swatch and word. */
export function named(arm: string, off: boolean): HTMLElement {
  return el('span', `arm jp-mod-${arm} ${off ? 'jp-mod-off' : ''}`, {}, el('span', 'swatch'), arm);
}

function votes(entry: Ledger, response: SearchResponse): HTMLTableElement {
  const given = new Map(entry.votes.map(vote => [vote.name, vote]));
  const rows = reading.arms(response).map(({ arm, ran, reason, found }) => {
    const vote = given.get(arm);
    if (!vote) {
      const told = ran ? `not in its ${format.count(found)} hits` : 'did not run';
      return el(
        'tr',
        'jp-mod-off',
        {},
        head(named(arm, true)),
        cell(format.NOTHING),
        cell(format.NOTHING),
        el('td', 'text', ran ? {} : { title: reason }, told),
        el('td', 'hideNarrow'),
        cell(format.NOTHING)
      );
    }
    return el(
      'tr',
      '',
      {},
      head(named(arm, false)),
      cell(vote.rank),
      cell(vote.raw),
      el('td', 'text quiet', {}, vote.unit),
      el('td', 'hideNarrow', {}, vote.formula),
      cell(vote.value)
    );
  });
  const columns = ['arm', 'rank', 'raw', 'unit', entry.formula, 'contribution'].map((name, at) =>
    el('th', at === 3 ? 'text' : at === 4 ? 'hideNarrow' : '', { scope: 'col' }, name)
  );
  const total = [entry.fused ? 'fused' : 'score', '', '', '', '', entry.fused || entry.score];
  return el(
    'table',
    'votes',
    {},
    el('thead', '', {}, el('tr', '', {}, ...columns)),
    el('tbody', '', {}, ...rows),
    el(
      'tfoot',
      '',
      {},
      el(
        'tr',
        '',
        {},
        ...total.map((text, at) => (at === 0 ? head(text) : el('td', at === 4 ? 'hideNarrow' : '', {}, text)))
      )
    )
  );
}

function head(content: Child): HTMLElement {
  return el('th', '', { scope: 'row' }, content);
}

function cell(text: string): HTMLElement {
  return el('td', '', {}, text);
}

/** The same numbers as one line: (a + b) × age = score. */
function sum(entry: Ledger): HTMLElement {
  const addends = entry.votes.filter(vote => /[1-9]/.test(vote.value));
  const adds = (addends.length > 0 ? addends : entry.votes).flatMap((vote, at) => [
    at > 0 && op('+'),
    term(vote.name, vote.value, `jp-mod-${vote.name}`)
  ]);
  const factors = entry.weights.flatMap(weight => [op('×'), term(weight.name, weight.value.replace('×', ''))]);
  const base = entry.rerank
    ? [term('rerank', entry.rerank)]
    : factors.length > 0 && addends.length > 1
      ? [op('('), ...adds, op(')')]
      : adds;
  return el('p', 'sum', {}, ...base, ...factors, op('='), term('score', entry.score));
}

function op(sign: string): HTMLElement {
  return el('span', 'op', {}, sign);
}

function term(name: string, value: string, classes = ''): HTMLElement {
  return el('span', `term ${classes}`, {}, el('span', 'termName', {}, name), value);
}

function afterwards(entry: Ledger): Child {
  return (
    entry.rerank !== '' &&
    el(
      'p',
      'aside',
      {},
      'After a rerank the votes decide only who is read. They stay in view, but the score no longer adds them up.'
    )
  );
}

function way(result: Result, response: SearchResponse, entry: Ledger): HTMLElement {
  const told = [moved(result, entry), byRanks(result)].filter(Boolean).join(' ');
  return el(
    'section',
    '',
    {},
    label('From votes to rank'),
    standings(result, response),
    rungs(result, entry),
    told !== '' && el('p', 'aside', {}, told)
  );
}

/** Why the weights moved it, and its likeness to others, in a sentence each. */
function moved(result: Result, entry: Ledger): string {
  return [weighed(result, entry), spread(result)].filter(Boolean).join(' ');
}

/** What diversity did to its rank: the last place before it is the one to compare with. */
function spread(result: Result): string {
  const places = result.why?.places ?? [];
  const at = places.findIndex(place => place.stage === 'diversify');
  const down = at < 1 ? 0 : places[at].rank - places[at - 1].rank;
  if (down === 0) {
    return '';
  }
  return down > 0
    ? `Down ${format.count(down)} by its likeness to what stands above it.`
    : `Up ${format.count(-down)}: what stood above it was more like others.`;
}

function weighed(result: Result, entry: Ledger): string {
  const places = new Map((result.why?.places ?? []).map(place => [place.stage, place.rank]));
  const before = places.get('fused') ?? 0;
  const after = places.get('weigh') ?? before;
  if (before === after || entry.rerank !== '') {
    return '';
  }
  if (after < before) {
    return `Up ${format.count(before - after)}: what stood above it lost more by its weights.`;
  }
  const own = entry.weights.map(weight => `${weight.name} (${weight.value})`);
  return `Down ${format.count(after - before)}${own.length > 0 ? ` by its weight for ${reading.listed(own)}` : ''}.`;
}

function facts(result: Result, response: SearchResponse): HTMLElement {
  const { passage } = result;
  const why = result.why as NonNullable<Result['why']>;
  const words = matched(result);
  const place = location.place(passage.span, location.title(passage));
  const from = [
    line(why.provenance.uri),
    place,
    `indexed ${reading.date(why.provenance.recorded_at)}`,
    `trust ${why.provenance.trust}`,
    why.provenance.sha256 && `sha256 ${short(line(why.provenance.sha256))}`
  ];
  const told: [string, Child[]][] = [
    ['Matched', [words.join(' · ')]],
    [
      'Relevance',
      [
        result.relevance === null
          ? `${result.band}, not found by meaning`
          : `${result.band}, cosine ${format.fixed(result.relevance, 3)}`
      ]
    ],
    [
      'Freshness',
      [
        `written ${reading.date(why.freshness.created_at)}, ${location.age(passage, response.now)}`,
        quiet(why.freshness.ages ? `its weight for age is ${aged(result, response)}` : 'its kind does not age')
      ]
    ],
    ['Provenance', [from.filter(Boolean).join(', ')]],
    [
      'Filed',
      [
        [passage.namespace && line(passage.namespace), ...passage.tags.map(tag => `#${line(tag)}`)]
          .filter(Boolean)
          .join(' · ')
      ]
    ]
  ];
  const rows = told
    .filter(([, content]) => content.some(Boolean))
    .flatMap(([name, content]) => [el('dt', '', {}, name), el('dd', '', {}, ...content)]);
  return el('dl', 'facts', {}, ...rows);
}

function aged(result: Result, response: SearchResponse): string {
  const shown = ledger(result, response)?.weights.find(weight => weight.name === 'age');
  return shown?.value ?? format.factor(result.why?.freshness.factor ?? 1);
}

function quiet(text: string): HTMLElement {
  return el('span', 'quiet', {}, ` — ${text}`);
}

function short(digest: string): string {
  return digest.length > 12 ? `${digest.slice(0, 4)}…${digest.slice(-4)}` : digest;
}
