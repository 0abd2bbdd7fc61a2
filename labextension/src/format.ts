// How every number is written: the rules of jupyter_memo/render/numbers.py, and tests/golden/numbers.json holds both to
// them. A value is rounded once, from the raw value, with exact ties going away from zero. `toFixed` works on the exact
// binary value too, but not beyond 1e21, and printed sums need whole numbers to count with: so everything is a BigInt.

export const NARROW = '\u202f';
export const MINUS = '\u2212';
/** What stands where there is no number: a rank that was not found, a stage that is off. */
export const NOTHING = '–';

const SCORE_DIGITS: Record<string, number> = { evidence: 3, bm25: 2, dense: 3 };
const RAW_DIGITS: Record<string, number> = { cosine: 3, bm25: 2, 'mention weight': 2, 'walk mass': 4 };
export const UNITS: Record<string, string> = {
  bm25: 'BM25',
  share: 'of the words',
  cosine: 'cosine',
  'mention weight': 'mention weight',
  'walk mass': 'walk mass'
};
const FACTOR_DIGITS = 4;
const FACTOR_DIGITS_MAX = 8;

/** The exact value of a number is `exact(value) / 2 ** EXACT`: no double has a bit below that. */
const EXACT = 1074n;

function exact(value: number): bigint {
  if (!Number.isFinite(value)) {
    throw new RangeError(`${value} cannot be written`);
  }
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return bits >> 63n ? -size : size;
}

/** `over / under` to the nearest whole number, ties away from zero; `under` is positive. */
function nearest(over: bigint, under: bigint): bigint {
  const size = over < 0n ? -over : over;
  const whole = (2n * size + under) / (2n * under);
  return over < 0n ? -whole : whole;
}

/** `value` in units of its last digit. */
function units(value: number, digits: number): bigint {
  return nearest(exact(value) * 10n ** BigInt(digits), 1n << EXACT);
}

function written(number: bigint, digits: number): string {
  const size = (number < 0n ? -number : number).toString().padStart(digits + 1, '0');
  const whole = size.slice(0, size.length - digits);
  return `${number < 0n ? MINUS : ''}${whole}${digits > 0 ? `.${size.slice(-digits)}` : ''}`;
}

/** `value` with exactly that many digits after the point; zero has no sign. */
export function fixed(value: number, digits: number): string {
  return written(units(value, digits), digits);
}

/** A score in a list: four digits, three for evidence and cosines, two for BM25; none has no scores. */
export function score(value: number, scale: string): string {
  return scale === 'none' ? NOTHING : fixed(value, SCORE_DIGITS[scale] ?? 4);
}

/** Digits of contributions, fused and score in an explanation: one more than in a list, four after a rerank. */
export function explainDigits(scale: string): number {
  return scale === 'rerank' ? 4 : (SCORE_DIGITS[scale] ?? 4) + 1;
}

/** An arm's own value: cosine 0.671, BM25 and mention weight 11.02, walk mass 0.0182. */
export function raw(value: number, kind: string): string {
  return fixed(value, RAW_DIGITS[kind] ?? 4);
}

function close(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-9 * Math.max(Math.abs(one), Math.abs(other));
}

/** An arm's weight, λ or gap: 0.50, with up to four digits where two would not be exact (0.1667). */
export function weight(value: number): string {
  for (const digits of [2, 3]) {
    if (close(value, Number(units(value, digits)) / 10 ** digits)) {
      return fixed(value, digits);
    }
  }
  return fixed(value, 4);
}

/** What a score is multiplied by: ×0.9728. */
export function factor(value: number, digits = FACTOR_DIGITS): string {
  return `×${fixed(value, digits)}`;
}

/** A difference of two scores, always signed: +0.0048. An exact 0 has no sign. */
export function change(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? MINUS : ''}${fixed(Math.abs(value), 4)}`;
}

/** A share of 1 as a whole per cent: 68 %. */
export function percent(share: number): string {
  return `${fixed(100 * share, 0)}${NARROW}%`;
}

/** A count, grouped from 1 000 on: 18 412. */
export function count(value: number): string {
  const size = Math.abs(Math.trunc(value)).toString();
  return (value < 0 ? MINUS : '') + size.replace(/\B(?=(?:\d{3})+$)/g, NARROW);
}

/** 1st, 2nd, 3rd, 4th, 11th. */
export function ordinal(number: number): string {
  const teens = number % 100 >= 10 && number % 100 <= 20;
  return `${count(number)}${(!teens && ['', 'st', 'nd', 'rd'][number % 10]) || 'th'}`;
}

/** A duration in the head of a list, value in milliseconds: 33 ms, from ten seconds on 12 s. */
export function ms(value: number): string {
  if (value >= 10_000) {
    return `${fixed(value / 1000, 0)}${NARROW}s`;
  }
  return value >= 0.5 ? `${fixed(value, 0)}${NARROW}ms` : `<${NARROW}1${NARROW}ms`;
}

/** A duration in the trace, in milliseconds without the unit: 32.5, below 0.05: < 0.1. */
export function traceMs(value: number): string {
  return value < 0.05 ? `<${NARROW}0.1` : fixed(value, 1);
}

/** How long an index run took, value in seconds: < 0.1 s, 0.4 s, 12 s, 3 min 5 s. */
export function seconds(value: number): string {
  if (value < 0.05) {
    return `<${NARROW}0.1${NARROW}s`;
  }
  if (value < 10) {
    return `${fixed(value, 1)}${NARROW}s`;
  }
  const whole = Number(units(value, 0));
  return whole < 60 ? `${whole}${NARROW}s` : `${Math.trunc(whole / 60)}${NARROW}min ${whole % 60}${NARROW}s`;
}

/** How long ago, in words: 19 days (under 60), 4 months (under 700 days), 3 years. A month has 30.44 days. */
export function age(days: number): string {
  if (days < 1) {
    return 'today';
  }
  if (days < 60) {
    return ago(days, 'day');
  }
  return days < 700 ? ago(days / 30.44, 'month') : ago(days / 365.25, 'year');
}

function ago(value: number, unit: string): string {
  const number = units(value, 0);
  return `${number} ${unit}${number === 1n ? '' : 's'} ago`;
}

/**
 * `values` with as many digits as `total`, so that they add up to it as printed: where the values rounded on their own
 * miss it, the part with the largest remainder takes the last digit (the first of equals), then the next. A part that
 * is exactly 0 takes none while another can.
 */
export function parts(values: readonly number[], total: string): string[] {
  const [whole, after = ''] = total.replace(MINUS, '-').split('.');
  const digits = after.length;
  const scale = 10n ** BigInt(digits);
  const goal = BigInt(whole + after);
  const rounded = values.map(value => units(value, digits));
  const missing = goal - rounded.reduce((sum, value) => sum + value, 0n);
  const step = missing > 0n ? 1n : -1n;
  const leftOver = values.map((value, at) => (exact(value) * scale - (rounded[at] << EXACT)) * step);
  const all = values.map((_, at) => at);
  const able = values.some(value => value !== 0) ? all.filter(at => values[at] !== 0) : all;
  const order = able.sort((one, other) =>
    leftOver[one] === leftOver[other] ? one - other : leftOver[one] > leftOver[other] ? -1 : 1
  );
  if (order.length > 0) {
    const often = missing < 0n ? -missing : missing;
    const each = often / BigInt(order.length);
    const rest = Number(often % BigInt(order.length));
    order.forEach((at, place) => {
      rounded[at] += step * (each + (place < rest ? 1n : 0n));
    });
  }
  return rounded.map(value => written(value, digits));
}

/**
 * base × factors = result, so that multiplying what is printed gives the printed result to its last digit: where the
 * rounded base misses it, its neighbour stands in, and where that is not enough the factors show more digits.
 */
export function product(
  base: number,
  factors: readonly number[],
  result: number,
  digits: number
): [string, string[], string] {
  const shown = units(result, digits);
  const plain = units(base, digits);
  const above = exact(base) * 10n ** BigInt(digits) > plain << EXACT;
  for (let places = FACTOR_DIGITS; places <= FACTOR_DIGITS_MAX; places += 1) {
    const all = factors.map(value => units(value, places)).reduce((made, value) => made * value, 1n);
    const under = 10n ** BigInt(places * factors.length);
    for (const candidate of [plain, above ? plain + 1n : plain - 1n]) {
      if (nearest(candidate * all, under) === shown) {
        return [written(candidate, digits), factors.map(value => factor(value, places)), written(shown, digits)];
      }
    }
  }
  return [written(plain, digits), factors.map(value => factor(value)), written(shown, digits)];
}
