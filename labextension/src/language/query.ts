// What a typed query asks for, part by part: the reading of jupyter_memo/text/syntax.py. A golden file that both are
// compared with holds them together.
import { GRAMMAR } from './grammar.js';
import { match, SPACE, skip, sticky } from './signs.js';

interface Place {
  from: number;
  to: number;
}

/** One value of a field, its quotes included. With one that is `bad`, the search takes the field for words. */
export interface Value extends Place {
  text: string;
  bad: boolean;
}

/** `sign` is where the sign of an exclusion ends (`-`, `NOT `), and where the name of a field ends: at its colon. */
export type Part =
  | ({ is: 'word' } & Place)
  | ({ is: 'phrase'; text: string } & Place)
  | ({ is: 'exclusion'; sign: number } & Place)
  | ({ is: 'ignored' } & Place)
  | ({ is: 'field'; name: string; sign: number; values: Value[] } & Place);

const QUOTES: Record<string, string> = { '"': '"', '“': '”', '„': '“”', '«': '»', '「': '」', '『': '』' };
const NAMES = Object.keys(GRAMMAR.fields).sort((one, other) => other.length - one.length);
const SOME = sticky(`[^${SPACE}]+`);
const FIELD = sticky(`(-?)(${NAMES.join('|')}):(?=[^${SPACE}:])`, 'i');
const VALUE = sticky(`"([^"]*)"|“([^”]*)”|([^${SPACE},]+)`);
const NOT = sticky(`NOT[${SPACE}]+(?=[^${SPACE}])`);
const ADDRESS = sticky('//|https?://');
const LETTER = /\p{L}/u;
const WORDLIKE = /[\p{L}\p{N}]/u;
const LEFT_OUT = /[\p{L}_@#$%./]/u;

/** The parts of the text from `from` on, in order. What stands between two parts is white space or a bracket. */
export function parts(text: string, from = 0): Part[] {
  return new Reader(text).read(from);
}

class Reader {
  private readonly found: Part[] = [];
  private readonly unpaired = new Set<string>();
  private shouting = false;

  constructor(private readonly text: string) {}

  read(from: number): Part[] {
    this.shouting = !/\p{Lowercase}/u.test(this.text.slice(from));
    let at = skip(this.text, from);
    while (at < this.text.length) {
      if (this.text[at] === '(' && this.text[at + 1] in QUOTES) {
        at += 1;
      }
      at = this.field(at) || this.not(at) || this.minus(at) || this.phrase(at) || this.word(at);
      at = skip(this.text, at);
    }
    return this.found;
  }

  /** A field that begins here; an ignored one where its sign stands at `sign`, before it. */
  private field(from: number, sign = from): number {
    const found = match(FIELD, this.text, from);
    let to = from + (found?.[0].length ?? 0);
    if (!found || match(ADDRESS, this.text, to)) {
      return 0;
    }
    const colon = to;
    const values: Value[] = [];
    for (let value = match(VALUE, this.text, to); value; value = match(VALUE, this.text, to)) {
      const text = value[1] ?? value[2] ?? value[3];
      values.push({ from: to, to: to + value[0].length, text, bad: false });
      to += value[0].length;
      if (this.text[to] !== ',') {
        break;
      }
      to += 1;
    }
    const meant = values.filter(value => skip(value.text, 0) < value.text.length);
    if (meant.length === 0) {
      return 0;
    }
    if (found[1] || sign < from) {
      this.found.push({ is: 'ignored', from: sign, to });
    } else {
      const name = found[2].toUpperCase().toLowerCase(); // a long s is an s
      const refused = refuses(name, meant.length);
      const judged = meant.map(value => ({ ...value, bad: refused(value.text) }));
      this.found.push({ is: 'field', name, from, to, sign: colon, values: judged });
    }
    return to;
  }

  private not(from: number): number {
    const found = this.shouting ? null : match(NOT, this.text, from);
    if (!found) {
      return 0;
    }
    const at = from + found[0].length;
    const field = match(FIELD, this.text, at);
    return (field && !field[1] && this.field(at, from)) || this.exclude(from, at);
  }

  private minus(from: number): number {
    const following = String.fromCodePoint(this.text.codePointAt(from + 1) ?? 0x20);
    if (this.text[from] !== '-' || !(following in QUOTES || LEFT_OUT.test(following))) {
      return 0;
    }
    return LETTER.test(match(SOME, this.text, from + 1)?.[0] ?? '') ? this.exclude(from, from + 1) : 0;
  }

  private exclude(from: number, at: number): number {
    const quoted = this.quoted(at);
    const word = match(SOME, this.text, at)?.[0] ?? '';
    const to = quoted ? quoted.to : WORDLIKE.test(word) ? at + word.length : 0;
    if (to) {
      this.found.push({ is: 'exclusion', from, to, sign: at });
    }
    return to;
  }

  private phrase(from: number): number {
    const quoted = this.quoted(from);
    if (quoted) {
      this.found.push({ is: 'phrase', from, ...quoted });
    }
    return quoted?.to ?? 0;
  }

  private quoted(from: number): { text: string; to: number } | null {
    const opening = this.text[from] ?? '';
    if (!(opening in QUOTES) || this.unpaired.has(opening)) {
      return null;
    }
    const ends = [...QUOTES[opening]].map(closing => this.text.indexOf(closing, from + 1)).filter(end => end >= 0);
    if (ends.length === 0) {
      this.unpaired.add(opening);
      return null;
    }
    const end = Math.min(...ends);
    return { text: this.text.slice(from + 1, end), to: end + 1 };
  }

  private word(from: number): number {
    const to = from + (match(SOME, this.text, from)?.[0].length ?? 1);
    this.found.push({ is: 'word', from, to });
    return to;
  }
}

const DATE = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/u;

/** Whether a field cannot have a value. Of dates only what is surely none counts: Python reads many forms. */
function refuses(name: string, count: number): (value: string) => boolean {
  if (GRAMMAR.dates.includes(name)) {
    return value => count > 1 || !maybeDate(value);
  }
  const { values } = GRAMMAR.fields[name];
  if (!GRAMMAR.closed.includes(values)) {
    return () => false;
  }
  const single = values === 'trust';
  return value => (single && count > 1) || !GRAMMAR.values[values].includes(tidy(value));
}

function maybeDate(value: string): boolean {
  const word = tidy(value).replace(/[.,;!?]+$/u, '');
  const found = DATE.exec(word);
  if (!found) {
    return /^(today|yesterday|\d{1,4}[dwmy]|\d{4}-?(\d\d|w\d)[-\d:.,+tzw/ ]*)$/u.test(word);
  }
  const [year, month, day] = [Number(found[1]), Number(found[2] ?? 1), Number(found[3] ?? 1)];
  // the zeroth day of the next month is the last of this one
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= new Date(year, month, 0).getDate();
}

function tidy(value: string): string {
  return value.trim().toLowerCase();
}
