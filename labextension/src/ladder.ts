// From votes to rank: where a result stood after each stage, and who passed whom.
import { el, svg } from './dom.js';
import * as format from './format.js';
import type { Ledger } from './ledger.js';
import type { Result, SearchResponse } from './wire.js';

export const STAGES = ['fused', 'rerank', 'weigh', 'final'] as const;
type Stage = (typeof STAGES)[number];

/** At most so many results are drawn: the one in question and those around it. */
const AROUND = 4;
const WIDTH = 250;
const LEFT = 4;
const STEP = 62.5;
const ROW = 18;

/** The rank after each stage. A stage that left a result where it was may not be told: then it is as before. */
export function places(result: Result): Record<Stage, number | null> {
  const why = result.why;
  const told = new Map((why?.places ?? []).map(place => [place.stage, place.rank]));
  const fused = told.get('fused') ?? result.rank;
  const rerank = why?.rerank === null || why === null ? null : (told.get('rerank') ?? fused);
  const weigh = told.get('weigh') ?? rerank ?? fused;
  return { fused, rerank, weigh, final: result.rank };
}

/** The ladder in figures: rank, what changed it and the score it came with. */
export function rungs(result: Result, entry: Ledger): HTMLElement {
  const stood = places(result);
  const score: Record<Stage, string> = {
    fused: entry.fused || entry.score,
    rerank: entry.rerank || 'off',
    weigh: entry.score,
    final: entry.score
  };
  let before: number | null = null;
  const drawn = STAGES.map(stage => {
    const rank = stood[stage];
    if (rank === null) {
      return el('div', 'rung jp-mod-off', {}, el('b', '', {}, format.NOTHING), stage, el('br'), score[stage]);
    }
    const change = before === null ? 0 : before - rank;
    before = rank;
    const move = change === 0 ? '' : ` ${change > 0 ? '▴' : '▾'}${format.count(Math.abs(change))}`;
    return el('div', 'rung', {}, el('b', '', {}, format.count(rank)), stage + move, el('br'), score[stage]);
  });
  return el('div', 'ladder', {}, ...drawn);
}

/** The same as lines, among the results around it. Ranks that nobody in the figure had are left out of its height. */
export function standings(self: Result, response: SearchResponse): SVGElement {
  const at = response.results.indexOf(self);
  const first = Math.max(0, Math.min(at - AROUND, response.results.length - 2 * AROUND - 1));
  const shown = response.results.slice(first, first + 2 * AROUND + 1);
  const lines = shown.map(result => {
    const stood = places(result);
    const ranks: number[] = [];
    for (const stage of STAGES) {
      ranks.push(stood[stage] ?? ranks[ranks.length - 1]);
    }
    return { result, ranks };
  });
  const levels = [...new Set(lines.flatMap(line => line.ranks))].sort((one, other) => one - other);
  const y = new Map(levels.map((rank, level) => [rank, 8 + level * ROW]));
  const x = (stage: number) => LEFT + stage * STEP;
  const path = (ranks: number[]) => ranks.map((rank, stage) => `${x(stage)},${y.get(rank)}`).join(' ');
  const own = lines.find(line => line.result === self) as (typeof lines)[number];
  const off = places(self).rerank === null;
  const height = 16 + (levels.length - 1) * ROW + 4;
  return svg(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: '100%',
      role: 'img',
      'aria-label': `rank after each stage: ${STAGES.map((stage, at) => `${stage} ${own.ranks[at]}`).join(', ')}`
    },
    ...lines
      .filter(line => line !== own)
      .map(line => svg('polyline', { class: 'jp-Memo-same', points: path(line.ranks) })),
    svg('polyline', { class: 'jp-Memo-self', points: path(own.ranks) }),
    ...own.ranks.map((rank, stage) => dot(x(stage), y.get(rank) as number, off && stage === 1)),
    ...lines.map(({ result, ranks }) => {
      const rank = ranks[ranks.length - 1];
      return svg(
        'text',
        { x: x(3) + 12.5, y: (y.get(rank) as number) + 4, class: result === self ? 'jp-mod-self' : '' },
        format.count(rank)
      );
    })
  );
}

function dot(cx: number, cy: number, hollow: boolean): SVGElement {
  return svg('circle', { cx, cy, r: hollow ? 3 : 4, class: hollow ? 'jp-mod-hollow' : '' });
}
