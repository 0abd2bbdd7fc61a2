import { describe, expect, test } from 'vitest';
import { Api, type Failed } from '../src/api.js';

function answering(response: Response | Error): Api {
  return new Api(async () => {
    if (response instanceof Error) {
      throw response;
    }
    return response;
  });
}

async function failure(promise: Promise<unknown>): Promise<Failed> {
  return promise.then(
    () => {
      throw new Error('it was answered');
    },
    error => error
  );
}

describe('the server part', () => {
  test('gives a response and the name under which it is kept', async () => {
    const api = answering(Response.json({ results: [] }, { headers: { 'Memo-Search': 'abc' } }));
    expect(await api.search({ query: 'flow', view: 'v' })).toEqual({ search: 'abc', data: { results: [] } });
  });

  test('that is not installed is said with its cure', async () => {
    const error = await failure(answering(Response.json({ message: 'Not Found' }, { status: 404 })).status());
    expect(error.code).toBe('Missing');
    expect(error.message).toContain('pip install jupyter_memo');
  });

  test('that is not installed is also known by a page in place of an answer', async () => {
    const error = await failure(answering(new Response('<html>', { status: 404 })).facets());
    expect(error.code).toBe('Missing');
  });

  test('refuses with a code, a message and a cure', async () => {
    const body = { code: 'QueryError', message: 'kind:x is not a kind.', hint: 'Kinds are note, paper' };
    const error = await failure(answering(Response.json(body, { status: 400 })).status());
    expect([error.code, error.message, error.status]).toEqual([
      'QueryError',
      'kind:x is not a kind. Kinds are note, paper',
      400
    ]);
  });

  test('that knows a list no longer is not taken for one that is missing', async () => {
    const body = { code: 'LifecycleError', message: 'this list is no longer kept.', hint: 'Search again' };
    const error = await failure(answering(Response.json(body, { status: 404 })).cite('s', 1, 'markdown'));
    expect(error.code).toBe('LifecycleError');
  });

  test.each([401, 403])('that answers %i asks for a sign-in', async status => {
    const error = await failure(answering(new Response('', { status })).status());
    expect(error.code).toBe('Forbidden');
  });

  test('that does not answer is said', async () => {
    const error = await failure(answering(new Error('network')).status());
    expect(error.code).toBe('Unreachable');
  });

  test('what was taken back fails as it was taken back', async () => {
    const stop = new AbortController();
    stop.abort();
    const gone = new Error('taken back');
    expect(await failure(answering(gone).search({ query: 'a', view: 'v' }, stop.signal))).toBe(gone);
  });
});
