// A short light on what was gone to, so that the eye finds it.
import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** As long as the animation of style/panel.css, in milliseconds. */
const SHORT = 1600;

/** Lights up an element. */
export function flash(node: HTMLElement): void {
  node.classList.remove('jp-Memo-flash');
  // Reading a measure between the two lets the animation begin anew.
  void node.offsetWidth;
  node.classList.add('jp-Memo-flash');
  setTimeout(() => node.classList.remove('jp-Memo-flash'), SHORT);
}

interface Lines {
  from: number;
  to: number;
}

const light = StateEffect.define<Lines | null>();
const lit = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { changes, effects, state }) => {
    let found = marks.map(changes);
    for (const effect of effects) {
      if (effect.is(light)) {
        const lines = effect.value;
        found = lines
          ? Decoration.set(
              Array.from({ length: lines.to - lines.from + 1 }, (_, at) =>
                Decoration.line({ class: 'jp-Memo-flash' }).range(state.doc.line(lines.from + at).from)
              )
            )
          : Decoration.none;
      }
    }
    return found;
  },
  provide: field => EditorView.decorations.from(field)
});

/** Goes to lines of an editor, counted from 1, and lights them up. */
export function flashLines(view: EditorView, first: number, last: number): void {
  const { doc } = view.state;
  const from = Math.max(1, Math.min(first, doc.lines));
  const to = Math.max(from, Math.min(last, doc.lines));
  const add = view.state.field(lit, false) === undefined ? [StateEffect.appendConfig.of(lit)] : [];
  const at = doc.line(from).from;
  view.dispatch({
    selection: { anchor: at },
    effects: [...add, light.of({ from, to }), EditorView.scrollIntoView(at, { y: 'center' })]
  });
  setTimeout(() => view.dispatch({ effects: light.of(null) }), SHORT);
}
