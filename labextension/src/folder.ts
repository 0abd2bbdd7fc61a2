// A form that indexes a folder: progress while it goes on, a way to stop it, and what came of it.
import { Cancelled, type Channel, type Progress } from './channel.js';
import { button, el, vary } from './dom.js';
import * as format from './format.js';
import { line, text } from './visible.js';

/** The form. `done` is called when the index has changed. */
export function folder(channel: Channel, done: () => void): HTMLElement {
  const field = el('input', '', {
    type: 'text',
    'aria-label': 'folder or file',
    placeholder: 'notes',
    autocomplete: 'off',
    spellcheck: 'false'
  });
  const start = button('button', 'index', { type: 'submit' }, 'Index');
  const stop = button('button', 'cancel', { hidden: true }, 'Cancel');
  const form = el('form', 'field', {}, field, start, stop);
  const told = el('div', 'told', { role: 'status' });
  let running: AbortController | null = null;

  async function run(): Promise<void> {
    running = new AbortController();
    start.hidden = true;
    stop.hidden = false;
    told.replaceChildren(el('p', 'meta', {}, 'indexing'));
    const progress = (step: Progress) => told.replaceChildren(...moved(step));
    try {
      const asked = channel.ask('index', { paths: [field.value.trim()] }, { signal: running.signal, progress });
      const report = await asked.value;
      told.replaceChildren(el('pre', 'plain', { dir: 'auto' }, text(String(report.text ?? ''))));
    } catch (error) {
      const cancelled = error instanceof Cancelled;
      const said = cancelled
        ? 'Cancelled. What was finished is in the index, whole. Index again to go on.'
        : error instanceof Error
          ? error.message
          : String(error);
      told.replaceChildren(el('p', `note ${cancelled ? 'jp-mod-info' : 'jp-mod-error'}`, {}, el('span', '', {}, said)));
    } finally {
      running = null;
      start.hidden = false;
      stop.hidden = true;
      done();
    }
  }

  form.addEventListener('submit', event => {
    event.preventDefault();
    if (!running && field.value.trim()) {
      void run();
    }
  });
  stop.addEventListener('click', () => running?.abort());
  return el(
    'details',
    'jp-Memo jp-MemoFolder',
    { 'data-lm-suppress-shortcuts': 'true' },
    el('summary', '', {}, 'Index a folder'),
    form,
    told
  );
}

function moved({ done, total, name }: Progress): HTMLElement[] {
  const share = total > 0 ? done / total : 0;
  return [
    el('p', 'meta', {}, el('span', '', {}, `${format.count(done)} of ${format.count(total)} files`), line(name)),
    el('div', 'busy', { role: 'progressbar', 'aria-label': 'indexing' }, vary(el('i'), { '--v': share }))
  ];
}
