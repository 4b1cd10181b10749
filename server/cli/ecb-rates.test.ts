import { expect, it } from 'vitest';
import { updateRates } from './ecb-rates.ts';

const RATES = `currency,per_pound,date,source
EUR,1.15,2026-08-01,https://customs.example
CZK,28.3,2026-12-24,https://customs.example
CVE,129.2,2026-08-01,https://customs.example
`;

it("takes rates from the ECB's file of a day, and keeps what it has not, or not newer", () => {
  const updated = updateRates(RATES, 'Date, USD, CZK, GBP, \n27 November 2026, 1.16, 24.25, 0.8, \n');
  expect(updated).toMatchObject({ date: '2026-11-27', updated: ['EUR'], kept: ['CZK', 'CVE'] });
  const lines = typeof updated === 'string' ? [] : updated.csv.split('\n');
  expect(lines[1]).toMatch(/^EUR,1\.250000,2026-11-27,https:\/\/www\.ecb\.europa\.eu/);
  expect(lines.slice(2)).toEqual(RATES.split('\n').slice(2));
});

it('takes the newest day of the history, in any order', () => {
  const history = 'Date,USD,GBP,CZK,\n2027-01-04,1.1,0.8,N/A,\n2027-01-05,1.1,0.88,24.2,\n';
  expect(updateRates(RATES, history)).toMatchObject({
    csv: expect.stringContaining('CZK,27.500000,2027-01-05,'),
    date: '2027-01-05',
  });
});

it.each(['', '<html></html>', 'Date,USD\n2027-01-05,1.1\n', 'Date,GBP\n2027-01-05,N/A\n'])(
  'refuses %j',
  (text) => expect(updateRates(RATES, text)).toBe('It must be the ECB’s eurofxref CSV, with dates and GBP.'),
);
