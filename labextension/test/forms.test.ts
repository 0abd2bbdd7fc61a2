// Every number and word of the view against the HTML that Python makes of the same response.
import { describe, expect, test } from 'vitest';
import { all, drawn, file, golden, NAMES, one, press, said } from './golden.js';

function page(name: string): Element {
  return new DOMParser().parseFromString(file(`${name}.html`), 'text/html').body;
}

function cells(row: Element): string[] {
  return [...row.children].map(said);
}

/** What a row of the view says, in the shape of the Python form. */
function shown(row: HTMLElement) {
  const spans = [...one(row, '.jp-Memo-where').children];
  const named = (name: string) => said(spans.find(span => span.classList.contains(`jp-Memo-${name}`)));
  const [kind, age, home] = spans.filter(span => span.tagName === 'SPAN');
  const letters = all(row, '.jp-Memo-ranks > span:not(.none)').map(said).join(' ');
  const facts = [said(row.querySelector('.jp-Memo-score b')), said(row.querySelector('.jp-Memo-band'))];
  return {
    title: said(one(row, '.jp-Memo-title')),
    where: [named('path'), named('loc')].filter(Boolean).join(' · '),
    line: [...facts, said(kind), said(age).replace(/ ×[\d.]+$/, ''), said(home), letters].filter(Boolean).join(' · '),
    snippet: said(row.querySelector('.jp-Memo-snippet')),
    marks: all(row, 'mark').map(said)
  };
}

function expected(item: Element) {
  const [title, where] = all(item, 'bdi').map(said);
  const summary = item.querySelector('summary');
  const line = summary
    ? said(summary)
    : said(item)
        .slice((title + where).length)
        .trim();
  return {
    title,
    where: where ?? '',
    line,
    snippet: said(item.querySelector('blockquote')),
    marks: all(item, 'mark').map(said)
  };
}

describe.each(NAMES)('%s', name => {
  const response = { ...golden(name), open_why: true };
  const python = page(name);
  const items = all(python, 'article > ol > li');

  test('head', () => {
    const view = drawn(response).node;
    expect(said(one(view, '.jp-Memo-query'))).toBe(said(one(python, 'h3')));
    const meta = [...one(view, '.jp-Memo-meta').children].map(said).join(' · ');
    expect(meta).toBe(said(one(python, 'article > p')));
    expect(all(view, '.jp-Memo-query code').map(said)).toEqual(all(python, 'h3 code').map(said));
  });

  test('notes and the end', () => {
    const view = drawn(response).node;
    const told = all(python, 'article > p').slice(1).map(said);
    const notes = all(view, '.jp-Memo-also, .jp-Memo-note').map(said);
    const end = all(view, '.jp-Memo-end p').map(node => said(node).replace(/ ?How this list was made$/, ''));
    const mine = [...notes, ...end].filter(Boolean);
    expect(told.slice(0, mine.length)).toEqual(mine);
  });

  test('each row', () => {
    const rows = all(drawn(response).node, '.jp-Memo-row');
    expect(rows.length).toBe(items.length);
    for (const [at, row] of rows.entries()) {
      const python = expected(items[at]);
      const mine = shown(row);
      expect({ ...mine, line: '' }).toEqual({ ...python, line: '' });
      // without reasons the line is not set apart: the snippet follows it
      expect(items[at].querySelector('summary') ? python.line : python.line.slice(0, mine.line.length)).toBe(mine.line);
    }
  });

  test('each reason', () => {
    const rows = all(drawn(response).node, '.jp-Memo-row');
    for (const [at, row] of rows.entries()) {
      const table = items[at].querySelector('table');
      expect(row.querySelector('.jp-Memo-open') === null).toBe(table === null);
      if (!table) {
        continue;
      }
      const lines = all(table, 'tbody tr').map(cells);
      const arms = lines.filter(([arm]) => /^(keyword|exact|semantic|fact|entity|graph)$/.test(arm));
      const given = all(row, '.jp-Memo-votes tbody tr:not(.jp-mod-off)').map(cells);
      expect(given).toEqual(arms);
      const [formula] = all(table, 'thead th').map(said).slice(4);
      expect(said(all(row, '.jp-Memo-votes thead th')[4])).toBe(formula);
      const score = cells(one(table, 'tfoot tr'));
      const fused = lines.find(([first]) => first === 'fused') ?? score;
      expect(cells(one(row, '.jp-Memo-votes tfoot tr'))).toEqual(fused);
      const terms = all(row, '.jp-Memo-term').map(term => [said(term.firstElementChild), term.lastChild?.textContent]);
      const weights = lines.filter(([first]) => /^(age|source|access|unwanted|surface)$/.test(first));
      const factors = weights.map(line => [line[0], line[5].replace('×', '')]);
      expect(terms.slice(-1 - factors.length)).toEqual([...factors, ['score', score[5]]]);
    }
  });

  test('what the rows do not say', () => {
    const rows = all(drawn(response).node, '.jp-Memo-row');
    for (const [at, row] of rows.entries()) {
      const story = said(items[at].querySelector('small'));
      if (!story) {
        continue;
      }
      const facts = said(one(row, '.jp-Memo-facts'));
      const byRanks = /By rank fusion alone.*?\./.exec(story)?.[0] ?? '';
      expect(said(row)).toContain(byRanks);
      const [, written, indexed, trust] = /Written (\S+), indexed (\S+), trust (\d)/.exec(story) ?? [];
      for (const fact of [`written ${written}`, `indexed ${indexed}`, `trust ${trust}`]) {
        expect(facts).toContain(fact);
      }
      const words = /^Matched: (.*?)\. (?:Rank:|By rank|Written)/.exec(story)?.[1] ?? '';
      expect(facts).toContain(words.replaceAll(', ', ' · '));
    }
  });

  test('how the list was made', () => {
    const view = drawn(response).node;
    press(view, 'e');
    const made = all(python, 'article > details').pop() as Element;
    const [steps, filters] = all(made, 'table');
    const mine = all(view, '.jp-Memo-water tbody tr').map(row => {
      const [stage, left, , ms] = cells(row);
      return [stage, left, ms, said(row.querySelector('.jp-Memo-lane span'))];
    });
    expect(mine).toEqual(all(steps, 'tbody tr').map(cells));
    const [total, left, , ms] = cells(one(view, '.jp-Memo-water tfoot tr'));
    expect([total, left, ms]).toEqual(cells(one(steps, 'tfoot tr')).slice(0, 3));
    expect(all(view, '.jp-Memo-scope tbody tr').map(cells)).toEqual(all(filters, 'tbody tr').map(cells));
    const facts = all(view, '.jp-Memo-trace .jp-Memo-facts').pop() as Element;
    const names = all(facts, 'dt').map(said);
    const conditions = all(facts, 'dd').map((node, at) => [names[at], said(node)]);
    const told = conditions.filter(([label]) => label !== 'Left out').map(([label, text]) => `${label} ${text}.`);
    expect(told.join(' ').replace('Looked for', 'Looked for:')).toBe(said(one(made, 'small')));
  });

  test('which steps did not run', () => {
    const view = drawn(response).node;
    press(view, 'e');
    const made = all(python, 'article > details').pop() as Element;
    const told = all(made, 'p')
      .map(said)
      .filter(text => /did not run|Nothing called for/.test(text));
    const sentences = all(view, '.jp-Memo-trace .jp-Memo-facts').flatMap(list => {
      const heading = said(list.previousElementSibling);
      const names = all(list, 'dt').map(said);
      const reasons = all(list, 'dd').map(said);
      if (heading === 'What did not run') {
        return names.map((name, at) => `${name[0].toUpperCase()}${name.slice(1)} did not run: ${reasons[at]}.`);
      }
      return heading === 'What nothing called for'
        ? names.map((name, at) => `Nothing called for ${name}: ${reasons[at]}.`)
        : [];
    });
    expect(sentences.join(' ')).toBe(told.join(' '));
  });
});

test.each(['empty', 'refused'] as const)('an empty list says why, where it looked and what is next: %s', name => {
  const view = drawn(name).node;
  const texts = all(page(name), 'dd').map(said);
  expect(`${said(one(view, '.jp-Memo-void')).slice(0, -1)}: `).toBe(`${texts[0].split(': ')[0]}: `);
  const mine = all(view, '.jp-Memo-help dd').map(said);
  expect(mine[0].slice(1)).toBe(texts[0].split(': ')[1].slice(1));
  const told = (text: string) => text.startsWith('not results: ');
  expect(mine.slice(1)).toEqual(texts.slice(1).filter(text => !told(text)));
  const misses = all(view, 'details li').map(item => {
    const [title, ...rest] = [...item.children].flatMap(child => said(child).split(' · '));
    return `${title} (${rest.join(' · ').replace(' · cosine', ', cosine')})`;
  });
  expect(misses.length > 0).toBe(name === 'refused');
  if (misses.length === 0) {
    return;
  }
  expect(`not results: ${misses.join('; ')}`).toBe(texts.find(told));
  expect(said(one(view, 'details summary'))).toBe(`${misses.length} nearest misses — not results`);
});
