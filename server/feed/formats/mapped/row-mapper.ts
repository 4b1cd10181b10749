import { decodeHTMLStrict } from 'entities';
import { daysBetween } from '../../../../domain/calendar-date.ts';
import { memoize } from '../../../lib/memoize.ts';
import { readNumber } from '../feed-fields.ts';
import { type FlatField, type FlatFields, noFields, readDay } from '../flat-item.ts';
import { type FlatRow, NO_PROBLEMS, type Problem } from '../raw-row.ts';
import { type FeedMapping, type FieldSource, RETURN_DATE } from './mapping.ts';
import { dateReader, patternReader, readNumberForm } from './value-forms.ts';

/** A feed has few dates, each in many rows. */
const KEPT_DATES = 4_096;

type Step = { kind: 'value'; value: string } | { kind: 'refused'; reason: string };

/** Reads a column's text from a row; undefined if the row lacks it. */
export type ReadColumn<R> = (row: R) => string | undefined;

/**
 * Reads items' fields from a row by the operator's mapping: one item, or one for each part of a field that is
 * split.
 */
export function rowMapper<R>(
  { fields: sources }: FeedMapping,
  columnOf: (column: string) => ReadColumn<R>,
): (row: R) => FlatRow[] {
  const readers = Object.entries(sources).map(([field, source]) => ({
    field,
    split: source.split,
    read: fieldReader(source, columnOf),
    textOf: textReader(field, source, columnOf),
  }));
  const splitter = readers.find(({ split }) => split !== undefined);

  function readRow(row: R, part: string | undefined): FlatRow {
    const fields = noFields();
    let problems = NO_PROBLEMS;
    let returnDate: string | undefined;
    for (const reader of readers) {
      const { field, read, textOf } = reader;
      const text = reader === splitter && part !== undefined ? part : textOf(row);
      if (text === undefined) continue;
      const found = read(text, row);
      if (found.kind === 'refused') problems = [...problems, { field, value: text, reason: found.reason }];
      else if (field === RETURN_DATE) returnDate = found.value;
      else fields[field as FlatField] = found.value;
    }
    if (fields.Duration === undefined && returnDate !== undefined) {
      problems = addNights(fields, returnDate, problems);
    }
    return { fields, problems };
  }

  return (row) => {
    const parts = splitter === undefined ? [] : partsOf(splitter.textOf(row), splitter.split);
    return parts.length < 2 ? [readRow(row, undefined)] : parts.map((part) => readRow(row, part));
  };
}

/** A field's text before its steps; undefined if it is blank and has no default. */
function textReader<R>(
  field: string,
  { column, value, default: fallback }: FieldSource,
  columnOf: (column: string) => ReadColumn<R>,
): ReadColumn<R> {
  const read = column === undefined ? () => value : columnOf(column);
  const decode = field === 'DeeplinkUrl' ? decodeAmpersands : decodeEntities;
  return (row) => {
    const text = read(row);
    const isBlank = text === undefined || text.trim() === '';
    return isBlank ? fallback : decode(text);
  };
}

function partsOf(text: string | undefined, split: string | undefined): string[] {
  if (text === undefined || split === undefined) return [];
  return [...new Set(text.split(split).map((part) => part.trim()))].filter((part) => part !== '');
}

/** Decodes twice, because some feeds encode twice. */
function decodeEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(decodeHTMLStrict(text)) : text;
}

/** Decodes only `&amp;` in a link, because its other entities may be parameters. */
function decodeAmpersands(text: string): string {
  return text.replaceAll('&amp;', '&');
}

function addNights(fields: FlatFields, returnDate: string, problems: readonly Problem[]): readonly Problem[] {
  const from = typeof fields.DepartureDate === 'string' ? readDay(fields.DepartureDate) : null;
  const to = readDay(returnDate);
  const reason = 'is not a day such as 2027-05-01';
  if (to === null) return [...problems, { field: RETURN_DATE, value: returnDate, reason }];
  if (from !== null) fields.Duration = daysBetween(from, to);
  return problems;
}

/** Applies a source's steps in order: pattern, values, date, number, times. */
function fieldReader<R>(
  { pattern, values, date, number, times, default: fallback }: FieldSource,
  columnOf: (column: string) => ReadColumn<R>,
): (text: string, row: R) => Step {
  const steps: [read: (text: string, row: R) => string | null, reason: string][] = [];
  if (pattern !== undefined) steps.push([patternReader(pattern), "does not match the mapping's pattern"]);
  if (values !== undefined) {
    const entries = Object.entries(values).map(
      ([from, to]) => [from.trim().toLowerCase(), String(to)] as const,
    );
    const words = new Map(entries);
    const read = (text: string) => words.get(text.trim().toLowerCase()) ?? null;
    steps.push([read, "is not one of the mapping's values"]);
  }
  if (date !== undefined)
    steps.push([memoize(KEPT_DATES, dateReader(date)), "is not a date in the mapping's form"]);
  if (number !== undefined)
    steps.push([(text) => readNumberForm(text, number), "is not a number in the mapping's form"]);
  if (times !== undefined) {
    const read = typeof times === 'number' ? () => String(times) : columnOf(times.column);
    const factorOf = (row: R) => readNumber(read(row));
    steps.push(
      [(text, row) => (factorOf(row) === null ? null : text), 'has no number in the column to multiply by'],
      [(text, row) => multiplied(text, factorOf(row) ?? 1), 'is not a number, so it cannot be multiplied'],
    );
  }
  return (text, row) => {
    if (text === fallback) return { kind: 'value', value: text };
    let value = text;
    for (const [read, reason] of steps) {
      const next = read(value, row);
      if (next === null) return { kind: 'refused', reason };
      value = next;
    }
    return { kind: 'value', value };
  };
}

/** Rounds to 15 digits to remove floating-point noise. */
function multiplied(text: string, times: number): string | null {
  const number = readNumber(text);
  return number === null ? null : String(Number((number * times).toPrecision(15)));
}
