// Which paths of the file browser are those of the server: other drives (S3, Google Drive) have paths of the same form.
import type { Contents } from '@jupyterlab/services';

/** The names of drives that show the server's own files: the default one, and that of real-time collaboration. */
const OWN = ['', 'RTC'];

/** The path from the server's root; null where it lies on a drive that the server does not read. */
export function served(contents: Pick<Contents.IManager, 'driveName' | 'localPath'>, path: string): string | null {
  return OWN.includes(contents.driveName(path)) ? contents.localPath(path) : null;
}
