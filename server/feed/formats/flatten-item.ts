import { type FlatField, isFlatField, noFields } from './flat-item.ts';
import { type FlatRow, NO_PROBLEMS, type Problem } from './raw-row.ts';

/** The item's fields that are JSON text with fields of their own (Section 3). */
export const JSON_FIELDS = ['Hotel', 'Flight', 'AdditionalData'] as const;

type JsonField = (typeof JSON_FIELDS)[number];

/** An item's own fields and those of its JSON texts. Its own fields take precedence. */
export function flattenItem(item: Readonly<Record<string, unknown>>): FlatRow {
  const row = openRow();
  for (const field of JSON_FIELDS) {
    if (Object.hasOwn(item, field)) addJson(row, field, item[field]);
  }
  addFields(row, item);
  return row;
}

/** The same for the cells of a CSV row, by column name. */
export function cellFlattener(columns: readonly string[]): (cells: readonly string[]) => FlatRow {
  const json = JSON_FIELDS.map((field) => ({ field, index: columns.indexOf(field) })).filter(
    ({ index }) => index >= 0,
  );
  const own = columns.flatMap((field, index) => (isFlatField(field) ? [{ field, index }] : []));
  return (cells) => {
    const row = openRow();
    for (const { field, index } of json) addJson(row, field, cells[index]);
    for (const { field, index } of own) addField(row, field, cells[index]);
    return row;
  };
}

interface OpenRow extends FlatRow {
  problems: readonly Problem[];
}

function openRow(): OpenRow {
  return { fields: noFields(), problems: NO_PROBLEMS };
}

function addJson(row: OpenRow, field: JsonField, value: unknown): void {
  if (!isGiven(value)) return;
  const object = toObject(value);
  if (object !== null) addFields(row, object);
  else row.problems = [...row.problems, { field, value, reason: 'is not a JSON object' }];
}

function addFields(row: OpenRow, object: Readonly<Record<string, unknown>>): void {
  for (const field of Object.keys(object)) {
    if (isFlatField(field)) addField(row, field, object[field]);
  }
}

function addField({ fields }: OpenRow, field: FlatField, value: unknown): void {
  if (isGiven(value)) fields[field] = value;
}

/** Null and blank values count as missing. */
function isGiven(value: unknown): boolean {
  if (typeof value === 'string') return isPrintable(value.charCodeAt(0)) || value.trim() !== '';
  return value !== undefined && value !== null;
}

/** Whether a text that begins with this code cannot be blank. */
function isPrintable(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

function toObject(value: unknown): Readonly<Record<string, unknown>> | null {
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return isObject ? (parsed as Readonly<Record<string, unknown>>) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
