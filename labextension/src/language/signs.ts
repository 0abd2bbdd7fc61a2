// Characters as Python counts them: its white space and its words are not those of a JavaScript pattern.

/** What Python's `\s` matches, for use inside a class. */
export const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

/** What Python's `\w` matches, for use inside a class. */
export const WORD = '\\p{L}\\p{N}_';

/** Han, Hiragana, Katakana, Bopomofo and Hangul as jupyter_memo/text/tokens.py has them, for use inside a class. */
export const CJK =
  '\\u1100-\\u11ff\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u3029\\u3031-\\u3035\\u3038-\\u303b\\u3041-\\u3096\\u309d-\\u309f' +
  '\\u30a1-\\u30fa\\u30fc-\\u30ff\\u3100-\\u312f\\u3131-\\u318e\\u31a0-\\u31bf\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff' +
  '\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\uff66-\\uffdc\\u{1b000}-\\u{1b16f}\\u{20000}-\\u{323af}';

/** The beginning of a name, `[^\W\d]`. */
export const NAME = `(?!\\p{Nd})[${WORD}][${WORD}]*`;

/** A pattern that matches where it is told to, and nowhere else. */
export function sticky(pattern: string, flags = ''): RegExp {
  return new RegExp(pattern, `yu${flags}`);
}

/** The match of a sticky pattern at one place. */
export function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const SPACES = sticky(`[${SPACE}]*`);

/** The first place at or behind `at` that holds no white space. */
export function skip(text: string, at: number): number {
  return at + (match(SPACES, text, at)?.[0].length ?? 0);
}

const BLANK = new RegExp(`^[${SPACE}]$`, 'u');

export function blank(sign: string | undefined): boolean {
  return sign !== undefined && BLANK.test(sign);
}
