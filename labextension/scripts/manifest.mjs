// Stores with the built assets the sha256 of each source they were built from; tests/jupyter/test_assets.py compares
// them without Node. Bytes of the bundles are not compared: they depend on the folder that they were built in.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const outputs = fileURLToPath(new URL('../../jupyter_memo/jupyter', import.meta.url));
const ALONE = ['package.json', 'tsconfig.json', 'yarn.lock'];
const FOLDERS = ['schema', 'scripts', 'src', 'style'];

const files = [
  ...ALONE,
  ...FOLDERS.flatMap(folder =>
    readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => `${entry.parentPath}/${entry.name}`.slice(root.length).replace(/^\/+/, ''))
  )
].sort();
const digest = path => createHash('sha256').update(readFileSync(path)).digest('hex');
const digests = Object.fromEntries(files.map(name => [name, digest(`${root}/${name}`)]));
digests['../jupyter_memo/wire.schema.json'] = digest(`${root}/../jupyter_memo/wire.schema.json`);
rmSync(`${outputs}/labextension/build_log.json`, { force: true });
writeFileSync(`${outputs}/labextension/sources.json`, `${JSON.stringify(digests, null, 1)}\n`);
