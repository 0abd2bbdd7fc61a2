// An index job in words: how far it is, what it has done, what it did not read and what to do about that.
import type { Job, Missed, Report } from '../api.js';
import type { Child } from '../dom.js';
import { button, el, vary } from '../dom.js';
import * as format from '../format.js';
import { line } from '../visible.js';
import { isActive } from './jobs.js';

/** Files that are named one by one; the rest is counted. */
const NAMED = 50;
/** Up to this many stand open. */
const OPEN = 3;

export function progress(job: Job): HTMLElement {
  return el('div', 'job', { role: 'group', 'aria-label': 'indexing' }, ...(isActive(job) ? going(job) : ended(job)));
}

function going(job: Job): Child[] {
  const share = job.total > 0 ? Math.min(1, job.done / job.total) : 0;
  const stopping = job.state === 'cancelling';
  const verb = { waiting: 'Waiting to index', cancelling: 'Stopping' }[job.state as string] ?? 'Indexing';
  return [
    el(
      'div',
      'busy',
      {
        role: 'progressbar',
        'aria-label': 'indexing',
        'aria-valuemin': 0,
        'aria-valuemax': 100,
        'aria-valuenow': Math.round(100 * share)
      },
      vary(el('i'), { '--v': share })
    ),
    el('p', '', {}, el('b', '', {}, verb), ` ${places(job)} `, el('span', 'num', {}, steps(job))),
    job.name !== '' && el('p', 'jp-Memo-quiet ell', { title: line(job.name) }, line(job.name)),
    ...came(job.report),
    el('p', 'tools', {}, button('button', 'stop', { disabled: stopping }, stopping ? 'Stopping …' : 'Stop'))
  ];
}

function ended(job: Job): Child[] {
  const said =
    job.state === 'cancelled'
      ? ['Stopped.', ' What was finished is in the index, whole. Index again to go on.']
      : job.state === 'failed'
        ? ['Not indexed.', ` ${job.error ? `${job.error.message} ${job.error.hint}`.trim() : ''}`]
        : ['Indexed', ` ${places(job)}`];
  const fault = job.state === 'failed';
  return [
    el(
      'p',
      fault ? 'note jp-mod-error' : '',
      fault ? { role: 'alert' } : {},
      el('span', '', {}, el('b', '', {}, said[0]), line(said[1]).padStart(line(said[1]).length + 1))
    ),
    ...came(job.report),
    el('p', 'tools', {}, button('button', 'put-away', {}, 'Close'))
  ];
}

/** `papers/, notes/`, or words for the folder that JupyterLab serves. */
export function places(job: Pick<Job, 'paths'>): string {
  return job.paths.map(folder).join(', ');
}

export function folder(path: string): string {
  return path === '' ? 'the whole folder' : `${line(path).replace(/\/$/u, '')}/`.replace(/(\.\w{1,8})\/$/u, '$1');
}

function steps({ done, total, seconds_left: left }: Job): string {
  const files = total > 0 ? `${format.count(done)} of ${format.count(total)} files` : '· looking for files';
  return [files, left !== null && remaining(left)].filter(Boolean).join(' · ');
}

/** A guess, and told as one: files differ. */
function remaining(seconds: number): string {
  if (seconds < 1) {
    return '';
  }
  return seconds < 60
    ? `${Math.round(seconds)}${format.NARROW}s left`
    : `about ${format.count(Math.round(seconds / 60))}${format.NARROW}min left`;
}

function came(report: Report | null): Child[] {
  if (!report) {
    return [];
  }
  const { kept, added, dropped, withheld = 0, pending = 0 } = report;
  const counts: [number, string][] = [
    [kept, 'kept'],
    [added, 'added'],
    [dropped, 'dropped'],
    [withheld, 'held back'],
    [pending, 'waiting for vectors']
  ];
  const told = counts
    .filter(([count], at) => at === 1 || count > 0)
    .map(([count, what]) => `${format.count(count)} ${what}`);
  return [
    el('p', '', { title: 'passages' }, told.join(' · ')),
    listed(report.failed, 'failed'),
    listed(report.skipped, 'skipped')
  ];
}

function listed(missed: readonly Missed[], what: string): Child {
  if (missed.length === 0) {
    return null;
  }
  const items = missed
    .slice(0, NAMED)
    .map(({ uri, reason, cure }) => el('li', '', {}, el('b', '', {}, line(uri)), sentence(line(reason), line(cure))));
  const rest = missed.length - NAMED;
  return el(
    'details',
    'skip',
    { open: missed.length <= OPEN },
    el('summary', '', {}, `${format.count(missed.length)} ${missed.length === 1 ? 'file' : 'files'} ${what}`),
    el('ul', '', {}, ...items, rest > 0 && el('li', '', {}, `and ${format.count(rest)} more`))
  );
}

function sentence(reason: string, cure: string): string {
  const stop = /[.!?]$/u.test(reason) || cure === '' ? '' : '.';
  return `${reason}${stop} ${cure}`.trim();
}
