import { expect, test } from 'vitest';
import { asInFile, at, changed, isOverridden, remarked, type Setting, type Settings } from '../src/standing.js';

const FILE = '~/.config/jupyter_memo/jupyter_memo.toml';

function setting(key: string, initial: unknown, own: unknown = null, more: Partial<Setting> = {}): Setting {
  const origin = own === null ? 'default' : 'file';
  return {
    key,
    value: own ?? initial,
    default: initial,
    origin,
    where: own === null ? '' : FILE,
    help: 'Help.',
    own,
    ...more
  };
}

function found(...settings: Setting[]): Settings {
  return { file: FILE, settings };
}

test('a dotted name is looked up, also where nothing stands', () => {
  expect(at({ index: { trust: { file: 1 } } }, 'index.trust.file')).toBe(1);
  expect(at({ index: 3 }, 'index.trust.file')).toBeUndefined();
});

test('the file wins over the form, and the panel stays', () => {
  const form = { profile: 'rrf', user: 'me', panel: { side: 'right' }, search: { limit: 3 } };
  const stands = found(setting('profile', 'default', 'code'), setting('user', null), setting('search.limit', null));
  expect(asInFile(form, stands)).toEqual({ profile: 'code', panel: { side: 'right' } });
});

test('a form that shows the file already is left as it is', () => {
  const form = { profile: 'code', search: { limit: null, mode: 'auto' }, user: '' };
  const stands = found(
    setting('profile', 'default', 'code'),
    setting('user', null),
    setting('search.limit', null),
    setting('search.mode', 'auto')
  );
  expect(asInFile(form, stands)).toBe(form);
});

test('other settings of a section stay when one is put', () => {
  const stands = found(setting('index.trust.file', 2, 1), setting('index.watch', true, false));
  expect(asInFile({ index: { watch: false } }, stands)).toEqual({ index: { watch: false, trust: { file: 1 } } });
});

test('only what was changed in the form is told', () => {
  const stands = found(setting('profile', 'default', 'code'), setting('share', 'snippets'));
  expect(changed({ share: 'full' }, { share: 'full', panel: { side: 'right' } }, stands)).toEqual([]);
  expect(changed({}, { share: 'full' }, stands)).toEqual([['share', 'full']]);
});

test('a form that now says every default has changed nothing', () => {
  const stands = found(setting('profile', 'default'), setting('search.limit', null), setting('index.ignore', []));
  const full = { profile: 'default', search: { limit: null }, index: { ignore: [] } };
  expect(changed({}, full, stands)).toEqual([]);
});

test('back at its default a setting leaves the file', () => {
  const stands = found(setting('profile', 'default', 'code'), setting('store', null, '~/memo'));
  const before = { profile: 'code', store: '~/memo' };
  expect(changed(before, { profile: 'default', store: '' }, stands)).toEqual([
    ['profile', null],
    ['store', null]
  ]);
});

test('a stronger place is told in the description, with its value', () => {
  const strong = setting('search.limit', null, 5, {
    value: 7,
    origin: 'environment',
    where: 'JUPYTER_MEMO__SEARCH__LIMIT'
  });
  const stands = found(strong, setting('profile', 'default', 'code'));
  const schema = {
    properties: {
      search: { type: 'object', properties: { limit: { title: 'Limit', description: 'Help.' } } },
      profile: { description: 'Help.' }
    }
  };
  const made = remarked(schema, stands);
  expect(made.properties.search.properties.limit).toEqual({
    title: 'Limit',
    description: 'Help. Now decided by JUPYTER_MEMO__SEARCH__LIMIT: 7.'
  });
  expect(made.properties.profile.description).toBe('Help.');
  expect(schema.properties.search.properties.limit.description).toBe('Help.');
  expect(stands.settings.map(each => isOverridden(each, stands))).toEqual([true, false]);
});

test('the schema offers the names that this user has', () => {
  const schema = { properties: { profile: { enum: ['default'] }, share: { enum: ['full'] } } };
  const stands = found(
    setting('profile', 'default', 'papers', { choices: ['default', 'papers'] }),
    setting('share', 'full')
  );
  expect(remarked(schema, stands).properties).toEqual({
    profile: { enum: ['default', 'papers'] },
    share: { enum: ['full'] }
  });
});

test('what the project says is stronger than nothing in the own file', () => {
  const strong = setting('profile', 'default', null, {
    value: 'code',
    origin: 'file',
    where: '~/lab/jupyter_memo.toml'
  });
  expect(isOverridden(strong, found(strong))).toBe(true);
});
