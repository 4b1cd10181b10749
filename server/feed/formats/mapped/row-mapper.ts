import { decodeHTMLStrict } from 'entities';
import { daysBetween } from '../../../../domain/calendar-date.ts';
import { memoize } from '../../../lib/memoize.ts';
import { readNumber } from '../feed-fields.ts';
import { type FlatField, type FlatFields, noFields, readDay } from '../flat-item.ts';
import { type FlatRow, NO_PROBLEMS, type Problem } from '../raw-row.ts';
import { type ColumnName, type FeedMapping, type FieldSource, RETURN_DATE } from './mapping.ts';
import { dateReader, patternReader, readNumberForm } from './value-forms.ts';

/** A feed has few dates, each in many rows. */
const KEPT_DATES = 4_096;

/** More packages than this in one row must be a mistake. */
const MAX_OF_ROW = 5_000;

type Step = { kind: 'value'; value: string } | { kind: 'omitted' } | { kind: 'refused'; reason: string };

/** Reads a column's text from a row; undefined if the row lacks it. */
export type ReadColumn<R> = (row: R) => string | undefined;

type ColumnOf<R> = (column: ColumnName) => ReadColumn<R>;

/** The texts of fields in one package of a row; undefined: blank. */
type Texts = ReadonlyMap<string, string | undefined>;

/**
 * Reads items' fields from a row by the operator's mapping: one item, or one for each part of the fields that
 * are split and for each of the columns that a field lists.
 */
export function rowMapper<R>({ fields: sources }: FeedMapping, columnOf: ColumnOf<R>): (row: R) => FlatRow[] {
  const readers = Object.entries(sources).map(([field, source]) => ({
    field,
    read: fieldReader(source, columnOf),
    textOf: textReader(field, source, columnOf),
  }));
  const variants = Object.entries(sources).flatMap(([field, source]) => {
    const others = Object.entries(sources);
    if (source.columns !== undefined) {
      const headings = others.flatMap(([name, { headingOf }]) => (headingOf === field ? [name] : []));
      return [columnVariants(field, source, headings, columnOf)];
    }
    if (source.split === undefined || source.pairedWith !== undefined) return [];
    const paired = others.filter(([, { pairedWith }]) => pairedWith === field);
    return [splitVariants<R>([[field, source] as const, ...paired], columnOf)];
  });

  function readRow(row: R, texts: Texts): FlatRow {
    const fields = noFields();
    let problems = NO_PROBLEMS;
    let returnDate: string | undefined;
    for (const { field, read, textOf } of readers) {
      const text = texts.has(field) ? texts.get(field) : textOf(row);
      if (text === undefined) continue;
      const found = read(text, row);
      if (found.kind === 'omitted') continue;
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
    let packages: Texts[] = [new Map()];
    for (const variantsOf of variants) {
      const found = variantsOf(row);
      const reason =
        found === null
          ? 'has more or fewer parts than the field that it is paired with'
          : packages.length * found.length > MAX_OF_ROW && `makes more than ${MAX_OF_ROW} packages`;
      if (found === null || reason) {
        return [{ fields: noFields(), problems: [{ field: '', value: '', reason: String(reason) }] }];
      }
      if (found.length > 0)
        packages = packages.flatMap((texts) => found.map((more) => new Map([...texts, ...more])));
    }
    return packages.map((texts) => readRow(row, texts));
  };
}

/** A package for each column that is not blank. The fields `headings` get the column's name. */
function columnVariants<R>(
  field: string,
  { columns = [] }: FieldSource,
  headings: readonly string[],
  columnOf: ColumnOf<R>,
): (row: R) => Texts[] {
  const readers = columns.map((column) => [String(column), columnOf(column)] as const);
  return (row) => {
    const given = readers.flatMap(([column, read]) => {
      const text = read(row)?.trim() ?? '';
      return text === ''
        ? []
        : [new Map([[field, text], ...headings.map((name) => [name, column] as const)])];
    });
    return given.length === 0 ? [new Map([field, ...headings].map((name) => [name, undefined]))] : given;
  };
}

/** A package for each part of a field, with the same part of those paired with it. Null: they do not match. */
function splitVariants<R>(
  fields: readonly (readonly [string, FieldSource])[],
  columnOf: ColumnOf<R>,
): (row: R) => Texts[] | null {
  const readers = fields.map(([field, source]) => {
    const textOf = textReader(field, source, columnOf);
    return {
      field,
      partsOf: (row: R) => (textOf(row) ?? '').split(source.split ?? '').map((part) => part.trim()),
    };
  });
  return (row) => {
    const lists = readers.map(({ partsOf }) => partsOf(row));
    const [first = [], ...others] = lists;
    if (others.some(({ length }) => length !== first.length)) return null;
    // Parts without partners may be repeated by mistake.
    const parts = others.length > 0 ? first : [...new Set(first)];
    return parts.flatMap((part, nth) =>
      part === ''
        ? []
        : [new Map(readers.map(({ field }, at) => [field, at === 0 ? part : lists[at]?.[nth] || undefined]))],
    );
  };
}

/** A field's text before its steps; undefined if it is blank and has no default. */
function textReader<R>(
  field: string,
  { column, value, default: fallback }: FieldSource,
  columnOf: ColumnOf<R>,
): ReadColumn<R> {
  const readers = column === undefined ? [() => value] : [column].flat().map(columnOf);
  const decode = field === 'DeeplinkUrl' ? decodeAmpersands : decodeEntities;
  return (row) => {
    const texts = readers.length === 1 ? readers[0]?.(row) : joined(readers.map((read) => read(row)));
    const isBlank = texts === undefined || texts.trim() === '';
    return isBlank ? fallback : decode(texts);
  };
}

function joined(texts: readonly (string | undefined)[]): string {
  return texts.flatMap((text) => text?.trim() || []).join(' ');
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

/** Applies a source's steps in order: pattern, values, date, number, times, plus. */
function fieldReader<R>(source: FieldSource, columnOf: ColumnOf<R>): (text: string, row: R) => Step {
  const { pattern, values, otherwise, date, number, default: fallback } = source;
  const steps: [read: (text: string, row: R) => string | null, reason: string][] = [];
  if (pattern !== undefined) {
    const readers = [pattern].flat().map(patternReader);
    const read = (text: string) => {
      for (const reader of readers) {
        const value = reader(text);
        if (value !== null) return value;
      }
      return null;
    };
    steps.push([read, "does not match the mapping's pattern"]);
  }
  if (values !== undefined) {
    const entries = Object.entries(values).map(
      ([from, to]) => [from.trim().toLowerCase(), String(to)] as const,
    );
    const words = new Map(entries);
    const others = { keep: (text: string) => text, omit: () => '' };
    const other = otherwise === undefined ? () => null : others[otherwise];
    const read = (text: string) => words.get(text.trim().toLowerCase()) ?? other(text);
    steps.push([read, "is not one of the mapping's values"]);
  }
  if (date !== undefined)
    steps.push([memoize(KEPT_DATES, dateReader(date)), "is not a date in the mapping's form"]);
  steps.push(...numberSteps(source, columnOf));
  for (const term of source.plus ?? []) {
    const read = termReader({ number, ...term }, columnOf);
    steps.push([
      (text, row) => combined(text, read(row), (one, added) => one + added),
      `cannot be added to column ${term.column}: each must be a number, and a blank one needs a default`,
    ]);
  }
  return (text, row) => {
    if (text === fallback) return { kind: 'value', value: text };
    let value = text;
    for (const [read, reason] of steps) {
      const next = read(value, row);
      if (next === null) return { kind: 'refused', reason };
      if (next === '') return { kind: 'omitted' };
      value = next;
    }
    return { kind: 'value', value };
  };
}

type NumberSteps = Pick<FieldSource, 'number' | 'times' | 'default'>;

function numberSteps<R>(
  { number, times }: NumberSteps,
  columnOf: ColumnOf<R>,
): [read: (text: string, row: R) => string | null, reason: string][] {
  const steps: ReturnType<typeof numberSteps<R>> = [];
  if (number !== undefined)
    steps.push([(text) => readNumberForm(text, number), "is not a number in the mapping's form"]);
  if (times !== undefined) {
    const read = typeof times === 'number' ? () => String(times) : columnOf(times.column);
    steps.push([
      (text, row) => combined(text, read(row), (one, other) => one * other),
      'cannot be multiplied: it and what it is multiplied by must be numbers',
    ]);
  }
  return steps;
}

/** A number to add; null if it is not one. */
function termReader<R>(
  term: NumberSteps & { column: ColumnName },
  columnOf: ColumnOf<R>,
): (row: R) => string | null {
  const read = columnOf(term.column);
  const steps = numberSteps(term, columnOf);
  return (row) => {
    const text = read(row)?.trim() ?? '';
    if (text === '') return term.default ?? null;
    return steps.reduce<string | null>((value, [step]) => (value === null ? null : step(value, row)), text);
  };
}

/** Of two numbers, rounded to 15 digits to remove floating-point noise; null if one of them is not a number. */
function combined(
  text: string,
  other: string | null | undefined,
  combine: (one: number, other: number) => number,
): string | null {
  const [first, second] = [readNumber(text), readNumber(other)];
  return first === null || second === null ? null : String(Number(combine(first, second).toPrecision(15)));
}
