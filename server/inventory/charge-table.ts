import * as v from 'valibot';
import { parseCalendarDate } from '../../domain/calendar-date.ts';
import { parseCsv } from '../../domain/csv.ts';
import { CHARGE_BASES, type ChargeTable, type Range } from '../../domain/local-charges.ts';

/** This note contains the store's table as JSON, so that all readers of the store charge the same. */
export const CHARGES_NOTE = 'local_charges';

export const NO_CHARGES: ChargeTable = { rules: [], rates: {} };

/** Conversions are exact up to these limits. */
const MAX_AMOUNT = 10_000;
const MIN_PER_POUND = 0.01;
const MAX_PER_POUND = 1_000_000;

/** A cell that `parse` reads. It returns null if the text is not what `wanted` describes. */
function cell<T extends {}>(parse: (text: string) => T | null, wanted: string) {
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

const anyName = cell((text) => text, 'a name or blank');
const neededName = cell((text) => text || null, 'given');
const currencyCode = cell((text) => (/^[A-Z]{3}$/.test(text) ? text : null), 'three capital letters');
const DAY = 'a day such as 2027-04-01';
const day = cell(parseCalendarDate, DAY);
const dayOr = (open: string) =>
  cell((text) => (text === '' ? open : parseCalendarDate(text)), `${DAY}, or blank`);

/** A decimal, as an integer in units of its last place. */
function decimal(places: number, min: number, max: number) {
  const form = new RegExp(`^\\d+(\\.\\d{1,${places}})?$`);
  return cell(
    (text) =>
      form.test(text) && Number(text) >= min && Number(text) <= max
        ? Math.round(Number(text) * 10 ** places)
        : null,
    `a number from ${min} to ${max} with at most ${places} decimals`,
  );
}

/** A range with a hyphen, where either end is optional; one number alone; or blank for all. */
function numbers(least: number, most: number, example: string) {
  return cell((text): Range<number> | null => {
    const found = /^(\d{0,3})(-?)(\d{0,3})$/.exec(text);
    const [, from = '', hyphen = '', to = ''] = found ?? [];
    if (found === null || (text !== '' && from === '' && to === '')) return null;
    const range = [Number(from || least), Number(to || (hyphen || from === '' ? most : from))] as const;
    return range[0] <= range[1] ? range : null;
  }, `such as ${example}, or blank`);
}

const SEASON = /^((?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))\/((?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))$/;

const season = cell((text): Range<string> | null => {
  if (text === '') return ['01-01', '12-31'];
  const [, from, to] = SEASON.exec(text) ?? [];
  return from === undefined || to === undefined ? null : [from, to];
}, 'months and days such as 05-01/10-31, or blank');

const rule = v.pipe(
  v.object({
    country: neededName,
    region: anyName,
    resort: anyName,
    name: neededName,
    per: v.picklist(CHARGE_BASES, `one of ${CHARGE_BASES.join(', ')}`),
    amount: decimal(4, 0, MAX_AMOUNT),
    currency: v.union([v.literal(''), currencyCode], 'three capital letters, or blank'),
    stars: numbers(0, 5, '4-5'),
    season,
    ages: numbers(0, 120, '16-'),
    nights: numbers(1, 60, '1-7'),
    valid_from: dayOr('0100-01-01'),
    valid_to: dayOr('9999-12-31'),
    source: neededName,
    checked_on: day,
  }),
  v.check(({ region, resort }) => resort === '' || region !== '', 'a row with the region of its resort'),
  v.check(
    ({ per, amount, currency }) =>
      per === 'none' ? amount === 0 : amount > 0 && (per === 'percent') === (currency === ''),
    'a row with an amount (none: 0), and with a currency unless it is none or percent',
  ),
);

const rate = v.object({
  currency: currencyCode,
  per_pound: decimal(6, MIN_PER_POUND, MAX_PER_POUND),
  date: day,
  source: neededName,
});

export type ParsedCharges = { kind: 'table'; table: ChargeTable } | { kind: 'refused'; message: string };

/**
 * Parses the rule table and the exchange rates (docs/contracts/local-charges.md). Error messages name the
 * files by `paths`.
 */
export function parseCharges(
  texts: { rules: string; rates: string },
  paths: { rules: string; rates: string },
): ParsedCharges {
  const rates = parsedRows(texts.rates, paths.rates, rate);
  if (typeof rates === 'string') return { kind: 'refused', message: rates };
  const rules = parsedRows(texts.rules, paths.rules, rule);
  if (typeof rules === 'string') return { kind: 'refused', message: rules };
  const known = new Set(['', ...rates.map(({ currency }) => currency)]);
  const unknown = rules.findIndex(({ currency }) => !known.has(currency));
  if (unknown >= 0) {
    const message = `${paths.rules}: row ${unknown + 1}: currency must be in ${paths.rates} (got "${rules[unknown]?.currency}").`;
    return { kind: 'refused', message };
  }
  return {
    kind: 'table',
    table: {
      rules: rules.map(({ valid_from, valid_to, source: _source, checked_on: _checked, ...fields }) => ({
        ...fields,
        valid: [valid_from, valid_to],
      })),
      rates: Object.fromEntries(
        rates.map(({ currency, per_pound, date }) => [currency, { perPound: per_pound, date }]),
      ),
    },
  };
}

/** The rows below the header, without blank ones, or a message about the first invalid row. */
function parsedRows<T>(text: string, path: string, schema: v.GenericSchema<unknown, T>): T[] | string {
  const [header = [], ...rows] = parseCsv(text).filter((cells) => cells.some((one) => one.trim() !== ''));
  const parsed: T[] = [];
  for (const [nth, cells] of rows.entries()) {
    const fields = Object.fromEntries(
      header.flatMap((column, at) => [[column.trim(), cells[at] ?? ''] as const]),
    );
    const row = v.safeParse(schema, fields);
    if (!row.success) {
      const [issue] = row.issues;
      const field = v.getDotPath(issue) ?? 'it';
      return `${path}: row ${nth + 1}: ${field} must be ${issue.message.replace(/^Invalid key.*/, 'a column')}.`;
    }
    parsed.push(row.output);
  }
  return parsed;
}

/** The stored table. A store without one has no rules. */
export function storedCharges(note: string | null): ChargeTable {
  return note === null ? NO_CHARGES : (JSON.parse(note) as ChargeTable);
}
