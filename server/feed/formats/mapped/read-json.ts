import { JSONParser } from '@streamparser/json';
import { errorMessage } from '../../../lib/error-message.ts';
import { type FeedBytes, FeedFault, type RawRow, rowsOf } from '../raw-row.ts';
import { type ColumnName, type FeedMapping, isReadBy, type MappedReading } from './mapping.ts';
import { type ReadColumn, rowMapper } from './row-mapper.ts';

/**
 * Reads JSON by a mapping: an array, a document whose `rows` path leads to one, or items one after the other.
 * A row's line is its number among the rows.
 */
export async function* readMappedJson(
  bytes: FeedBytes,
  mapping: FeedMapping,
  { head, sieve, onUnread }: MappedReading,
): AsyncGenerator<RawRow[]> {
  const isArray = head.startsWith('[');
  const path = mapping.rows === undefined ? (isArray ? '$.*' : '$') : `$.${mapping.rows}.*`;
  const each = mapping.each?.split('.') ?? [];
  // An empty separator allows several documents.
  const parser = new JSONParser({
    paths: [path],
    keepStack: false,
    ...(isArray ? {} : { separator: '' }),
  });
  const map = rowMapper<unknown>(mapping, readPath);
  const isRead = isReadBy(mapping);
  const noteUnread = (column: string, value: unknown): void => {
    const text = textOf(value);
    if (column !== '' && (text !== undefined || isRead(column))) {
      if (!isRead(column)) onUnread?.(column, text ?? '');
    } else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value))
        noteUnread(column === '' ? name : `${column}.${name}`, member);
  };
  let rows: RawRow[] = [];
  let line = 0;
  parser.onValue = ({ value }) => {
    line += 1;
    const fingerprint = sieve(Buffer.from(JSON.stringify(value)));
    if (fingerprint === null) return;
    const parts = partsOf(value, each);
    if (onUnread !== null) for (const part of parts) noteUnread('', part);
    rows.push(...rowsOf(line, fingerprint, parts.flatMap(map)));
  };
  let isEnded = false;
  parser.onEnd = () => {
    isEnded = true;
  };
  for await (const chunk of bytes) {
    try {
      // What follows the document may only be blank.
      if (!isEnded) parser.write(chunk);
      else if (Buffer.from(chunk).toString().trim() !== '') throw new Error('text after its end');
    } catch (error) {
      throw broken(line, errorMessage(error), error);
    }
    yield rows;
    rows = [];
  }
  try {
    if (!isEnded) parser.end();
  } catch (error) {
    throw broken(line, 'it ends too early', error);
  }
  if (line === 0 && mapping.rows !== undefined) refuseWrongPath(mapping.rows, head);
}

/** Refuses a feed without the rows that its mapping names, unless their list is empty. */
function refuseWrongPath(rows: string, head: string): void {
  const lists = [...head.matchAll(/"([^"\\]+)"\s*:\s*\[/g)].map(([, name]) => name);
  if (lists.includes(rows.split('.').at(-1))) return;
  throw new FeedFault(
    `The feed has no list ${rows}; found ${[...new Set(lists)].join(', ') || 'none with a name'}. Correct "rows" in the mapping.`,
  );
}

/** A row for each member of the lists at a path. In each, the list is replaced by its member. */
function partsOf(row: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [row];
  const list = memberOf(row, name);
  if (list === undefined || list === null) return [];
  return (Array.isArray(list) ? list : [list]).flatMap((member) =>
    partsOf(member, rest).map((part) => ({ ...(row as object), [name]: part })),
  );
}

function broken(line: number, reason: string, cause: unknown): FeedFault {
  return new FeedFault(
    `The JSON is damaged or cut off after item ${line}: ${reason}. Nothing was imported: fetch it again.`,
    { cause },
  );
}

/** A member by its name, or by a path such as `hotel.stars` or `images.0.url`. Joins lists by commas. */
function readPath(column: ColumnName): ReadColumn<unknown> {
  // In a row that is a list, columns have numbers from 1.
  const path = typeof column === 'number' ? String(column - 1) : column;
  const names = path.split('.');
  return (row) => textOf(memberOf(row, path) ?? names.reduce(memberOf, row));
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map((one) => textOf(one) ?? '').join(',');
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
