// The arithmetic of one result, ready to show: votes, their sum, the weights, the score. What is shown adds up. The
// same rules and words as jupyter_memo/render/ledger.py.
import * as format from './format.js';
import { line } from './visible.js';
import type { Result, SearchResponse, Vote } from './wire.js';

export const ARMS = ['keyword', 'exact', 'semantic', 'fact', 'entity', 'graph'] as const;
export type Arm = (typeof ARMS)[number];
export const LETTERS: Record<Arm, string> = {
  keyword: 'K',
  exact: 'X',
  semantic: 'S',
  fact: 'F',
  entity: 'E',
  graph: 'G'
};

/** Scales whose votes may come from ranks: rank fusion itself, and rerankers that run after it. */
const QUOTIENTS = ['rrf', 'rerank', 'signals'];
const SHARES: Record<string, string> = {
  minmax: 'weight × (raw − low) ÷ (high − low)',
  evidence: 'weight × evidence',
  weighted_max: 'weight × share',
  signals: 'weight × signal'
};

/** One row: an arm with its rank, raw value, unit, formula and contribution, or a weight with its reason. */
export interface Line {
  name: string;
  rank: string;
  raw: string;
  unit: string;
  formula: string;
  value: string;
}

/**
 * All rows of one result. `votes` add up to `fused` (or to `score` when nothing follows); `fused` or `rerank` times the
 * `weights` is `score`. What does not apply is an empty string.
 */
export interface Ledger {
  formula: string;
  votes: (Line & { name: Arm })[];
  fused: string;
  rerank: string;
  weights: Line[];
  score: string;
}

/** The rows of one result; null when it carries no reasons or nothing was scored. */
export function ledger(result: Result, response: SearchResponse): Ledger | null {
  const why = result.why;
  const scale = response.score_scale;
  if (why === null || scale === 'none') {
    return null;
  }
  const votesScale = native(response);
  const digits = format.explainDigits(scale);
  const voteDigits = scale === 'rerank' ? format.explainDigits('rrf') : digits;
  const base = why.rerank ?? why.fused;
  const follows = why.rerank !== null || why.weights.length > 0 || !same(why.fused, why.final);
  const factors = why.weights.map(weight => weight.factor);
  const [written, shown, score] = format.product(base, factors, why.final, digits);
  const fused = why.rerank === null ? written : format.fixed(why.fused, voteDigits);
  const votes = [...why.arms].sort((one, other) => ARMS.indexOf(one.arm) - ARMS.indexOf(other.arm));
  const values = format.parts(
    votes.map(vote => vote.contribution),
    fused
  );
  const k = constant(response);
  return {
    formula: k === null ? (SHARES[votesScale] ?? 'weight') : `weight ÷ (${k} + rank)`,
    votes: votes.map((vote, at) => row(vote, values[at], votesScale, k)),
    fused: follows ? fused : '',
    rerank: why.rerank === null ? '' : written,
    weights: why.weights.map((weight, at) => ({
      name: weight.name,
      rank: '',
      raw: weight.name === 'age' ? format.fixed(why.freshness.age_days, 0) : '',
      unit: weight.name === 'age' ? 'days' : line(weight.detail),
      formula: '',
      value: shown[at]
    })),
    score
  };
}

/** The scale of the votes: that of each surface by itself where several were merged. */
export function native(response: SearchResponse): string {
  return response.legs.length > 0 ? response.legs[0].scale : response.score_scale;
}

/** `chat 0.281`: the surface of a result, and its score there; nothing where the list is one. */
export function home(result: Result, response: SearchResponse): string {
  return result.native === null ? '' : `${result.passage.surface} ${format.score(result.native, native(response))}`;
}

/** Words of the query that the passage holds, each once. */
export function matched(result: Result): string[] {
  return [...new Set((result.why?.arms ?? []).flatMap(vote => vote.matched_terms.map(line)))];
}

/** Where rank fusion alone would put it; nothing where that is not known. */
export function byRanks(result: Result): string {
  const why = result.why;
  if (why === null || why.rrf_rank === null) {
    return '';
  }
  const before = why.weights.length > 0 ? ', before age,' : '';
  return `By rank fusion alone${before} it would stand ${format.ordinal(why.rrf_rank)}.`;
}

/** One entry an arm: the rank it gave, or null where it did not find the passage. */
export function ranks(result: Result): Map<Arm, number | null> {
  const found = new Map<Arm, number | null>((result.why?.arms ?? []).map(vote => [vote.arm, vote.rank]));
  return new Map(ARMS.map(arm => [arm, found.get(arm) ?? null]));
}

/** The share of each arm of the final score: contributions times what follows, so that they add up to it. */
export function shares(result: Result): { arm: Arm; share: number }[] {
  const why = result.why;
  if (why === null || why.rerank !== null || why.fused <= 0) {
    return [];
  }
  return why.arms
    .filter(vote => vote.contribution > 0)
    .sort((one, other) => ARMS.indexOf(one.arm) - ARMS.indexOf(other.arm))
    .map(vote => ({ arm: vote.arm, share: vote.contribution / why.fused }));
}

function row(vote: Vote, value: string, scale: string, k: number | null): Line & { name: Arm } {
  let formula = format.weight(vote.weight);
  if (vote.rank !== null && k !== null) {
    formula = `${formula} ÷ ${k + vote.rank}`;
  } else if (!vote.contribution) {
    formula = '';
  } else if (scale in SHARES) {
    const share = vote.weight ? vote.contribution / vote.weight : 0;
    formula = `${formula} × ${format.fixed(share, format.explainDigits(scale))}`;
  }
  return {
    name: vote.arm,
    rank: vote.rank === null ? format.NOTHING : format.count(vote.rank),
    raw: format.raw(vote.raw, vote.raw_kind),
    unit: format.UNITS[vote.raw_kind] + (vote.model ? ` by ${vote.model}` : ''),
    formula,
    value
  };
}

function same(one: number, other: number): boolean {
  const off = Math.abs(one - other);
  return off <= 1e-8 || off <= 1e-9 * Math.max(Math.abs(one), Math.abs(other));
}

/** The k of reciprocal rank fusion, read off the votes; null when any vote disagrees. See `_k` in ledger.py. */
function constant(response: SearchResponse): number | null {
  if (!QUOTIENTS.includes(native(response))) {
    return null;
  }
  const found = new Set<number>();
  for (const vote of response.results.flatMap(result => result.why?.arms ?? [])) {
    if (vote.rank === null || !vote.contribution) {
      continue;
    }
    const k = vote.weight / vote.contribution - vote.rank;
    const whole = Math.round(k);
    if (k < 0.5 || Math.abs(k - whole) > Math.max(1e-3, 1e-9 * Math.max(Math.abs(k), whole))) {
      return null;
    }
    found.add(whole);
  }
  return found.size === 1 ? [...found][0] : null;
}
