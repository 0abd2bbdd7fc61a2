// The responses that the Python tests read as well, and what Python makes of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { read } from '../src/read.js';
import { type Actions, draw, type View } from '../src/view.js';
import type { SearchResponse } from '../src/wire.js';

export const NAMES = ['response', 'degraded', 'empty', 'evidence', 'flat', 'hostile', 'refused', 'surfaces'] as const;

export function file(name: string): string {
  return readFileSync(join(import.meta.dirname, '..', '..', 'tests', 'golden', name), 'utf-8');
}

export function golden(name: string): SearchResponse {
  return read(JSON.parse(file(`${name}.json`)));
}

/** The response drawn into the page. */
export function drawn(response: SearchResponse | string, actions: Actions = {}): View {
  const home = document.createElement('div');
  document.body.replaceChildren(home);
  return draw(home, typeof response === 'string' ? golden(response) : response, actions);
}

export function all(node: ParentNode, selector: string): HTMLElement[] {
  return [...node.querySelectorAll<HTMLElement>(selector)];
}

export function one(node: ParentNode, selector: string): HTMLElement {
  const found = node.querySelector<HTMLElement>(selector);
  if (!found) {
    throw new Error(`nothing matches ${selector}`);
  }
  return found;
}

/** The text of a node as one line. */
export function said(node: Element | null | undefined): string {
  return (node?.textContent ?? '').replace(/\s+/gu, ' ').trim();
}

export function press(node: Element, key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  node.dispatchEvent(event);
  return event;
}
