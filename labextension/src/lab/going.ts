// Going to where a result is: the cell of a notebook, the lines of a file, the page of a PDF.
import type { CodeMirrorEditor } from '@jupyterlab/codemirror';
import type { IDocumentManager } from '@jupyterlab/docmanager';
import type { IDocumentWidget } from '@jupyterlab/docregistry';
import type { FileEditor } from '@jupyterlab/fileeditor';
import { NotebookActions, type NotebookPanel } from '@jupyterlab/notebook';
import type { Place } from '../api.js';
import { flash, flashLines } from './flash.js';
import { cellAt, factory, shownAs } from './places.js';

/** Opens a place and lights it up. Gives what is to be said, which is nothing when all went as asked. */
export async function go(documents: IDocumentManager, place: Place): Promise<string> {
  const path = place.path ?? '';
  const way = shownAs(place);
  if (way === 'nothing') {
    return `JupyterLab cannot show ${path}. The file is there: open it with the program it was made with.`;
  }
  const name = factory(place);
  const widget = documents.openOrReveal(path, name);
  if (!widget) {
    return `${path} could not be opened.`;
  }
  await widget.context.ready;
  await widget.revealed;
  if (way === 'cell') {
    return toCell(widget as NotebookPanel, place);
  }
  if (way === 'lines') {
    const { editor } = (widget as IDocumentWidget<FileEditor>).content;
    flashLines((editor as CodeMirrorEditor).editor, place.line ?? 1, place.line_end ?? place.line ?? 1);
    editor.focus();
  } else if (way === 'row') {
    widget.setFragment(`#row=${place.line}`);
  } else if (way === 'page') {
    widget.setFragment(`#page=${place.page}`);
    return `Page ${place.page} of ${path}.`;
  }
  return '';
}

async function toCell(panel: NotebookPanel, place: Place): Promise<string> {
  const notebook = panel.content;
  const at = cellAt(
    notebook.widgets.map(cell => cell.model.id),
    place
  );
  if (at < 0) {
    return 'The notebook was changed since it was read: the cell is no longer there.';
  }
  const cell = notebook.widgets[at];
  NotebookActions.expandParent(cell, notebook);
  notebook.deselectAll();
  notebook.activeCellIndex = at;
  notebook.mode = 'command';
  await notebook.scrollToItem(at, 'center');
  panel.activate();
  flash(cell.node);
  return '';
}
