import { memoize } from '../../../lib/memoize.ts';
import type { ReadCells } from '../csv-rows.ts';
import { readNumber } from '../feed-number.ts';
import { type FlatField, noFields } from '../flat-item.ts';
import { NO_PROBLEMS } from '../raw-row.ts';
import { dateReader } from './date-form.ts';
import type { FeedMapping, FieldSource } from './mapping.ts';
import { readNumberForm } from './number-form.ts';
import { patternReader } from './pattern.ts';

/** A feed has few dates, each in many rows. */
const KEPT_DATES = 4_096;

type ReadField = (text: string) => { kind: 'value'; value: string } | { kind: 'refused'; reason: string };

/** Reads an item's fields from a row's cells by the operator's mapping. */
export function cellMapper({ fields: sources }: FeedMapping, columns: readonly string[]): ReadCells {
  const readers = Object.entries(sources).map(([field, source]) => ({
    field: field as FlatField,
    source,
    index: source.column === undefined ? null : columns.indexOf(source.column),
    read: fieldReader(source),
  }));
  return (cells) => {
    const fields = noFields();
    let problems = NO_PROBLEMS;
    for (const { field, source, index, read } of readers) {
      const cell = index === null ? source.value : cells[index];
      const isBlank = cell === undefined || cell.trim() === '';
      if (isBlank) {
        if (source.default !== undefined) fields[field] = source.default;
        continue;
      }
      const found = read(cell);
      if (found.kind === 'value') fields[field] = found.value;
      else {
        problems = [...problems, { field, value: cell, reason: found.reason }];
      }
    }
    return { fields, problems };
  };
}

/** Applies a source's steps in order: pattern, values, date, number, times. */
function fieldReader({ pattern, values, date, number, times }: FieldSource): ReadField {
  const byPattern = pattern === undefined ? null : patternReader(pattern);
  const byValue =
    values === undefined
      ? null
      : new Map(Object.entries(values).map(([from, to]) => [from.trim().toLowerCase(), String(to)]));
  const byDate = date === undefined ? null : memoize(KEPT_DATES, dateReader(date));
  return (text) => {
    let value: string | null = text;
    if (byPattern !== null) value = byPattern(value);
    if (value === null) return { kind: 'refused', reason: "does not match the mapping's pattern" };
    if (byValue !== null) value = byValue.get(value.trim().toLowerCase()) ?? null;
    if (value === null) return { kind: 'refused', reason: "is not one of the mapping's values" };
    if (byDate !== null) value = byDate(value);
    if (value === null) return { kind: 'refused', reason: "is not a date in the mapping's form" };
    if (number !== undefined) value = readNumberForm(value, number);
    if (value === null) return { kind: 'refused', reason: "is not a number in the mapping's form" };
    if (times !== undefined) value = multiplied(value, times);
    if (value === null) return { kind: 'refused', reason: 'is not a number, so it cannot be multiplied' };
    return { kind: 'value', value };
  };
}

/** Rounds to 15 digits to remove floating-point noise. */
function multiplied(text: string, times: number): string | null {
  const number = readNumber(text);
  return number === null ? null : String(Number((number * times).toPrecision(15)));
}
