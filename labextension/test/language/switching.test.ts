import { Signal } from '@lumino/signaling';
import { describe, expect, test, vi } from 'vitest';
import { type Cell, MIME, Switching } from '../../src/language/switching.js';

const PYTHON = 'text/x-ipython';

/** A registry that loads a language when it is first asked for, as JupyterLab's does. */
class Registry {
  private readonly held = new Map<string, { support?: unknown }>([[MIME, { support: MIME }]]);
  private readonly waiting: (() => void)[] = [];

  constructor(...ready: string[]) {
    for (const mime of ready) {
      this.held.set(mime, { support: mime });
    }
  }

  findByMIME(mime: string): { support?: unknown } {
    const found = this.held.get(mime) ?? {};
    this.held.set(mime, found);
    return found;
  }

  async getLanguage(mime: string): Promise<unknown> {
    const found = this.findByMIME(mime);
    if (!found.support) {
      await new Promise<void>(resolve => this.waiting.push(resolve));
      found.support = mime;
    }
    return found;
  }

  arrive(): void {
    for (const resolve of this.waiting.splice(0)) {
      resolve();
    }
  }
}

class Model implements Cell {
  readonly contentChanged = new Signal<this, void>(this);
  readonly mimeTypeChanged = new Signal<this, void>(this);
  readonly sharedModel = { getSource: () => this.source };
  isDisposed = false;
  private mime = PYTHON;

  constructor(
    private source: string,
    readonly type = 'code'
  ) {}

  get mimeType(): string {
    return this.mime;
  }

  set mimeType(mime: string) {
    if (mime !== this.mime) {
      this.mime = mime;
      this.mimeTypeChanged.emit();
    }
  }

  write(source: string): void {
    this.source = source;
    this.contentChanged.emit();
  }
}

/** An editor: it shows each language when it has come, and what comes last stays. */
class Editor {
  shown = '';

  constructor(
    private readonly model: Model,
    private readonly registry: Registry
  ) {
    model.mimeTypeChanged.connect(() => this.take());
    this.take();
  }

  private take(): void {
    const { mimeType } = this.model;
    void this.registry.getLanguage(mimeType).then(() => {
      this.shown = mimeType;
    });
  }
}

async function settled(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 5));
}

function watched(model: Model, registry = new Registry(PYTHON), usual = PYTHON): Switching {
  const switching = new Switching(registry);
  switching.watch(model, () => usual);
  return switching;
}

describe('the language of a cell', () => {
  test.each([
    '%%memo_search',
    '%%memo_search\nwhy',
    '%%memo_search --limit 3\nwhy',
    '%%memo_search   \nwhy',
    '\n \n  %%memo_search\n  why'
  ])('is that of a query where IPython runs the magic: %j', async source => {
    const model = new Model(source);
    watched(model);
    await settled();
    expect(model.mimeType).toBe(MIME);
  });

  test.each([
    'x = 1',
    '%memo_search why',
    '%%memo_search?',
    '%%memo_search_all\nx',
    '%%memo_search\t--limit 3\nwhy',
    '# first\n%%memo_search\nwhy',
    '"%%memo_search"',
    '%%time\n%memo_search why'
  ])('stays what it is where it does not: %j', async source => {
    const model = new Model(source);
    const changed = vi.fn();
    model.mimeTypeChanged.connect(changed);
    watched(model);
    model.write(`${source} `);
    await settled();
    expect(changed).not.toHaveBeenCalled();
  });

  test('comes with the magic line and goes with it', async () => {
    const model = new Model('');
    watched(model);
    model.write('%%memo_search\nwhy');
    await settled();
    expect(model.mimeType).toBe(MIME);
    model.write('why');
    await settled();
    expect(model.mimeType).toBe(PYTHON);
  });

  test('is that of the notebook again, whichever kernel it has by then', async () => {
    let usual = PYTHON;
    const model = new Model('%%memo_search');
    new Switching(new Registry(PYTHON)).watch(model, () => usual);
    await settled();
    usual = 'text/x-julia';
    model.write('1');
    await settled();
    expect(model.mimeType).toBe('text/x-julia');
  });

  test('is taken again when the kernel has told its own', async () => {
    const model = new Model('%%memo_search');
    const registry = new Registry(PYTHON, 'text/x-rsrc');
    const editor = new Editor(model, registry);
    watched(model, registry);
    await settled();
    model.mimeType = 'text/x-rsrc';
    await settled();
    expect(model.mimeType).toBe(MIME);
    expect(editor.shown).toBe(MIME);
  });

  test.each(['before', 'after'])('stays when Python comes late, for an editor made %s us', async order => {
    const model = new Model('%%memo_search');
    const registry = new Registry();
    let editor = order === 'before' ? new Editor(model, registry) : null;
    watched(model, registry);
    editor ??= new Editor(model, registry);
    await settled();
    expect(editor.shown).toBe('');
    registry.arrive();
    await settled();
    expect(editor.shown).toBe(MIME);
  });

  test('is left alone when the magic line went while Python was on its way', async () => {
    const model = new Model('%%memo_search');
    const registry = new Registry();
    watched(model, registry);
    model.write('x = 1');
    registry.arrive();
    await settled();
    expect(model.mimeType).toBe(PYTHON);
  });

  test('is left alone in a cell that is gone, and in one of text', async () => {
    const gone = new Model('%%memo_search');
    watched(gone);
    gone.isDisposed = true;
    const text = new Model('%%memo_search', 'markdown');
    watched(text);
    await settled();
    expect([gone.mimeType, text.mimeType]).toEqual([PYTHON, PYTHON]);
  });

  test('is followed once, and edits of memo cells are told', async () => {
    const edited = vi.fn();
    const model = new Model('%%memo_search');
    const switching = new Switching(new Registry(PYTHON), edited);
    switching.watch(model, () => PYTHON);
    switching.watch(model, () => PYTHON);
    await settled();
    model.write('%%memo_search\nwhy');
    expect(edited).toHaveBeenCalledTimes(1);
  });
});
