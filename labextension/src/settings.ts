// Keeps JupyterLab's settings form and the user's own jupyter_memo.toml in step. When the page is loaded the file has
// the last word; after that, what is changed in the form is written to the file. The panel's own settings are
// JupyterLab's alone.
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { Notification } from '@jupyterlab/apputils';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { Token } from '@lumino/coreutils';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Api } from './api.js';
import { connect } from './connection.js';
import { asInFile, changed, isOverridden, remarked, type Settings, said, type Tree } from './standing.js';

export const ID = 'jupyter-memo:plugin';

/** A form saves with every key that is pressed; the file is written when the typing pauses. In milliseconds. */
export const PAUSE = 800;

/** The settings of the panel, which are there before they are read: with their defaults. */
export interface IPanelSettings {
  readonly side: 'left' | 'right';
  readonly search_as_you_type: boolean;
  readonly debounce_ms: number;
}

export interface IMemoSettings {
  readonly panel: IPanelSettings;
  readonly changed: ISignal<IMemoSettings, void>;
  /** Resolves when they have been read, also when they could not be. */
  readonly ready: Promise<void>;
}

export const IMemoSettings = new Token<IMemoSettings>('jupyter-memo:IMemoSettings');

/** Tells the user something, in words. */
export type Say = (text: string, kind: 'error' | 'warning') => void;

export class MemoSettings implements IMemoSettings {
  panel: IPanelSettings = { side: 'right', search_as_you_type: true, debounce_ms: 200 };
  readonly changed = new Signal<this, void>(this);
  readonly ready: Promise<void>;

  private found: Settings | null = null;
  private form: Tree = {};
  private loaded: ISettingRegistry.ISettings | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly registry: ISettingRegistry,
    private readonly api: Pick<Api, 'settings' | 'change'>,
    private readonly say: Say
  ) {
    registry.transform(ID, {
      fetch: plugin => (this.found ? { ...plugin, schema: remarked(plugin.schema, this.found) } : plugin)
    });
    this.ready = this.load();
  }

  /** Writes what was changed in the form, without waiting for a pause. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.turn = this.turn.then(() => this.write());
    return this.turn;
  }

  private async load(): Promise<void> {
    // Without the server's part there is only the form: the panel says what is missing.
    this.found = await this.api.settings().catch(() => null);
    try {
      this.loaded = await this.registry.load(ID);
      await this.show(this.loaded);
    } catch (error) {
      console.warn('The settings of jupyter_memo cannot be read.', error);
      return;
    }
    this.form = this.loaded.user;
    this.read();
    this.loaded.changed.connect(() => {
      this.read();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.flush(), PAUSE);
    });
    // A page that goes takes no pause, and only one request gets away from it.
    window.addEventListener('pagehide', () => this.leave());
  }

  /** The file may hold what only a newer version knows, and the form refuses: then the form stays as it was. */
  private async show({ user }: ISettingRegistry.ISettings): Promise<void> {
    const wanted = this.found ? asInFile(user, this.found) : user;
    if (wanted !== user) {
      await this.registry
        .upload(ID, JSON.stringify(wanted, null, 2))
        .catch(error => console.warn('The settings form does not show the settings file.', error));
    }
  }

  private read(): void {
    const panel = this.loaded?.composite.panel as Partial<IPanelSettings> | undefined;
    const now = { ...this.panel, ...panel };
    if (JSON.stringify(now) !== JSON.stringify(this.panel)) {
      this.panel = now;
      this.changed.emit();
    }
  }

  private leave(): void {
    const now: Tree = this.loaded?.user ?? {};
    const changes = this.found ? changed(this.form, now, this.found) : [];
    if (changes.length > 0) {
      clearTimeout(this.timer);
      this.form = now;
      this.api.change(Object.fromEntries(changes), true).catch(() => {});
    }
  }

  private async write(): Promise<void> {
    const now: Tree = this.loaded?.user ?? {};
    if (!this.found) {
      this.found = await this.api.settings().catch(error => {
        this.say(`This change is not in your settings file. ${messageOf(error)}`, 'error');
        return null;
      });
    }
    if (!this.found) {
      return;
    }
    const changes = changed(this.form, now, this.found);
    // Told once, whatever comes of it: half of a value is often only the way to a whole one.
    this.form = now;
    for (const [key, value] of changes) {
      try {
        this.found = await this.api.change({ [key]: value });
        this.tell(key, this.found);
      } catch (error) {
        this.say(`${key} is not saved. ${messageOf(error)}`, 'error');
      }
    }
  }

  private tell(key: string, found: Settings): void {
    const setting = found.settings.find(each => each.key === key);
    if (setting && isOverridden(setting, found)) {
      const { where, value } = setting;
      this.say(`${key} is saved in ${found.file}, but ${where} overrides it: ${said(value)} counts.`, 'warning');
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export const settings: JupyterFrontEndPlugin<IMemoSettings> = {
  id: ID,
  description: 'Settings of jupyter_memo: the form, and the file that notebooks and the command line read.',
  autoStart: true,
  requires: [ISettingRegistry],
  provides: IMemoSettings,
  activate: (app: JupyterFrontEnd, registry: ISettingRegistry) => {
    let last = '';
    const say: Say = (text, kind) => {
      // One at a time: while somebody types, only the last one is true.
      if (last) {
        Notification.dismiss(last);
      }
      last = Notification.emit(`Memo: ${text}`, kind, { autoClose: 10_000 });
    };
    return new MemoSettings(registry, connect(app.serviceManager.serverSettings), say);
  }
};
