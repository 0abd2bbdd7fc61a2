// Where a cell holds a memo magic, and what each stretch of a memo cell is.
import { GRAMMAR } from './grammar.js';
import { type Line, line } from './line.js';
import { capitals, names } from './names.js';
import { type Part, parts } from './query.js';
import { NAME, SPACE, skip } from './signs.js';

/** The kinds of stretch that look different. */
export const LOOKS = [
  'Magic',
  'Option',
  'UnknownOption',
  'OptionValue',
  'WrongValue',
  'Stray',
  'Target',
  'Sign',
  'Comment',
  'Phrase',
  'Excluded',
  'Field',
  'FieldValue',
  'WrongFieldValue',
  'Ignored',
  'Word',
  'Identifier',
  'Expansion'
] as const;

export type Look = (typeof LOOKS)[number];

export interface Stretch {
  is: Look;
  from: number;
  to: number;
}

/** A cell that `%%memo_search` begins: where its line and its query stand. */
export interface MemoCell {
  magic: { from: number; to: number };
  line: Line;
  /** Where the line ends; the query begins behind it. */
  end: number;
}

/** As IPython does: blank lines and the indentation before the magic do not count, and a blank ends its name. */
const CELL = new RegExp(`^[${SPACE}]*(%%memo_search)(?= |[${SPACE}]*(?:\\n|$))`, 'u');
const VARIABLE = new RegExp(`\\{\\{${NAME}\\}\\}`, 'gu');

/** So many UTF-16 units of a cell are read; a longer one was not typed, and is shown plain. */
export const MOST = 100_000;

export function isMemo(source: string): boolean {
  return CELL.test(source);
}

export function memoCell(source: string): MemoCell | null {
  const found = CELL.exec(source);
  if (!found) {
    return null;
  }
  const to = found[0].length;
  const at = source.indexOf('\n', to);
  const end = at < 0 ? source.length : at;
  return {
    magic: { from: to - found[1].length, to },
    line: line(source, to, end, GRAMMAR.magics.memo_search, 'options'),
    end
  };
}

/** The stretches of a memo cell, in order, none over another; nothing for another cell. */
export function stretches(source: string): Stretch[] {
  const cell = source.length > MOST ? null : memoCell(source);
  if (!cell) {
    return [];
  }
  return [{ is: 'Magic', ...cell.magic }, ...ofLine(cell.line, source), ...ofQuery(source, cell.end)];
}

function ofLine({ segments }: Line, source: string): Stretch[] {
  return segments.flatMap((segment): Stretch[] => {
    const { from, to, bad } = segment;
    switch (segment.is) {
      case 'option':
        return [{ is: bad ? 'UnknownOption' : 'Option', from, to }];
      case 'value':
        return [{ is: bad ? 'WrongValue' : 'OptionValue', from, to }];
      case 'target': {
        const sign = source.lastIndexOf('<<', to);
        return [
          { is: 'Target', from, to: source.slice(from, sign).trimEnd().length + from },
          { is: 'Sign', from: sign, to }
        ];
      }
      case 'end':
        return [{ is: 'Sign', from, to }];
      case 'comment':
        return [{ is: 'Comment', from, to }];
      default:
        return [{ is: 'Stray', from, to }];
    }
  });
}

function ofQuery(source: string, from: number): Stretch[] {
  const read = parts(source, skip(source, from));
  const words = read.filter(part => part.is === 'word' || part.is === 'phrase');
  const meant = capitals(words.map(part => source.slice(part.from, part.to)).join(' '));
  return read.flatMap(part => expanded(ofPart(part, source, meant), part, source));
}

function ofPart(part: Part, source: string, meant: boolean): Stretch[] {
  const { from, to } = part;
  switch (part.is) {
    case 'word': {
      const found = names(source.slice(from, to), meant);
      const ends = [0, ...found.map(name => name.to)];
      return ends.flatMap((end, at): Stretch[] => {
        const name = found[at];
        const word: Stretch = { is: 'Word', from: from + end, to: name ? from + name.from : to };
        return name ? [word, { is: 'Identifier', from: from + name.from, to: from + name.to }] : [word];
      });
    }
    case 'phrase':
      return [{ is: 'Phrase', from, to }];
    case 'ignored':
      return [{ is: 'Ignored', from, to }];
    case 'exclusion':
      return [
        { is: 'Sign', from, to: source.slice(from, part.sign).trimEnd().length + from },
        { is: 'Excluded', from: part.sign, to }
      ];
    case 'field':
      return [
        { is: 'Field', from, to: part.sign },
        // what a variable stands for is not known here
        ...part.values.map(({ from, to, text, bad }): Stretch => {
          const wrong = bad && text.search(VARIABLE) < 0;
          return { is: wrong ? 'WrongFieldValue' : 'FieldValue', from, to };
        })
      ];
  }
}

/** The same stretches with each `{{name}}` cut out of them as one of its own. */
function expanded(found: Stretch[], part: Part, source: string): Stretch[] {
  let left = found;
  for (const variable of source.slice(part.from, part.to).matchAll(VARIABLE)) {
    const from = part.from + variable.index;
    const to = from + variable[0].length;
    left = left.flatMap(stretch => [
      { ...stretch, to: Math.min(stretch.to, from) },
      { ...stretch, from: Math.max(stretch.from, to) }
    ]);
    left.push({ is: 'Expansion', from, to });
  }
  return left.filter(stretch => stretch.to > stretch.from).sort((one, other) => one.from - other.from);
}
