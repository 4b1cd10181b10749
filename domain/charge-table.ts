import * as v from 'valibot';
import { parseCalendarDate } from './calendar-date.ts';
import { parseCsv } from './csv.ts';
import { CHARGE_BASES, type ChargeTable, type Range } from './local-charges.ts';

/** A schema for a cell. `parse` returns null for an invalid cell; `wanted` describes a valid one. */
function cell<T extends {}>(wanted: string, parse: (text: string) => T | null) {
  return v.pipe(
    v.string(`${wanted}, and its column is missing`),
    v.trim(),
    v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
      const value = parse(dataset.value);
      if (value !== null) return value;
      addIssue({ message: wanted });
      return NEVER;
    }),
  );
}

const anyName = cell('a name or blank', (text) => text);
const neededName = cell('given', (text) => text || null);
const currencyCode = cell('three capital letters', (text) => (/^[A-Z]{3}$/.test(text) ? text : null));
const DAY = 'a day such as 2027-04-01';
const day = cell(DAY, parseCalendarDate);
const dayOr = (open: string) => cell(`${DAY}, or blank`, (text) => parseCalendarDate(text || open));

/** Reads a decimal as a whole number of units of its last decimal place: with two places, '1.5' is 150. */
function readDecimal(text: string, places: number, min: number, max: number): number | null {
  const isDecimal = /^\d+(\.\d+)?$/.test(text) && (text.split('.')[1] ?? '').length <= places;
  return isDecimal && Number(text) >= min && Number(text) <= max
    ? Math.round(Number(text) * 10 ** places)
    : null;
}

const AMOUNT = 'a number from 0 to 10000 with at most 4 decimals, or a range such as 1-10';

/** An amount, or a range such as '1-10', whose ends differ. */
const amounts = cell(AMOUNT, (text): { amount: number; least?: number } | null => {
  const [from = null, to = from, ...more] = text.split('-').map((end) => readDecimal(end, 4, 0, 10_000));
  if (from === null || to === null || more.length > 0) return null;
  if (!text.includes('-')) return { amount: to };
  return from < to ? { amount: to, least: from } : null;
});

/** A range such as '4-5', '16-' or '-7', a single number, or blank for all numbers. */
const numbers = (least: number, most: number, example: string) =>
  cell(`such as ${example}, or blank`, (text) => readNumbers(text, least, most));

function readNumbers(text: string, least: number, most: number): Range<number> | null {
  if (text === '') return [least, most];
  const [, first = '', hyphen = '', second = ''] = /^([\d.]*)(-?)([\d.]*)$/.exec(text) ?? [];
  const from = Number(first || least);
  const to = Number(second || (hyphen ? most : from));
  return from <= to && first + second !== '' ? [from, to] : null;
}

/** Stars: a whole number includes its superior grade, such as 4.5, but '4.0' does not. */
const stars = cell('such as 4-5, 4.5 or -3.0, or blank', (text): Range<number> | null => {
  if (!/^[0-5]?(\.[05])?-?[0-5]?(\.[05])?$/.test(text)) return null;
  const range = readNumbers(text, 0, 5);
  return range && [range[0], /\.\d$/.test(text) ? range[1] : range[1] + 0.5];
});

const season = cell('months and days such as 05-01/10-31, or blank', (text): Range<string> | null => {
  const [from = '', to = ''] = (text || '01-01/12-31').split('/');
  // 2028 is a leap year, so '02-29' is valid.
  return [from, to].every((one) => parseCalendarDate(`2028-${one}`)) ? [from, to] : null;
});

const rule = v.pipe(
  v.object({
    country: neededName,
    region: anyName,
    resort: anyName,
    name: neededName,
    per: v.picklist(CHARGE_BASES, `one of ${CHARGE_BASES.join(', ')}`),
    amount: amounts,
    currency: v.union([v.literal(''), currencyCode], 'three capital letters, or blank'),
    stars,
    season,
    ages: numbers(0, 120, '16-'),
    nights: numbers(1, 60, '1-7'),
    valid_from: dayOr('0100-01-01'),
    valid_to: dayOr('9999-12-31'),
    how: v.optional(v.pipe(v.string(), v.trim()), ''),
    source: neededName,
    checked_on: day,
  }),
  v.check(
    ({ per, amount: { amount }, currency }) =>
      per === 'none' ? amount === 0 : amount > 0 && (per === 'percent') === (currency === ''),
    'a row with an amount (none: 0), and with a currency unless it is none or percent',
  ),
  v.check(
    ({ amount: { least }, how }) => (least === undefined) === (how === ''),
    'a row that says how its range comes about, and nothing of the kind without a range',
  ),
  v.transform(({ amount, how, valid_from, valid_to, checked_on, ...fields }) => ({
    ...fields,
    ...amount,
    ...(how !== '' && { how }),
    valid: [valid_from, valid_to] as const,
    checkedOn: checked_on,
  })),
);

const perPound = cell('a number from 0.01 to 1000000 with at most 6 decimals', (text) =>
  readDecimal(text, 6, 0.01, 1_000_000),
);

const rate = v.pipe(
  v.object({ currency: currencyCode, per_pound: perPound, date: day, source: neededName }),
  v.transform(({ currency, per_pound, date }) => [currency, { perPound: per_pound, date }] as const),
);

export type ParsedCharges = { kind: 'table'; table: ChargeTable } | { kind: 'refused'; message: string };

/** Parses the rule table and the exchange rates (docs/contracts/local-charges.md). `paths` are for messages. */
export function parseCharges(
  texts: { rules: string; rates: string },
  paths: { rules: string; rates: string },
): ParsedCharges {
  const rates = parsedRows(texts.rates, paths.rates, rate);
  if (typeof rates === 'string') return { kind: 'refused', message: rates };
  const rules = parsedRows(texts.rules, paths.rules, rule);
  if (typeof rules === 'string') return { kind: 'refused', message: rules };
  const known = new Map<string, unknown>(rates);
  const unknown = rules.findIndex(({ currency }) => currency !== '' && !known.has(currency));
  if (unknown < 0) return { kind: 'table', table: { rules, rates: Object.fromEntries(rates) } };
  const message = `${paths.rules}: row ${unknown + 1}: currency must be in ${paths.rates} (got "${rules[unknown]?.currency}").`;
  return { kind: 'refused', message };
}

/** The rows below the header, without blank ones; or a message about the first wrong row. */
function parsedRows<T>(text: string, path: string, schema: v.GenericSchema<unknown, T>): T[] | string {
  const [header = [], ...rows] = parseCsv(text).filter((cells) => cells.some((one) => one.trim() !== ''));
  const parsed: T[] = [];
  for (const [nth, cells] of rows.entries()) {
    const fields = Object.fromEntries(header.map((column, at) => [column.trim(), cells[at] ?? '']));
    const row = v.safeParse(schema, fields);
    if (!row.success) {
      const [issue] = row.issues;
      const wanted = issue.message.replace(/^Invalid key.*/, 'a column');
      return `${path}: row ${nth + 1}: ${v.getDotPath(issue) ?? 'it'} must be ${wanted}.`;
    }
    parsed.push(row.output);
  }
  return parsed;
}
