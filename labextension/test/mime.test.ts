import { expect, test, vi } from 'vitest';
import { cells } from '../src/opening.js';
import { all, file, one, press, said } from './golden.js';

// jsdom has no drags, and the widgets of JupyterLab name their event when they are loaded
globalThis.DragEvent ??= class extends MouseEvent {} as unknown as typeof DragEvent;
const { default: extension, COMPARISON, MIME } = await import('../src/mime.js');

function renderer(options: object = {}) {
  const made = extension.rendererFactory?.createRenderer(options as never) as InstanceType<
    typeof import('../src/mime.js').MemoRenderer
  >;
  document.body.replaceChildren(made.node);
  return made;
}

function model(data: Record<string, unknown>) {
  return { data, metadata: {}, trusted: false, setData() {} } as never;
}

test('it is offered for untrusted output and before any other form', () => {
  expect(extension.rendererFactory?.safe).toBe(true);
  expect(extension.rendererFactory?.mimeTypes).toEqual([MIME, COMPARISON]);
  expect(extension.rank).toBe(0);
});

test('a second drawing takes the first one away', async () => {
  const made = renderer();
  await made.renderModel(model({ [MIME]: JSON.parse(file('response.json')) }));
  const [first] = all(made.node, '.jp-Memo-row');
  await made.renderModel(model({ [MIME]: JSON.parse(file('degraded.json')) }));
  expect(all(made.node, '.jp-Memo-row').length).toBe(2);
  press(first, 'Enter');
  expect(first.querySelector('.jp-Memo-open')).toBeNull();
});

test('what cannot be read is said, and the plain text is shown', async () => {
  const made = renderer();
  await made.renderModel(model({ [MIME]: { schema: 9 }, 'text/plain': 'a \u202eb <b>c</b>' }));
  expect(said(one(made.node, '[role="alert"]'))).toContain('schema 9');
  expect(said(one(made.node, 'pre'))).toBe('a [U+202E]b <b>c</b>');
  expect(made.node.querySelector('b b')).toBeNull();
});

test('a comparison is drawn in the place of a list', async () => {
  const made = renderer();
  await made.renderModel(model({ [MIME]: JSON.parse(file('response.json')) }));
  await made.renderModel(model({ [COMPARISON]: JSON.parse(file('comparison.json')) }));
  expect(all(made.node, '.jp-Memo-slope ol li').length).toBe(20);
  expect(all(made.node, '.jp-Memo-row').length).toBe(0);
});

test('a renderer that is disposed twice is disposed', async () => {
  const made = renderer();
  await made.renderModel(model({ [MIME]: JSON.parse(file('response.json')) }));
  made.dispose();
  made.dispose();
  expect(made.isDisposed).toBe(true);
});

function lab() {
  const asked: string[] = [];
  const opened: (string | undefined)[][] = [];
  const options = {
    resolver: {
      isLocal: (url: string) => !/^https?:/.test(url),
      resolveUrl: async (url: string) => {
        asked.push(url);
        return `home/${url}`;
      },
      getDownloadUrl: async (path: string) => path
    },
    linkHandler: {
      handleLink: (node: HTMLElement, path: string, id?: string) =>
        node.addEventListener('click', () => opened.push([path, id]))
    }
  };
  return { asked, opened, options };
}

test('a result is opened at its place when that is asked for, and not before', async () => {
  const { asked, opened, options } = lab();
  const made = renderer(options);
  await made.renderModel(model({ [MIME]: JSON.parse(file('response.json')) }));
  expect(asked).toEqual([]);
  const rows = all(made.node, '.jp-Memo-row');
  one(rows[3], '.jp-Memo-title button').click();
  one(rows[2], '.jp-Memo-actions [data-do="open"]').click();
  press(rows[0], 'o');
  one(rows[6], '.jp-Memo-title button').click();
  await new Promise(resolve => setTimeout(resolve));
  expect(opened).toEqual([
    ['home/src/flows/train.py', '#line=87'],
    ['home/notes/criticality.md', '#Why-the-flow-loses-ESS'],
    ['home/notebooks/07_ess_vs_kappa.ipynb', '#cell-id=a41c09d2'],
    ['home/data/ess_table.csv', '#row=40']
  ]);
});

test('what is folded is opened at its own place, unless it is no file', async () => {
  const { opened, options } = lab();
  const made = renderer(options);
  const data = JSON.parse(file('evidence.json'));
  data.results[0].folded[0].span.cell_id = 'c0ffee';
  data.results[1].folded[0] = { ...data.results[1].folded[0], uri: 'notes/old/a.md', title: 'Why it drifts' };
  await made.renderModel(model({ [MIME]: data }));
  const buttons = all(made.node, '.jp-Memo-fold li button');
  expect(buttons.map(said)).toEqual(['notebooks/old/07_ess-copy1.ipynb', 'notes/old/a.md']);
  for (const button of buttons) {
    button.click();
  }
  await new Promise(resolve => setTimeout(resolve));
  expect(opened).toEqual([
    ['home/notebooks/old/07_ess-copy1.ipynb', '#cell-id=c0ffee'],
    ['home/notes/old/a.md', '#Why-it-drifts']
  ]);
});

test('a cell is gone to by its number too, where the panel can', async () => {
  const { opened, options } = lab();
  const made = renderer(options);
  const gone = vi.fn();
  cells.go = gone;
  await made.renderModel(model({ [MIME]: JSON.parse(file('response.json')) }));
  one(all(made.node, '.jp-Memo-row')[0], '.jp-Memo-title button').click();
  await new Promise(resolve => setTimeout(resolve));
  cells.go = null;
  expect(gone).toHaveBeenCalledWith({
    path: 'home/notebooks/07_ess_vs_kappa.ipynb',
    kind: 'notebook',
    cell_id: 'a41c09d2',
    cell: 11,
    why: ''
  });
  expect(opened).toEqual([]);
});

test('a cell without an id is looked for below its heading', async () => {
  const { opened, options } = lab();
  const made = renderer(options);
  const data = JSON.parse(file('response.json'));
  data.results[0].passage.span.cell_id = null;
  await made.renderModel(model({ [MIME]: data }));
  one(made.node, '.jp-Memo-title button').click();
  await new Promise(resolve => setTimeout(resolve));
  expect(opened).toEqual([['home/notebooks/07_ess_vs_kappa.ipynb', '#heading=ESS-against-κ-at-L-=-14']]);
});

test('a result is opened from the folder of its notebook, by the way to the folder that was indexed', async () => {
  const { opened, options } = lab();
  const made = renderer(options);
  const data = JSON.parse(file('response.json'));
  data.ways = [
    ['notebooks', '.'],
    ['papers', ''],
    ['', '../..']
  ];
  await made.renderModel(model({ [MIME]: data }));
  const rows = all(made.node, '.jp-Memo-row');
  expect(rows[1].querySelector('[data-do="open"]')).toBeNull();
  for (const at of [0, 2]) {
    one(rows[at], '.jp-Memo-title button').click();
  }
  await new Promise(resolve => setTimeout(resolve));
  expect(opened.map(([path]) => path)).toEqual(['home/07_ess_vs_kappa.ipynb', 'home/../../notes/criticality.md']);
});

test.each(['javascript:x', 'http://127.0.0.1', '/etc', '~'])('a way that leads elsewhere is none: %s', async way => {
  const data = JSON.parse(file('response.json'));
  const made = renderer(lab().options);
  await made.renderModel(model({ [MIME]: { ...data, ways: [['', way]] } }));
  expect(all(made.node, '[data-do="open"]')).toEqual([]);
});

test('without a path there is nothing below a result to open', async () => {
  const data = JSON.parse(file('evidence.json'));
  data.results[0].folded[0].uri = '';
  data.results[1].folded[0].uri = '/srv/a.md';
  const made = renderer(lab().options);
  await made.renderModel(model({ [MIME]: data }));
  expect(all(made.node, '.jp-Memo-fold li button')).toEqual([]);
});

test.each(['javascript:x', 'http://127.0.0.1/x', '/etc/passwd', '~/x', 'C:\\x', 'a.md?b', ''])(
  'what is no relative path cannot be opened: %s',
  async uri => {
    const data = JSON.parse(file('response.json'));
    data.results[0].passage.uri = uri;
    const made = renderer(lab().options);
    await made.renderModel(model({ [MIME]: data }));
    expect(one(made.node, '.jp-Memo-row').querySelector('[data-do="open"]')).toBeNull();
  }
);
