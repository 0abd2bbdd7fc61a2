// The questions that the panel asks the server, each as a function that can be taken back.
import type { Answer, Api } from '../api.js';
import { line } from '../visible.js';
import type { Result } from '../wire.js';

export interface Found extends Answer {
  query: string;
  offset: number;
  /** What it is like, when it answers no query. */
  like: string;
}

export type Question = (signal: AbortSignal) => Promise<Found>;

export class Asking {
  /** By this name the server knows that a later question takes the place of an earlier one. */
  private readonly view = `panel-${Math.random().toString(36).slice(2)}`;

  constructor(
    private readonly api: Pick<Api, 'search' | 'similar'>,
    private readonly by: () => { mode: string; profile: string }
  ) {}

  /** What is searched by is left out where it is as the settings have it. */
  query(query: string, offset: number): Question {
    return async signal => {
      const { mode, profile } = this.by();
      const by = { ...(mode !== 'auto' && mode && { mode }), ...(profile && { profile }) };
      const answer = await this.api.search({ query, offset, view: this.view, ...by }, signal);
      return { ...answer, query, offset, like: '' };
    };
  }

  likeText(text: string, label: string): Question {
    return this.like({ text }, label);
  }

  likeResult(search: string, { rank, passage }: Result): Question {
    return this.like({ search, rank }, `result ${rank}, ${line(passage.header.at(-1) ?? passage.uri)}`);
  }

  private like(to: Parameters<Api['similar']>[0], like: string): Question {
    return async signal => {
      const answer = await this.api.similar(to, this.view, signal);
      return { ...answer, query: '', offset: 0, like };
    };
  }
}
