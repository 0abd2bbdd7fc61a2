// Elements by hand. Strings become text nodes and nothing else: no text can turn into markup here.

export type Child = Node | string | null | undefined | false;
export type Attributes = Record<string, string | number | boolean | null | undefined>;

const SVG = 'http://www.w3.org/2000/svg';

/** An element with the classes `jp-Memo-NAME` (or `jp-mod-NAME` as they stand), attributes and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  classes = '',
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  const names = named(classes);
  if (names) {
    node.className = names;
  }
  return fill(node, attributes, children);
}

/** The same for a figure. */
export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  return fill(document.createElementNS(SVG, tag) as SVGElement, attributes, children);
}

/** Sets custom properties such as `--v`, which the style sheet turns into lengths. */
export function vary<N extends HTMLElement>(node: N, values: Record<string, number | string>): N {
  for (const [name, value] of Object.entries(values)) {
    node.style.setProperty(name, typeof value === 'number' ? String(Number(value.toFixed(4))) : value);
  }
  return node;
}

/** The same children with a blank between them, so that their texts do not run together where they are copied or read out. */
export function spaced(...children: Child[]): Child[] {
  return children.filter(Boolean).flatMap((child, at) => (at > 0 ? [' ', child] : [child]));
}

/** A button that says what it does by the name of an action; one listener on the root carries them all out. */
export function button(
  classes: string,
  action: string,
  attributes: Attributes,
  ...children: Child[]
): HTMLButtonElement {
  return el('button', classes, { type: 'button', 'data-do': action, ...attributes }, ...children);
}

/** Makes these the children of `home`, unless it has the same ones: what has the focus keeps it, and nothing is read out. */
export function renew(home: HTMLElement, ...children: HTMLElement[]): void {
  const same = home.childNodes.length === children.length;
  if (!same || children.some((child, at) => !child.isEqualNode(home.childNodes[at]))) {
    home.replaceChildren(...children);
  }
}

function named(classes: string): string {
  return classes
    .split(' ')
    .filter(Boolean)
    .map(name => (name.startsWith('jp-') || name.startsWith('=') ? name.replace('=', '') : `jp-Memo-${name}`))
    .join(' ');
}

function fill<N extends Element>(node: N, attributes: Attributes, children: Child[]): N {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? '' : String(value));
    }
  }
  for (const child of children) {
    if (child) {
      node.append(child);
    }
  }
  return node;
}
