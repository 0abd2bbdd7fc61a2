// How settings stand: what the user's own file says, what JupyterLab's form shows, and who has the last word.

/** One setting as the server tells it; `own` is what the user's own file says, null where it says nothing. */
export interface Setting {
  key: string;
  value: unknown;
  default: unknown;
  origin: 'default' | 'file' | 'environment';
  /** The file or the variable that decides; empty where nothing does. */
  where: string;
  help: string;
  own: unknown;
  /** The names there are, where they are more than the form knows: the user's own profiles. */
  choices?: string[];
}

export interface Settings {
  /** The user's own file, as a person would type it. */
  file: string;
  settings: Setting[];
}

export type Tree = { readonly [name: string]: unknown };

/** What a tree holds at a dotted name. */
export function at(tree: Tree, key: string): unknown {
  let here: unknown = tree;
  for (const name of key.split('.')) {
    here = isTree(here) ? here[name] : undefined;
  }
  return here;
}

/** What the form is to hold so that it shows the file; what the file does not know (the panel) stays as it is. */
export function asInFile(form: Tree, found: Settings): Tree {
  let made = form;
  for (const setting of found.settings) {
    const own = setting.own ?? setting.default;
    if (!same(own, shown(form, setting))) {
      made = put(made, setting.key.split('.'), setting.own ?? undefined);
    }
  }
  return made;
}

/** What was changed in the form, by dotted name; null where it is back at its default: the file need not say it. */
export function changed(before: Tree, now: Tree, found: Settings): [key: string, value: unknown][] {
  return found.settings
    .filter(setting => !same(shown(before, setting), shown(now, setting)))
    .map(setting => {
      const value = shown(now, setting);
      return [setting.key, same(value, setting.default) ? null : value];
    });
}

/** Whether something stronger than the user's own file decides. */
export function isOverridden({ origin, where }: Setting, { file }: Settings): boolean {
  return origin !== 'default' && where !== file;
}

/** A schema whose descriptions say where a setting is decided, when it is not in the user's own file, and which offers
 * the names that this user has. */
export function remarked<S extends Tree>(schema: S, found: Settings): S {
  let made: Tree = schema;
  for (const setting of found.settings) {
    const names = setting.key.split('.').flatMap(name => [name, 'properties']);
    const path = ['properties', ...names.slice(0, -1)];
    if (isOverridden(setting, found)) {
      const told = `${setting.help} Now decided by ${setting.where}: ${said(setting.value)}.`;
      made = put(made, [...path, 'description'], told);
    }
    if (setting.choices) {
      made = put(made, [...path, 'enum'], setting.choices);
    }
  }
  return made as S;
}

/** A value in words. */
export function said(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? 'nothing' : JSON.stringify(value);
}

/** What the form shows for a setting; a text that was emptied is none. */
function shown(form: Tree, setting: Setting): unknown {
  const value = at(form, setting.key) ?? setting.default;
  return value === '' && setting.default === null ? null : value;
}

function put(tree: Tree, [name, ...rest]: string[], value: unknown): Tree {
  const inner = rest.length ? put(isTree(tree[name]) ? tree[name] : {}, rest, value) : value;
  const { [name]: _before, ...others } = tree;
  const empty = inner === undefined || (rest.length > 0 && isTree(inner) && Object.keys(inner).length === 0);
  return empty ? others : { ...tree, [name]: inner };
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
