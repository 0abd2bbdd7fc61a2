// The commands of the panel; schema/panel.json puts them into menus and onto keys.
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { type ICommandPalette, Notification } from '@jupyterlab/apputils';
import type { FileBrowser } from '@jupyterlab/filebrowser';
import type { IEditorTracker } from '@jupyterlab/fileeditor';
import type { INotebookTracker } from '@jupyterlab/notebook';
import { searchIcon } from '@jupyterlab/ui-components';
import { served } from './lab/drives.js';
import { asQuery, marked } from './lab/picking.js';
import type { Side } from './lab/side.js';

export const OPEN = 'jupyter-memo:open';
export const SELECTION = 'jupyter-memo:search-selection';
export const SIMILAR = 'jupyter-memo:similar-to-cell';
export const INDEX = 'jupyter-memo:index-folder';
export const ABOUT = 'jupyter-memo:about';

const CATEGORY = 'Memo';
const ELSEWHERE =
  'That lies on a drive which the server does not read. Copy it into a folder of the server to index it.';

export interface Parts {
  app: JupyterFrontEnd;
  side: Side;
  palette: ICommandPalette | null;
  notebooks: INotebookTracker | null;
  editors: IEditorTracker | null;
  browser: FileBrowser | null;
}

export function addCommands({ app, side, palette, notebooks, editors, browser }: Parts): void {
  const { commands, shell } = app;
  const show = async (): Promise<void> => {
    shell.activateById(side.id);
    await side.panel.wake();
  };
  commands.addCommand(OPEN, {
    label: 'Open Search Panel',
    caption: 'Search your notes beside any document',
    execute: async () => {
      await show();
      side.panel.focus();
    }
  });
  commands.addCommand(SELECTION, {
    label: 'Search the Selected Text',
    execute: async () => {
      const query = asQuery(marked(notebooks, editors, shell.currentWidget));
      await show();
      query ? side.panel.ask(query) : side.panel.focus();
    }
  });
  commands.addCommand(SIMILAR, {
    label: 'Find Similar to This Cell',
    isEnabled: () => !!notebooks?.activeCell?.model.sharedModel.getSource().trim(),
    execute: async () => {
      const [panel, cell] = [notebooks?.currentWidget, notebooks?.activeCell];
      const text = cell?.model.sharedModel.getSource().trim() ?? '';
      await show();
      if (panel && text) {
        side.panel.similar(text, `cell ${panel.content.activeCellIndex + 1} of ${panel.title.label}`);
      }
    }
  });
  const chosen = () => [...(browser?.selectedItems() ?? [])];
  commands.addCommand(INDEX, {
    label: () => indexes(chosen().map(item => item.type)),
    icon: searchIcon,
    isEnabled: () => browser !== null,
    execute: async () => {
      const items = chosen().map(item => item.path);
      const paths = items.length > 0 ? items : [browser?.model.path ?? ''];
      const own = paths.map(path => served(app.serviceManager.contents, path));
      if (own.some(path => path === null)) {
        Notification.error(`Memo: ${ELSEWHERE}`, { autoClose: 10_000 });
        return;
      }
      await show();
      side.panel.index(own.map(String));
    }
  });
  commands.addCommand(ABOUT, {
    label: 'About the Search Panel',
    caption: 'Versions, environments and stores of the server and the kernel',
    execute: async () => {
      await show();
      side.panel.about();
    }
  });
  for (const command of [OPEN, SELECTION, SIMILAR, INDEX, ABOUT]) {
    palette?.addItem({ command, category: CATEGORY });
  }
}

/** What would be indexed, by the types of what is chosen in the file browser. */
function indexes(types: readonly string[]): string {
  const file = types.length === 1 && types[0] !== 'directory';
  const what = types.length > 1 ? `These ${types.length}` : file ? 'This File' : 'This Folder';
  return `Index ${what} with Memo`;
}
