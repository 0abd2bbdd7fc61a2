// Filters over the results that are shown. A chip takes its results away or brings them back at once; it never searches.
import type { Child } from './dom.js';
import { button, el, spaced, vary } from './dom.js';
import { line } from './visible.js';
import type { Result, SearchResponse } from './wire.js';

/** Chips of one facet beyond which the rest stand behind a button. */
const CHIPS = 8;
/** Characters of a chip; all of them stand in its title. */
const LABEL = 40;
const MONTHS_MOST = 18;
const UNTAGGED = '';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export interface Value {
  value: string;
  label: string;
  count: number;
}

export interface Facet {
  name: 'kind' | 'namespace' | 'tag' | 'folder' | 'date';
  values: Value[];
  of(result: Result): string[];
}

/** The facets that tell results apart: those with at least two values, in an order of their own. */
export function facets(response: SearchResponse): Facet[] {
  const results = response.results;
  const folder = foldered(results.map(result => line(result.passage.uri)));
  const dated = bucketed(results);
  const all: Facet[] = [
    facet('kind', results, result => [result.passage.kind]),
    facet(
      'namespace',
      results,
      result => [line(result.passage.namespace)],
      value => value || 'none'
    ),
    facet('tag', results, tags, value => (value === UNTAGGED ? 'no tag' : `#${value}`)),
    facet(
      'folder',
      results,
      result => [folder(line(result.passage.uri))],
      value => value || './'
    ),
    { name: 'date', values: dated.values, of: result => [dated.of(result)] }
  ];
  const groupings = new Set<string>();
  return all.filter(found => {
    const many = found.values.filter(value => value.count > 0).length > 1;
    const grouping = partition(found, results);
    const seen = groupings.has(grouping);
    groupings.add(grouping);
    return many && !seen;
  });
}

/** Which results a facet keeps together, whatever it calls them: a facet that repeats another one says nothing new. */
function partition(found: Facet, results: readonly Result[]): string {
  const numbers = new Map<string, number>();
  const number = (value: string) => {
    numbers.set(value, numbers.get(value) ?? numbers.size);
    return numbers.get(value);
  };
  return results.map(result => found.of(result).map(number).join('+')).join(' ');
}

function facet(
  name: Facet['name'],
  results: readonly Result[],
  of: (result: Result) => string[],
  label: (value: string) => string = value => value
): Facet {
  const counts = new Map<string, number>();
  for (const value of results.flatMap(of)) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const values = [...counts]
    .map(([value, count]) => ({ value, label: label(value), count }))
    .sort((one, other) => Number(one.value === '') - Number(other.value === '') || other.count - one.count);
  return { name, values, of };
}

function tags(result: Result): string[] {
  const found = [...new Set(result.passage.tags.map(line))].filter(Boolean);
  return found.length > 0 ? found : [UNTAGGED];
}

/** The first folder of a path below the one that all paths share, with a slash: `notes/`. */
function foldered(uris: readonly string[]): (uri: string) => string {
  const split = uris.map(uri => uri.split('/').slice(0, -1));
  let depth = 0;
  while (split.length > 0 && split.every(parts => parts.length > depth && parts[depth] === split[0][depth])) {
    depth += 1;
  }
  return uri => {
    const next = uri.split('/').slice(0, -1)[depth];
    return next === undefined ? '' : `${next}/`;
  };
}

/** Months from the first to the last, with the empty ones between; years where those would be too many. */
function bucketed(results: readonly Result[]): { values: Value[]; of: (result: Result) => string } {
  const month = (result: Result) => new Date(result.passage.created_at).toISOString().slice(0, 7);
  const found = results.map(month).sort();
  if (found.length === 0) {
    return { values: [], of: month };
  }
  const between = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const number = (key: string) => Number(key.slice(0, -3)) * 12 + Number(key.slice(-2)) - 1;
  const [first, last] = [number(found[0]), number(found[found.length - 1])];
  const yearly = last - first >= MONTHS_MOST;
  const of = yearly ? (result: Result) => month(result).slice(0, -3) : month;
  const keys = yearly
    ? [...new Set(found.map(key => key.slice(0, -3)))]
    : between(first, last).map(at => `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`);
  const values = keys.map(value => ({
    value,
    label: yearly ? value : `${MONTHS[Number(value.slice(-2)) - 1]} ${value.slice(0, -3)}`,
    count: results.filter(result => of(result) === value).length
  }));
  return { values, of };
}

/** The bar of chips; nothing where no facet tells results apart and nothing of the query can be taken back. */
export function bar(found: readonly Facet[], fields: readonly string[], researchable: boolean): HTMLElement | null {
  const typed = researchable ? fields : [];
  if (found.length === 0 && typed.length === 0) {
    return null;
  }
  return el(
    'div',
    'filters',
    {},
    ...found.flatMap(entry => [entry.name === 'date' ? months(entry) : chips(entry), ' ']),
    typed.length > 0 &&
      el(
        'span',
        'facet',
        { role: 'group', 'aria-label': 'from the query' },
        ...typed.map(field =>
          button(
            'chip jp-mod-query',
            'drop',
            { 'data-value': field, title: 'from the query; remove and search again' },
            `${line(field)} ×`
          )
        )
      )
  );
}

function chips(entry: Facet): HTMLElement {
  const spoken = entry.name === 'namespace' || entry.name === 'folder';
  const drawn = entry.values.map((value, at) =>
    button(
      'chip',
      'chip',
      {
        'aria-pressed': 'true',
        'data-facet': entry.name,
        'data-value': value.value,
        title: `${value.label}: hide these; with Shift, show only these`,
        hidden: at >= CHIPS
      },
      value.label.length > LABEL ? `${value.label.slice(0, LABEL)}…` : value.label,
      ' ',
      el('i', '', {}, String(value.count))
    )
  );
  const more = entry.values.length - CHIPS;
  return el(
    'span',
    'facet',
    { role: 'group', 'aria-label': entry.name },
    ...spaced(
      spoken && el('span', 'facetName', {}, entry.name),
      ...drawn,
      more > 0 && button('link', 'chips', {}, `${more} more`)
    )
  );
}

function months(entry: Facet): HTMLElement {
  const most = Math.max(...entry.values.map(value => value.count));
  const bars: Child[] = entry.values.map(value =>
    value.count === 0
      ? vary(el('i'), { '--v': 0 })
      : button(
          'month',
          'chip',
          {
            'aria-pressed': 'true',
            'data-facet': 'date',
            'data-value': value.value,
            'aria-label': `${value.label}: ${value.count}`,
            title: `${value.label}: ${value.count}. Hide these; with Shift, show only these`
          },
          vary(el('i'), { '--v': value.count / most })
        )
  );
  const [first, last] = [entry.values[0].label, entry.values[entry.values.length - 1].label];
  const year = first.slice(-4) === last.slice(-4) && first.length > 4;
  return el(
    'span',
    'facet',
    { role: 'group', 'aria-label': 'date' },
    el('span', 'months', {}, ...bars),
    el('span', 'quiet', {}, `${year ? first.slice(0, 3) : first}–${last}`)
  );
}

/** Which values are switched off. A result is shown while, in every facet, one of its values is on. */
export class Chosen {
  private readonly off = new Map<string, Set<string>>();

  constructor(private readonly found: readonly Facet[]) {}

  toggle(facet: string, value: string): void {
    const set = this.set(facet);
    if (!set.delete(value)) {
      set.add(value);
    }
  }

  /** Only this value stays on; a second time, all of them. */
  only(facet: string, value: string): void {
    const others = this.values(facet).filter(other => other !== value);
    const set = this.set(facet);
    const already = !set.has(value) && others.every(other => set.has(other));
    this.off.set(facet, new Set(already ? [] : others));
  }

  clear(): void {
    this.off.clear();
  }

  /** The values that are off, as (facet, value), and the way to have them so again. */
  kept(): [string, string][] {
    return [...this.off].flatMap(([facet, values]) => [...values].map((value): [string, string] => [facet, value]));
  }

  restore(off: readonly (readonly [string, string])[]): void {
    for (const [facet, value] of off) {
      this.values(facet).includes(value) && this.set(facet).add(value);
    }
  }

  on(facet: string, value: string): boolean {
    return !this.off.get(facet)?.has(value);
  }

  shows(result: Result): boolean {
    return this.found.every(entry => entry.of(result).some(value => this.on(entry.name, value)));
  }

  private values(facet: string): string[] {
    return this.found.find(entry => entry.name === facet)?.values.map(value => value.value) ?? [];
  }

  private set(facet: string): Set<string> {
    const set = this.off.get(facet) ?? new Set<string>();
    this.off.set(facet, set);
    return set;
  }
}
