import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumber } from './calendar-date.ts';
import {
  CHARGE_BASES,
  type ChargeRule,
  chargeAt,
  chargePart,
  chargesOfStay,
  rulesOfPlace,
  type Stay,
} from './local-charges.ts';

const EUR = { perPound: 1_150_000, date: '2026-11-02' };
const RATES = { EUR, CZK: { perPound: 28_123_457, date: '2026-11-02' } };

const RULE: ChargeRule = {
  country: 'Spain',
  region: '',
  resort: '',
  name: 'tourist tax',
  per: 'person night',
  amount: 40_000,
  currency: 'EUR',
  stars: [0, 5],
  season: ['01-01', '12-31'],
  ages: [0, 120],
  nights: [1, 60],
  valid: ['2026-01-01', '2027-12-31'],
};

const STAY: Stay = {
  day: dayNumber('2027-05-01'),
  nights: 7,
  halfStars: 9,
  adults: 2,
  children: 1,
  infants: 1,
};

function penceOf(rules: Partial<ChargeRule>[], stay: Partial<Stay> = {}, price = 100_000): number | null {
  const charges = chargesOfStay(
    rules.map((rule) => ({ ...RULE, ...rule })),
    RATES,
    { ...STAY, ...stay },
  );
  return charges?.reduce((sum, charge) => sum + chargeAt(charge, price), 0) ?? null;
}

describe('the charges for a stay', () => {
  it.each<[string, Partial<ChargeRule>[], Partial<Stay>, number | null]>([
    // 4 people, 7 nights, 4 euros: 112 / 1.15 = 97.39
    ['each person and night', [{}], {}, 9_739],
    ['adults alone', [{ ages: [16, 120] }], {}, 4_870],
    ['adults and children', [{ ages: [2, 120] }], {}, 7_304],
    ['each room and night', [{ per: 'room night' }], {}, 2_435],
    ['each person and stay', [{ per: 'person stay' }], {}, 1_391],
    ['each stay', [{ per: 'stay' }], {}, 348],
    ['a percentage of the price', [{ per: 'percent', amount: 20_000, currency: '' }], {}, 2_000],
    ['at most three nights', [{ per: 'room night', nights: [1, 3] }], {}, 1_043],
    [
      'half from the ninth night, in one sum',
      [
        { per: 'room night', nights: [1, 8] },
        { per: 'room night', nights: [9, 60], amount: 20_000 },
      ],
      { nights: 10 },
      // 8 * 4 + 2 * 2 = 36 euros
      3_130,
    ],
    ['nights in season', [{ per: 'room night', season: ['04-01', '05-03'] }], {}, 1_043],
    ['a season with New Year', [{ per: 'room night', season: ['11-01', '05-02'] }], {}, 696],
    ['nothing out of season', [{ season: ['06-01', '10-31'] }], {}, 0],
    ['nothing for other ages', [{ ages: [65, 120] }], {}, 0],
    ['nothing by a rule that says so', [{ per: 'none', amount: 0, currency: '' }], {}, 0],
    ['a superior grade by a rule that includes it', [{ per: 'stay', stars: [4, 4.5] }], {}, 348],
    ['a superior grade by a rule of its own', [{ stars: [4, 4] }, { per: 'stay', stars: [4.5, 5] }], {}, 348],
    ['unknown for other stars', [{ stars: [5, 5] }], {}, null],
    ['unknown without rules', [], {}, null],
    ['unknown if a night is before the first valid day', [{ valid: ['2027-05-02', '2027-12-31'] }], {}, null],
    ['the last known rate after its end', [{ valid: ['2026-01-01', '2027-05-06'] }], {}, 9_739],
    [
      'the last known rate even if the whole stay is later',
      [{ valid: ['2025-01-01', '2025-12-31'] }],
      {},
      9_739,
    ],
    [
      'nothing after the end of a charge that a rule abolishes',
      [
        { per: 'room night', valid: ['2026-01-01', '2027-05-03'] },
        { per: 'none', amount: 0, currency: '', name: 'abolished', valid: ['2027-05-04', '9999-12-31'] },
      ],
      {},
      1_043,
    ],
    [
      'each night by the rule that is valid then',
      [
        { per: 'room night', valid: ['2026-01-01', '2027-05-03'] },
        { per: 'room night', valid: ['2027-05-04', '2028-01-01'], amount: 60_000 },
      ],
      {},
      // 3 * 4 + 4 * 6 = 36 euros
      3_130,
    ],
    ['different charges, each rounded', [{ per: 'stay' }, { per: 'stay', name: 'city tax' }], {}, 696],
  ])('charges %s', (_, rules, stay, expected) => {
    expect(penceOf(rules, stay)).toBe(expected);
  });

  it('say which is a range, which a last known rate, and where they are published', () => {
    const of = (rule: Partial<ChargeRule>) =>
      chargesOfStay([{ ...RULE, per: 'stay', source: 'https://town.example', ...rule }], RATES, STAY)?.map(
        (charge) => chargePart(charge, 100_000, RATES),
      );
    expect(of({})).toMatchObject([{ Name: 'tourist tax', Pounds: 3.48, Source: 'https://town.example' }]);
    expect(of({})?.[0]).not.toHaveProperty('PoundsFrom');
    expect(of({})?.[0]).not.toHaveProperty('IsLastKnown');
    expect(of({ least: 10_000, how: 'set by each town' })).toMatchObject([
      { Pounds: 3.48, PoundsFrom: 0.87, How: 'set by each town', Amount: 4 },
    ]);
    expect(of({ per: 'percent', amount: 20_000, least: 0, currency: '', how: '2%' })).toMatchObject([
      { Pounds: 20, PoundsFrom: 0, How: '2%', Percent: 2 },
    ]);
    expect(of({ valid: ['2026-01-01', '2027-05-06'] })).toMatchObject([{ IsLastKnown: true }]);
    const [before, after] = [['2026-01-01', '2027-05-03'] as const, ['2027-05-04', '2028-01-01'] as const];
    const followed = chargesOfStay(
      [
        { ...RULE, valid: before },
        { ...RULE, valid: after },
      ],
      RATES,
      STAY,
    );
    expect(followed?.map(({ isLastKnown }) => isLastKnown)).toEqual([false]);
    expect(of({ per: 'none', amount: 0, currency: '', name: 'no tourist tax' })).toMatchObject([
      { Name: 'no tourist tax', Pounds: 0, Source: 'https://town.example' },
    ]);
  });

  it('come from the most specific place that has rules, ignoring case', () => {
    const rules = [
      RULE,
      { ...RULE, region: 'Majorca', name: 'region' },
      { ...RULE, region: 'Majorca', resort: 'Palma', name: 'resort' },
      { ...RULE, region: '', resort: 'Palma', name: 'name' },
    ];
    const namesOf = (country: string, region: string, resort: string) =>
      rulesOfPlace({ rules, rates: RATES }, { country, region, resort }).map(({ name }) => name);
    expect(namesOf('spain', 'majorca', 'palma')).toEqual(['resort']);
    expect(namesOf('Spain', 'Majorca', 'Alcudia')).toEqual(['region']);
    expect(namesOf('Spain', 'Ibiza', 'Palma')).toEqual(['name']);
    expect(namesOf('Spain', 'Ibiza', 'Ibiza Town')).toEqual(['tourist tax']);
    expect(namesOf('Greece', 'Majorca', 'Palma')).toEqual([]);
  });

  it('equal those of a slow calculation, person by person and night by night', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 5 }), anyStay, fc.nat(2 ** 25), (rules, stay, price) => {
        const charges = chargesOfStay(rules, RATES, stay);
        const made = charges?.reduce((sum, charge) => sum + chargeAt(charge, price), 0) ?? null;
        expect(made).toBe(slowCharge(rules, stay, price));
      }),
      { numRuns: 2_000 },
    );
  });
});

const monthAndDay = fc.constantFrom('01-01', '04-01', '05-03', '05-15', '10-31', '12-28', '12-31');
const someDay = fc.constantFrom('2026-01-01', '2027-04-30', '2027-05-04', '2027-12-30', '2028-03-01');

const anyRule: fc.Arbitrary<ChargeRule> = fc
  .record({
    name: fc.constantFrom('tourist tax', 'city tax'),
    per: fc.constantFrom(...CHARGE_BASES),
    amount: fc.integer({ min: 1, max: 100_000_000 }),
    currency: fc.constantFrom('EUR', 'CZK'),
    stars: ordered(fc.nat(10).map((half) => half / 2)),
    season: fc.tuple(monthAndDay, monthAndDay),
    ages: ordered(fc.constantFrom(0, 2, 10, 11, 16, 30, 120)),
    nights: ordered(fc.integer({ min: 1, max: 20 })),
    valid: ordered(someDay),
  })
  .map((rule) => ({ ...RULE, ...rule, currency: rule.per === 'percent' ? '' : rule.currency }));

const anyStay: fc.Arbitrary<Stay> = fc.record({
  day: fc.integer({ min: dayNumber('2027-04-20'), max: dayNumber('2028-01-10') }),
  nights: fc.integer({ min: 1, max: 21 }),
  halfStars: fc.nat(10),
  adults: fc.integer({ min: 1, max: 9 }),
  children: fc.nat(7),
  infants: fc.nat(3),
});

function ordered<T extends number | string>(value: fc.Arbitrary<T>): fc.Arbitrary<readonly [T, T]> {
  return fc.tuple(value, value).map(([one, other]) => (one <= other ? [one, other] : [other, one]));
}

/** The whole charge in exact fractions, from a list of the ages and a list of the dates. */
function slowCharge(rules: readonly ChargeRule[], stay: Stay, price: number): number | null {
  const ages = [
    ...Array<number>(stay.adults).fill(30),
    ...Array<number>(stay.children).fill(10),
    ...Array<number>(stay.infants).fill(1),
  ];
  const dates: string[] = [];
  for (let night = 0; night < stay.nights; night += 1)
    dates.push(new Date((stay.day + night) * 86_400_000).toISOString().slice(0, 10));
  const stars = stay.halfStars / 2;
  const ofStars = rules.filter((rule) => rule.stars[0] <= stars && rule.stars[1] >= stars);
  const sums = new Map<string, { local: bigint; percent: bigint }>();
  const known = new Set<string>();
  for (const rule of ofStars) {
    let isFollowed = false;
    for (const { name, per, valid } of ofStars)
      if (valid[0] > rule.valid[1] && (per === 'none' || name === rule.name)) isFollowed = true;
    const valid = dates.filter((date) => date >= rule.valid[0] && (date <= rule.valid[1] || !isFollowed));
    for (const date of valid) known.add(date);
    const [from, to] = rule.season;
    const due = valid.filter((date) => {
      const day = date.slice(5);
      return from <= to ? day >= from && day <= to : !(day > to && day < from);
    });
    const counted = due.filter((date) => {
      const night = dates.indexOf(date) + 1;
      return night >= rule.nights[0] && night <= rule.nights[1];
    });
    const isFirst = due.includes(dates[0] ?? '');
    const sum = sums.get(rule.name + rule.currency) ?? { local: 0n, percent: 0n };
    sums.set(rule.name + rule.currency, sum);
    const amount = BigInt(rule.amount);
    if (rule.per === 'percent' && isFirst) sum.percent += amount;
    if (rule.per === 'stay' && isFirst) sum.local += amount;
    if (rule.per === 'room night') for (const _ of counted) sum.local += amount;
    for (const age of ages) {
      if (age < rule.ages[0] || age > rule.ages[1]) continue;
      if (rule.per === 'person stay' && isFirst) sum.local += amount;
      if (rule.per === 'person night') for (const _ of counted) sum.local += amount;
    }
  }
  if (known.size < stay.nights) return null;
  let pence = 0n;
  for (const [key, { local, percent }] of sums) {
    const rate = BigInt((key.endsWith('CZK') ? RATES.CZK : RATES.EUR).perPound);
    // `local` is in ten-thousandths of the currency, `rate` in millionths of it for a pound.
    pence += (local * 1_000_000n * 100n * 2n + 10_000n * rate) / (10_000n * rate * 2n);
    pence += (BigInt(price) * percent * 2n + 1_000_000n) / 2_000_000n;
  }
  return Number(pence);
}
