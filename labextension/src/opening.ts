// Opening a result where it stands, with what JupyterLab gives a renderer: no kernel and no server of ours is needed.
// Nothing is resolved or opened before somebody asks for it, and only paths below the notebook's own server are.
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { Actions } from './row.js';
import type { Passage, Result } from './wire.js';

/** The action of a home that can open files; none where JupyterLab offers no way to. */
export function opener(
  options: Partial<Pick<IRenderMime.IRendererOptions, 'resolver' | 'linkHandler'>>
): Pick<Actions, 'open' | 'opens'> {
  const { resolver, linkHandler } = options;
  if (!resolver || !linkHandler) {
    return {};
  }
  return {
    opens: result => isPath(result.passage) && (resolver.isLocal?.(encodeURI(result.passage.uri)) ?? true),
    open: result => {
      void resolver.resolveUrl(encodeURI(result.passage.uri)).then(path => {
        // The handler makes a link of an element; this one is never shown, and pressed once.
        const link = document.createElement('span');
        linkHandler.handleLink(link, decodeURIComponent(path), fragment(result));
        link.click();
      });
    }
  };
}

/** A relative path, as results of files have it: no scheme, no root, no home, nothing a URL would read otherwise. */
function isPath(passage: Passage): boolean {
  return passage.surface === 'file' && passage.uri !== '' && !/^[/~\\]|^[a-z][a-z0-9+.-]*:|[?#\\]/i.test(passage.uri);
}

/**
 * The place inside the file as JupyterLab names it: a cell, a heading (Markdown is opened as a preview, which knows no
 * lines), a row of a table, a line counted from 0.
 */
export function fragment(result: Result): string {
  const { header, uri, span } = result.passage;
  if (span.cell_id !== null) {
    return `#cell-id=${encodeURIComponent(span.cell_id)}`;
  }
  if (/\.(md|markdown)$/i.test(uri)) {
    return header.length > 0 ? `#${header[header.length - 1].replaceAll(' ', '-')}` : '';
  }
  if (span.start_line === null || span.cell !== null) {
    return '';
  }
  return /\.[ct]sv$/i.test(uri) ? `#row=${span.start_line}` : `#line=${span.start_line - 1}`;
}
