// What runs here: the server's jupyter_memo and, when asked, the kernel's, with the cure where the two disagree.
import type { Standing } from '../api.js';
import { button, el } from '../dom.js';
import { line } from '../visible.js';
import type { Kernel } from './host.js';

const AGREE = 'The kernel and the server agree.';

export interface Shown {
  standing: Standing | null;
  /** The document whose kernel can be asked; null where no kernel is at hand. */
  document: string | null;
  kernel: Kernel | null;
  asking: boolean;
  failed: string;
}

export function about({ standing, document, kernel, asking, failed }: Shown): HTMLElement {
  return el(
    'section',
    'about',
    { 'aria-label': 'About jupyter_memo' },
    el('h3', 'label', {}, 'In the server'),
    standing ? facts(server(standing)) : el('p', 'quiet', {}, 'The server part does not answer.'),
    el('h3', 'label', {}, document ? `In the kernel of ${line(document)}` : 'In a kernel'),
    kernel && !kernel.missing && facts(ofKernel(kernel)),
    ...(standing && kernel ? cures(standing, kernel) : []).map(said =>
      el('p', `note ${said === AGREE ? 'jp-mod-info' : ''}`, { role: 'status' }, el('span', '', {}, said))
    ),
    failed !== '' && el('p', 'note jp-mod-error', { role: 'alert' }, el('span', '', {}, line(failed))),
    document === null && el('p', 'quiet', {}, 'Open a notebook with a Python kernel to compare it with the server.'),
    el(
      'p',
      'tools',
      {},
      document !== null &&
        button(
          'button',
          'ask-kernel',
          { disabled: asking },
          asking ? 'Asking …' : kernel ? 'Ask again' : 'Ask the kernel'
        ),
      button('button', 'about', {}, 'Close')
    )
  );
}

/** What disagrees, each with what to do about it; one sentence when nothing does. */
export function cures(standing: Standing, kernel: Kernel): string[] {
  if (kernel.missing) {
    return [
      `${line(kernel.missing)} %%memo_search does not work in this notebook. Run %pip install jupyter_memo in it, then ` +
        'restart its kernel. The panel works without.'
    ];
  }
  const found = kernel.checks
    .filter(check => !check.ok)
    .map(({ detail, cure }) => `${sentence(detail)}${cure ? ` To mend it: ${sentence(cure, false)}` : ''}`);
  if (found.length === 0 && kernel.version !== standing.version) {
    found.push(
      `The kernel has jupyter_memo ${line(kernel.version)}, the server ${line(standing.version)}. Bring the older one ` +
        'up to date with pip install --upgrade jupyter_memo, then restart it.'
    );
  }
  return found.length > 0 ? found : [AGREE];
}

function sentence(text: string, begins = true): string {
  const told = line(text).replace(/\.$/u, '');
  return `${begins ? told.charAt(0).toUpperCase() + told.slice(1) : told}.`;
}

function server(standing: Standing): [string, string][] {
  const store = standing.store;
  return [
    ['jupyter_memo', standing.version],
    ['Python', standing.python],
    ['environment', standing.environment],
    ['folder', standing.root],
    ['store', store ? store.store + (store.read_only ? ' (read-only)' : '') : 'none'],
    ['model', store ? `${store.model}, ${store.model_state}` : ''],
    ['profile', store?.profile ?? '']
  ];
}

function ofKernel(kernel: Kernel): [string, string][] {
  return [
    ['jupyter_memo', kernel.version],
    ['Python', kernel.python],
    ['environment', kernel.environment],
    ['store', kernel.store]
  ];
}

function facts(rows: [string, string][]): HTMLElement {
  const told = rows.filter(([, value]) => value !== '');
  return el(
    'dl',
    'facts',
    {},
    ...told.flatMap(([name, value]) => [el('dt', '', {}, name), el('dd', '', {}, line(value))])
  );
}
