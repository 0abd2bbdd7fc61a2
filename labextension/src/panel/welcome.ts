// The first thing a new user sees: one button that makes an index of the folder at hand.
import type { Standing } from '../api.js';
import { button, el } from '../dom.js';
import { folder } from './progress.js';

export function welcome(path: string, standing: Standing, indexing: boolean): HTMLElement {
  const writable = standing.writable && !standing.store?.read_only;
  return el(
    'div',
    'welcome',
    {},
    el('h3', 'void', {}, 'Find what you have written'),
    el(
      'p',
      '',
      {},
      'Notes, notebooks, code, papers and data of a folder become searchable, by words and by meaning. ' +
        'Everything stays on the machine that runs JupyterLab.'
    ),
    writable
      ? el(
          'p',
          'tools',
          {},
          button(
            'button jp-mod-primary',
            'index-here',
            { disabled: indexing },
            path === '' ? 'Index this folder' : `Index ${folder(path)}`
          )
        )
      : el('p', 'note jp-mod-info', {}, el('span', '', {}, 'This index is read-only and holds nothing yet.')),
    writable &&
      el(
        'p',
        'quiet',
        {},
        path === ''
          ? 'That is the folder which JupyterLab shows. Go to another one in the file browser to begin with less.'
          : 'That is the folder in the file browser. ',
        ' You can search while it runs and stop it at any time; what looks like a key or password is left out.'
      )
  );
}
