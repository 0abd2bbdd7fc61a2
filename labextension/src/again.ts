// Searches that a drawn response offers: its next page, a filter that shortens it, one field less.
import type { SearchResponse } from './wire.js';

/** The query and offset that an action of the view means, or nothing. */
export function again(
  { query, offset, results }: Pick<SearchResponse, 'query' | 'offset' | 'results'>,
  action: string,
  value: string
): { query: string; offset: number } | null {
  switch (action) {
    case 'next':
      return { query, offset: offset + results.length };
    case 'narrow':
      return { query: `${query} ${value}`, offset: 0 };
    case 'word':
      return { query: value, offset: 0 };
    case 'drop': {
      const left = query.split(/\s+/).filter(word => word !== value);
      return { query: left.join(' '), offset: 0 };
    }
    default:
      return null;
  }
}
