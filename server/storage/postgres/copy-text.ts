import type { SqlValue } from '../sql-database.ts';

/** UTF-16 units per part. Small parts are soon garbage-collected. */
const PART_LENGTH = 256 * 1024;

/** Rows in COPY's text format, in parts of whole rows. */
export async function* copyText(
  rows: Iterable<readonly SqlValue[]> | AsyncIterable<readonly SqlValue[]>,
  length: number = PART_LENGTH,
): AsyncGenerator<string> {
  let text = '';
  for await (const row of rows) {
    text += `${row.map(fieldOf).join('\t')}\n`;
    if (text.length < length) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function fieldOf(value: SqlValue): string {
  if (typeof value === 'number') return String(value);
  if (value === null) return '\\N';
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`;
  return ESCAPED.test(value) ? value.replaceAll(ESCAPED_ALL, (found) => ESCAPES[found] ?? found) : value;
}

/** Characters to escape. They are rare, so a search first is faster than always replacing. */
const ESCAPED = /[\\\t\n\r\0]/;
const ESCAPED_ALL = new RegExp(ESCAPED, 'g');

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};
