import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayNumber } from '../../domain/calendar-date.ts';
import { type ChargeRule, chargeAt, chargesOfStay } from '../../domain/local-charges.ts';
import { SMALL_CHARGES } from '../../tests/fixtures/small-charges.ts';
import { REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import type { OfferRow } from './inventory.ts';
import { offerCharges, statedCharge, totalPrice } from './offer-charges.ts';
import { OFFER } from './offer-columns.ts';

const FIRST = dayNumber('2027-05-01');
const [RULE] = SMALL_CHARGES.rules as [ChargeRule];
const [OFFERED] = smallOffers() as [OfferRow];

const anyRules = fc.array(
  fc
    .record({
      per: fc.constantFrom('person night' as const, 'stay' as const),
      stars: fc.constantFrom([0, 3] as const, [0, 5] as const),
      season: fc.constantFrom(['05-04', '05-08'] as const, ['01-01', '12-31'] as const),
      valid: fc.constantFrom(['2027-05-02', '2027-05-12'] as const, ['2027-01-01', '2027-12-31'] as const),
    })
    .map((fields): ChargeRule => ({ ...RULE, ...fields })),
  { minLength: 1, maxLength: 3 },
);

const anyStay = fc.record({
  day: fc.integer({ min: FIRST - 5, max: FIRST + 20 }),
  nights: fc.integer({ min: 1, max: 7 }),
  party: fc.constantFrom(1, 2, 3),
  halfStars: fc.constantFrom(0, 7, 8),
});

it('charges offers as each stay is charged alone, in any order', () => {
  fc.assert(
    fc.property(anyRules, fc.array(anyStay, { minLength: 30, maxLength: 60 }), (rules, stays) => {
      const charges = offerCharges(
        { rules, rates: SMALL_CHARGES.rates },
        {
          placeOf: () => ({ country: RULE.country, region: '', resort: '' }),
          partyOf: (id) => REFERENCE.parties.find((one) => one.id === id) ?? REFERENCE.parties[0] ?? never(),
        },
      );
      for (const { day, nights, party, halfStars } of stays) {
        const offer = OFFERED.with(OFFER.departureDay, day)
          .with(OFFER.nights, nights)
          .with(OFFER.party, party)
          .with(OFFER.halfStars, halfStars) as unknown as OfferRow;
        const { id: _id, ...people } = REFERENCE.parties.find((one) => one.id === party) ?? never();
        const alone = chargesOfStay(rules, SMALL_CHARGES.rates, { day, nights, halfStars, ...people });
        const shown = JSON.parse(`{${charges.fieldsOf(charges.charged(offer))}}`);
        const amount = (alone ?? []).reduce((total, one) => total + chargeAt(one, offer[OFFER.price]), 0);
        expect(shown.LocalCharges).toBe(alone && amount / 100);
        const price = offer[OFFER.price];
        const sum = (alone ?? []).reduce((total, one) => total + chargeAt(one, price), price);
        expect(totalPrice(charges.charged(offer))).toBe(sum);
        expect(charges.totalAt(charges.charged(offer), price)).toBe(sum);
      }
    }),
  );
});

it('keeps a charge that the feed states', () => {
  const charges = offerCharges(SMALL_CHARGES, { placeOf: never, partyOf: never });
  const offer = OFFERED.with(OFFER.localCharge, statedCharge(1_250)) as unknown as OfferRow;
  expect(charges.charged(offer)).toBe(offer);
  expect(charges.fieldsOf(offer)).toBe('"LocalCharges":12.5');
  expect(totalPrice(offer)).toBe(offer[OFFER.price] + 1_250);
  expect(charges.totalAt(offer, 90_000)).toBe(91_250);
});

function never(): never {
  throw new Error('Not expected');
}
