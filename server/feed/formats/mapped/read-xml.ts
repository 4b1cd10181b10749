import { SaxesParser } from 'saxes';
import { type FeedBytes, FeedFault, type RawRow } from '../raw-row.ts';
import { type FeedMapping, isReadBy, type OnUnread } from './mapping.ts';
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
/** In characters. */
const MAX_ENTITY = 12;

/** Reads the elements that the mapping's `rows` names. Joins repeated elements by commas. */
export async function* readMappedXml(
  bytes: FeedBytes,
  mapping: FeedMapping,
  onUnread: OnUnread | null = null,
): AsyncGenerator<RawRow[]> {
  const file = xmlFile(mapping, onUnread);
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const text = rest + decoder.decode(chunk, { stream: true });
    // An entity may continue in the next chunk.
    const at = text.indexOf('&', Math.max(0, text.length - MAX_ENTITY));
    rest = at < 0 ? '' : text.slice(at);
    file.write(escapeLoose(at < 0 ? text : text.slice(0, at)));
    yield file.takeRows();
  }
  file.write(escapeLoose(rest));
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

function xmlFile(mapping: FeedMapping, onUnread: OnUnread | null) {
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
  /** The elements outside rows, and whether they hold more than text. */
  const elements = new Map<string, boolean>();
  const parents: string[] = [];

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

  function addPackage(texts: XmlRow): void {
    if (onUnread !== null) for (const [column, value] of texts) if (!isRead(column)) onUnread(column, value);
    for (const row of map(texts)) rows.push({ kind: 'row', line: firstLine, ...row });
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
        const parent = parents.at(-1);
        if (parent !== undefined) elements.set(parent, true);
        if (elements.size < MAX_ELEMENTS)
          elements.set(
            name,
            elements.get(name) === true || parents.length === 0 || Object.keys(attributes).length > 0,
          );
        parents.push(name);
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
    if (scopes.length === 0) {
      parents.pop();
      return;
    }
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
    if (fault !== null) rows.push({ kind: 'unreadable', line: firstLine, value: '', reason: fault });
    else for (const scopes of packages) addPackage(new Map(scopes.flatMap((texts) => [...texts])));
  });
  return {
    write: (more: string) => void parser.write(more),
    end() {
      parser.close();
      if (hasRows) return;
      const found = [...elements].flatMap(([name, isParent]) => (isParent ? [`<${name}>`] : []));
      throw new FeedFault(
        `The feed has no element <${mapping.rows}>; found ${found.join(', ')}. Correct "rows" in the mapping.`,
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
