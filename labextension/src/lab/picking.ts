// What a person has marked or stands on, as text to search for.

import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { IEditorTracker } from '@jupyterlab/fileeditor';
import type { INotebookTracker } from '@jupyterlab/notebook';

const WORDS_MOST = 40;

/** Marked text as a query: its words, without what a query would read as a sign. */
export function asQuery(text: string): string {
  return text
    .replaceAll('"', ' ')
    .split(/\s+/u)
    .map(word => word.replace(/^-+(?=\w)/u, ''))
    .filter(word => /[\p{L}\p{N}]/u.test(word))
    .slice(0, WORDS_MOST)
    .join(' ');
}

/** The marked text: of the page, else of the editor at hand. `current` is the document that is worked on. */
export function marked(
  notebooks: INotebookTracker | null,
  editors: IEditorTracker | null,
  current: unknown = null
): string {
  const shown = window.getSelection()?.toString() ?? '';
  if (shown.trim()) {
    return shown;
  }
  const inCell = notebooks?.activeCell?.editor ?? null;
  const inFile = editors?.currentWidget?.content.editor ?? null;
  const atFile = current !== null && current === editors?.currentWidget;
  return atFile ? ofEditor(inFile) : ofEditor(inCell) || ofEditor(inFile);
}

function ofEditor(editor: CodeEditor.IEditor | null): string {
  if (!editor) {
    return '';
  }
  const { start, end } = editor.getSelection();
  const [one, other] = [editor.getOffsetAt(start), editor.getOffsetAt(end)];
  return editor.model.sharedModel.getSource().slice(Math.min(one, other), Math.max(one, other));
}
