// The panel as a widget of JupyterLab's side areas.
import { searchIcon } from '@jupyterlab/ui-components';
import type { Message } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import type { Host } from '../panel/host.js';
import { mountPanel, type Panel } from '../panel/panel.js';

export const ID = 'jupyter-memo-panel';

export class Side extends Widget {
  readonly panel: Panel;
  /** The side area that it was put into. */
  area = '';

  constructor(host: Host) {
    super();
    this.id = ID;
    this.title.icon = searchIcon;
    this.title.caption = 'Search your notes';
    this.addClass('jp-MemoSide');
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', 'Search your notes');
    this.panel = mountPanel(this.node, host);
  }

  override dispose(): void {
    if (!this.isDisposed) {
      this.panel.dispose();
      super.dispose();
    }
  }

  /** A panel that nobody has looked at asks nothing: the server need not load the engine for it. */
  protected override onAfterShow(message: Message): void {
    super.onAfterShow(message);
    void this.panel.wake();
  }

  protected override onAfterAttach(message: Message): void {
    super.onAfterAttach(message);
    if (this.isVisible) {
      void this.panel.wake();
    }
  }

  protected override onActivateRequest(message: Message): void {
    super.onActivateRequest(message);
    this.panel.focus();
  }
}
