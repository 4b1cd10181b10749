import { installedCommand } from '../../lib/installed-command.ts';
import { readCsvRows } from './csv-rows.ts';
import { asUtf8 } from './decode-text.ts';
import { columnsOf, type FeedMapping, isReadBy, type MappedReading } from './mapped/mapping.ts';
import { readMappedJson } from './mapped/read-json.ts';
import { readMappedXml } from './mapped/read-xml.ts';
import { rowMapper } from './mapped/row-mapper.ts';
import { wildcard } from './mapped/value-forms.ts';
import { type FeedBytes, FeedFault, type RawRow, type ReadRows } from './raw-row.ts';
import { readItemsCsv, readItemsJson } from './read-items.ts';

/** Bytes that suffice to detect a format. */
export const HEAD_BYTES = 65_536;

export const FEED_FORMATS = ['items-json', 'items-csv', 'mapped-csv', 'mapped-json', 'mapped-xml'] as const;

export type FormatName = (typeof FEED_FORMATS)[number];

/**
 * The requested format, or the one detected in `head`. Only the mapped formats can have a mapping, and they
 * need one. Throws a FeedFault that says what to do.
 */
export function chooseFormat(head: Uint8Array, requested: FormatName | null, mapping: FeedMapping | null) {
  const encoding = mapping?.encoding ?? encodingInXml(head);
  const text = new TextDecoder(encoding ?? 'utf-8').decode(head).trimStart();
  if (encoding === null) refuseBinary(head);
  refuseOtherText(head, text);
  const name = requested ?? detect(text, mapping !== null);
  if (name.startsWith('mapped-')) return mappedFormat(name, text, mapping, encoding);
  if (mapping !== null) {
    throw new FeedFault(`A mapping can only be used with the mapped formats, not with ${name}.`);
  }
  if (name === 'items-csv') return { name, read: readItemsCsv, columnOf: notMapped };
  if (text.startsWith('[')) {
    throw new FeedFault(
      "The feed is one JSON array. Each item must be on a line of its own, without brackets or commas between the items (jq -c '.[]' does that).",
    );
  }
  if (/^\{\s*[\r\n]/.test(text)) {
    throw new FeedFault(
      "The feed's JSON items span several lines. Each must be on one line (jq -c . does that).",
    );
  }
  return { name, read: readItemsJson, columnOf: notMapped };
}

const notMapped = () => undefined;

function mappedFormat(name: FormatName, text: string, mapping: FeedMapping | null, encoding: string | null) {
  if (mapping === null) {
    throw new FeedFault(
      `The feed looks like ${name}, which needs a mapping: use --mapping FILE (docs/feeds.md has an example). A feed of items begins with a brace, or with a header that includes TotalPrice.`,
    );
  }
  if (name === 'mapped-xml' && mapping.rows === undefined) {
    throw new FeedFault('A mapping for XML needs "rows", the name of the element of one package.');
  }
  /** The column that a field is mapped to; undefined for a constant. */
  const columnOf = (field: string) => [mapping.fields[field]?.column ?? []].flat().join(' and ') || undefined;
  const readers = { 'mapped-csv': readMappedCsv, 'mapped-json': readMappedJson, 'mapped-xml': readMappedXml };
  const readRows = readers[name as keyof typeof readers];
  const read: ReadRows = (bytes, reading) =>
    readRows(asUtf8(bytes, encoding), mapping, { ...reading, head: text });
  return { name, read, columnOf };
}

/** Excel names its delimiter above the header. */
const SEPARATOR_LINE = /^"?sep=([,;|\t])"?\r?\n/i;

/** Reads a CSV file by a mapping. Each mapped column must occur once, or be named by its number. */
function readMappedCsv(
  bytes: FeedBytes,
  mapping: FeedMapping,
  { head, sieve, onUnread }: MappedReading,
): AsyncGenerator<RawRow[]> {
  const { header: hasHeader, skip, comment } = mapping;
  const [separatorLine, separator] = SEPARATOR_LINE.exec(head) ?? [];
  const ignored = mapping.ignore.map(wildcard);
  return readCsvRows(bytes, {
    sieve,
    delimiter: mapping.delimiter ?? separator ?? ',',
    hasHeader,
    skip: skip + (separatorLine === undefined ? 0 : 1),
    comment,
    isIgnored: (line) => ignored.some((matches) => matches(line)),
    readHeader(columns) {
      for (const column of columnsOf(mapping)) {
        const times =
          typeof column === 'number'
            ? Number(column <= columns.length)
            : columns.filter((name) => name === column).length;
        if (times === 1) continue;
        throw new FeedFault(
          times > 1
            ? `The header has the column ${column} ${times} times, and the mapping reads it. Give the column's number (from 1) in the mapping.`
            : `The feed has no column ${column}, which the mapping reads. It has: ${columns.join(', ').slice(0, 1_000)}.`,
        );
      }
      const isRead = isReadBy(mapping);
      const unread = columns.flatMap((name, index) =>
        isRead(name) || isRead(index + 1) ? [] : [{ name, index }],
      );
      const map = rowMapper<readonly string[]>(mapping, (column) => {
        const index = typeof column === 'number' ? column - 1 : columns.indexOf(column);
        return (cells) => cells[index];
      });
      if (onUnread === null) return map;
      return (cells) => {
        for (const { name, index } of unread) onUnread(name, cells[index] ?? '');
        return map(cells);
      };
    },
  });
}

function detect(text: string, isMapped: boolean): FormatName {
  if (text.startsWith('<')) return 'mapped-xml';
  if (text.startsWith('{') || text.startsWith('[')) return isMapped ? 'mapped-json' : 'items-json';
  return !isMapped && /^[^\n\r]*\bTotalPrice\b/.test(text) ? 'items-csv' : 'mapped-csv';
}

/** The encoding that an XML declaration names; null for UTF-8. */
export function encodingInXml(head: Uint8Array): string | null {
  const start = Buffer.from(head.subarray(0, 200)).toString('latin1');
  const [, name = 'utf-8'] = /^<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(start) ?? [];
  if (/^utf-?8$/i.test(name)) return null;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new FeedFault(`The XML is in ${name}, which is not supported: ask the provider for UTF-8.`);
  }
}

function refuseBinary(head: Uint8Array): void {
  const [first, second] = head;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (!hasMark && head.subarray(0, 4).filter((byte) => byte === 0).length <= 1) return;
  throw new FeedFault(
    'The feed is UTF-16 or binary: save it as UTF-8 text, or set "encoding" in the mapping to utf-16le or utf-16be.',
  );
}

function refuseOtherText(head: Uint8Array, text: string): void {
  if (text === '' && head.length < HEAD_BYTES)
    throw new FeedFault(
      `The feed is empty; nothing was changed. To remove the provider's packages, run ${installedCommand('feed', 'remove CODE')}.`,
    );
  if (/^(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)\b/i.test(text))
    throw new FeedFault('The feed is a web page, perhaps an error page. It must be CSV, JSON or XML.');
}
