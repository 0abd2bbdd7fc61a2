import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ISettingRegistry, SettingRegistry } from '@jupyterlab/settingregistry';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failed } from '../src/api.js';
import { ID, MemoSettings, PAUSE } from '../src/settings.js';
import { at, type Setting, type Settings, type Tree } from '../src/standing.js';

vi.mock('@jupyterlab/apputils', () => ({ Notification: {} }));

const SCHEMA = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'schema', 'plugin.json'), 'utf-8'));
const FILE = '~/.config/jupyter_memo/jupyter_memo.toml';

/** The server's part: a file of settings, of which some are decided elsewhere. */
class Server {
  file: Record<string, unknown> = {};
  stronger: Record<string, [where: string, value: unknown]> = {};
  puts: Record<string, unknown>[] = [];
  fails: Failed | null = null;

  async settings(): Promise<Settings> {
    if (this.fails) {
      throw this.fails;
    }
    const stands = (key: string, initial: unknown): Setting => {
      const own = this.file[key] ?? null;
      const [where, value] = this.stronger[key] ?? [own === null ? '' : FILE, own ?? initial];
      const origin = this.stronger[key] ? 'environment' : own === null ? 'default' : 'file';
      return { key, value, default: initial, origin, where, help: 'Help.', own };
    };
    return {
      file: FILE,
      settings: [stands('profile', 'default'), stands('search.limit', null), stands('store', null)]
    };
  }

  async change(changes: Record<string, unknown>): Promise<Settings> {
    this.puts.push(changes);
    if (Object.values(changes).includes('bad')) {
      throw new Failed('ConfigError', 'the change: store is no full path.', 'Write one.', 400);
    }
    for (const [key, value] of Object.entries(changes)) {
      this.file[key] = value;
    }
    return this.settings();
  }
}

const said: string[] = [];
let server: Server;
let saved: string[];
let registry: SettingRegistry;

function opened(raw = '{}'): MemoSettings {
  const plugin = (): ISettingRegistry.IPlugin => ({
    id: ID,
    raw: saved.at(-1) ?? raw,
    schema: SCHEMA,
    version: '0',
    data: { composite: {}, user: {} }
  });
  registry = new SettingRegistry({
    connector: {
      fetch: async () => plugin(),
      list: async () => ({ ids: [ID], values: [plugin()] }),
      save: async (_id: string, text: string) => void saved.push(text),
      remove: async () => undefined
    } as never
  });
  return new MemoSettings(registry, server, (text, kind) => said.push(`${kind}: ${text}`));
}

/** What somebody leaves in the form. */
async function typed(settings: MemoSettings, form: object): Promise<void> {
  await registry.upload(ID, JSON.stringify(form));
  await settings.flush();
}

beforeEach(() => {
  server = new Server();
  saved = [];
  said.length = 0;
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

afterEach(() => vi.useRealTimers());

test('when the page is loaded the form shows the file', async () => {
  server.file = { profile: 'code', 'search.limit': 5 };
  const settings = opened('{"profile": "rrf", "store": "/old", "panel": {"side": "left"}}');
  await settings.ready;
  const { user } = await registry.load(ID);
  expect(user).toEqual({ profile: 'code', search: { limit: 5 }, panel: { side: 'left' } });
  await settings.flush();
  expect(server.puts).toEqual([]);
});

test('a form that shows the file already is not saved again', async () => {
  server.file = { profile: 'code' };
  await opened('{"profile": "code"}').ready;
  expect(saved).toEqual([]);
});

test('a file that the form cannot show leaves the form at work', async () => {
  server.file = { profile: 'of a newer version' };
  const settings = opened('{"panel": {"side": "left"}}');
  await settings.ready;
  expect(settings.panel.side).toBe('left');
  await typed(settings, { search: { limit: 7 }, panel: { side: 'left' } });
  expect(server.puts).toEqual([{ 'search.limit': 7 }]);
});

test('a change in the form is written to the file, once', async () => {
  const settings = opened();
  await settings.ready;
  await typed(settings, { profile: 'code', search: { limit: null }, panel: { side: 'right' } });
  await settings.flush();
  expect(server.puts).toEqual([{ profile: 'code' }]);
  expect(said).toEqual([]);
});

test('a setting back at its default leaves the file', async () => {
  server.file = { profile: 'code' };
  const settings = opened();
  await settings.ready;
  await typed(settings, { profile: 'default' });
  expect([server.puts, server.file]).toEqual([[{ profile: null }], { profile: null }]);
});

test('what was written into the file by hand meanwhile is not written over', async () => {
  const settings = opened();
  await settings.ready;
  server.file.profile = 'precise';
  await typed(settings, { search: { limit: 7 } });
  await typed(settings, { search: { limit: 8 } });
  expect(server.puts).toEqual([{ 'search.limit': 7 }, { 'search.limit': 8 }]);
  expect(server.file.profile).toBe('precise');
});

test('a change is written though the page goes before the pause', async () => {
  const settings = opened();
  await settings.ready;
  const { loaded } = settings as unknown as { loaded: ISettingRegistry.ISettings };
  await loaded.save('{"profile": "code", "search": {"limit": 7}}');
  expect(server.puts).toEqual([]);
  window.dispatchEvent(new Event('pagehide'));
  expect(server.puts).toEqual([{ profile: 'code', 'search.limit': 7 }]);
  window.dispatchEvent(new Event('pagehide'));
  await settings.flush();
  expect(server.puts).toHaveLength(1);
});

test('a change waits for a pause in the typing', async () => {
  const settings = opened();
  await settings.ready;
  vi.useFakeTimers();
  for (const limit of [1, 12]) {
    await registry.upload(ID, JSON.stringify({ search: { limit } }));
    await vi.advanceTimersByTimeAsync(PAUSE - 1);
  }
  expect(server.puts).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(server.puts).toEqual([{ 'search.limit': 12 }]);
});

test('a setting that is overridden is saved, and told by what', async () => {
  server.stronger = { profile: ['JUPYTER_MEMO__PROFILE', 'precise'] };
  const settings = opened();
  await settings.ready;
  await typed(settings, { profile: 'code' });
  expect(server.file).toEqual({ profile: 'code' });
  expect(said).toEqual([
    `warning: profile is saved in ${FILE}, but JUPYTER_MEMO__PROFILE overrides it: precise counts.`
  ]);
});

test('the form says where a setting is decided', async () => {
  server.stronger = { 'search.limit': ['JUPYTER_MEMO__SEARCH__LIMIT', 7] };
  await opened().ready;
  const { schema } = await registry.load(ID);
  expect(at(schema as Tree, 'properties.search.properties.limit.description')).toBe(
    'Help. Now decided by JUPYTER_MEMO__SEARCH__LIMIT: 7.'
  );
});

test('a value that is refused is told with the cure, stays in the form, and is not sent again', async () => {
  const settings = opened();
  await settings.ready;
  await typed(settings, { store: 'bad', search: { limit: 3 } });
  await typed(settings, { store: 'bad', search: { limit: 4 } });
  expect(said).toEqual(['error: store is not saved. the change: store is no full path. Write one.']);
  expect(server.puts).toEqual([{ 'search.limit': 3 }, { store: 'bad' }, { 'search.limit': 4 }]);
  expect((await registry.load(ID)).user.store).toBe('bad');
});

test('without the server part a change is told to be nowhere but here', async () => {
  server.fails = new Failed('Missing', 'The server part of jupyter_memo is missing.', 'Install it.');
  const settings = opened();
  await settings.ready;
  expect(said).toEqual([]);
  await typed(settings, { profile: 'code' });
  expect(said).toEqual([
    'error: This change is not in your settings file. The server part of jupyter_memo is missing. Install it.'
  ]);
  server.fails = null;
  await settings.flush();
  expect(server.puts).toEqual([{ profile: 'code' }]);
});

test('the panel hears of its own settings, which are in no file', async () => {
  const settings = opened('{"panel": {"debounce_ms": 50}}');
  const heard = vi.fn();
  settings.changed.connect(heard);
  expect(settings.panel).toEqual({ side: 'right', search_as_you_type: true, debounce_ms: 200 });
  await settings.ready;
  expect(settings.panel.debounce_ms).toBe(50);
  await typed(settings, { panel: { side: 'left', search_as_you_type: false } });
  expect(settings.panel).toEqual({ side: 'left', search_as_you_type: false, debounce_ms: 200 });
  expect(heard).toHaveBeenCalledTimes(2);
  expect(server.puts).toEqual([]);
});

test('settings of JupyterLab that are broken leave the defaults', async () => {
  const settings = opened('{"profile": 3}');
  await settings.ready;
  expect(settings.panel.side).toBe('right');
  expect(console.warn).toHaveBeenCalled();
});
