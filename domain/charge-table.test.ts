import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseCharges } from './charge-table.ts';

const PATHS = { rules: 'rules.csv', rates: 'rates.csv' };
const HEADER =
  'country,region,resort,name,per,amount,currency,stars,season,ages,nights,valid_from,valid_to,how,source,checked_on';
const RATES = 'currency,per_pound,date,source\nEUR,1.15,2026-11-02,the bank\n';
const ROW = {
  country: 'Spain',
  region: 'Majorca',
  resort: '',
  name: 'tourist tax',
  per: 'person night',
  amount: '4.4',
  currency: 'EUR',
  stars: '',
  season: '',
  ages: '',
  nights: '',
  valid_from: '',
  valid_to: '',
  how: '',
  source: 'https://www.example.org',
  checked_on: '2026-11-02',
};

function parsedWith(fields: Partial<typeof ROW>) {
  const row = Object.values({ ...ROW, ...fields }).join(',');
  return parseCharges({ rules: `${HEADER}\n${row}\n`, rates: RATES }, PATHS);
}

it.each([
  [{ stars: '4-5' }, { stars: [4, 5.5] }],
  [{ stars: '3' }, { stars: [3, 3.5] }],
  [{ stars: '-3' }, { stars: [0, 3.5] }],
  [{ stars: '-3.0' }, { stars: [0, 3] }],
  [{ stars: '3.5-4.0' }, { stars: [3.5, 4] }],
  [{ stars: '4.5-5' }, { stars: [4.5, 5.5] }],
  [
    { amount: '1-10', how: 'set by each town' },
    { amount: 100_000, least: 10_000, how: 'set by each town' },
  ],
  [{}, { source: 'https://www.example.org', checkedOn: '2026-11-02' }],
  [{ ages: '16-' }, { ages: [16, 120] }],
  [{ nights: '9-' }, { nights: [9, 60] }],
  [{ season: '11-01/04-30' }, { season: ['11-01', '04-30'] }],
  [{}, { stars: [0, 5.5], season: ['01-01', '12-31'], ages: [0, 120], nights: [1, 60], amount: 44_000 }],
  [{ valid_from: '2026-04-01' }, { valid: ['2026-04-01', '9999-12-31'] }],
  [
    { per: 'none', amount: '0', currency: '' },
    { per: 'none', currency: '' },
  ],
  [{ per: 'percent', amount: '2.5', currency: '' }, { amount: 25_000 }],
])('reads %j', (fields, expected) => {
  expect(parsedWith(fields)).toMatchObject({ kind: 'table', table: { rules: [expected] } });
});

it.each([
  [{ country: '' }, 'country must be given'],
  [{ per: 'night' }, 'per must be one of person night, room night, person stay, stay, percent, none'],
  [{ amount: '4.40000' }, 'amount must be a number from 0 to 10000 with at most 4 decimals'],
  [{ amount: '' }, 'amount must be a number'],
  [{ amount: '10-1', how: 'set by each town' }, 'amount must be a number from 0 to 10000'],
  [{ amount: '1-10' }, 'it must be a row that says how its range comes about'],
  [{ how: 'set by each town' }, 'it must be a row that says how its range comes about'],
  [{ stars: '5-4' }, 'stars must be such as 4-5, 4.5 or -3.0, or blank'],
  [{ season: 'summer' }, 'season must be months and days such as 05-01/10-31, or blank'],
  [{ valid_to: '2026-02-30' }, 'valid_to must be a day such as 2027-04-01, or blank'],
  [{ checked_on: '' }, 'checked_on must be a day'],
  [{ source: '' }, 'source must be given'],
  [{ currency: 'USD' }, 'currency must be in rates.csv (got "USD")'],
  [{ currency: '' }, 'it must be a row with an amount'],
])('refuses %j and names the row', (fields, message) => {
  const parsed = parsedWith(fields);
  expect(parsed.kind === 'refused' && parsed.message).toContain(`rules.csv: row 1: ${message}`);
});

it('refuses a file that lacks a column, and an invalid rate', () => {
  const rules = `${HEADER}\n`;
  const messageOf = (rates: string) => {
    const parsed = parseCharges({ rules, rates }, PATHS);
    return parsed.kind === 'refused' && parsed.message;
  };
  expect(messageOf('currency,date,source\nEUR,2026-11-02,x')).toBe(
    'rates.csv: row 1: per_pound must be a column.',
  );
  expect(messageOf('currency,per_pound,date,source\nEUR,0,2026-11-02,x')).toContain('per_pound must be');
});

it('reads the shipped tables', () => {
  const read = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8');
  const texts = { rules: read('local-charges.csv'), rates: read('exchange-rates.csv') };
  expect(parseCharges(texts, PATHS)).toMatchObject({ kind: 'table' });
});
