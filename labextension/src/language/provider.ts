// Completion in memo magics, as one of JupyterLab's own providers: the same list, the same keys, the same settings.
import {
  type Completer,
  CompleterModel,
  type CompletionHandler,
  type ICompletionContext,
  type ICompletionProvider
} from '@jupyterlab/completer';
import { Text } from '@jupyterlab/coreutils';
import { type Offer, type Offers, offers } from './offers.js';
import type { Values } from './values.js';

export const PROVIDER = 'CompletionProvider:memo';

interface Item extends CompletionHandler.ICompletionItem {
  memo?: true;
}

export class MemoCompletion implements ICompletionProvider {
  readonly identifier = PROVIDER;

  /** The first provider decides on the model of the list; the debugger's, which is the next, has 1000. */
  readonly rank = 1001;

  /** `others` are all providers there are: what the first of them would decide on, it still does. */
  constructor(
    private readonly values: Values,
    private readonly others: () => Iterable<ICompletionProvider> = () => []
  ) {}

  get renderer(): Completer.IRenderer | null {
    return this.next(provider => provider.renderer) ?? null;
  }

  async isApplicable({ editor }: ICompletionContext): Promise<boolean> {
    return here(editor) !== null;
  }

  async fetch({ text, offset }: CompletionHandler.IRequest): Promise<CompletionHandler.ICompletionItemsReply> {
    const found = offers(text, Text.charIndexToJsIndex(offset, text), await this.values.get());
    return {
      start: found ? Text.jsIndexToCharIndex(found.from, text) : offset,
      end: found ? Text.jsIndexToCharIndex(found.to, text) : offset,
      items: (found?.items ?? []).map(item)
    };
  }

  async modelFactory(context: ICompletionContext): Promise<Completer.IModel> {
    const make = this.next(provider => provider.modelFactory && provider);
    const model = make?.modelFactory ? await make.modelFactory(context) : new CompleterModel();
    return leavingOut(model, () => here(context.editor)?.alone ?? false);
  }

  private next<T>(what: (provider: ICompletionProvider) => T | null | undefined): T | undefined {
    const ranked = [...this.others()].filter(one => one !== this).sort((one, other) => rank(other) - rank(one));
    return ranked.map(what).find(found => found !== null && found !== undefined) ?? undefined;
  }
}

/** The same model, which takes no words of a kernel where only ours can be meant. */
function leavingOut(model: Completer.IModel, alone: () => boolean): Completer.IModel {
  const set = model.setCompletionItems.bind(model);
  model.setCompletionItems = (items: Item[]) => set(alone() ? items.filter(({ memo }) => memo) : items);
  return model;
}

function rank(provider: ICompletionProvider): number {
  return provider.rank ?? 0;
}

function here(editor: ICompletionContext['editor']): Offers | null {
  if (!editor || editor.isDisposed) {
    return null;
  }
  return offers(editor.model.sharedModel.getSource(), editor.getOffsetAt(editor.getCursorPosition()), {});
}

function item({ text, label, is, help }: Offer): Item {
  return { label, insertText: text, type: is, memo: true, ...(help && { documentation: help }) };
}
