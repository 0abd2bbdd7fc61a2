import { describe, expect, test, vi } from 'vitest';
import { type Host, mountSearch, type Search } from '../src/widget.js';
import { all, file, one, press, said } from './golden.js';

function mounted(host: Partial<Host>): { home: HTMLElement; search: Search; field: HTMLInputElement } {
  const home = document.createElement('div');
  document.body.replaceChildren(home);
  const search = mountSearch(home, { search: async () => JSON.parse(file('response.json')), ...host });
  return { home, search, field: one(home, 'input') as HTMLInputElement };
}

function typed(field: HTMLInputElement, text: string): void {
  field.value = text;
  field.setSelectionRange(text.length, text.length);
  field.dispatchEvent(new Event('input'));
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await Promise.resolve();
  }
}

describe('searching', () => {
  test('a query gives a list, with the actions of the host', async () => {
    const asked = vi.fn(async () => JSON.parse(file('response.json')));
    const judge = vi.fn();
    const { home, search } = mounted({ search: asked, judge });
    await search.ask('flow');
    expect(asked.mock.calls[0].slice(0, 2)).toEqual(['flow', 0]);
    expect(all(home, '.jp-Memo-row').length).toBe(7);
    expect(all(home, '[data-do="judge"]').length).toBe(7);
    expect(home.querySelector('[data-do="cite"]')).toBeNull();
  });

  test('a failure is said and the old list stays', async () => {
    const { home, search } = mounted({});
    await search.ask('flow');
    const failing = mounted({
      search: async () => {
        throw new Error('The index is locked. Try again.');
      }
    });
    failing.search.show(JSON.parse(file('response.json')));
    await failing.search.ask('flow');
    expect(said(one(failing.home, '[role="alert"]'))).toBe('The index is locked. Try again.');
    expect(all(failing.home, '.jp-Memo-row').length).toBe(7);
    expect(home.isConnected).toBe(false);
  });

  test('an answer that comes late is not shown', async () => {
    const answers: ((data: unknown) => void)[] = [];
    const signals: AbortSignal[] = [];
    const { home, search } = mounted({
      search: (_query, _offset, signal) => {
        signals.push(signal);
        return new Promise(resolve => answers.push(resolve));
      }
    });
    const first = search.ask('one');
    const second = search.ask('two');
    answers[1](JSON.parse(file('degraded.json')));
    answers[0](JSON.parse(file('response.json')));
    await Promise.all([first, second]);
    expect(signals.map(signal => signal.aborted)).toEqual([true, false]);
    expect(all(home, '.jp-Memo-row').length).toBe(2);
  });

  test('after a while the search says that it is still on', async () => {
    vi.useFakeTimers();
    const { home, search } = mounted({ search: () => new Promise(() => {}) });
    void search.ask('flow');
    expect(home.querySelector('[role="progressbar"]')).toBeNull();
    vi.advanceTimersByTime(400);
    expect(home.querySelector('[role="progressbar"]')).not.toBeNull();
    vi.useRealTimers();
    search.dispose();
  });

  test('a slash goes to the box, also from the list', async () => {
    const { home, search, field } = mounted({});
    await search.ask('flow');
    press(one(home, '.jp-Memo-row'), '/');
    expect(document.activeElement).toBe(field);
  });

  test('what is disposed is gone', async () => {
    const { home, search } = mounted({});
    search.dispose();
    expect(home.childElementCount).toBe(0);
  });
});

describe('completion', () => {
  const complete = async () => ({ from: 5, to: 9, options: ['kind:note', 'kind:notebook'] });

  test('arrows choose and Enter takes', async () => {
    const asked = vi.fn();
    const { home, field } = mounted({ complete, search: asked });
    typed(field, 'flow kind');
    await settle();
    expect(all(home, '[role="option"]').map(said)).toEqual(['kind:note', 'kind:notebook']);
    press(field, 'ArrowDown');
    press(field, 'ArrowDown');
    expect(said(one(home, '[aria-selected="true"]'))).toBe('kind:notebook');
    press(field, 'Enter');
    expect(field.value).toBe('flow kind:notebook');
    expect(field.getAttribute('aria-expanded')).toBe('false');
    expect(asked).not.toHaveBeenCalled();
  });

  test('Escape closes the list and Tab takes the first', async () => {
    const { home, field } = mounted({ complete });
    typed(field, 'flow kind');
    await settle();
    press(field, 'Escape');
    expect(one(home, '[role="listbox"]').hidden).toBe(true);
    typed(field, 'flow kind');
    await settle();
    press(field, 'Tab');
    expect(field.value).toBe('flow kind:note');
  });

  test('behind the name of a field its values follow', async () => {
    const names = async (text: string) =>
      text.endsWith(':') ? { from: 10, to: 10, options: ['note'] } : { from: 5, to: 7, options: ['kind:'] };
    const { home, field } = mounted({ complete: names });
    typed(field, 'flow ki');
    await settle();
    press(field, 'Tab');
    await settle();
    expect(field.value).toBe('flow kind:');
    expect(all(home, '[role="option"]').map(said)).toEqual(['note']);
  });

  test('a completion that fails is none', async () => {
    const { home, field } = mounted({ complete: () => Promise.reject(new Error('gone')) });
    typed(field, 'k');
    await settle();
    expect(one(home, '[role="listbox"]').hidden).toBe(true);
  });
});
