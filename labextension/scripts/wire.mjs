// Writes src/wire.ts from the JSON Schema that the Python package keeps: the types, and the table that the reader of
// untrusted data goes by. Writes src/language/grammar.ts from the table of fields and options that it keeps.
// With --check it only compares, and exits 1 where they differ.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const SCHEMA = fileURLToPath(new URL('../../jupyter_memo/wire.schema.json', import.meta.url));
const GRAMMAR = fileURLToPath(new URL('../../jupyter_memo/jupyter/grammar.json', import.meta.url));
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

/** A value as text: what fits on a line stands on one. */
function laidOut(value, indent = '') {
  const flat = JSON.stringify(value);
  if (flat.length <= 200) {
    return flat;
  }
  const lines = Array.isArray(value)
    ? value.map(each => laidOut(each, `${indent}  `))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${laidOut(each, `${indent}  `)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map(line => `${indent}  ${line}`).join(',\n')}\n${indent}${close}`;
}

const compiled = await compile(whole(schema), ROOT, {
  bannerComment: '',
  style: { singleQuote: true, printWidth: 120, trailingComma: 'none', arrowParens: 'avoid' },
  unreachableDefinitions: true // a comparison is no part of a response
});
const types = compiled.replaceAll(
  /(\n \*)?\n \* This interface was referenced by .*\n \* via the `definition` .*/g,
  ''
);
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

const grammar = `// Generated from jupyter_memo/jupyter/grammar.json by \`jlpm wire\`. Do not edit.

/** One option of a magic: what it is called, what its value is, and what may stand there. */
export interface Option {
  flags: string[];
  metavar: string;
  help: string;
  choices: string[];
  closed: boolean;
  many: boolean;
  reads: 'text' | 'whole' | 'name';
  values: string;
}

/** One field of a query: under which name the values of the index are listed, and what it asks for. */
export interface FieldOfQuery {
  values: string;
  help: string;
}

export interface Grammar {
  fields: Record<string, FieldOfQuery>;
  values: Record<string, string[]>;
  closed: string[];
  dates: string[];
  magics: Record<string, Option[]>;
  verbs: Record<string, { help: string; options: Option[] }>;
}

export const GRAMMAR: Grammar = ${laidOut(JSON.parse(readFileSync(GRAMMAR, 'utf-8')))};
`;

for (const [name, made] of Object.entries({ 'src/wire.ts': text, 'src/language/grammar.ts': grammar })) {
  const target = fileURLToPath(new URL(`../${name}`, import.meta.url));
  if (!process.argv.includes('--check')) {
    writeFileSync(target, made);
  } else if (!existsSync(target) || readFileSync(target, 'utf-8') !== made) {
    process.stderr.write(`${name} is out of date. Run: jlpm wire\n`);
    process.exitCode = 1;
  }
}
