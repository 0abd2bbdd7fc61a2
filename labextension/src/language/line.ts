// The line of a magic: its options, their values, and what is left of it. The reading of jupyter_memo/jupyter/options.py.
import type { Option } from './grammar.js';
import { blank, match, NAME, SPACE, skip, sticky, WORD } from './signs.js';

/** One thing on the line. `bad` is what the magic refuses. */
export interface Segment {
  is: 'option' | 'value' | 'end' | 'target' | 'word' | 'rest' | 'comment';
  from: number;
  to: number;
  bad: boolean;
  option?: Option;
}

/** A line taken apart. `rest` is where what follows the options begins. */
export interface Line {
  segments: Segment[];
  given: Map<Option, string[]>;
  target: string | null;
  rest: number;
}

/** What may stand on a line: a query behind the options, words among them, or options alone and a comment. */
export type Form = 'query' | 'words' | 'options';

const TOKEN = sticky(`"([^"]*)"(?=[${SPACE}]|$)|'([^']*)'(?=[${SPACE}]|$)|([^${SPACE}]+)`);
const FLAG = sticky(`--[A-Za-z][${WORD}\\-]*(?==|[${SPACE}]|$)|-[A-Za-z](?=[${SPACE}]|$)`);
const LONG = sticky(`--[A-Za-z][${WORD}\\-]*(?==|[${SPACE}]|$)`);
const TARGET = sticky(`(${NAME})[${SPACE}]*<<(?=[${SPACE}]|$)[${SPACE}]*`);
const LAST = sticky(`--(?=[${SPACE}]|$)`);
const WHOLE = new RegExp(`^[${SPACE}]*[+-]?\\p{Nd}+(?:_\\p{Nd}+)*[${SPACE}]*$`, 'u');
const VARIABLE = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

/** Takes the line apart that stands in `text` from `from` to `to`; every place found is one of the whole text. */
export function line(text: string, from: number, to: number, options: readonly Option[], form: Form): Line {
  const end = form === 'query' ? to : comment(text.slice(0, to), from);
  const read = new Reader(text.slice(0, end), options, form).read(from);
  if (end < to) {
    const at = skip(text, end);
    read.segments.push({ is: 'comment', from: at, to, bad: false });
  }
  return read;
}

/** Where the line ends before a `#` at its beginning or behind white space, outside quotes. */
function comment(text: string, from: number): number {
  let at = skip(text, from);
  while (at < text.length) {
    if (text[at] === '#') {
      let end = at;
      while (end > from && blank(text[end - 1])) {
        end -= 1;
      }
      return end;
    }
    at += match(TOKEN, text, at)?.[0].length ?? text.length;
    at = skip(text, at);
  }
  return text.length;
}

class Reader {
  private readonly segments: Segment[] = [];
  private readonly given = new Map<Option, string[]>();
  private target: string | null = null;

  constructor(
    private readonly text: string,
    private readonly options: readonly Option[],
    private readonly form: Form
  ) {}

  read(from: number): Line {
    const { text } = this;
    let words = 0;
    let at = this.named(skip(text, from));
    while (at < text.length) {
      if (match(LAST, text, at)) {
        this.add('end', at, at + 2);
        at = skip(text, at + 2);
        break;
      }
      const flag = match(FLAG, text, at);
      if (flag) {
        at = skip(text, this.option(flag[0], at));
        continue;
      }
      if (this.target === null && words === 0) {
        const behind = this.named(at);
        if (behind > at) {
          at = behind;
          continue;
        }
      }
      const word = this.form === 'query' ? null : match(TOKEN, text, at);
      if (!word) {
        break;
      }
      this.add('word', at, at + word[0].length, this.form === 'options');
      words += 1;
      at = skip(text, at + word[0].length);
    }
    if (at < text.length) {
      this.add('rest', at, text.length, this.form === 'options');
    }
    return { segments: this.segments, given: this.given, target: this.target, rest: at };
  }

  private add(is: Segment['is'], from: number, to: number, bad = false, option?: Option): Segment {
    const made = { is, from, to, bad, ...(option && { option }) };
    this.segments.push(made);
    return made;
  }

  private named(at: number): number {
    const found = match(TARGET, this.text, at);
    if (!found) {
      return at;
    }
    this.target = found[1];
    this.add('target', at, at + found[0].trimEnd().length);
    return at + found[0].length;
  }

  /** The option at this place and its value. Returns where they end. */
  private option(flag: string, at: number): number {
    const { text } = this;
    const option = this.options.find(one => one.flags.includes(flag));
    const behind = at + flag.length;
    const attached = text[behind] === '=';
    const segment = this.add('option', at, behind, !option, option);
    if (!option?.metavar) {
      segment.bad ||= attached;
      if (option && !attached) {
        this.given.set(option, []);
      }
      // what is attached to an option that takes nothing is no word of its own
      return attached ? behind + (match(TOKEN, text, behind)?.[0].length ?? 1) : behind;
    }
    const start = attached ? behind + 1 : skip(text, behind);
    const found = match(TOKEN, text, start);
    const bare = found?.[3];
    if (!found || (bare !== undefined && !attached && (bare === '--' || match(LONG, bare, 0)))) {
      segment.bad = true;
      return attached ? start : behind;
    }
    const open = bare !== undefined && /^["']/u.test(bare) && !bare.slice(1).includes(bare[0]);
    const value = found[1] ?? found[2] ?? found[3];
    const end = start + found[0].length;
    this.add('value', start, end, open || refused(value, option), option);
    this.given.set(option, option.many ? [...(this.given.get(option) ?? []), value] : [value]);
    return end;
  }
}

function refused(value: string, option: Option): boolean {
  if (option.closed && !option.choices.includes(value)) {
    return true;
  }
  return (option.reads === 'whole' && !WHOLE.test(value)) || (option.reads === 'name' && !VARIABLE.test(value));
}
