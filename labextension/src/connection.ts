// The server part of jupyter_memo as this page reaches it: JupyterLab's own server, with its token.
import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';
import { Api } from './api.js';

export function connect(settings: ServerConnection.ISettings): Api {
  return new Api(async (path, { method, body, signal }) => {
    const init: RequestInit = { method, ...(body !== undefined && { body }), ...(signal && { signal }) };
    return ServerConnection.makeRequest(URLExt.join(settings.baseUrl, 'jupyter-memo', path), init, settings);
  });
}
