// The search box of the panel: the field with its completion, and the mode and profile that it searches by.
import { Completer, type Completions } from '../complete.js';
import { button, el, svg } from '../dom.js';
import { GRAMMAR } from '../language/grammar.js';

export const MODES = ['auto', 'keyword', 'exact', 'semantic'] as const;
/** Those that every installation has; the user's own come with the state of the index. */
export const PROFILES: readonly string[] =
  GRAMMAR.magics.memo_search.find(option => option.flags.includes('--profile'))?.choices ?? [];

export interface Told {
  /** The text changed; wait for a pause. */
  typed(): void;
  /** Enter, or a choice: ask at once. */
  asked(): void;
  /** Down from the box, into the list. */
  down(): void;
  complete(text: string, caret: number): Promise<Completions | null>;
}

export class Box {
  readonly node: HTMLElement;
  readonly field = el('input', '', {
    type: 'search',
    'aria-label': 'Search your notes',
    placeholder: 'Search your notes',
    autocomplete: 'off',
    spellcheck: 'false'
  });
  private readonly mode = choice('mode', MODES);
  private readonly profile = choice('profile', ['', ...PROFILES]);
  private readonly completer: Completer;
  private listed = PROFILES;
  /** What was restored may be one of the user's own, which are not known at once. */
  private wanted = '';

  constructor(told: Told, signal: AbortSignal) {
    const slash = el('kbd', '', { 'aria-hidden': 'true' }, '/');
    const clear = button('clear', 'clear', { 'aria-label': 'clear the query', title: 'clear (Esc)' }, '×');
    const form = el('form', 'field', { role: 'search' }, glass(), this.field, clear, slash);
    const around = el('div', 'box', {}, form);
    this.completer = new Completer(this.field, around, told.complete, signal);
    this.node = el(
      'div',
      'top',
      {},
      around,
      el('div', 'by', {}, el('label', '', {}, 'mode ', this.mode), el('label', '', {}, 'profile ', this.profile))
    );
    form.addEventListener(
      'submit',
      event => {
        event.preventDefault();
        this.completer.close();
        told.asked();
      },
      { signal }
    );
    this.field.addEventListener('input', () => told.typed(), { signal });
    this.field.addEventListener('change', () => told.typed(), { signal });
    clear.addEventListener('click', () => this.clear(told), { signal });
    for (const select of [this.mode, this.profile]) {
      select.addEventListener('change', () => this.chose(told), { signal });
    }
    this.field.addEventListener('keydown', event => this.pressed(event, told), { signal });
  }

  get query(): string {
    return this.field.value;
  }

  set query(text: string) {
    this.field.value = text;
  }

  /** What is searched by, as the server takes it: what stands as the settings have it is left out. */
  get by(): { mode: string; profile: string } {
    return { mode: this.mode.value, profile: this.profile.value || this.wanted };
  }

  set by({ mode, profile }: { mode: string; profile: string }) {
    this.mode.value = (MODES as readonly string[]).includes(mode) ? mode : MODES[0];
    this.wanted = profile;
    this.profile.value = this.listed.includes(profile) ? profile : '';
  }

  /** Names the profile that is used when none is chosen, and offers those there are. */
  standard(profile: string, known: readonly string[] = PROFILES): void {
    const chosen = this.profile.value || this.wanted;
    if (known.join('\n') !== this.listed.join('\n')) {
      this.listed = known;
      this.profile.replaceChildren(...choices(['', ...known]));
    }
    this.profile.options[0].textContent = profile ? `${profile} (set)` : 'as set';
    this.wanted = known.includes(chosen) ? chosen : '';
    this.profile.value = this.wanted;
  }

  close(): void {
    this.completer.close();
  }

  /** Offers what may stand at the caret, the first of it chosen; false where nothing may. */
  suggest(): Promise<boolean> {
    return this.completer.ask(0);
  }

  focus(): void {
    this.field.focus();
    this.field.select();
  }

  private chose(told: Told): void {
    this.wanted = this.profile.value;
    told.asked();
  }

  private clear(told: Told): void {
    this.field.value = '';
    this.completer.close();
    told.typed();
    this.field.focus();
  }

  private pressed(event: KeyboardEvent, told: Told): void {
    if (event.defaultPrevented || event.isComposing) {
      return;
    }
    if (event.key === 'ArrowDown') {
      told.down();
    } else if (event.key === 'Escape' && this.field.value !== '') {
      this.clear(told);
    } else {
      return;
    }
    event.preventDefault();
  }
}

function choice(name: string, values: readonly string[]): HTMLSelectElement {
  return el('select', 'choose', { name, 'aria-label': name }, ...choices(values));
}

function choices(values: readonly string[]): HTMLOptionElement[] {
  return values.map(value => el('option', '', { value }, value));
}

function glass(): SVGElement {
  return svg(
    'svg',
    {
      width: 14,
      height: 14,
      viewBox: '0 0 14 14',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 1.5,
      'aria-hidden': 'true'
    },
    svg('circle', { cx: 6, cy: 6, r: 4 }),
    svg('path', { d: 'M9 9l3.5 3.5' })
  );
}
