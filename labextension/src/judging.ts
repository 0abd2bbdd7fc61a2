// The four grades of a row, where its host stores judgements.
import { button, el } from './dom.js';
import type { Result } from './wire.js';

export type Grade = 0 | 1 | 2 | 3;
const GRADES = ['not relevant', 'related', 'relevant', 'the answer'] as const;

/** Remembers what was given on this page; what becomes of it is the host's. */
export class Judging {
  private readonly given = new Map<Result, Grade>();

  constructor(private readonly store: (result: Result, grade: Grade) => void) {}

  isOpen(item: HTMLElement | null): boolean {
    return item?.querySelector('.jp-Memo-grade') != null;
  }

  /** Shows the grades beside the button of a row, or takes them away. */
  toggle(item: HTMLElement, result: Result): void {
    const button = item.querySelector<HTMLElement>('[data-do="judge"]');
    const open = item.querySelector('.jp-Memo-grade');
    open ? open.remove() : button?.after(grades(this.given.get(result)));
    button?.setAttribute('aria-expanded', String(!open));
  }

  judge(item: HTMLElement, result: Result, grade: Grade): void {
    this.given.set(result, grade);
    this.store(result, grade);
    const shown = item.querySelector('.jp-Memo-grade');
    const held = shown?.contains(item.ownerDocument.activeElement);
    shown?.replaceWith(grades(grade));
    held && item.querySelector<HTMLElement>(`[data-grade="${grade}"]`)?.focus();
  }
}

function grades(given: Grade | undefined): HTMLElement {
  const choices = GRADES.map((meaning, grade) =>
    button(
      '',
      'grade',
      {
        role: 'radio',
        'aria-checked': String(grade === given),
        'aria-label': `${grade}, ${meaning}`,
        title: meaning,
        'data-grade': grade
      },
      String(grade)
    )
  );
  return el('span', 'grade', { role: 'radiogroup', 'aria-label': 'judge, 0 to 3' }, ...choices);
}
