import * as v from 'valibot';
import { errorMessage } from '../../../lib/error-message.ts';
import { isEncoding } from '../decode-text.ts';
import { FLAT_FIELDS, isFlatField, NEEDED_FIELDS } from '../flat-item.ts';
import { FeedFault } from '../raw-row.ts';
import { isDateForm, isPattern, NUMBER_FORMS } from './value-forms.ts';

/** The day on which the last night ends. If `Duration` is blank, it is computed from this. */
export const RETURN_DATE = 'ReturnDate';

const columnName = v.pipe(v.string(), v.nonEmpty('the name of a column'));

/** The source of an item's field: a column or a part of it, or a constant. */
const source = v.pipe(
  v.strictObject({
    column: v.optional(columnName),
    value: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
    pattern: v.optional(
      v.pipe(v.string(), v.check(isPattern, 'text with one {} for the value, and * for any text')),
    ),
    split: v.optional(v.pipe(v.string(), v.nonEmpty('the text between two values'))),
    values: v.optional(v.record(v.string(), v.union([v.string(), v.number()]))),
    date: v.optional(
      v.pipe(v.string(), v.check(isDateForm, 'a form such as DD/MM/YYYY or YYYY-MM-DD HH:mm:ss')),
    ),
    number: v.optional(v.picklist(NUMBER_FORMS, NUMBER_FORMS.join(' or '))),
    times: v.optional(
      v.union([
        v.pipe(
          v.number(),
          v.minValue(0.0001, 'a number above 0'),
          v.maxValue(1_000_000, 'a million at most'),
        ),
        v.strictObject({ column: columnName }),
      ]),
    ),
    default: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
  }),
  v.check(
    ({ column, value }) => (column === undefined) !== (value === undefined),
    'either a column or a value',
  ),
);

export type FieldSource = v.InferOutput<typeof source>;

const mapping = v.strictObject({
  /** A comment. */
  about: v.optional(v.string()),
  delimiter: v.optional(v.picklist([',', ';', '|', '\t'], 'a comma, a semicolon, a bar or a tab'), ','),
  encoding: v.optional(
    v.pipe(v.string(), v.check(isEncoding, 'an encoding such as windows-1252 or utf-16le')),
  ),
  /** Where a JSON or XML document has its rows: a path such as `data.offers`, or an element's name. */
  rows: v.optional(v.pipe(v.string(), v.nonEmpty('the path or the name of the rows'))),
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
      (fields) => Object.values(fields).filter(({ split }) => split !== undefined).length <= 1,
      'fields of which at most one has a split',
    ),
  ),
});

/** The operator's mapping file: which columns of a feed hold the item's fields. */
export type FeedMapping = v.InferOutput<typeof mapping>;

/** The columns that a mapping reads. */
export function columnsOf({ fields }: FeedMapping): ReadonlySet<string> {
  return new Set(
    Object.values(fields).flatMap(({ column, times }) => [
      ...(column === undefined ? [] : [column]),
      ...(typeof times === 'object' ? [times.column] : []),
    ]),
  );
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
