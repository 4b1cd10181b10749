import { expect, it } from 'vitest';
import { rulesOfPlace } from '../../domain/local-charges.ts';
import { readFeedSettings } from '../feed/feed-settings.ts';
import { offerCharges } from '../inventory/offer-charges.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { offersOfDay } from './offers-of-day.ts';
import { sampleMarket } from './sample-market.ts';
import { SAMPLE_PARTIES } from './sample-parties.ts';

/** Days in each season, and at both ends of rules that change with the year. */
const DAYS = [
  '2026-12-01',
  '2027-01-15',
  '2027-03-24',
  '2027-05-29',
  '2027-08-07',
  '2027-10-28',
  '2028-05-20',
];

/** Hosts of governments, tax authorities and towns, and of copies of official gazettes. */
const OFFICIAL_HOSTS = [
  'dadosabertos.cm-lisboa.pt',
  'dlp.dubai.gov.ae',
  'dre.tretas.org',
  'kiosk.incv.cv',
  'portaljuridic.gencat.cat',
  'turismoroma.it',
  'www.aade.gr',
  'www.budva.travel',
  'www.comune.jesolo.ve.it',
  'www.finanze.gov.it',
  'www.illessostenibles.travel',
  'www.iort.gov.tn',
  'www.praha13.cz',
];

const read = readFeedSettings({});
const table = read.kind === 'settings' ? read.settings.charges : { rules: [], rates: {} };
const market = sampleMarket(1);
const { countries, regions, resorts } = market.reference;
const placeOf = (resort: number) => {
  const { region, name } = resorts.find(({ id }) => id === resort) ?? { region: 0, name: '' };
  const { country, name: regionName } = regions.find(({ id }) => id === region) ?? { country: 0, name: '' };
  return {
    country: countries.find(({ id }) => id === country)?.name ?? '',
    region: regionName,
    resort: name,
  };
};
const partyOf = (id: number) => {
  const { adults = 2, children = 0 } = SAMPLE_PARTIES.find((party) => party.id === id) ?? {};
  return { adults, children, infants: 0 };
};

it('has rules for every resort on sale', () => {
  const without = resorts.filter(({ id }) => rulesOfPlace(table, placeOf(id)).length === 0);
  expect(without).toEqual([]);
});

it('cites an official source for every amount that is not a range', () => {
  const definite = table.rules.filter(({ least, per }) => least === undefined && per !== 'none');
  const hosts = new Set(definite.map(({ source = '' }) => new URL(source).hostname));
  expect([...hosts].toSorted()).toEqual(OFFICIAL_HOSTS);
});

it('knows the charges of at least 90% of the stays on sale', () => {
  const charges = offerCharges(table, { placeOf, partyOf });
  const stays = DAYS.flatMap((day) => offersOfDay(market, day, '2026-11-30', 0));
  const known = stays.filter((offer) => charges.chargeOf(charges.charged(offer)) !== null);
  expect(stays.length).toBeGreaterThan(100_000);
  expect(known.length / stays.length).toBeGreaterThanOrEqual(0.9);
});

it.each([
  // €13.20 and €9.24 a person a night; nights from April have the last known rate.
  ['Barcelona', 'Barcelona', '2027-03-24', 10, 2 * 7 * 13.2],
  ['Barcelona', 'Barcelona', '2027-03-26', 8, 2 * 7 * 9.24],
  ['Majorca', 'Alcudia', '2027-06-01', 9, 2 * 7 * 4.4],
  ['Majorca', 'Alcudia', '2027-06-01', 8, 2 * 7 * 3.3],
  ['Majorca', 'Alcudia', '2027-06-01', 7, 2 * 7 * 3.3],
  ['Majorca', 'Alcudia', '2027-06-01', 6, 2 * 7 * 2.2],
])(
  'charges two adults for a week in %s, %s from %s with %i half stars what the law says',
  (region, resort, day, halfStars, euros) => {
    const charges = offerCharges(table, {
      placeOf: () => ({ country: 'Spain', region, resort }),
      partyOf: () => ({ adults: 2, children: 0, infants: 0 }),
    });
    const [offer] = offersOfDay(market, day as '2027-03-24', '2026-11-30', 0).map((one) =>
      one.with(OFFER.nights, 7).with(OFFER.halfStars, halfStars).with(OFFER.localCharge, 0),
    );
    const pence = charges.chargeOf(
      charges.charged(offer as unknown as Parameters<typeof charges.charged>[0]),
    );
    expect(pence).toBe(Math.round((euros / ((table.rates.EUR?.perPound ?? 0) / 1_000_000)) * 100));
  },
);
