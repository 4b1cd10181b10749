import type pg from 'pg';
import type { SqlValue } from '../../sql-database.ts';

/** UTF-16 units per part. Small parts are soon garbage-collected. */
const PART_LENGTH = 256 * 1024;

/** Rows in COPY's text format, in UTF-8 parts of whole rows. Each part has its own memory. */
export function* copyParts(
  rows: Iterable<readonly SqlValue[]>,
  length: number = PART_LENGTH,
): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let text = '';
  for (const row of rows) {
    text += `${row.map(fieldOf).join('\t')}\n`;
    if (text.length < length) continue;
    yield encoder.encode(text);
    text = '';
  }
  if (text !== '') yield encoder.encode(text);
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

/** The methods that the client calls on a custom query. Its types declare only `submit`. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs `copy ... from stdin` with these rows. */
export async function copyIn(client: pg.Client, text: string, rows: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.query({
    submit: (connection: pg.Connection) => (connection as unknown as CopyConnection).query(text),
    handleCopyInResponse(connection: CopyConnection) {
      connection.sendCopyFromChunk(Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength));
      connection.endCopyFrom();
    },
    handleCommandComplete() {},
    handleReadyForQuery: () => resolve(),
    handleError: (error: Error) => reject(error),
  } as pg.Submittable);
  await promise;
}
