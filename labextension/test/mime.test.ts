import { expect, test } from 'vitest';
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
  expect(all(made.node, '.jp-Memo-slope ol li').length).toBe(16);
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
