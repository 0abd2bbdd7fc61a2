import { describe, expect, test } from 'vitest';
import { GRAMMAR } from '../../src/language/grammar.js';
import { type Offers, offers } from '../../src/language/offers.js';

const KNOWN = { kind: ['note', 'paper'], ns: ['phi4', 'lab'], tag: ['hmc', '"lattice qcd"'], source: ['notes/*'] };

/** The offers at the `|` of a text. */
function at(marked: string, known = KNOWN): Offers | null {
  const caret = marked.indexOf('|');
  return offers(marked.replace('|', ''), caret, known);
}

function texts(marked: string): string[] {
  return at(marked)?.items.map(item => item.text) ?? [];
}

/** The text that the first offer makes. */
function taken(marked: string): string {
  const found = at(marked);
  const source = marked.replace('|', '');
  return found ? source.slice(0, found.from) + found.items[0].text + source.slice(found.to) : source;
}

describe('in the query of a memo cell', () => {
  test('the beginning of a field gives the field, with what it asks for', () => {
    expect(texts('%%memo_search\nwhat ki|')).toEqual(['kind:']);
    expect(at('%%memo_search\nwhat ki|')?.items[0]).toMatchObject({ is: 'field', help: 'only this kind' });
    expect(taken('%%memo_search\nwhat ki|')).toBe('%%memo_search\nwhat kind:');
  });

  test('behind the colon stand the values of the index, then those that it could have', () => {
    expect(texts('%%memo_search\nkind:|').slice(0, 3)).toEqual(['note', 'paper', 'document']);
    expect(texts('%%memo_search\nkind:note,p|')).toEqual(['paper']);
    expect(texts('%%memo_search\nnamespace:p|')).toEqual(['phi4']);
    expect(taken('%%memo_search\ntag:lat|')).toBe('%%memo_search\ntag:"lattice qcd"');
    expect(texts('%%memo_search\ntrust:|')).toEqual(['0', '1', '2', '3']);
  });

  test('what is known without an index is offered without one', () => {
    expect(at('%%memo_search\nkind:n|', {} as typeof KNOWN)?.items.map(item => item.text)).toEqual([
      'notebook',
      'note'
    ]);
    expect(at('%%memo_search\nns:|', {} as typeof KNOWN)?.items).toEqual([]);
  });

  test('inside a phrase and inside an exclusion nothing is offered', () => {
    expect(texts('%%memo_search\n"a ki| b"')).toEqual([]);
    expect(texts('%%memo_search\n-"a ki| b"')).toEqual([]);
    expect(texts('%%memo_search\n-ki|')).toEqual([]);
  });

  test('a word is no field: nothing is offered, and nothing of a kernel may be', () => {
    expect(at('%%memo_search\nwhat a|')).toMatchObject({ items: [], alone: true });
  });

  test('a variable is left to the kernel', () => {
    expect(at('%%memo_search\nwhat {{na|')).toBeNull();
    expect(at('%%memo_search\nwhat {{name}} ki|')?.items).toHaveLength(1);
  });

  test('places count UTF-16 units behind signs of two', () => {
    expect(taken('%%memo_search\n😀 ki|')).toBe('%%memo_search\n😀 kind:');
  });
});

describe('on the magic line', () => {
  test('every option is offered, with its value and its help', () => {
    expect(texts('%%memo_search |')).toEqual(GRAMMAR.magics.memo_search.map(option => option.flags.at(-1)));
    expect(texts('%%memo_search --|\nwhy')).toEqual(texts('%%memo_search |'));
    expect(at('%%memo_search --lim|')?.items).toEqual([
      {
        is: 'option',
        text: '--limit',
        label: '--limit N (results on the page, 1 to 100)',
        help: 'results on the page, 1 to 100'
      }
    ]);
  });

  test('an option that is given is not offered again, unless it may be given again', () => {
    const left = texts('%%memo_search --limit 3 --tag a |');
    expect(left).not.toContain('--limit');
    expect(left).toContain('--tag');
  });

  test('behind an option stand its choices, behind a blank or an equals sign', () => {
    expect(texts('%%memo_search --mode |')).toEqual(['auto', 'keyword', 'exact', 'semantic']);
    expect(texts('%%memo_search --mode=e|')).toEqual(['exact']);
    expect(texts('%%memo_search -p r|')).toEqual(['rrf', 'recency']);
    expect(texts('%%memo_search --share t|')).toEqual(['titles']);
  });

  test('an option that takes what the index holds offers that', () => {
    expect(texts('%%memo_search --namespace |')).toEqual(['phi4', 'lab']);
    expect(taken('%%memo_search --tag "lat|')).toBe('%%memo_search --tag "lattice qcd"');
    expect(texts('%%memo_search --min-trust |')).toEqual(['0', '1', '2', '3']);
    expect(texts('%%memo_search --since |')).toEqual([]);
  });

  test('a comment gets no offers', () => {
    expect(at('%%memo_search # ki|')?.items).toEqual([]);
  });
});

describe('in lines of other cells', () => {
  test('a line magic offers options, then the fields of the query', () => {
    expect(texts('x = 1\n%memo_search --k|')).toEqual(['--kind']);
    expect(texts('r = %memo_search --mode exact why kind:p|')).toEqual(['paper']);
    expect(texts('%memo_search why --li|')).toEqual([]);
  });

  test('%memo offers its verbs, and the options of a verb', () => {
    expect(texts('%memo pro|')).toEqual(['profiles']);
    expect(texts('%memo |')).toEqual(Object.keys(GRAMMAR.verbs));
    expect(texts('%memo cite 2 --st|')).toEqual(['--style']);
    expect(texts('%memo cite --style b|')).toEqual(['bibtex']);
  });

  test('paths are left to the kernel', () => {
    expect(at('%memo_index no|')).toBeNull();
    expect(at('%memo open no|')).toBeNull();
    expect(texts('%memo_index notes --al|')).toEqual(['--allow-secrets']);
    expect(at('%memo_search --source no|')).toMatchObject({ alone: false });
  });

  test('of profiles the kernel knows more', () => {
    expect(texts('%memo_search --profile mem|')).toEqual(['memo-mcp', 'memtomem']);
    expect(at('%memo_search --profile mem|')).toMatchObject({ alone: false });
    expect(at('%memo_search --mode se|')).toMatchObject({ alone: true });
  });

  test('Python has nothing to do with it', () => {
    for (const text of [
      'ki|',
      'kind:|',
      'memo_search --|',
      '"%memo_search --|"',
      'x %memo_search --|',
      '%memo_searching --|'
    ]) {
      expect(at(text)).toBeNull();
    }
  });

  test('the name of the magic is left to the kernel', () => {
    expect(at('%%memo_se|')).toBeNull();
    expect(at('%%memo_search|')).toBeNull();
    expect(at('%mem|')).toBeNull();
  });
});
