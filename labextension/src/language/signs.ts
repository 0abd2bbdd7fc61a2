// Characters as Python counts them: its white space and its words are not those of a JavaScript pattern.

/** What Python's `\s` matches, for use inside a class. */
export const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

/** What Python's `\w` matches, for use inside a class. */
export const WORD = '\\p{L}\\p{N}_';

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
