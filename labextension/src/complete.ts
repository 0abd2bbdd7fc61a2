// Completion in the search box: a list below it, in which arrows choose and Enter or Tab takes.
import { button, el, spaced } from './dom.js';
import { count } from './format.js';
import { line } from './visible.js';

/** What may stand in the text from `from` to `to`, in UTF-16 units. */
export interface Completions {
  from: number;
  to: number;
  options: string[];
  /** How many passages each of them has, as far as that is known. */
  counts?: (number | undefined)[];
}

const MOST = 12;
let made = 0;

export class Completer {
  private readonly list: HTMLElement;
  private found: Completions | null = null;
  private at = -1;
  private asked = 0;

  constructor(
    private readonly field: HTMLInputElement,
    box: HTMLElement,
    private readonly complete: (text: string, caret: number) => Promise<Completions | null>,
    signal: AbortSignal
  ) {
    made += 1;
    const id = `jp-Memo-options-${made}`;
    this.list = el('div', 'options', { id, role: 'listbox', 'aria-label': 'completions', hidden: true });
    box.append(this.list);
    for (const [name, value] of Object.entries({
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-controls': id
    })) {
      field.setAttribute(name, value);
    }
    field.setAttribute('aria-expanded', 'false');
    field.addEventListener('input', () => void this.ask(), { signal });
    field.addEventListener('blur', () => this.close(), { signal });
    field.addEventListener('keydown', event => this.pressed(event), { signal });
    this.list.addEventListener('mousedown', event => this.picked(event), { signal });
  }

  close(): void {
    this.asked += 1;
    this.found = null;
    this.at = -1;
    this.list.hidden = true;
    this.field.setAttribute('aria-expanded', 'false');
    this.field.removeAttribute('aria-activedescendant');
  }

  /** Offers what may stand at the caret, with one of it chosen or none; false where nothing may. */
  async ask(at = -1): Promise<boolean> {
    this.asked += 1;
    const mine = this.asked;
    const caret = this.field.selectionStart ?? this.field.value.length;
    // A completion that fails is no completion: the search itself says what is wrong.
    const found = await this.complete(this.field.value, caret).catch(() => null);
    if (mine !== this.asked) {
      return true;
    }
    if (!found || found.options.length === 0) {
      this.close();
      return false;
    }
    this.found = { ...found, options: found.options.slice(0, MOST) };
    this.at = at;
    this.paint();
    return true;
  }

  private paint(): void {
    const { counts } = this.found ?? {};
    const options = (this.found?.options ?? []).map((option, at) =>
      button(
        'option',
        'option',
        {
          id: `${this.list.id}-${at}`,
          role: 'option',
          tabindex: -1,
          'data-at': at,
          'aria-selected': String(at === this.at)
        },
        ...spaced(
          el('bdi', 'ell', {}, line(option)),
          counts?.[at] !== undefined && el('span', 'num quiet', {}, count(counts[at]))
        )
      )
    );
    this.list.replaceChildren(...options);
    this.list.hidden = options.length === 0;
    this.field.setAttribute('aria-expanded', String(options.length > 0));
    if (this.at >= 0) {
      this.field.setAttribute('aria-activedescendant', `${this.list.id}-${this.at}`);
    } else {
      this.field.removeAttribute('aria-activedescendant');
    }
  }

  private pressed(event: KeyboardEvent): void {
    const options = this.found?.options ?? [];
    if (options.length === 0 || event.isComposing) {
      return;
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.at = this.at < 0 && step < 0 ? options.length - 1 : (this.at + step + options.length) % options.length;
      this.paint();
    } else if (event.key === 'Escape') {
      this.close();
    } else if ((event.key === 'Tab' && !event.shiftKey) || (event.key === 'Enter' && this.at >= 0)) {
      this.take(Math.max(0, this.at));
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private picked(event: MouseEvent): void {
    const option = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-at]') : null;
    if (option) {
      event.preventDefault(); // the field keeps the focus
      this.take(Number(option.dataset.at));
    }
  }

  private take(at: number): void {
    const { found, field } = this;
    const option = found?.options[at] ?? '';
    if (found) {
      field.value = field.value.slice(0, found.from) + option + field.value.slice(found.to);
      const caret = found.from + option.length;
      field.setSelectionRange(caret, caret);
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }
    this.close();
    // Behind the name of a field its values follow.
    if (option.endsWith(':')) {
      void this.ask();
    }
  }
}
