// The language of a memo cell for CodeMirror: a parser that hands the reading of the cell on as a tree.
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  LanguageSupport,
  languageDataProp,
  syntaxHighlighting
} from '@codemirror/language';
import { type Input, NodeType, Parser, type PartialParse, Tree } from '@lezer/common';
import { styleTags, tags } from '@lezer/highlight';
import { LOOKS, type Look, stretches } from './cell.js';

const data = defineLanguageFacet({ closeBrackets: { brackets: ['(', '[', '{', '"'] } });

/** JupyterLab's own tags, so that every theme colours a memo cell with the colours that it has for code. */
const styles = styleTags({
  Magic: tags.keyword,
  Option: tags.attributeName,
  UnknownOption: [tags.attributeName, tags.invalid],
  OptionValue: tags.string,
  WrongValue: [tags.string, tags.invalid],
  Stray: tags.invalid,
  Target: tags.definition(tags.variableName),
  Sign: tags.operator,
  Comment: tags.comment,
  Phrase: tags.string,
  Excluded: tags.strikethrough,
  Field: tags.propertyName,
  FieldValue: tags.string,
  WrongFieldValue: [tags.string, tags.invalid],
  Ignored: tags.comment,
  Identifier: tags.monospace,
  Expansion: tags.special(tags.variableName)
});

const top = NodeType.define({ id: 0, name: 'MemoCell', top: true, props: [[languageDataProp, data]] });
const types = Object.fromEntries(
  LOOKS.map((name, at) => [name, NodeType.define({ id: at + 1, name, props: [styles] })])
) as Record<Look, NodeType>;

class MemoParser extends Parser {
  createParse(input: Input): PartialParse {
    return new Parse(input);
  }
}

/** Reads the whole cell at once: a query is short, and a quote may end lines below the one where it began. */
class Parse implements PartialParse {
  readonly stoppedAt = null;
  parsedPos = 0;

  constructor(private readonly input: Input) {}

  advance(): Tree {
    const { length } = this.input;
    const found = stretches(this.input.read(0, length));
    this.parsedPos = length;
    return new Tree(
      top,
      found.map(({ is, from, to }) => new Tree(types[is], [], [], to - from)),
      found.map(({ from }) => from),
      length
    );
  }

  stopAt(): void {}
}

/** JupyterLab has no look for what is wrong. */
const wrong = HighlightStyle.define([
  { tag: tags.invalid, textDecoration: 'underline wavy var(--jp-mirror-editor-error-color)' }
]);

export const memoLanguage = new Language(data, new MemoParser(), [], 'memo-query');

export function memoSupport(): LanguageSupport {
  return new LanguageSupport(memoLanguage, syntaxHighlighting(wrong));
}
