import { expect, it } from 'vitest';
import type { ChargeRule } from '../../domain/local-charges.ts';
import { endingRules, oldRates } from './outdated-charges.ts';

const RULE: ChargeRule = {
  country: 'Spain',
  region: 'Majorca',
  resort: '',
  name: 'tourist tax',
  per: 'person night',
  amount: 44_000,
  currency: 'EUR',
  stars: [0, 5],
  season: ['01-01', '12-31'],
  ages: [0, 120],
  nights: [1, 60],
  valid: ['2026-01-01', '2027-03-31'],
};

const rate = (date: string) => ({ perPound: 1_150_000, date });

it('names exchange rates that are more than 90 days old', () => {
  const rates = { EUR: rate('2026-11-02'), AED: rate('2026-11-03') };
  expect(oldRates({ rates }, '2027-01-31')).toBeNull();
  expect(oldRates({ rates }, '2027-02-01')).toBe('more than 90 days old: EUR (2026-11-02)');
});

it('names rules that end within 60 days', () => {
  expect(endingRules({ rules: [RULE] }, '2027-01-29')).toBeNull();
  for (const today of ['2027-01-30', '2027-04-30']) {
    expect(endingRules({ rules: [RULE, RULE] }, today)).toBe(
      'they end within 60 days: tourist tax in Majorca, Spain (2027-03-31)',
    );
  }
});

it('does not name a rule that another one follows', () => {
  const next = (change: Partial<ChargeRule>) => ({
    ...RULE,
    valid: ['2027-04-01', '9999-12-31'] as const,
    ...change,
  });
  expect(endingRules({ rules: [RULE, next({})] }, '2027-03-01')).toBeNull();
  for (const change of [
    { stars: [6, 7] as const },
    { name: 'city tax' },
    { valid: ['2027-04-02', '9999-12-31'] as const },
  ])
    expect(endingRules({ rules: [RULE, next(change)] }, '2027-03-01')).toContain('tourist tax');
});
