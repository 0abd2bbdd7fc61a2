// The language of memo cells in JupyterLab: what they look like, and what Tab offers in them.
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import { type CompletionProviderManager, ICompletionProviderManager } from '@jupyterlab/completer';
import { INotebookTracker, NotebookActions, type NotebookPanel } from '@jupyterlab/notebook';
import { connect } from '../connection.js';
import { memoSupport } from './dialect.js';
import { MemoCompletion } from './provider.js';
import { MIME, Switching } from './switching.js';
import { Values } from './values.js';

/** Magics behind which the index may hold other values. */
const CHANGES = /%memo_index\b|%memo\s+(?:open|purge|backfill|maintain)\b/u;

export const language: JupyterFrontEndPlugin<void> = {
  id: 'jupyter-memo:language',
  description: 'Highlighting and completion of %%memo_search cells.',
  autoStart: true,
  requires: [IEditorLanguageRegistry],
  optional: [INotebookTracker, ICompletionProviderManager],
  activate: (
    app: JupyterFrontEnd,
    languages: IEditorLanguageRegistry,
    notebooks: INotebookTracker | null,
    completion: ICompletionProviderManager | null
  ) => {
    languages.addLanguage({ name: 'memo-query', displayName: 'Memo query', mime: MIME, support: memoSupport() });
    const api = connect(app.serviceManager.serverSettings);
    const values = new Values(() => api.fields());
    const switching = new Switching(languages, completion ? () => void values.fresh() : undefined);
    const manager: Partial<CompletionProviderManager> | null = completion;
    completion?.registerProvider(new MemoCompletion(values, () => manager?.getProviders?.().values() ?? []));
    notebooks?.forEach(panel => void follow(panel, switching));
    notebooks?.widgetAdded.connect((_tracker, panel) => void follow(panel, switching));
    NotebookActions.executed.connect((_sender, { cell }) => {
      if (CHANGES.test(cell.model.sharedModel.getSource())) {
        values.forget();
      }
    });
  }
};

async function follow({ context, content }: NotebookPanel, switching: Switching): Promise<void> {
  await context.ready;
  const all = (): void => {
    for (const cell of content.model?.cells ?? []) {
      switching.watch(cell, () => content.codeMimetype);
    }
  };
  content.model?.cells.changed.connect(all);
  all();
}
