// What a response says as a whole, in sentences and rows: the same words as jupyter_memo/render/reading.py.
import * as format from './format.js';
import type { Arm } from './ledger.js';
import { ARMS } from './ledger.js';
import { DOT, place } from './location.js';
import { line } from './visible.js';
import type { Result, SearchResponse, StageTrace } from './wire.js';

/** Stages that stand before the arms in the trace; they count no candidates. */
const BEFORE_ARMS = ['sync', 'plan', 'scope'];

/** One row of how a list was made: a stage or an arm, how many it left and took away, when and how long, a note. */
export interface Step {
  name: string;
  arm: Arm | null;
  ran: boolean;
  left: string;
  gone: string;
  ms: string;
  note: string;
  startMs: number;
  tookMs: number;
}

/** Characters of a query that head its list: some eight lines. */
const QUERY_LONGEST = 600;

/** The query as typed, in one line; of one as long as a page the beginning. */
export function query(response: SearchResponse): string {
  const whole = line([...response.query].slice(0, 2 * QUERY_LONGEST).join(''));
  const signs = [...whole];
  return signs.length <= QUERY_LONGEST ? whole : `${signs.slice(0, QUERY_LONGEST - 1).join('')}…`;
}

/** The other wordings of the question that had a vote; empty where there are none. */
export function also(response: SearchResponse): string {
  const wordings = response.queries.map(each => line([...each].slice(0, QUERY_LONGEST).join(''))).join('; ');
  return wordings ? `Also asked: ${wordings}` : '';
}

/** What each surface gave, where several were searched apart and merged, a sentence each. */
export function legs(response: SearchResponse): string[] {
  return response.legs.map(leg => {
    const parts = [`${format.count(leg.merged)} of ${format.count(leg.found)} in the list`];
    if (leg.shown !== leg.merged) {
      parts.push(`${format.count(leg.shown)} here`);
    }
    if (leg.best !== null) {
      parts.push(`best ${format.score(leg.best, leg.scale)}`);
    }
    if (leg.nearest !== null) {
      parts.push(`nearest cosine ${format.fixed(leg.nearest, 2)}`);
    }
    if (leg.floor !== null && leg.found) {
      parts.push(`by meaning alone from cosine ${format.fixed(leg.floor, 2)}`);
    }
    if (leg.note) {
      parts.push(line(leg.note));
    }
    return `${leg.surface}: ${leg.found ? parts.join(', ') : leg.note}.`;
  });
}

/** How much of the list this page is: `7 of 44`, `11–20 of 44`, `10 of 61 or more`, `no result`. */
export function shown(response: SearchResponse): string {
  const size = response.results.length;
  if (size === 0) {
    return 'no result';
  }
  const first = response.offset + 1;
  const page = first === 1 ? format.count(size) : `${format.count(first)}–${format.count(response.offset + size)}`;
  return `${page} of ${format.count(response.total)}${response.total_mode === 'exact' ? '' : ' or more'}`;
}

/** What ran: `hybrid`, `keyword only`, or what is missing when something failed: `without semantic`. */
export function mode(response: SearchResponse): string {
  if (!response.degraded.flag) {
    return response.mode_effective.replaceAll('_', ' ');
  }
  const gone = missing(response);
  return gone ? `without ${gone}` : 'incomplete';
}

/** The rest of the line under the query: profile and index version, then what is out of the ordinary. */
export function run(response: SearchResponse): [string, string][] {
  const trace = response.trace;
  const told: [string, string][] = [
    ['profile ', line(trace.profile)],
    [`index ${trace.index_version}`, '']
  ];
  if (trace.as_of !== null) {
    told.push([`as of ${date(trace.as_of)}`, '']);
  }
  if (trace.synced) {
    told.push([`${format.count(trace.synced)} changed file${trace.synced === 1 ? '' : 's'} read first`, '']);
  }
  if (response.score_scale === 'rerank') {
    told.push(['scale rerank', '']);
  }
  return told;
}

/** What a reader must know before the list, as (what, what it means, whether it is a fault): degraded, flat page. */
export function notes(response: SearchResponse): { what: string; means: string; fault: boolean }[] {
  const told = [];
  if (response.degraded.flag) {
    const gone = missing(response);
    const what = gone ? `Searched without the ${gone} arm.` : 'This search is incomplete.';
    told.push({ what, means: line(response.degraded.reason), fault: true });
  }
  const cosines = response.results.map(result => result.relevance).filter(value => value !== null);
  if (response.shape.flat_page && cosines.length > 0) {
    const low = format.fixed(Math.min(...cosines), 2);
    const high = format.fixed(Math.max(...cosines), 2);
    const means =
      `The ${cosines.length} cosines lie between ${low} and ${high}, as they do for a subject these notes do not ` +
      'cover. Read the ranks with doubt, or name something the notes would name' +
      (response.words_to_try.length > 0 ? ` (they use ${words(response)}).` : '.');
    told.push({ what: 'A flat page.', means, fault: false });
  }
  return told;
}

/** Sentences of jupyter_memo/text that say a query was not taken as it was typed. */
export const MISREAD: readonly string[] = [
  'It was looked for as words.',
  'was ignored: a field says what is wanted, not what is left out.',
  'Of fields the first',
  'The query is long: its first',
  'since: is not before before:, so nothing can match.'
];

/** Hints that say so: they stand above the list, which answers another query than was meant. */
export function misread(response: SearchResponse): string[] {
  return hints(response).filter(isMisread);
}

/** The other hints of the search itself, as they came. */
export function remarks(response: SearchResponse): string[] {
  return hints(response).filter(hint => !isMisread(hint));
}

function hints(response: SearchResponse): string[] {
  return response.hints.filter(hint => hint.trim()).map(line);
}

function isMisread(hint: string): boolean {
  return MISREAD.some(told => hint.includes(told));
}

/** Why the list ends where it ends, sentence by sentence: the gap with its two numbers, the budget, the next page. */
export function ending(response: SearchResponse): { bold: string; rest: string }[] {
  const told = [];
  const { cutoff, budget } = response.trace;
  const last = response.offset + response.results.length;
  if (cutoff !== null && response.results.length > 0 && cutoff.index === last) {
    const cause = cutoff.cause ? `, and ${line(cutoff.cause)}.` : '.';
    told.push({
      bold: 'The list ends here:',
      rest:
        ` the next result scores ${format.score(cutoff.next_score, response.score_scale)}, ` +
        `${format.percent(cutoff.drop)} below result ${cutoff.index} (limit: ${format.percent(cutoff.gap)})${cause}`
    });
  }
  if (budget.left_out && budget.max_tokens !== null) {
    const most = format.count(budget.max_tokens);
    told.push({ bold: '', rest: `${format.count(budget.left_out)} more did not fit the budget of ${most} tokens.` });
  }
  const beyond = response.truncated - budget.left_out;
  if (beyond > 0) {
    const follow = beyond === 1 ? 'follows' : 'follow';
    told.push({ bold: '', rest: `${format.count(beyond)} more ${follow} from offset ${last} on.` });
  }
  return told;
}

/** What heads the text beside the best passage of a document. */
export const AROUND = 'Around it in the document: context, not a match';

/** The text beside the best passage of a document, as (side, text). */
export function around(result: Result): [string, string][] {
  const sides: [string, string][] = [
    ['before it', result.before],
    ['after it', result.after]
  ];
  return sides.filter(([, text]) => text.trim());
}

/** `2 more like this`; nothing where nothing is folded below it. */
export function folded(result: Result): string {
  return result.folded.length > 0 ? `${format.count(result.folded.length)} more like this` : '';
}

/** What is folded below a result, as (where, place in it, how alike and its score). */
export function folds(result: Result, response: SearchResponse): [string, string, string][] {
  return result.folded.map(each => {
    const title = line(each.title);
    // What is not the same in every word is never told to be.
    const share = each.likeness < 1 ? Math.min(each.likeness, 0.99) : 1;
    const told = [`${format.percent(share)} the same words`];
    if (each.own.length > 0) {
      told.push(`has ${each.own.map(line).join(', ')}`);
    }
    if (response.score_scale !== 'none') {
      told.push(format.score(each.score, response.score_scale));
    }
    return [line(each.uri) || title, place(each.span, title), told.join(DOT)];
  });
}

/** The filter that would shorten the list, as (before, field:value, after). */
export function narrow(response: SearchResponse): [string, string, string] | null {
  const hint = response.narrow_hint;
  if (hint === null) {
    return null;
  }
  const value = line(hint.value);
  const typed = /[ ,]/.test(value) ? `"${value}"` : value;
  const most = hint.at_most ? 'at most ' : '';
  const after = ` would leave ${most}${format.count(hint.leaves)} of ${format.count(hint.of)}.`;
  return ['To shorten the list: ', `${hint.field}:${typed}`, after];
}

/** What to say of an empty list, as (label, text): why, where it looked, what to do next. */
export function empty(response: SearchResponse): [string, string][] {
  if (response.results.length > 0) {
    return [];
  }
  const told: [string, string][] = [['Why', line(response.reason || 'Nothing in this index answers this.')]];
  const filters = response.trace.filters;
  if (filters.length > 0) {
    const [first, last] = [filters[0].left, filters[filters.length - 1].left];
    const of = first === last ? '' : ` of ${format.count(first)}`;
    told.push(['Looked in', `${format.count(last)}${of} passages`]);
  }
  if (response.words_to_try.length > 0) {
    told.push(['Words', `used near it: ${words(response)}`]);
  }
  if (response.hint) {
    told.push(['Next', line(response.hint)]);
  }
  return told;
}

/** What came nearest to an empty list, as title, path, and place with cosine; Python says it in one sentence. */
export function nearest(response: SearchResponse): { title: string; path: string; rest: string }[] {
  const misses = response.results.length > 0 ? [] : response.nearest;
  return misses.map(miss => {
    const title = line(miss.title);
    const cosine = miss.relevance === null ? '' : `cosine ${format.fixed(miss.relevance, 2)}`;
    return { title, path: line(miss.uri), rest: [place(miss.span, title), cosine].filter(Boolean).join(DOT) };
  });
}

function words(response: SearchResponse): string {
  return response.words_to_try.map(line).join(', ');
}

/** Each arm with whether it ran, and if not, why. */
export function arms(response: SearchResponse): { arm: Arm; ran: boolean; reason: string; found: number }[] {
  const traces = new Map(response.trace.arms.map(trace => [trace.arm as Arm, trace]));
  const voted = new Set(response.results.flatMap(result => (result.why?.arms ?? []).map(vote => vote.arm)));
  return ARMS.map(arm => {
    const trace = traces.get(arm);
    const ran = trace?.ran || voted.has(arm);
    return { arm, ran, reason: line(trace?.reason ?? ''), found: trace?.candidates ?? 0 };
  });
}

/** Whether any letter is shown, so that a legend has something to say. */
export function voted(response: SearchResponse): boolean {
  return response.results.some(result => result.why?.arms.some(vote => vote.rank));
}

/** The steps that did not occur though they had a place in this search, in its order, as (names, reason). */
export function unrun(response: SearchResponse): [string, string][] {
  const { stages, arms } = response.trace;
  const off = stages.filter(stage => !stage.ran);
  const told = (stage: StageTrace): [string, string] => [stage.stage, stage.note];
  return grouped([
    ...off.filter(stage => BEFORE_ARMS.includes(stage.stage)).map(told),
    ...arms.filter(arm => arm.called && !arm.ran).map((arm): [string, string] => [arm.arm, arm.reason]),
    ...off.filter(stage => !BEFORE_ARMS.includes(stage.stage)).map(told)
  ]);
}

/** The arms that the query, the mode or the index gave nothing to do, as (names, reason). */
export function uncalled(response: SearchResponse): [string, string][] {
  const spared = response.trace.arms.filter(arm => !(arm.called || arm.ran));
  return grouped(spared.map(arm => [arm.arm, arm.reason]));
}

/** Steps of one reason together. */
function grouped(steps: [string, string][]): [string, string][] {
  const reasons = new Map<string, string[]>();
  for (const [name, told] of steps) {
    const reason = line(told).replace(/\.+$/, '');
    reasons.set(reason, [...(reasons.get(reason) ?? []), line(name)]);
  }
  return [...reasons].map(([reason, names]) => [listed(names), reason]);
}

/** `fact, entity and graph`. */
export function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names[names.length - 1]].filter(Boolean).join(' and ');
}

/** How the list was made, in order: what came before the arms, the scope, the arms, the stages. */
export function steps(response: SearchResponse): Step[] {
  const { stages, filters, arms: traces } = response.trace;
  const rows = stages.map((stage): Step => {
    const early = BEFORE_ARMS.includes(stage.stage);
    return {
      name: line(stage.stage),
      arm: null,
      ran: stage.ran,
      left: early ? '' : stage.ran ? format.count(stage.after) : format.NOTHING,
      gone: early || stage.after === stage.before ? '' : format.count(stage.after - stage.before),
      ms: stage.ran ? format.traceMs(stage.ms) : format.NOTHING,
      note: line(stage.ran ? stage.note : `did not run: ${stage.note}`),
      startMs: stage.start_ms,
      tookMs: stage.ms
    };
  });
  const found = stages.findIndex(stage => !BEFORE_ARMS.includes(stage.stage));
  const middle = found < 0 ? rows.length : found;
  const between = traces.map(
    (trace): Step => ({
      name: trace.arm,
      arm: trace.arm,
      ran: trace.ran,
      left: trace.ran ? format.count(trace.candidates) : format.NOTHING,
      gone: '',
      ms: trace.ran ? format.traceMs(trace.ms) : format.NOTHING,
      note: line(trace.ran ? trace.reason : `${trace.called ? 'did not run' : 'not called for'}: ${trace.reason}`),
      startMs: trace.start_ms,
      tookMs: trace.ms
    })
  );
  if (filters.length > 0 && !stages.some(stage => stage.stage === 'scope')) {
    const [first, last] = [filters[0].left, filters[filters.length - 1].left];
    const gone = first === last ? '' : format.count(last - first);
    const note = `of ${format.count(first)} passages`;
    const at = between.find(step => step.ran)?.startMs ?? 0;
    between.unshift({
      name: 'scope',
      arm: null,
      ran: true,
      left: format.count(last),
      gone,
      ms: '',
      note,
      startMs: at,
      tookMs: 0
    });
  }
  return [...rows.slice(0, middle), ...between, ...rows.slice(middle)];
}

/** The scope predicate by predicate, as (predicate, gone, left). */
export function filters(response: SearchResponse): [string, string, string][] {
  let before: number | null = null;
  return response.trace.filters.map(entry => {
    const gone = before === null || before === entry.left ? '' : format.count(entry.left - before);
    before = entry.left;
    return [line(entry.predicate), gone, format.count(entry.left)];
  });
}

/** Under what it ran, as (label, text): the plan where no stage says it, mode, profile, model, scale, index. */
export function conditions(response: SearchResponse): [string, string][] {
  const trace = response.trace;
  const planned = trace.stages.find(stage => stage.stage === 'plan')?.note ?? '';
  const told: [string, string][] = [];
  if (trace.plan && trace.plan !== planned) {
    told.push(['Looked for', line(trace.plan)]);
  }
  told.push(['Mode', `${line(trace.mode_asked)}, run as ${line(trace.mode_run).replaceAll('_', ' ')}`]);
  told.push(['Profile', `${line(trace.profile)}, ${line(trace.profile_hash)}`]);
  if (trace.model) {
    told.push(['Model', line(trace.model)]);
  }
  if (response.score_scale !== 'none') {
    told.push(['Scale', `${response.score_scale}: scores order this list only`]);
  }
  told.push([
    'Index',
    trace.as_of === null ? `version ${trace.index_version}` : `as of ${line(trace.as_of).replace(/Z$/, '+00:00')}`
  ]);
  told.push(['Share level', response.share]);
  return told;
}

/** The day of a time: 2026-11-29. */
export function date(time: string): string {
  return time.slice(0, 10);
}

/** The arm whose absence made the search degraded: the one whose failure is the reason, else semantic. */
function missing(response: SearchResponse): string {
  const out = response.trace.arms.filter(trace => !trace.ran);
  const failed = out.find(trace => trace.reason && response.degraded.reason.includes(trace.reason));
  return failed?.arm ?? out.find(trace => trace.arm === 'semantic')?.arm ?? '';
}
