// The server part of jupyter_memo as this page reaches it: JupyterLab's own server, with its token.
import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';
import { Api } from './api.js';

export function connect(settings: ServerConnection.ISettings): Api {
  return new Api(async (path, { method, body, signal, keepalive }) => {
    const init: RequestInit = {
      method,
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive })
    };
    const url = URLExt.join(settings.baseUrl, 'jupyter-memo', path);
    // That somebody watches a run is no activity; that the run goes on the server knows itself.
    const watched = method === 'GET' && path.startsWith('index');
    return ServerConnection.makeRequest(watched ? `${url}?no_track_activity=1` : url, init, settings);
  });
}
