import { SaxesParser } from 'saxes';
import { type FeedBytes, FeedFault, type RawRow, type RowReading, rowsOf } from '../raw-row.ts';
import { type FeedMapping, isReadBy } from './mapping.ts';
import { rowMapper } from './row-mapper.ts';

/** A row's texts by their path within it: `hotel/name`, `hotel/@code`, and `.` for its own text. */
type XmlRow = Map<string, string>;

/** Faults after which the structure is unknown. */
const FATAL = /unclosed|unmatched|unexpected|only one root|root element|outside of root/;

/** Characters of one row's texts, and of a row that holds many packages. */
const MAX_ROW = 1_048_576;
const MAX_PARENT = 33_554_432;

/** The most element names that a message lists. */
const MAX_ELEMENTS = 30;

const LOOSE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi;

/** Bytes after which text without an end of a tag or row is parsed as it is. */
const MAX_REST = 2 * MAX_ROW;

const [LF, SLASH, GREATER] = [10, 47, 62];

/** The bytes that may follow an element's name. */
const AFTER_NAME: readonly (number | undefined)[] = [9, LF, 13, 32, SLASH, GREATER];

/** Markup that may hide rows from the parser or change what they mean. */
const DECLARATION = /<[!?]/;

/**
 * Reads the elements that the mapping's `rows` names, without known ones. Joins repeated elements by commas. A row's
 * bytes decide what it says only where nothing hides rows; after a comment or declaration between rows, all are read.
 */
export async function* readMappedXml(
  bytes: FeedBytes,
  mapping: FeedMapping,
  reading: RowReading,
): AsyncGenerator<RawRow[]> {
  const file = xmlFile(mapping, reading);
  const [open, close] = [Buffer.from(`<${mapping.rows}`), Buffer.from(`</${mapping.rows}`)];
  /** A row with many packages is read every time. */
  const isSplit = mapping.each !== undefined;
  let rest: Buffer = Buffer.alloc(0);

  /** Where the row that may begin at `from` ends; null: further on. */
  function rowEnd(buffer: Buffer, from: number): number | null {
    const tagEnd = buffer.indexOf(GREATER, from);
    if (tagEnd < 0) return null;
    if (buffer[tagEnd - 1] === SLASH) return tagEnd + 1;
    let at = buffer.indexOf(close, tagEnd);
    while (at >= 0 && !AFTER_NAME.includes(buffer[at + close.length] ?? GREATER))
      at = buffer.indexOf(close, at + 1);
    const end = at < 0 ? -1 : buffer.indexOf(GREATER, at);
    return end < 0 ? null : end + 1;
  }

  function rowStart(buffer: Buffer, from: number): number {
    let at = buffer.indexOf(open, from);
    while (at >= 0 && !AFTER_NAME.includes(buffer[at + open.length] ?? GREATER))
      at = buffer.indexOf(open, at + 1);
    return at;
  }

  /** Returns the part that needs more bytes. */
  function readRows(buffer: Buffer): Buffer {
    for (let at = 0; ; ) {
      const start = isSplit ? -1 : rowStart(buffer, at);
      const end = start < 0 ? null : rowEnd(buffer, start);
      // Markup is complete up to here: no tag or entity is cut.
      const stop = start < 0 ? Math.max(at, buffer.lastIndexOf(GREATER) + 1) : start;
      if (stop > at) file.between(buffer.toString('utf8', at, stop));
      if (end === null) return buffer.subarray(stop);
      file.row(buffer.subarray(start, end));
      at = end;
    }
  }

  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk]);
    rest = readRows(rest);
    if (rest.length > MAX_REST) {
      file.between(rest.toString());
      rest = Buffer.alloc(0);
    }
    yield file.takeRows();
  }
  file.between(rest.toString());
  file.end();
  yield file.takeRows();
}

/**
 * Escapes ampersands that begin no entity of XML, as in `R&D`. HTML's entities are thereby kept for the
 * mapping, which decodes them.
 */
function escapeLoose(text: string): string {
  return text.replace(LOOSE_AMPERSAND, '&amp;');
}

function xmlFile(mapping: FeedMapping, { sieve, onUnread }: RowReading) {
  const isRead = isReadBy(mapping);
  const parser = new SaxesParser();
  const map = rowMapper<XmlRow>(mapping, (column) => (row) => row.get(String(column)));
  let rows: RawRow[] = [];
  const each = mapping.each === undefined ? [] : mapping.each.split('/');
  const maxRow = each.length > 0 ? MAX_PARENT : MAX_ROW;
  /** The texts of the row, then of the elements around the current one on the path `each`. Empty outside rows. */
  let scopes: XmlRow[] = [];
  /** The packages of the current row, which later elements of their parents may complete. */
  let packages: XmlRow[][] = [];
  let path: string[] = [];
  let text = '';
  let size = 0;
  let firstLine = 0;
  let fault: string | null = null;
  let hasRows = false;
  /** Rows so far, and whether nothing but rows and tags has come before. */
  let ended = 0;
  let isPlain = true;
  let isBeginning = true;
  /** The elements outside rows. */
  const elements = new Set<string>();

  function add(at: string, value: string): void {
    const trimmed = value.trim();
    const texts = scopes.at(-1);
    if (texts === undefined || trimmed === '') return;
    size += trimmed.length;
    if (size > maxRow) throw tooLong();
    const before = texts.get(at);
    texts.set(at, before === undefined ? trimmed : `${before},${trimmed}`);
  }

  function tooLong(): FeedFault {
    return new FeedFault(
      `Line ${firstLine}: the row that begins here has more than ${maxRow} characters, or no end. Name an element of one package, or of one hotel, as "rows" in the mapping.`,
    );
  }

  function noteUnread(texts: XmlRow): void {
    for (const [column, value] of texts) if (!isRead(column)) onUnread?.(column, value);
  }

  parser.on('error', ({ message }) => {
    if (scopes.length === 0 || FATAL.test(message))
      throw broken(parser.line, message.replace(/^\d+:\d+: /, ''));
    fault ??= 'has a part that is not well-formed XML';
  });
  parser.on('opentag', ({ name, attributes }) => {
    text = '';
    if (scopes.length === 0) {
      if (name !== mapping.rows) {
        if (elements.size < MAX_ELEMENTS) elements.add(name);
        return;
      }
      hasRows = true;
      scopes = [new Map()];
      packages = [];
      path = [];
      size = 0;
      fault = null;
      firstLine = parser.line;
    } else {
      if (path.length === scopes.length - 1 && name === each[path.length]) scopes.push(new Map());
      path.push(name);
    }
    const within = path.join('/');
    for (const [attribute, value] of Object.entries(attributes)) {
      add(within === '' ? `@${attribute}` : `${within}/@${attribute}`, String(value));
    }
  });
  const addText = (more: string) => {
    if (scopes.length > 0) text += more;
    if (text.length > maxRow) throw tooLong();
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    if (scopes.length === 0) return;
    add(path.join('/') || '.', text);
    text = '';
    if (path.length === scopes.length - 1) {
      if (path.length === each.length) packages.push(scopes);
      scopes = scopes.slice(0, -1);
    }
    if (scopes.length > 0) {
      path.pop();
      return;
    }
    ended += 1;
    if (fault !== null) rows.push({ kind: 'unreadable', line: firstLine, value: '', reason: fault });
    else {
      const texts = packages.map((ones) =>
        ones[1] === undefined ? (ones[0] ?? new Map()) : new Map(ones.flatMap((one) => [...one])),
      );
      if (onUnread !== null) for (const one of texts) noteUnread(one);
      rows.push(...rowsOf(firstLine, null, texts.flatMap(map)));
    }
  });
  return {
    /** Parses what is not a row. */
    between(more: string): void {
      const declared = isBeginning ? more.replace(/^\s*<\?xml[^>]*>/, '') : more;
      isBeginning &&= more === '';
      isPlain &&= !DECLARATION.test(declared);
      parser.write(escapeLoose(more));
    },
    /** Parses what seems to be a row, unless it is known. */
    row(bytes: Buffer): void {
      const isSure = isPlain && scopes.length === 0;
      const fingerprint = isSure ? sieve(bytes) : null;
      if (isSure && fingerprint === null) {
        hasRows = true;
        for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) parser.line += 1;
        return;
      }
      const [before, rowsBefore] = [ended, rows.length];
      const written = bytes.toString();
      parser.write(escapeLoose(written));
      const made = rows.at(-1);
      const isOne = ended === before + 1 && rows.length === rowsBefore + 1;
      const isWhole = isSure && isOne && scopes.length === 0 && !/\r(?!\n)/.test(written);
      if (isWhole && made?.kind === 'row') made.fingerprint = fingerprint;
    },
    end() {
      parser.close();
      if (hasRows) return;
      const found = [...elements].map((name) => `<${name}>`).join(', ');
      throw new FeedFault(
        `The feed has no element <${mapping.rows}>; found ${found}. Correct "rows" in the mapping.`,
      );
    },
    takeRows(): RawRow[] {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
}

function broken(line: number, reason: string): FeedFault {
  return new FeedFault(
    `Line ${line}: the XML is damaged or cut off: ${reason.replace(/\.$/, '')}. Nothing was imported: fetch it again.`,
  );
}
