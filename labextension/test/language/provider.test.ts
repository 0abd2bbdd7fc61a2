import type { ICompletionContext, ICompletionProvider } from '@jupyterlab/completer';
import { describe, expect, test, vi } from 'vitest';
import { MemoCompletion } from '../../src/language/provider.js';
import { Values } from '../../src/language/values.js';

const { FakeModel } = vi.hoisted(() => ({
  FakeModel: class {
    items: unknown[] = [];
    setCompletionItems(items: unknown[]): void {
      this.items = items;
    }
  }
}));
vi.mock('@jupyterlab/completer', () => ({ CompleterModel: FakeModel }));
vi.mock('@jupyterlab/coreutils', () => ({
  Text: {
    jsIndexToCharIndex: (at: number, text: string) => [...text.slice(0, at)].length,
    charIndexToJsIndex: (at: number, text: string) => [...text].slice(0, at).join('').length
  }
}));

const VALUES = new Values(async () => ({ ns: ['phi4'] }));

function context(marked: string): ICompletionContext {
  const source = marked.replace('|', '');
  const editor = {
    isDisposed: false,
    model: { sharedModel: { getSource: () => source } },
    getCursorPosition: () => marked.indexOf('|'),
    getOffsetAt: (at: number) => at
  };
  return { editor } as unknown as ICompletionContext;
}

function other(more: object): ICompletionProvider {
  return { identifier: 'other', rank: 5, ...more } as unknown as ICompletionProvider;
}

describe('the provider', () => {
  test('is there where a memo magic reads, and nowhere else', async () => {
    const provider = new MemoCompletion(VALUES);
    expect(await provider.isApplicable(context('%%memo_search\nki|'))).toBe(true);
    expect(await provider.isApplicable(context('%%memo_search\n{{ki|'))).toBe(false);
    expect(await provider.isApplicable(context('ki|'))).toBe(false);
    expect(await provider.isApplicable({} as ICompletionContext)).toBe(false);
  });

  test('counts places in characters, as kernels do', async () => {
    const text = '%%memo_search\n😀 ns:p';
    const reply = await new MemoCompletion(VALUES).fetch({ text, offset: [...text].length });
    expect(reply).toMatchObject({ start: 19, end: 20, items: [{ insertText: 'phi4', type: 'value' }] });
  });

  test('gives the help of an option as its documentation', async () => {
    const text = '%%memo_search --lim';
    const { items } = await new MemoCompletion(VALUES).fetch({ text, offset: text.length });
    expect(items).toMatchObject([{ insertText: '--limit', documentation: 'results on the page, 1 to 100' }]);
  });

  test('leaves out what a kernel takes for Python, where only ours can be meant', async () => {
    const items = [{ label: 'note', memo: true }, { label: 'not' }];
    const shown = async (marked: string): Promise<unknown[]> => {
      const model = (await new MemoCompletion(VALUES).modelFactory(context(marked))) as unknown as InstanceType<
        typeof FakeModel
      >;
      model.setCompletionItems(items);
      return model.items;
    };
    expect(await shown('%%memo_search\nkind:no|')).toEqual([items[0]]);
    expect(await shown('%%memo_search\na no|')).toEqual([items[0]]);
    expect(await shown('%%memo_search\n{{no|')).toEqual(items);
    expect(await shown('%memo_index no|')).toEqual(items);
    expect(await shown('no|')).toEqual(items);
  });

  test('keeps the list and the look that another provider would give', async () => {
    const model = new FakeModel();
    const renderer = {};
    const first = other({ rank: 9, modelFactory: async () => model });
    const all = [other({ rank: 8, modelFactory: async () => new FakeModel() }), first, other({ renderer })];
    const provider = new MemoCompletion(VALUES, () => all);
    expect(await provider.modelFactory(context('no|'))).toBe(model);
    expect(provider.renderer).toBe(renderer);
  });
});
