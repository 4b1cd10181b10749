import type { FlatField } from '../flat-item.ts';
import type { Problem } from '../raw-row.ts';
import type { FlatFields, Transform } from '../transform.ts';
import { dateReader } from './date-form.ts';
import type { FeedMapping, FieldSource } from './mapping.ts';
import { readNumberForm } from './number-form.ts';
import { patternReader } from './pattern.ts';

type ReadField = (text: string) => { kind: 'value'; value: string } | { kind: 'refused'; reason: string };

/** The item's fields by the operator's mapping. */
export function transformByMapping({ fields: sources }: FeedMapping): Transform {
  const readers = Object.entries(sources).map(([field, source]) => ({
    field: field as FlatField,
    source,
    read: fieldReader(source),
  }));
  return (row) => {
    const fields: FlatFields = {};
    const problems: Problem[] = [];
    for (const { field, source, read } of readers) {
      const cell = source.column === undefined ? source.value : cellOf(row, source.column);
      const text = typeof cell === 'string' && cell.trim() !== '' ? cell : source.default;
      if (text === undefined) continue;
      const found = text === cell ? read(text) : { kind: 'value' as const, value: text };
      if (found.kind === 'value') fields[field] = found.value;
      else problems.push({ field: source.column ?? field, spoils: field, value: text, reason: found.reason });
    }
    return { fields, problems };
  };
}

/** The steps that a source declares, in their order: pattern, values, date, number, times. */
function fieldReader({ pattern, values, date, number, times }: FieldSource): ReadField {
  const byPattern = pattern === undefined ? null : patternReader(pattern);
  const byValue =
    values === undefined
      ? null
      : new Map(Object.entries(values).map(([from, to]) => [from.trim().toLowerCase(), String(to)]));
  const byDate = date === undefined ? null : dateReader(date);
  return (text) => {
    let value: string | null = text;
    if (byPattern !== null) value = byPattern(value);
    if (value === null) return { kind: 'refused', reason: "does not fit the mapping's pattern" };
    if (byValue !== null) value = byValue.get(value.trim().toLowerCase()) ?? null;
    if (value === null) return { kind: 'refused', reason: "is none of the mapping's values" };
    if (byDate !== null) value = byDate(value);
    if (value === null) return { kind: 'refused', reason: "is not a date in the mapping's form" };
    if (number !== undefined) value = readNumberForm(value, number);
    if (value === null) return { kind: 'refused', reason: "is not a number in the mapping's form" };
    if (times !== undefined) value = multiplied(value, times);
    if (value === null) return { kind: 'refused', reason: 'is not a number that can be multiplied' };
    return { kind: 'value', value };
  };
}

/** Fifteen digits undo what binary fractions add. */
function multiplied(text: string, times: number): string | null {
  if (!/^\s*-?\d+(?:\.\d+)?\s*$/.test(text)) return null;
  return String(Number((Number(text) * times).toPrecision(15)));
}

function cellOf(row: Readonly<Record<string, unknown>>, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}
