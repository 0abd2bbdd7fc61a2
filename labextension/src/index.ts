// The plugins of JupyterLab that the package brings, beside the renderer of saved results (mime.ts).
import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { panel } from './lab/plugin.js';
import { language } from './language/index.js';
import { settings } from './settings.js';

const plugins: JupyterFrontEndPlugin<unknown>[] = [panel, language, settings];
export default plugins;
