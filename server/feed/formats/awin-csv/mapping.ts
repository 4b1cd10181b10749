import * as v from 'valibot';
import { FLAT_FIELDS, isFlatField, NEEDED_FIELDS } from '../flat-item.ts';
import { isDateForm } from './date-form.ts';
import { NUMBER_FORMS } from './number-form.ts';
import { isPattern } from './pattern.ts';

/** The source of an item's field: a column or a part of it, or a constant. */
const source = v.pipe(
  v.strictObject({
    column: v.optional(v.pipe(v.string(), v.nonEmpty('the name of a column'))),
    value: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
    pattern: v.optional(
      v.pipe(v.string(), v.check(isPattern, 'text with one {} for the value, and * for any text')),
    ),
    values: v.optional(v.record(v.string(), v.union([v.string(), v.number()]))),
    date: v.optional(
      v.pipe(v.string(), v.check(isDateForm, 'a form such as DD/MM/YYYY or YYYY-MM-DD HH:mm:ss')),
    ),
    number: v.optional(v.picklist(NUMBER_FORMS, NUMBER_FORMS.join(' or '))),
    times: v.optional(
      v.pipe(v.number(), v.minValue(0.0001, 'a number above 0'), v.maxValue(1_000_000, 'a million at most')),
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
  fields: v.pipe(
    v.record(v.string(), source),
    v.check(
      (fields) => Object.keys(fields).every(isFlatField),
      (issue) =>
        `fields of an item: ${unknownOf(issue.input).join(', ')} is unknown. The fields are ${FLAT_FIELDS.join(', ')}`,
    ),
    v.check(
      (fields) => missingOf(fields).length === 0,
      (issue) => `complete: ${missingOf(issue.input).join(', ')} must be mapped too`,
    ),
  ),
});

/** The operator's mapping file: which columns of an affiliate network's feed hold the item's fields. */
export type FeedMapping = v.InferOutput<typeof mapping>;

export type ParsedMapping = { kind: 'mapping'; mapping: FeedMapping } | { kind: 'refused'; message: string };

/** Parses a mapping file; `path` is named in error messages. */
export function parseMapping(text: string, path: string): ParsedMapping {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return {
      kind: 'refused',
      message: `${path} is not JSON: ${error instanceof Error ? error.message : ''}.`,
    };
  }
  const parsed = v.safeParse(mapping, json);
  if (parsed.success) return { kind: 'mapping', mapping: parsed.output };
  const [issue] = parsed.issues;
  const where = v.getDotPath(issue) ?? 'the document';
  return { kind: 'refused', message: `${path}: ${where} must be ${expectation(issue)}.` };
}

function expectation(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'validation' || issue.type === 'picklist') return issue.message;
  if (issue.expected === 'never') return 'removed: it is not a known name, see docs/feeds.md';
  return `${issue.expected ?? 'something else'} (got ${issue.received})`;
}

function unknownOf(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(fields).filter((field) => !isFlatField(field));
}

function missingOf(fields: Readonly<Record<string, unknown>>): string[] {
  return NEEDED_FIELDS.filter((field) => !Object.hasOwn(fields, field));
}
