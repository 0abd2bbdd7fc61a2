// The panel in JupyterLab: what it stands on there.
import { ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, Notification } from '@jupyterlab/apputils';
import { IDocumentManager } from '@jupyterlab/docmanager';
import { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import { IEditorTracker } from '@jupyterlab/fileeditor';
import { INotebookTracker } from '@jupyterlab/notebook';
import { IStateDB } from '@jupyterlab/statedb';
import type { ReadonlyJSONObject } from '@lumino/coreutils';
import type { Place } from '../api.js';
import { addCommands } from '../commands.js';
import { connect } from '../connection.js';
import { cells } from '../opening.js';
import type { Host } from '../panel/host.js';
import { PAUSE } from '../panel/searching.js';
import { stateOf } from '../panel/state.js';
import { IMemoSettings } from '../settings.js';
import { Carrying } from './carrying.js';
import { served } from './drives.js';
import { go } from './going.js';
import { ask } from './kernel.js';
import { ID, Side } from './side.js';

const STATE = 'jupyter-memo:panel';
const AREA = 'right';
const SETTINGS = 'settingeditor:open';

/** Goes to where a saved result was found, and says what is in the way. */
async function follow(documents: IDocumentManager, place: Place): Promise<void> {
  const path = place.path ?? '';
  const there = await documents.services.contents.get(path, { content: false }).catch(() => null);
  const told = there ? await go(documents, place) : `${path} is not there.`;
  told && Notification.warning(told);
}

export const panel: JupyterFrontEndPlugin<void> = {
  id: 'jupyter-memo:panel',
  description: 'Search beside any document, and its commands.',
  autoStart: true,
  requires: [IDocumentManager],
  optional: [
    ICommandPalette,
    ILayoutRestorer,
    IStateDB,
    INotebookTracker,
    IEditorTracker,
    IDefaultFileBrowser,
    IMemoSettings
  ],
  activate: (
    app: JupyterFrontEnd,
    documents: IDocumentManager,
    palette: ICommandPalette | null,
    restorer: ILayoutRestorer | null,
    states: IStateDB | null,
    notebooks: INotebookTracker | null,
    editors: IEditorTracker | null,
    browser: IDefaultFileBrowser | null,
    memo: IMemoSettings | null
  ) => {
    const { serviceManager, commands, shell } = app;
    const carrying = new Carrying(shell, notebooks, editors);
    const host: Host = {
      api: connect(serviceManager.serverSettings),
      folder: () => served(serviceManager.contents, browser?.model.path ?? '') ?? '',
      open: place => go(documents, place),
      target: () => carrying.target(),
      insert: insertion => carrying.insert(insertion),
      drag: (event, source, label) => carrying.drag(event, source, label),
      settings: () => void commands.execute(SETTINGS, { query: 'Memo' }),
      kernel: {
        name: () => (kernel() ? (notebooks?.currentWidget?.title.label ?? null) : null),
        ask: async () => {
          const found = kernel();
          if (!found) {
            throw new Error('No kernel runs in this notebook. Start one, then ask again.');
          }
          return ask(found);
        }
      },
      typing: () => ({
        asks: memo?.panel.search_as_you_type ?? true,
        pause: memo?.panel.debounce_ms ?? PAUSE
      }),
      load: async () => stateOf(await states?.fetch(STATE).catch(() => null)),
      save: state => void states?.save(STATE, state as unknown as ReadonlyJSONObject)
    };
    cells.go = place => void follow(documents, place);
    const kernel = () => notebooks?.currentWidget?.sessionContext.session?.kernel ?? null;
    const side = new Side(host);
    const place = (): void => {
      const area = memo?.panel.side ?? AREA;
      if (area !== side.area) {
        side.area = area;
        const held = side.isVisible;
        shell.add(side, area, { rank: 800, type: 'Memo' });
        held && shell.activateById(ID);
      }
    };
    restorer?.add(side, ID);
    place();
    memo?.changed.connect(place);
    addCommands({ app, side, palette, notebooks, editors, browser });
    browser?.model.pathChanged.connect(() => side.panel.moved());
    notebooks?.currentChanged.connect(() => side.panel.moved());
  }
};
