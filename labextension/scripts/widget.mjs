// The bundle for homes outside JupyterLab's own output: one module and one style sheet.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const path = name => fileURLToPath(new URL(name, import.meta.url));

await build({
  entryPoints: { widget: path('../src/anywidget.ts') },
  bundle: true,
  format: 'esm',
  minify: true,
  target: 'es2022',
  legalComments: 'none',
  outdir: path('../../jupyter_memo/jupyter/static'),
  logLevel: 'warning'
});
await build({
  entryPoints: { widget: path('../style/index.css') },
  bundle: true,
  minify: true,
  target: 'chrome125',
  outdir: path('../../jupyter_memo/jupyter/static'),
  logLevel: 'warning'
});
