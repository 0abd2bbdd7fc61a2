// Fields of a query, put in and taken out of its text. What is typed and what is pressed are one and the same query.

const WORD = /(?:"[^"]*"?|[^\s"])+/gu;

/** The words of a query as typed; what stands in quotes stays together. */
export function words(query: string): string[] {
  return query.match(WORD) ?? [];
}

/** Whether the query asks for this value of a field, alone or among others. */
export function has(query: string, field: string, value: string): boolean {
  return words(query).some(word => named(word) === field && values(word).includes(value));
}

/** The query with one more value of a field: any of the values of one field will do. */
export function added(query: string, field: string, value: string): string {
  const all = words(query);
  const at = all.findIndex(word => named(word) === field);
  if (at < 0) {
    return [...all, `${field}:${typed(value)}`].join(' ');
  }
  all[at] = `${all[at]},${typed(value)}`;
  return all.join(' ');
}

/** The query with one value of a field less. */
export function removed(query: string, field: string, value: string): string {
  return words(query)
    .map(word => {
      if (named(word) !== field || !values(word).includes(value)) {
        return word;
      }
      const left = values(word).filter(other => other !== value);
      return left.length > 0 ? `${field}:${left.map(typed).join(',')}` : '';
    })
    .filter(Boolean)
    .join(' ');
}

export function toggled(query: string, field: string, value: string): string {
  return has(query, field, value) ? removed(query, field, value) : added(query, field, value);
}

/** The query bounded to one month, or without bounds where it was bounded to just that one. */
export function within(query: string, month: string): string {
  const bare = words(query).filter(word => !['since', 'before'].includes(named(word)));
  return (isWithin(query, month) ? bare : [...bare, `since:${month}`, `before:${after(month)}`]).join(' ');
}

export function isWithin(query: string, month: string): boolean {
  return has(query, 'since', month) && has(query, 'before', after(month));
}

function after(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return number < 12 ? `${year}-${String(number + 1).padStart(2, '0')}` : `${year + 1}-01`;
}

function named(word: string): string {
  const colon = word.indexOf(':');
  return colon > 0 ? word.slice(0, colon).toLowerCase() : '';
}

/** The values of a field, without the quotes that keep blanks and commas in them. */
function values(word: string): string[] {
  const found = word.slice(word.indexOf(':') + 1).match(/(?:"[^"]*"?|[^,"])+/gu) ?? [];
  return found.map(value => value.replaceAll('"', ''));
}

function typed(value: string): string {
  return /[\s,]/u.test(value) ? `"${value}"` : value;
}
