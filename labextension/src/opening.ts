// Opening a result where it stands, with what JupyterLab gives a renderer: no kernel and no server of ours is needed.
// Nothing is resolved or opened before somebody asks for it, and only paths below the notebook's own server are.
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { Place } from './api.js';
import type { Actions } from './row.js';
import type { Folded, Result, SearchResponse, Span } from './wire.js';

/** What is opened: a result, or a passage that is folded below it. */
export interface Spot {
  uri: string;
  surface: string;
  span: Span;
  /** The title of the passage; empty where it has none. */
  title: string;
}

/**
 * Goes to a cell of a notebook, also one without an id in a notebook that is yet to be drawn, which the links of JupyterLab
 * cannot. It is there where the panel is, for the widget too, which is a bundle of its own.
 */
export const cells: { go: ((place: Place) => void) | null } = shared({ go: null });

function shared<T>(fresh: T): T {
  const page = globalThis as { [key: symbol]: T | undefined };
  const key = Symbol.for('jupyter-memo:cells');
  page[key] ??= fresh;
  return page[key];
}

export function spot({ passage }: Result, below?: Folded): Spot {
  if (below) {
    const own = below.title !== below.uri.slice(below.uri.lastIndexOf('/') + 1);
    return { ...below, title: own ? below.title : '' };
  }
  const { uri, surface, span, header } = passage;
  return { uri, surface, span, title: header.at(-1) ?? '' };
}

/** Whether there may be a file to go to: a record that was added from Python has none. */
export function hasFile(result: Result, below?: Folded): boolean {
  return spot(result, below).surface !== 'memory';
}

/**
 * The action of a home that can open files; none where JupyterLab offers no way to. `ways` are those of the response
 * that is shown.
 */
export function opener(
  options: Partial<Pick<IRenderMime.IRendererOptions, 'resolver' | 'linkHandler'>>,
  ways: () => SearchResponse['ways']
): Pick<Actions, 'open' | 'opens'> {
  const { resolver, linkHandler } = options;
  if (!resolver || !linkHandler) {
    return {};
  }
  return {
    opens: (result, below) => {
      const at = spot(result, below);
      const path = from(ways(), at.uri);
      return at.surface === 'file' && isPath(at.uri) && isPath(path) && (resolver.isLocal?.(encodeURI(path)) ?? true);
    },
    open: (result, below) => {
      const at = spot(result, below);
      void resolver.resolveUrl(encodeURI(from(ways(), at.uri))).then(url => {
        const path = decodeURIComponent(url);
        if (at.span.cell !== null && cells.go) {
          cells.go({ path, kind: 'notebook', cell_id: at.span.cell_id, cell: at.span.cell, why: '' });
          return;
        }
        // The handler makes a link of an element; this one is never shown, and pressed once.
        const link = document.createElement('span');
        linkHandler.handleLink(link, path, fragment(at));
        link.click();
      });
    }
  };
}

/**
 * The path of a file from the notebook on: its uri begins with the name of an indexed folder, or in a store's own folder
 * with nothing of the kind. Empty where no way leads there. Older responses have no ways: theirs is taken as it stands.
 */
function from(ways: SearchResponse['ways'], uri: string): string {
  const found = ways.find(([name]) => name === uri.split('/')[0]) ?? ways.find(([name]) => name === '');
  if (!found) {
    return ways.length > 0 ? '' : uri;
  }
  const [name, way] = found;
  const rest = name === '' ? uri : uri.slice(name.length + 1);
  return way && [way === '.' ? '' : way, rest].filter(Boolean).join('/');
}

/** A relative path, as results of files have it: no scheme, no root, no home, nothing a URL would read otherwise. */
function isPath(uri: string): boolean {
  return uri !== '' && !/^[/~\\]|^[a-z][a-z0-9+.-]*:|[?#\\]/i.test(uri);
}

/**
 * The place inside the file as JupyterLab names it: a cell, a heading (Markdown is opened as a preview, which knows no
 * lines, and cells of older notebooks have no ids), a row of a table, a line counted from 0.
 */
export function fragment({ uri, span, title }: Spot): string {
  if (span.cell_id !== null) {
    return `#cell-id=${encodeURIComponent(span.cell_id)}`;
  }
  const heading = title.replaceAll(' ', '-');
  if (span.cell !== null) {
    return heading && `#heading=${heading}`;
  }
  if (/\.(md|markdown)$/i.test(uri)) {
    return heading && `#${heading}`;
  }
  if (span.start_line === null) {
    return '';
  }
  return /\.[ct]sv$/i.test(uri) ? `#row=${span.start_line}` : `#line=${span.start_line - 1}`;
}
