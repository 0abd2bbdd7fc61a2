// Writes src/wire.ts from the JSON Schema that the Python package keeps: the types, and the table that the reader of
// untrusted data goes by. With --check it only compares, and exits 1 where the two differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const SCHEMA = fileURLToPath(new URL('../../jupyter_memo/wire.schema.json', import.meta.url));
const TARGET = fileURLToPath(new URL('../src/wire.ts', import.meta.url));
const ROOT = 'SearchResponse';

const schema = JSON.parse(readFileSync(SCHEMA, 'utf-8'));
const records = { [ROOT]: { ...schema, $defs: undefined }, ...schema.$defs };

/** One field for the reader: what it is, and what stands there when it is missing. */
function field(given) {
  const { default: missing, ...rest } = given;
  const found = kind(rest);
  return missing === undefined ? found : { ...found, missing };
}

function kind(given) {
  if (given.anyOf) {
    const [one, ...others] = given.anyOf.filter(entry => entry.type !== 'null');
    if (others.length > 0) {
      throw new Error(`a field of several types is not foreseen: ${JSON.stringify(given)}`);
    }
    return { ...kind(one), orNull: true };
  }
  if (given.$ref) {
    return { is: 'record', of: given.$ref.split('/').pop() };
  }
  if (given.type === 'array') {
    if (given.prefixItems) {
      return { is: 'tuple', each: given.prefixItems.map(kind) };
    }
    return { is: 'list', each: [kind(given.items)] };
  }
  const among = given.enum ?? (given.const === undefined ? undefined : [given.const]);
  const is = given.format === 'date-time' ? 'time' : given.type;
  if (!['string', 'number', 'integer', 'boolean', 'time'].includes(is)) {
    throw new Error(`this field is not foreseen: ${JSON.stringify(given)}`);
  }
  return among ? { is, among } : { is };
}

/** The same schema as the compiler of the types reads it: once read, every field is there. */
function whole(node) {
  if (Array.isArray(node)) {
    return node.map(whole);
  }
  if (node === null || typeof node !== 'object') {
    return node;
  }
  const { prefixItems, default: _missing, ...rest } = node;
  const made = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, whole(inner)]));
  if (prefixItems) {
    made.items = prefixItems.map(whole);
  }
  if (node.properties) {
    made.properties = Object.fromEntries(Object.entries(node.properties).map(([name, inner]) => [name, whole(inner)]));
    made.required = Object.keys(node.properties);
    made.additionalProperties = false;
  }
  return made;
}

const types = await compile(whole(schema), ROOT, {
  bannerComment: '',
  style: { singleQuote: true, printWidth: 120, trailingComma: 'none', arrowParens: 'avoid' },
  unreachableDefinitions: false
});
const table = Object.fromEntries(
  Object.entries(records).map(([name, record]) => [
    name,
    Object.fromEntries(Object.entries(record.properties).map(([key, given]) => [key, field(given)]))
  ])
);
const text = `// Generated from jupyter_memo/wire.schema.json by \`jlpm wire\`. Do not edit.

${types.trim()}

/** What one field is. \`missing\` is what a reader puts where the field is not there. */
export interface Field {
  is: 'string' | 'number' | 'integer' | 'boolean' | 'time' | 'record' | 'list' | 'tuple';
  of?: string;
  each?: Field[];
  among?: (string | number)[];
  orNull?: boolean;
  missing?: unknown;
}

export const RECORDS: Record<string, Record<string, Field>> = {
${Object.entries(table)
  .map(
    ([name, fields]) =>
      `  ${name}: {\n${Object.entries(fields)
        .map(([key, found]) => `    ${key}: ${JSON.stringify(found)}`)
        .join(',\n')}\n  }`
  )
  .join(',\n')}
};
`;

if (process.argv.includes('--check')) {
  const before = readFileSync(TARGET, { encoding: 'utf-8', flag: 'a+' });
  if (before !== text) {
    process.stderr.write('src/wire.ts is out of date. Run: jlpm wire\n');
    process.exit(1);
  }
} else {
  writeFileSync(TARGET, text);
}
