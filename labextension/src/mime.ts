// The renderer of saved search results: it needs no kernel, no server of ours and no trust.
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { Widget } from '@lumino/widgets';
import { drawComparison } from './compare.js';
import { failure } from './frame.js';
import { opener } from './opening.js';
import { read, readComparison, Unreadable } from './read.js';
import { draw } from './view.js';

export const MIME = 'application/vnd.jupyter-memo+json';
export const COMPARISON = 'application/vnd.jupyter-memo.comparison+json';

/** Draws one output. What cannot be read is said, with the plain text of the same output below it. */
export class MemoRenderer extends Widget implements IRenderMime.IRenderer {
  private view: { dispose(): void } | null = null;

  constructor(private readonly options: Partial<IRenderMime.IRendererOptions>) {
    super();
    this.addClass('jp-MemoOutput');
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this.view?.dispose();
    this.view = null;
    try {
      this.view = this.drawn(model.data);
    } catch (error) {
      if (!(error instanceof Unreadable)) {
        throw error;
      }
      const plain = model.data['text/plain'];
      this.node.replaceChildren(failure(error.message, typeof plain === 'string' ? plain : ''));
    }
  }

  private drawn(data: IRenderMime.IMimeModel['data']): { dispose(): void } {
    if (data[COMPARISON] !== undefined) {
      return drawComparison(this.node, readComparison(data[COMPARISON]));
    }
    const response = read(data[MIME]);
    return draw(
      this.node,
      response,
      opener(this.options, () => response.ways)
    );
  }

  override dispose(): void {
    if (!this.isDisposed) {
      this.view?.dispose();
      this.view = null;
      super.dispose();
    }
  }
}

const extension: IRenderMime.IExtension = {
  id: 'jupyter-memo:mime',
  description: 'Shows the results of jupyter_memo searches, and comparisons of them.',
  rendererFactory: {
    safe: true,
    mimeTypes: [MIME, COMPARISON],
    defaultRank: 0,
    createRenderer: options => new MemoRenderer(options)
  },
  rank: 0,
  dataType: 'json'
};
export default extension;
