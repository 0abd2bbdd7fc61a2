// Names that a machine gave or reads (kappa_c, os.path, C++), as jupyter_memo/text/identifiers.py tells them from words.
import { CJK, SPACE, WORD } from './signs.js';

export interface Name {
  from: number;
  to: number;
}

const BEGIN = `(?!\\p{Nd})[${WORD}]`;
const LETTER = `(?!\\p{Nd})(?!_)[${WORD}]`;
const END = `(?![${WORD}])`;
const EDGE = `(?<![${WORD}])`;
/** Where a name begins or ends beside text of a script that puts no spaces between words. */
const FREE = `(?!(?![${CJK}])[${WORD}])`;
const LOOSE = `(?<!(?![${CJK}])[${WORD}])`;
const ADDRESS = `[^${SPACE}<>"'\`{}|\\\\^\\[\\],;]`;
const DIGITAL = `[^${SPACE}<>"'\`{}|\\\\^\\[\\],;${CJK}]`;

const TOKEN = new RegExp(
  `(?<whole>${EDGE}[A-Za-z][A-Za-z0-9+.\\-]{1,20}:\\/\\/${ADDRESS}{1,2000}` +
    `|${LOOSE}10\\.\\p{Nd}{4,9}\\/${DIGITAL}{1,200}` +
    `|(?<![${WORD}.])[A-Za-z]:[\\\\\\/][^${SPACE}<>"'\`{}|*?,;:()\\[\\]]*)` +
    `|(?<flag>(?<![${WORD}\\-.)\\]])--?${LETTER}[${WORD}\\-]*(?![${WORD}\\-]|\\.[${WORD}]))` +
    `|(?<sigil>(?<![${WORD}%@#$])(?:%{1,2}(?=${BEGIN})|@(?=${BEGIN})|#(?=[${WORD}])|\\$(?=[A-Z_]{2})))?` +
    `(?<chain>(?:(?<![${WORD}.])\\.(?=${LETTER})|(?<![${WORD}<\\/:.~\\\\])\\/(?=[${WORD}]))?` +
    `[${WORD}]+(?:(?:[.\\-\\/\\\\@&]|::|:(?![${WORD}]{1,20}:\\/\\/))[${WORD}]+)*)` +
    `(?<tail>\\+\\+${FREE}|(?<=${LOOSE}[A-Z])#${FREE}|['’](?:t|re|ve|ll|d|m)${END})?`,
  'gu'
);
const SOFT = /(?:(?!(?<!:):(?!:)|[@&]).)+/gsu;
const MIXED = new RegExp(`[${CJK}]`, 'u');
const SCRIPTS = new RegExp(`[${CJK}]+|[^${CJK}]+`, 'gu');
const BEFORE = /^[-/\\.:@&]+/u;
const BEHIND = /[-/\\.:@&]+$/u;
const LINK = new RegExp(`::|[^${WORD}]+`, 'u');
const NAMED = /:\/\/|::|[\\@]|\+\+$|#$|^10\.\d{4,9}\//u;
const PAIRS = new Set('and/or either/or he/she she/he his/her s/he yes/no on/off in/out n/a w/o'.split(' '));
const DEGREES = new Set(['ph.d', 'm.sc', 'b.sc']);

/** The names in a text, in order. `capitals` says whether capitals mean anything in it. */
export function names(text: string, capitals: boolean): Name[] {
  const found: Name[] = [];
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    const from = token.index;
    const given = token.groups as Record<string, string | undefined>;
    const to = from + token[0].length;
    if (given.whole) {
      const end = from + balanced(given.whole).length;
      named(text.slice(from, end), capitals) && found.push({ from, to: end });
      TOKEN.lastIndex = end;
      continue;
    }
    if (given.flag) {
      found.push({ from, to: from + given.flag.replace(/[-_]+$/u, '').length });
      continue;
    }
    if (!/[\p{L}\p{N}]/u.test(token[0])) {
      continue;
    }
    const chain = given.chain ?? '';
    const begin = from + (given.sigil ?? '').length;
    const parts = pieces(text, begin, begin + chain.length, to);
    const candidates = given.sigil || chain.includes('@') || parts.length === 1 ? [{ from, to }] : parts;
    found.push(...candidates.filter(one => named(text.slice(one.from, one.to), capitals)));
    if (/^['’]s(?![\p{L}\p{N}])/u.test(text.slice(to))) {
      TOKEN.lastIndex = to + 2;
    }
  }
  return found;
}

/** Whether capitals mean anything in a text: not where it has no small letter and four words or more. */
export function capitals(text: string): boolean {
  return /\p{Lowercase}/u.test(text) || text.split(new RegExp(`[${SPACE}]+`, 'u')).filter(Boolean).length < 4;
}

/**
 * The parts of a token that stand for themselves: cut at : @ &, and where scripts change. What hangs behind the chain,
 * which ends at `end`, goes with its last part.
 */
function pieces(text: string, from: number, end: number, to: number): Name[] {
  const found = [...text.slice(from, end).matchAll(SOFT)].map(({ 0: piece, index }) => ({
    from: from + index,
    to: from + index + piece.length
  }));
  const last = found.at(-1);
  if (last) {
    last.to = to;
  }
  return found.flatMap(piece => scripts(text, piece));
}

/** A part cut where Chinese, Japanese or Korean text meets other letters: ERP시스템 is ERP and 시스템. */
function scripts(text: string, part: Name): Name[] {
  const whole = text.slice(part.from, part.to);
  if (!MIXED.test(whole)) {
    return [part];
  }
  return [...whole.matchAll(SCRIPTS)].flatMap(({ 0: run, index }) => {
    const lost = BEFORE.exec(run)?.[0].length ?? 0;
    const kept = run.replace(BEHIND, '').length;
    return kept > lost ? [{ from: part.from + index + lost, to: part.from + index + kept }] : [];
  });
}

function named(token: string, meant: boolean): boolean {
  if (/^[%@#$]/u.test(token)) {
    return [...token.replace(/^[%@#$]+/u, '')].length > 1;
  }
  if (NAMED.test(token)) {
    return true;
  }
  const linked = token.split(LINK).filter(Boolean);
  return linked.length > 1 || /^[./]/u.test(token) ? compound(token, linked) : single(token, meant);
}

function compound(token: string, linked: string[]): boolean {
  if (/['’]/u.test(token) || !/\p{L}/u.test(token)) {
    return token.split('.').length > 2 && !/[/-]/u.test(token);
  }
  if (linked.some(part => single(part, false))) {
    return true;
  }
  if (token.includes('/')) {
    return !PAIRS.has(token.toLowerCase()) && !/^\p{Nd}+$/u.test(linked[0]);
  }
  if (token.includes('.')) {
    return linked.some(part => [...part].length > 1) && !DEGREES.has(token.toLowerCase());
  }
  return /^\p{L}/u.test(linked[0]) && /^\p{Nd}/u.test(linked[linked.length - 1]);
}

function single(word: string, meant: boolean): boolean {
  if (word.replace(/^_+|_+$/gu, '').includes('_')) {
    return true;
  }
  if (word.startsWith('_')) {
    return word.startsWith('__') || !word.endsWith('_');
  }
  const letters = [...word].filter(sign => /\p{L}/u.test(sign));
  if (letters.length === 0) {
    return false;
  }
  if (/[\p{Nd}\p{No}]/u.test(word)) {
    return /^\p{L}|^0x/iu.test(word) || /^[0-9a-f]{7,}$/iu.test(word);
  }
  if (letters.every(sign => /\p{Uppercase}/u.test(sign))) {
    return meant && letters.length >= 3;
  }
  return /\p{Lowercase}\p{Uppercase}/u.test(word);
}

/** An address without the punctuation and the closing brackets of the sentence around it. */
function balanced(token: string): string {
  let depth = 0;
  for (let at = 0; at < token.length; at += 1) {
    depth += token[at] === '(' ? 1 : token[at] === ')' ? -1 : 0;
    if (depth < 0) {
      return bare(token.slice(0, at));
    }
  }
  return bare(token);
}

function bare(token: string): string {
  return token.replace(/[.:!?*_~\\/\-(&#]+$/u, '') || token;
}
