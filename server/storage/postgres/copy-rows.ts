import type pg from 'pg';
import type { SqlValue } from '../sql-database.ts';

/** Rows in the text format of COPY. */
export function copyText(rows: readonly (readonly SqlValue[])[]): string {
  let text = '';
  for (const row of rows) {
    for (const [at, value] of row.entries()) text += `${at === 0 ? '' : '\t'}${fieldOf(value)}`;
    text += '\n';
  }
  return text;
}

function fieldOf(value: SqlValue): string {
  if (typeof value === 'number') return String(value);
  if (value === null) return '\\N';
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`;
  return value.replaceAll('\0', '\ufffd').replaceAll(/[\\\t\n\r]/g, (found) => ESCAPES[found] ?? found);
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** What the client calls on a query of its own kind. Its types declare only `submit`. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs `copy ... from stdin` with all its rows. */
export async function copyIn(client: pg.Client, text: string, data: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.query({
    submit: (connection: pg.Connection) => (connection as unknown as CopyConnection).query(text),
    handleCopyInResponse(connection: CopyConnection) {
      connection.sendCopyFromChunk(Buffer.from(data));
      connection.endCopyFrom();
    },
    handleCommandComplete() {},
    handleReadyForQuery: () => resolve(),
    handleError: (error: Error) => reject(error),
  } as pg.Submittable);
  await promise;
}
