// Carrying results into documents: new cells below the active one, text at the cursor of an editor, a drag.
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { MarkdownCell } from '@jupyterlab/cells';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { IDocumentWidget } from '@jupyterlab/docregistry';
import type { IEditorTracker } from '@jupyterlab/fileeditor';
import type { ICell } from '@jupyterlab/nbformat';
import type { INotebookTracker, Notebook, NotebookPanel } from '@jupyterlab/notebook';
import { MimeData } from '@lumino/coreutils';
import { Drag } from '@lumino/dragdrop';
import { el } from '../dom.js';
import type { Dragged, Insertion, Target } from '../panel/host.js';
import { cells } from './cells.js';
import { flash } from './flash.js';

export const CELLS_MIME = 'application/vnd.jupyter.cells';

/** So many pixels and a press is a drag. */
const FAR = 5;

/** A model is rarely told that its file cannot be written: what the server says of the file counts as well. */
export function refuseReadOnly({ context, title }: Pick<IDocumentWidget, 'context' | 'title'>): void {
  if (context.model.readOnly || context.contentsModel?.writable === false) {
    throw new Error(`${title.label} is read-only. Save a copy of it, and insert there.`);
  }
}

/** The text as paragraphs of its own, where the cursor of an editor stands. */
export function block(
  text: string,
  editor: Pick<CodeEditor.IEditor, 'getCursorPosition' | 'getLine' | 'lineCount'>
): string {
  const { line, column } = editor.getCursorPosition();
  const here = editor.getLine(line) ?? '';
  const before = here.slice(0, column).trim() ? '\n\n' : '';
  const next = here.slice(column).trim() || (line + 1 < editor.lineCount ? editor.getLine(line + 1)?.trim() : '');
  return `${before}${text}\n${next ? '\n' : ''}`;
}

/** What is dragged, as text, read when it is dropped; wherever that is, it begins a line and ends a paragraph. */
class Text extends MimeData {
  constructor(private readonly source: Dragged) {
    super();
  }

  override getData(mime: string): unknown {
    return mime === 'text/plain' ? `\n${this.source.text}\n\n` : super.getData(mime);
  }
}

export class Carrying {
  constructor(
    private readonly shell: JupyterFrontEnd.IShell,
    private readonly notebooks: INotebookTracker | null,
    private readonly editors: IEditorTracker | null
  ) {}

  target(): Target | null {
    const panel = this.notebook();
    if (panel) {
      const at = panel.content.activeCellIndex;
      const words = `${panel.title.label}, ${at < 0 ? 'as its first cell' : `below cell ${at + 1}`}`;
      return { words, cells: true };
    }
    const editor = this.editor();
    return editor && { words: `${editor.title.label}, at the cursor`, cells: false };
  }

  async insert(insertion: Insertion): Promise<string> {
    const panel = this.notebook();
    if (panel) {
      return this.intoNotebook(panel, insertion);
    }
    const editor = this.editor();
    if (editor && insertion.what !== 'search') {
      refuseReadOnly(editor);
      const { text } = insertion;
      editor.content.editor.replaceSelection?.(text.includes('\n') ? block(text, editor.content.editor) : text);
      return `Inserted into ${editor.title.label}.`;
    }
    throw new Error(editor ? 'A search cell needs a notebook. Open one.' : 'Open a notebook first.');
  }

  /** Follows a press until it is a drag or over. */
  drag(event: PointerEvent, source: Dragged, label: string): void {
    const { clientX, clientY, pointerId } = event;
    if (event.pointerType === 'touch') {
      return; // a finger on a title scrolls
    }
    const stop = new AbortController();
    const { signal } = stop;
    const moved = (now: PointerEvent): void => {
      if (now.pointerId === pointerId && Math.hypot(now.clientX - clientX, now.clientY - clientY) > FAR) {
        stop.abort();
        this.start(now, source, label);
      }
    };
    document.addEventListener('pointermove', moved, { signal });
    for (const over of ['pointerup', 'pointercancel']) {
      document.addEventListener(over, () => stop.abort(), { signal });
    }
  }

  private start(event: PointerEvent, source: Dragged, label: string): void {
    source.begun();
    const mimeData = new Text(source);
    const dragged = { cell_type: 'markdown', metadata: {} } as unknown as ICell;
    // The quote may still be on its way: it is read when the cell is dropped.
    Object.defineProperty(dragged, 'source', { enumerable: true, get: () => source.text });
    mimeData.setData(CELLS_MIME, [dragged]);
    mimeData.setData('text/plain', '');
    const dragImage = el('div', 'jp-Memo jp-MemoDragged', {}, label);
    const drag = new Drag({ mimeData, dragImage, proposedAction: 'copy', supportedActions: 'copy-move', source: this });
    void drag.start(event.clientX, event.clientY).then(() => drag.dispose());
  }

  private async intoNotebook(panel: NotebookPanel, insertion: Insertion): Promise<string> {
    const notebook: Notebook = panel.content;
    const shared = notebook.model?.sharedModel;
    if (!shared) {
      throw new Error(`${panel.title.label} is still being opened. Try again when it is there.`);
    }
    refuseReadOnly(panel);
    const language = panel.sessionContext.session?.kernel ? notebook.codeMimetype : '';
    const made = cells(
      insertion,
      shared.cells.map(cell => cell.getSource()),
      language
    );
    const at = notebook.activeCellIndex + 1;
    shared.insertCells(at, made.cells);
    const last = at + made.cells.length - 1;
    notebook.deselectAll();
    notebook.activeCellIndex = last;
    await notebook.scrollToItem(last, 'center');
    const cell = notebook.widgets[last];
    if (cell.model.type === 'markdown') {
      (cell as MarkdownCell).rendered = true;
    }
    flash(cell.node);
    return `Inserted into ${panel.title.label} as cell ${last + 1}.${made.note}`;
  }

  private notebook(): NotebookPanel | null {
    const current = this.notebooks?.currentWidget ?? null;
    return current && this.isAtHand(current, this.editors?.currentWidget) ? current : null;
  }

  private editor() {
    const current = this.editors?.currentWidget ?? null;
    return current && this.shell.currentWidget === current ? current : null;
  }

  /** The document being worked on; a notebook stays at hand while something that is no editor has the focus. */
  private isAtHand(panel: NotebookPanel, editor: unknown): boolean {
    const now = this.shell.currentWidget;
    return now === panel || (now !== editor && panel.isVisible);
  }
}
