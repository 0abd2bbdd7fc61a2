import { describe, expect, test } from 'vitest';
import * as format from '../src/format.js';
import { line, text } from '../src/visible.js';
import { file } from './golden.js';

interface Case {
  rule: string;
  given: unknown[];
  shown: unknown;
}

const CASES: Case[] = JSON.parse(file('numbers.json'));
const NAMES: Record<string, string> = { trace_ms: 'traceMs', explain_digits: 'explainDigits' };
const RULES = format as unknown as Record<string, (...given: unknown[]) => unknown>;

describe('the golden table', () => {
  test.each(CASES)('$rule $given is $shown', ({ rule, given, shown }) => {
    expect(RULES[NAMES[rule] ?? rule](...given)).toEqual(shown);
  });
});

/** Whole numbers of the last digit, so that sums are exact. */
function digits(text: string): bigint {
  return BigInt(text.replace(format.MINUS, '-').replace('.', ''));
}

function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    yield state / 4_294_967_296;
  }
}

test('printed parts add up to the printed sum', () => {
  const random = numbers(7);
  for (let round = 0; round < 300; round += 1) {
    const values = Array.from({ length: 1 + (round % 6) }, () => random.next().value * 0.02);
    const total = format.fixed(
      values.reduce((sum, value) => sum + value, 0),
      5
    );
    const sum = format.parts(values, total).reduce((made, part) => made + digits(part), 0n);
    expect(sum).toBe(digits(total));
  }
});

test('the printed product gives the printed score', () => {
  const random = numbers(11);
  for (let round = 0; round < 300; round += 1) {
    const fused = 0.0001 + random.next().value * 0.06;
    const factor = 0.5 + random.next().value / 2;
    const [base, [shown], score] = format.product(fused, [factor], Number((fused * factor).toFixed(9)), 5);
    const places = shown.length - 3;
    const exact = digits(base) * digits(shown.slice(1));
    const half = 10n ** BigInt(places) / 2n;
    expect((exact + half) / (2n * half)).toBe(digits(score));
  }
});

test('what is not a number is refused', () => {
  expect(() => format.fixed(Number.NaN, 2)).toThrow(RangeError);
});

describe('visible text', () => {
  const cases: { given: string; text: string; line: string }[] = JSON.parse(file('visible.json'));
  test.each(cases)('is the same as in Python: $line', ({ given, text: shown, line: flat }) => {
    expect(text(given)).toBe(shown);
    expect(line(given)).toBe(flat);
  });
});
