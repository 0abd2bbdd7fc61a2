import { expect, test, vi } from 'vitest';
import { block, Carrying, refuseReadOnly } from '../../src/lab/carrying.js';
import { marked } from '../../src/lab/picking.js';

// The page of these tests knows no drags, and what drags asks for them when it is loaded.
vi.hoisted(() => Object.assign(globalThis, { DragEvent: globalThis.MouseEvent }));

const SOURCE = { text: '', begun: () => {} };

function file(readOnly: boolean, writable: boolean | undefined) {
  const contentsModel = writable === undefined ? null : { writable };
  return { context: { model: { readOnly }, contentsModel }, title: { label: 'a.ipynb' } } as unknown as Parameters<
    typeof refuseReadOnly
  >[0];
}

test('a document that the server cannot write is left as it is', () => {
  expect(() => refuseReadOnly(file(false, false))).toThrow('a.ipynb is read-only.');
  expect(() => refuseReadOnly(file(true, true))).toThrow('read-only');
});

test('any other one can be changed', () => {
  expect(() => refuseReadOnly(file(false, true))).not.toThrow();
  expect(() => refuseReadOnly(file(false, undefined))).not.toThrow();
});

test('a press that the browser takes over is no drag, and neither is a finger that scrolls', () => {
  const carrying = new Carrying({} as never, null, null);
  const start = vi.spyOn(carrying as unknown as { start(): void }, 'start').mockReturnValue();
  const pointer = (type: string, clientX: number, pointerType = 'mouse') =>
    Object.assign(new MouseEvent(type, { clientX }), { pointerType, pointerId: 1 }) as unknown as PointerEvent;
  carrying.drag(pointer('pointerdown', 0, 'touch'), SOURCE, '');
  document.dispatchEvent(pointer('pointermove', 50, 'touch'));
  carrying.drag(pointer('pointerdown', 0), SOURCE, '');
  document.dispatchEvent(pointer('pointercancel', 0));
  document.dispatchEvent(pointer('pointermove', 50));
  expect(start).not.toHaveBeenCalled();
  carrying.drag(pointer('pointerdown', 0), SOURCE, '');
  document.dispatchEvent(pointer('pointermove', 50));
  expect(start).toHaveBeenCalledTimes(1);
});

test('what is marked in the file at hand goes before what is marked in a notebook behind it', () => {
  vi.spyOn(window, 'getSelection').mockReturnValue(null);
  const editor = (text: string) => ({
    getSelection: () => ({ start: 0, end: text.length }),
    getOffsetAt: (at: number) => at,
    model: { sharedModel: { getSource: () => text } }
  });
  const opened = { content: { editor: editor('of the file') } };
  const notebooks = { activeCell: { editor: editor('of the notebook') } } as never;
  const editors = { currentWidget: opened } as never;
  expect(marked(notebooks, editors, opened)).toBe('of the file');
  expect(marked(notebooks, editors, {})).toBe('of the notebook');
});

test.each([
  ['# A\n|\nb', '# A\n> q\n> r\n\n\nb'],
  ['a|b', 'a\n\n> q\n> r\n\nb'],
  ['|', '> q\n> r\n'],
  ['a|\nb', 'a\n\n> q\n> r\n\n\nb']
])('a quote is a paragraph of its own at the cursor of %j', (given, made) => {
  const [before, after] = given.split('|');
  const lines = (before + after).split('\n');
  const line = before.split('\n').length - 1;
  const column = before.split('\n')[line].length;
  const editor = {
    getCursorPosition: () => ({ line, column }),
    getLine: (at: number) => lines[at],
    lineCount: lines.length
  };
  expect(before + block('> q\n> r', editor) + after).toBe(made);
});
