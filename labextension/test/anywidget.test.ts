import { afterEach, describe, expect, test, vi } from 'vitest';
import widget from '../src/anywidget.js';
import { Cancelled, Channel, type Model, type Waiting } from '../src/channel.js';
import { completions } from '../src/fields.js';
import { all, file, one, press, said } from './golden.js';

type Message = Record<string, unknown>;

/** The model of a widget, with a kernel that does nothing by itself. */
class Kernel implements Model {
  readonly sent: Message[] = [];
  private listeners: ((message: unknown) => void)[] = [];

  constructor(
    private readonly state: Message = {},
    readonly widget_manager: unknown = {}
  ) {}

  get(name: string): unknown {
    return this.state[name];
  }

  on(_event: string, listener: (message: unknown) => void): void {
    this.listeners.push(listener);
  }

  off(_event: string, listener: (message: unknown) => void): void {
    this.listeners = this.listeners.filter(other => other !== listener);
  }

  send(message: unknown): void {
    this.sent.push(message as Message);
  }

  /** The last request of a kind. */
  asked(what: string): Message {
    const found = this.sent.filter(message => message.do === what).at(-1);
    if (!found) {
      throw new Error(`nobody asked for ${what}`);
    }
    return found;
  }

  async say(request: unknown, is: string, more: Message = {}): Promise<void> {
    for (const listener of [...this.listeners]) {
      listener({ request, is, ...more });
    }
    await settle();
  }

  async done(what: string, value: Message): Promise<void> {
    await this.say(this.asked(what).request, 'done', { value });
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    await Promise.resolve();
  }
}

const closers: (() => void)[] = [];

function rendered(
  state: Message = {},
  manager: unknown = {}
): { kernel: Kernel; home: HTMLElement; close: () => void } {
  const kernel = new Kernel({ query: '', offset: 0, ask: false, writable: true, ...state }, manager);
  const home = document.createElement('div');
  document.body.replaceChildren(home);
  const close = widget.render({ model: kernel, el: home });
  closers.push(close);
  return { kernel, home, close };
}

async function listed(state: Message = {}, manager: unknown = {}): Promise<{ kernel: Kernel; home: HTMLElement }> {
  const { kernel, home } = rendered({ query: 'flow', ask: true, ...state }, manager);
  await kernel.done('search', { response: JSON.parse(file('response.json')) });
  return { kernel, home };
}

afterEach(() => {
  for (const close of closers.splice(0)) {
    close(); // a question without an answer would outlive its test
  }
  vi.useRealTimers();
});

describe('asking the kernel', () => {
  test('answers reach the request they name, and only that', async () => {
    const kernel = new Kernel();
    const channel = new Channel(kernel, () => {});
    const one = channel.ask('cite');
    const two = channel.ask('cite');
    await kernel.say('somebody else', 'done', { value: { text: 'no' } });
    await kernel.say(two.id, 'done', { value: { text: 'two' } });
    await kernel.say(one.id, 'failed', {
      error: { code: 'QueryError', message: 'It is gone.', hint: 'Search again.' }
    });
    await expect(two.value).resolves.toEqual({ text: 'two' });
    await expect(one.value).rejects.toThrow('It is gone. Search again.');
  });

  test('what is taken back is cancelled in the kernel', async () => {
    const kernel = new Kernel();
    const stop = new AbortController();
    const asked = new Channel(kernel, () => {}).ask('index', {}, { signal: stop.signal });
    stop.abort();
    await expect(asked.value).rejects.toBeInstanceOf(Cancelled);
    expect(kernel.asked('cancel').of).toBe(asked.id);
  });

  test('a request that is not taken up waits for the running cell, until it is', async () => {
    vi.useFakeTimers();
    const states: Waiting[] = [];
    const kernel = new Kernel();
    const asked = new Channel(kernel, state => states.push(state)).ask('search');
    vi.advanceTimersByTime(500);
    vi.advanceTimersByTime(10_000);
    await kernel.say(asked.id, 'begun');
    expect(states).toEqual(['busy', 'long', 'no']);
  });

  test('nobody is told of a quiet request that waits', () => {
    vi.useFakeTimers();
    const states: Waiting[] = [];
    new Channel(new Kernel(), state => states.push(state)).ask('values', {}, { quiet: true });
    vi.advanceTimersByTime(20_000);
    expect(states).toEqual([]);
  });
});

describe('completing fields', () => {
  const fields = { kind: ['note', 'notebook', 'code'], tag: ['fridge', '"two words"'] };

  test('a name needs two letters, and a colon comes with it', () => {
    expect(completions(fields, 'flow k', 6)).toBeNull();
    expect(completions(fields, 'flow ki', 7)).toEqual({ from: 5, to: 7, options: ['kind:'] });
  });

  test('behind the colon stand the values that begin so', () => {
    expect(completions(fields, 'kind:note', 7)?.to).toBe(9);
    expect(completions(fields, 'kind:note,code x', 7)?.to).toBe(9);
    expect(completions(fields, 'kind:note', 2)).toEqual({ from: 0, to: 5, options: ['kind:'] });
    expect(completions(fields, 'kind:note', 9)).toEqual({ from: 5, to: 9, options: ['notebook'] });
    expect(completions(fields, 'kind:', 5)?.options).toEqual(['note', 'notebook', 'code']);
    expect(completions(fields, 'tag:tw', 6)?.options).toEqual(['"two words"']);
  });

  test('behind a comma stand those that are not there yet', () => {
    expect(completions(fields, 'kind:note,', 10)).toEqual({ from: 10, to: 10, options: ['notebook', 'code'] });
  });

  test('only the word at the caret counts', () => {
    expect(completions(fields, 'kind:no flow', 7)?.options).toEqual(['note', 'notebook']);
    expect(completions(fields, 'kind:no flow', 12)).toBeNull();
    expect(completions(fields, 'https://x', 9)).toBeNull();
  });
});

describe('the widget', () => {
  test('with a query it asks at once, without it waits for one', () => {
    expect(rendered({ query: 'flow', ask: true }).kernel.asked('search')).toMatchObject({ query: 'flow', offset: 0 });
    const { kernel, home } = rendered({ query: 'flow' });
    expect((one(home, 'input') as HTMLInputElement).value).toBe('flow');
    expect(kernel.sent.map(message => message.do)).toEqual(['values']);
  });

  test('a list can be opened, cited and judged', async () => {
    const { home } = await listed();
    expect(all(home, '.jp-Memo-row').length).toBe(7);
    for (const action of ['open', 'cite', 'judge']) {
      expect(all(home, `[data-do="${action}"]`).length).toBeGreaterThanOrEqual(7);
    }
  });

  test('a store that cannot be written offers neither judging nor indexing', async () => {
    const { home } = await listed({ writable: false });
    expect(home.querySelector('[data-do="judge"]')).toBeNull();
    expect(home.querySelector('.jp-MemoFolder')).toBeNull();
  });

  test('while a cell runs it says that it waits', async () => {
    vi.useFakeTimers();
    const { kernel, home } = rendered({ query: 'flow', ask: true });
    vi.advanceTimersByTime(500);
    expect(said(one(home, '[role="status"]'))).toBe('waiting for the running cell');
    await kernel.say(kernel.asked('search').request, 'begun');
    expect(said(one(home, '[role="status"]'))).toBe('');
  });

  test('a citation opens in its row, changes with its style, and Escape closes it', async () => {
    const { kernel, home } = await listed();
    const row = all(home, '.jp-Memo-row')[1];
    one(row, '[data-do="cite"]').click();
    await settle();
    const search = kernel.asked('search').request;
    expect(kernel.asked('cite')).toMatchObject({ search, rank: 2, style: 'markdown' });
    await kernel.done('cite', { text: '<b>a citation</b>' });
    expect(said(one(row, 'pre'))).toBe('<b>a citation</b>');
    one(row, '[data-style="bibtex"]').click();
    expect(kernel.asked('cite').style).toBe('bibtex');
    await kernel.done('cite', { text: '@misc{x}' });
    expect(said(one(row, 'pre'))).toBe('@misc{x}');
    press(one(row, 'pre'), 'Escape');
    expect(row.querySelector('pre')).toBeNull();
    expect(home.querySelector('.jp-Memo-open')).toBeNull();
  });

  test('a judgement is kept by the kernel, and then it is said', async () => {
    const { kernel, home } = await listed();
    one(home, '.jp-Memo-row [data-do="judge"]').click();
    press(one(home, '.jp-Memo-row'), '3');
    await settle();
    expect(kernel.asked('judge')).toMatchObject({ rank: 1, grade: 3, search: kernel.asked('search').request });
    expect(said(one(home, '.jp-MemoWidget > .jp-MemoState'))).toBe('');
    await kernel.done('judge', { grade: 3 });
    expect(said(one(home, '.jp-MemoWidget > .jp-MemoState'))).toBe('Kept: 3 for result 1.');
  });

  test('without anybody who can go there, opening tells the place', async () => {
    const { home } = await listed();
    one(home, '.jp-Memo-title button').click();
    await settle();
    expect(said(one(home, '.jp-Memo-tray pre'))).toBe('notebooks/07_ess_vs_kappa.ipynb › Results · cell 12 · Out[7]');
  });

  test('in JupyterLab opening goes there, and nothing is shown', async () => {
    const handled = vi.fn();
    const rendermime = { resolver: { resolveUrl: async (url: string) => url }, linkHandler: { handleLink: handled } };
    const { home } = await listed({}, { rendermime });
    one(home, '.jp-Memo-title button').click();
    await settle();
    expect(handled.mock.calls[0].slice(1)).toEqual(['notebooks/07_ess_vs_kappa.ipynb', expect.any(String)]);
    expect(home.querySelector('.jp-Memo-tray')).toBeNull();
  });

  test('Enter searches where the page keeps it from the form', () => {
    const { kernel, home } = rendered();
    const field = one(home, 'input') as HTMLInputElement;
    field.value = 'flow';
    expect(press(field, 'Enter').defaultPrevented).toBe(true);
    expect(kernel.asked('search').query).toBe('flow');
  });

  test('there is a way back to the page before', async () => {
    const { kernel, home } = rendered({ query: 'flow', ask: true });
    await kernel.done('search', { response: { ...JSON.parse(file('response.json')), truncated: 9 } });
    expect(one(home, '.jp-MemoPages').hidden).toBe(true);
    one(home, '[data-do="next"]').click();
    await settle();
    expect(kernel.asked('search').offset).toBe(7);
    await kernel.done('search', { response: JSON.parse(file('degraded.json')) });
    expect(said(one(home, '.jp-MemoPages'))).toContain('After the first 7.');
  });

  test('completions are those of the index', async () => {
    const { kernel, home } = rendered();
    await kernel.done('values', { fields: { kind: ['note'] } });
    const field = one(home, 'input') as HTMLInputElement;
    field.value = 'kind:';
    field.setSelectionRange(5, 5);
    field.dispatchEvent(new Event('input'));
    await settle();
    expect(all(home, '[role="option"]').map(said)).toEqual(['note']);
  });

  test('a folder is indexed with progress, and what came of it is said as text', async () => {
    const { kernel, home } = rendered();
    const form = one(home, '.jp-MemoFolder');
    (one(form, 'input') as HTMLInputElement).value = ' notes ';
    one(form, 'form').dispatchEvent(new Event('submit', { cancelable: true }));
    const { request, paths } = kernel.asked('index');
    expect(paths).toEqual(['notes']);
    await kernel.say(request, 'progress', { done: 1, total: 4, name: '<b>a.md</b>' });
    expect(said(one(form, '.jp-Memo-told'))).toBe('1 of 4 files<b>a.md</b>');
    expect(form.querySelector('b')).toBeNull();
    await kernel.done('index', { text: '4 sources read' });
    expect(said(one(form, 'pre'))).toBe('4 sources read');
  });

  test('indexing can be cancelled', async () => {
    const { kernel, home } = rendered();
    const form = one(home, '.jp-MemoFolder');
    (one(form, 'input') as HTMLInputElement).value = 'notes';
    one(form, 'form').dispatchEvent(new Event('submit', { cancelable: true }));
    one(form, '[data-do="cancel"]').click();
    await settle();
    expect(kernel.asked('cancel').of).toBe(kernel.asked('index').request);
    expect(said(one(form, '.jp-Memo-told'))).toContain('Cancelled.');
  });

  test('what is closed listens no more', () => {
    const { kernel, home, close } = rendered({ query: 'flow', ask: true });
    close();
    expect(home.childElementCount).toBe(0);
    expect(kernel.asked('cancel').of).toBe(kernel.asked('search').request);
  });
});
