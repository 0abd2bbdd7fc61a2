// Indexed text made safe to read: nothing in it may hide, reorder or redraw what stands around it. The same rules as
// jupyter_memo/render/visible.py; tests/golden/visible.json holds both to them.

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what this file is about
// biome-ignore-start lint/suspicious/noMisleadingCharacterClass: so are characters that join others
const TERMINAL =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\n]*?(?:\x07|\x1b\\|(?=\n)|$)|\x1b[ -/]*[0-~]|\x9b[0-?]*[ -/]*[@-~]/gu;
const LINES = /\r\n?|[\u0085\u2028\u2029\v\f]/gu;
const HIDDEN =
  /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2064\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;
const JOINER = /([^\x00-\xa0]?)([\u200c\u200d]+)(?=([^\x00-\xa0])?)/gu;
const NAMED = /[\x00-\x08\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]/gu;
const BROKEN = /[\ud800-\udfff\ufffe\uffff]/gu;
const PLAIN = /^[ -~]*$/;
// biome-ignore-end lint/suspicious/noMisleadingCharacterClass: so are characters that join others
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: control characters are what this file is about

/** The value with its line breaks and tabs, safe to show as text; line breaks become newlines. */
export function text(value: string): string {
  if (PLAIN.test(value)) {
    return value;
  }
  return value
    .replace(TERMINAL, '')
    .replace(LINES, '\n')
    .replace(HIDDEN, '')
    .replace(JOINER, (_all, before: string, joiners: string, after: string | undefined) =>
      before && after ? before + joiners[0] : before
    )
    .replace(BROKEN, '\ufffd')
    .replace(NAMED, sign => `[U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);
}

/** The value as one line: runs of white space become one space. */
export function line(value: string): string {
  return text(value).split(/\s+/u).filter(Boolean).join(' ');
}
