import * as v from 'valibot';
import { errorMessage } from '../../../lib/error-message.ts';
import { isEncoding } from '../decode-text.ts';
import { FLAT_FIELDS, isFlatField, NEEDED_FIELDS } from '../flat-item.ts';
import { FeedFault, type RowReading } from '../raw-row.ts';
import { isDateForm, isPattern, NUMBER_FORMS } from './value-forms.ts';

/** A column's name or path, or its number from 1. */
export type ColumnName = string | number;

/** The day on which the last night ends. If `Duration` is blank, it is computed from this. */
export const RETURN_DATE = 'ReturnDate';

const columnName = v.union([
  v.pipe(v.string(), v.nonEmpty('the name of a column')),
  v.pipe(v.number(), v.integer('the number of a column'), v.minValue(1, 'the number of a column, from 1')),
]);
const columnNames = v.pipe(v.array(columnName), v.nonEmpty('a list of columns'));
const constant = v.pipe(v.union([v.string(), v.number()]), v.transform(String));
const pattern = v.pipe(v.string(), v.check(isPattern, 'text with one {} for the value, and * for any text'));

const numberSteps = {
  number: v.optional(v.picklist(NUMBER_FORMS, NUMBER_FORMS.join(' or '))),
  times: v.optional(
    v.union([
      v.pipe(v.number(), v.minValue(0.0001, 'a number above 0'), v.maxValue(1_000_000, 'a million at most')),
      v.strictObject({ column: columnName }),
    ]),
  ),
  default: v.optional(constant),
};

/** The source of an item's field: a column or a part of it, or a constant. */
const source = v.pipe(
  v.strictObject({
    /** Of several columns, the texts are joined by spaces. */
    column: v.optional(v.union([columnName, columnNames])),
    /** Each of these columns that is not blank makes a package. */
    columns: v.optional(columnNames),
    /** The name of the column, of that field's `columns`, which the package comes from. */
    headingOf: v.optional(v.string()),
    value: v.optional(constant),
    /** Of several patterns, the first that matches counts. */
    pattern: v.optional(v.union([pattern, v.array(pattern)])),
    split: v.optional(v.pipe(v.string(), v.nonEmpty('the text between two values'))),
    /** The field with a split whose parts belong to this field's parts, one by one. */
    pairedWith: v.optional(v.string()),
    values: v.optional(v.record(v.string(), v.union([v.string(), v.number()]))),
    /** What to do with text that `values` lacks. Omitted: the row is refused. */
    otherwise: v.optional(v.picklist(['keep', 'omit'], 'keep or omit')),
    date: v.optional(
      v.pipe(v.string(), v.check(isDateForm, 'a form such as DD/MM/YYYY or YYYY-MM-DD HH:mm:ss')),
    ),
    ...numberSteps,
    /** Columns to add. */
    plus: v.optional(v.array(v.strictObject({ column: columnName, ...numberSteps }))),
  }),
  v.check(
    ({ column, columns, value, headingOf }) =>
      [column, columns, value, headingOf].filter((one) => one !== undefined).length === 1,
    'either a column or a value (or columns, or headingOf)',
  ),
);

export type FieldSource = v.InferOutput<typeof source>;

const mapping = v.strictObject({
  /** A comment. */
  about: v.optional(v.string()),
  /** Omitted: as the first line `sep=;` says, else a comma. */
  delimiter: v.optional(v.picklist([',', ';', '|', '\t'], 'a comma, a semicolon, a bar or a tab')),
  /** False: the first line is a row already, and columns have numbers. */
  header: v.optional(v.boolean(), true),
  /** Lines above the header. */
  skip: v.optional(v.pipe(v.number(), v.integer('a number of lines'), v.minValue(0, 'a number of lines')), 0),
  /** What lines begin with that are comments. */
  comment: v.optional(v.pipe(v.string(), v.nonEmpty('text such as #'))),
  /** Patterns of lines that are no rows, such as a footer's. */
  ignore: v.optional(v.array(v.pipe(v.string(), v.nonEmpty('text such as TOTAL*'))), []),
  /** The file to read from an archive, such as `offers*.csv`. */
  file: v.optional(v.pipe(v.string(), v.nonEmpty("a file's name such as offers*.csv"))),
  encoding: v.optional(
    v.pipe(v.string(), v.check(isEncoding, 'an encoding such as windows-1252 or utf-16le')),
  ),
  /** Where a JSON or XML document has its rows: a path such as `data.offers`, or an element's name. */
  rows: v.optional(v.pipe(v.string(), v.nonEmpty('the path or the name of the rows'))),
  /** The path, within a row, of what makes a package each: `offers` or `offers/offer`. */
  each: v.optional(v.pipe(v.string(), v.nonEmpty('a path within a row'))),
  fields: v.pipe(
    v.record(v.string(), source),
    v.check(
      (fields) => unknownOf(fields).length === 0,
      (issue) =>
        `fields of an item: ${unknownOf(issue.input).join(', ')} is unknown. The fields are ${FLAT_FIELDS.join(', ')}`,
    ),
    v.check(
      (fields) => missingOf(fields).length === 0,
      (issue) => `complete: ${missingOf(issue.input).join(', ')} must be mapped too`,
    ),
    v.check(
      (fields) =>
        Object.values(fields).every(
          ({ headingOf, pairedWith, split }) =>
            (headingOf === undefined || fields[headingOf]?.columns !== undefined) &&
            (pairedWith === undefined ||
              (split !== undefined &&
                fields[pairedWith]?.split !== undefined &&
                !fields[pairedWith].pairedWith)),
        ),
      'fields in which headingOf names a field with columns, and pairedWith, beside a split, a field with a split',
    ),
  ),
});

/** The operator's mapping file: which columns of a feed hold the item's fields. */
export type FeedMapping = v.InferOutput<typeof mapping>;

/** The columns that a mapping reads. */
export function columnsOf({ fields }: FeedMapping): ReadonlySet<ColumnName> {
  return new Set(
    Object.values(fields).flatMap(({ column = [], columns = [], times, plus = [] }) => [
      ...[column].flat(),
      ...columns,
      ...plus.map((term) => term.column),
      ...[times, ...plus.map((term) => term.times)].flatMap((one) =>
        typeof one === 'object' ? [one.column] : [],
      ),
    ]),
  );
}

/** How to read a feed by a mapping. `head` is its beginning. */
export interface MappedReading extends RowReading {
  head: string;
}

/** Whether a mapping reads a column. */
export function isReadBy(mapping: FeedMapping): (column: ColumnName) => boolean {
  const columns = columnsOf(mapping);
  return (column) => columns.has(column);
}

/** Parses a mapping file. Throws a FeedFault that names `path`. */
export function parseMapping(text: string, path: string): FeedMapping {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new FeedFault(`${path} is not JSON: ${errorMessage(error)}.`);
  }
  const parsed = parseDocument(mapping, json, path);
  if (parsed.kind === 'refused') throw new FeedFault(parsed.message);
  return parsed.output;
}

/** Checks an operator's document, and says in a sentence what is wrong with the file. */
export function parseDocument<S extends v.GenericSchema>(
  schema: S,
  json: unknown,
  path: string,
): { kind: 'output'; output: v.InferOutput<S> } | { kind: 'refused'; message: string } {
  const parsed = v.safeParse(schema, json);
  if (parsed.success) return { kind: 'output', output: parsed.output };
  const [issue] = parsed.issues;
  const where = v.getDotPath(issue) ?? 'the document';
  return { kind: 'refused', message: `${path}: ${where} must be ${expectation(issue)}.` };
}

function expectation(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'validation' || issue.type === 'picklist') return issue.message;
  if (issue.expected === 'never') return 'removed: it is not a known name, see docs/feeds.md';
  return `${issue.expected ?? issue.message} (got ${issue.received})`;
}

function unknownOf(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(fields).filter((field) => !isFlatField(field) && field !== RETURN_DATE);
}

function missingOf(fields: Readonly<Record<string, unknown>>): string[] {
  const has = (field: string) => Object.hasOwn(fields, field);
  return NEEDED_FIELDS.filter((field) => !has(field) && !(field === 'Duration' && has(RETURN_DATE)));
}
