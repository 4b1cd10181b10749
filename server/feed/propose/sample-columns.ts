import { isUtf8 } from 'node:buffer';
import { dsvFormat } from 'd3-dsv';
import { SaxesParser } from 'saxes';
import { encodingInXml } from '../formats/feed-format.ts';
import { FeedFault } from '../formats/raw-row.ts';

/** A column of a sample, by the name that a mapping reads it by. */
export interface SampleColumn {
  name: string | number;
  /** Its values that are not blank. */
  values: string[];
}

/** A choice, and why it was made. */
export interface Reason {
  what: string;
  choice: string;
  why: string;
}

/** How to read a sample, as the top level of a mapping, and its columns. */
export interface SampleColumns {
  settings: Record<string, unknown>;
  reasons: Reason[];
  columns: SampleColumn[];
}

/** Rows that suffice to propose a mapping. */
const MAX_ROWS = 500;

const DELIMITERS = [',', ';', '|', '\t'] as const;

/** Reads the columns of a feed's beginning. `isWhole`: it is the whole feed. Throws a FeedFault if it cannot. */
export function sampleColumns(bytes: Uint8Array, isWhole: boolean): SampleColumns {
  const { text, encoding } = decoded(bytes);
  const read = text.startsWith('<') ? xmlColumns : /^[[{]/.test(text) ? jsonColumns : csvColumns;
  const found = read(text, isWhole);
  if (encoding === null || read === xmlColumns) return found;
  const why = 'the bytes are not UTF-8';
  return {
    ...found,
    settings: { encoding, ...found.settings },
    reasons: [{ what: 'encoding', choice: encoding, why }, ...found.reasons],
  };
}

function decoded(bytes: Uint8Array): { text: string; encoding: string | null } {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  // The end may be within a character.
  const isPlain = isUtf8(bytes) || [1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, -cut)));
  const encoding = isUtf16 ? 'utf-16le' : isPlain ? null : 'windows-1252';
  const text = new TextDecoder(encodingInXml(bytes) ?? encoding ?? 'utf-8').decode(bytes).trimStart();
  return { text, encoding };
}

function csvColumns(text: string, isWhole: boolean): SampleColumns {
  const separator = /^"?sep=(.)"?\r?\n/i.exec(text);
  const body = separator === null ? text : text.slice(separator[0].length);
  const settings: Record<string, unknown> = {};
  const reasons: Reason[] = [{ what: 'format', choice: 'mapped-csv', why: 'lines of cells' }];
  const isComment = body.startsWith('#');
  if (isComment) {
    settings.comment = '#';
    reasons.push({ what: 'comment', choice: '#', why: 'the first line begins with it' });
  }
  const lines = isComment ? body.replaceAll(/^#.*\r?\n/gm, '') : body;
  const rowsBy = (delimiter: string) =>
    dsvFormat(delimiter)
      .parseRows(lines)
      .filter((row) => row.length > 1 || row[0] !== '')
      .slice(0, MAX_ROWS);
  const widthOf = (rows: readonly string[][]) => rows[Math.floor(rows.length / 2)]?.length ?? 0;
  const read = DELIMITERS.map((delimiter) => ({ delimiter, rows: rowsBy(delimiter) })).toSorted(
    (one, other) => widthOf(other.rows) - widthOf(one.rows),
  )[0];
  const { delimiter = ',', rows = [] } = read ?? {};
  const width = widthOf(rows);
  if (width < 2) throw new FeedFault('The sample has no columns: it must be CSV, JSON or XML.');
  if (separator?.[1] !== delimiter && delimiter !== ',') {
    settings.delimiter = delimiter;
    reasons.push({ what: 'delimiter', choice: delimiter, why: `it separates ${width} cells` });
  }
  const above = rows.findIndex((row) => row.length === width);
  if (above > 0) {
    settings.skip = above;
    reasons.push({ what: 'skip', choice: String(above), why: 'lines above the header have fewer cells' });
  }
  const last = rows.at(-1) ?? [];
  if (isWhole && rows.length < MAX_ROWS && last.length < width) {
    settings.ignore = [`${/^[\p{L}#-]*/u.exec(last.join(delimiter))?.[0] ?? ''}*`];
    reasons.push({ what: 'ignore', choice: String(settings.ignore), why: 'the last line has fewer cells' });
  }
  const [header = [], ...packages] = rows.filter((row) => row.length === width);
  const hasHeader = header.every((cell) => !/^\s*-?\d/.test(cell) && !cell.includes('://'));
  if (!hasHeader) {
    settings.header = false;
    reasons.push({
      what: 'header',
      choice: 'false',
      why: 'the first line has values, so columns have numbers',
    });
  }
  const names = header.map((cell) => cell.trim());
  const columns = names.map((name, at) => ({
    name: hasHeader && names.indexOf(name) === names.lastIndexOf(name) ? name : at + 1,
    values: (hasHeader ? packages : [header, ...packages]).flatMap((row) => row[at]?.trim() || []),
  }));
  return { settings, reasons, columns };
}

function jsonColumns(text: string, isWhole: boolean): SampleColumns {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const lines = text.split('\n').slice(0, isWhole ? undefined : -1);
    try {
      document = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as unknown);
    } catch {
      throw new FeedFault(
        isWhole
          ? 'The sample is not JSON.'
          : 'The sample is too large to propose a mapping: give its first packages.',
        { cause: error },
      );
    }
  }
  const { lists, columns } = columnsIn(Array.isArray(document) ? { '': document } : document, '.');
  const [first = [], ...others] = lists;
  const rows = first.join('.');
  const each = others.map((path) => path.join('.')).join('.');
  const reasons = [{ what: 'format', choice: 'mapped-json', why: 'it begins like JSON' }];
  const settings = { ...(rows !== '' && { rows }), ...(each !== '' && { each }) };
  return { settings, reasons: [...reasons, ...rowReasons(settings)], columns };
}

function xmlColumns(text: string): SampleColumns {
  const { root, repeated } = xmlTree(text);
  const asLists = (node: unknown, path: string): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node as Record<string, unknown[]>).map(([name, members]) => {
        const at = `${path}/${name}`;
        const all = Array.isArray(members) ? members.map((member) => asLists(member, at)) : members;
        return [name, Array.isArray(all) && !repeated.has(at) ? all[0] : all];
      }),
    );
  };
  const { lists, columns } = columnsIn(asLists(root, ''), '/');
  const rows = lists[0]?.at(-1);
  const each = lists
    .slice(1)
    .map((path) => path.join('/'))
    .join('/');
  if (rows === undefined) throw new FeedFault('The sample has no repeated element.');
  const settings = { rows, ...(each !== '' && { each }) };
  const reasons = [{ what: 'format', choice: 'mapped-xml', why: 'it begins like XML' }];
  return { settings, reasons: [...reasons, ...rowReasons(settings)], columns };
}

function rowReasons({ rows, each }: { rows?: string; each?: string }): Reason[] {
  return [
    ...(rows === undefined ? [] : [{ what: 'rows', choice: rows, why: 'most values are in this list' }]),
    ...(each === undefined
      ? []
      : [{ what: 'each', choice: each, why: 'each of these has values of its own' }]),
  ];
}

type Tree = Record<string, unknown>;

/** The elements of a document, and the paths of those that are repeated. A text that is cut off ends early. */
function xmlTree(text: string): { root: Tree; repeated: ReadonlySet<string> } {
  const root: Tree = {};
  const stack: { node: Tree; path: string; text: string }[] = [{ node: root, path: '', text: '' }];
  const repeated = new Set<string>();
  const parser = new SaxesParser();
  // What is wrong with it is for the import to say.
  parser.on('error', () => {});
  parser.on('opentag', ({ name, attributes }) => {
    const parent = stack.at(-1);
    if (parent === undefined) return;
    const node: Tree = {};
    for (const [attribute, value] of Object.entries(attributes)) node[`@${attribute}`] = String(value);
    const path = `${parent.path}/${name}`;
    const siblings = parent.node[name];
    if (Array.isArray(siblings)) {
      siblings.push(node);
      repeated.add(path);
    } else parent.node[name] = [node];
    stack.push({ node, path, text: '' });
  });
  const addText = (more: string) => {
    const current = stack.at(-1);
    if (current !== undefined) current.text += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const closed = stack.pop();
    const own = closed?.text.trim() ?? '';
    if (closed !== undefined && own !== '') closed.node['.'] = own;
  });
  parser.write(text.replace(/&(?!(?:amp|lt|gt|quot|apos|#\w+);)/g, '&amp;'));
  return { root, repeated };
}

/**
 * The lists, one within the other, that hold the most objects, by their paths; and the columns of their members
 * with those of the objects around them.
 */
function columnsIn(document: unknown, separator: string): { lists: string[][]; columns: SampleColumn[] } {
  const lists: string[][] = [];
  let members: { own: unknown; around: Map<string, string>; prefix: string }[] = [
    { own: document, around: new Map(), prefix: '' },
  ];
  for (;;) {
    const found = new Map<string, { path: string[]; count: number }>();
    for (const { own } of members) findLists(own, [], found);
    const largest = [...found.values()].toSorted((one, other) => other.count - one.count)[0];
    // A few members of each row, such as two photos, are no packages.
    if (largest === undefined || (lists.length > 0 && largest.count < members.length * 2)) break;
    lists.push(largest.path.filter((name) => name !== ''));
    const isOuter = lists.length === 1;
    members = members.flatMap(({ own, around, prefix }) => {
      const texts = new Map(around);
      if (!isOuter) addLeaves(own, prefix, texts, separator);
      const list = largest.path.reduce<unknown>((node, name) => (node as Tree | undefined)?.[name], own);
      const path = isOuter ? '' : [prefix, ...largest.path].filter(Boolean).join(separator);
      return (Array.isArray(list) ? list : []).map((member: unknown) => ({
        own: member,
        around: texts,
        prefix: path,
      }));
    });
    members = members.slice(0, MAX_ROWS);
  }
  const columns = new Map<string, string[]>();
  for (const { own, around, prefix } of members) {
    const texts = new Map(around);
    addLeaves(own, prefix, texts, separator);
    for (const [name, value] of texts) columns.set(name, [...(columns.get(name) ?? []), value]);
  }
  return { lists, columns: [...columns].map(([name, values]) => ({ name, values })) };
}

function findLists(
  node: unknown,
  path: string[],
  found: Map<string, { path: string[]; count: number }>,
): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    const objects = node.filter(
      (member) => typeof member === 'object' && Object.keys((member as object | null) ?? {}).length > 1,
    );
    const key = path.join('\n');
    if (objects.length > 0) found.set(key, { path, count: (found.get(key)?.count ?? 0) + objects.length });
    return;
  }
  for (const [name, member] of Object.entries(node)) findLists(member, [...path, name], found);
}

function addLeaves(node: unknown, path: string, texts: Map<string, string>, separator: string): void {
  if (Array.isArray(node)) return;
  if (typeof node === 'object' && node !== null) {
    for (const [name, member] of Object.entries(node))
      addLeaves(
        member,
        name === '.' && path !== '' ? path : path === '' ? name : `${path}${separator}${name}`,
        texts,
        separator,
      );
  } else if (['string', 'number', 'boolean'].includes(typeof node)) {
    const text = String(node as string | number | boolean);
    if (text.trim() !== '') texts.set(path, text);
  }
}
