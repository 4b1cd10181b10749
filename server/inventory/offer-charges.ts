import {
  type ChargeRule,
  type ChargeTable,
  chargeAt,
  chargesOfStay,
  rulesInForce,
  rulesOfPlace,
  type StayCharge,
} from '../../domain/local-charges.ts';
import type { Pence } from '../../domain/money.ts';
import type { Party } from '../../domain/party.ts';
import { memoizeAll } from '../lib/memoize.ts';
import type { OfferRow } from './inventory.ts';
import { OFFER } from './offer-columns.ts';

/** Prices with charges stay below this: searches rank by them. */
const MAX_TOTAL = 2 ** 25 - 1;

/** Nights of the longest stay. */
const MAX_NIGHTS = 60;

/** The SQL of what the visitor pays in all: see `localCharge` of `OfferRow`. Put it into brackets. */
export const TOTAL_SQL = 'price + local_charge / 2';

/** What the visitor pays in all, as searches rank it. */
export function totalPrice(offer: OfferRow): Pence {
  return offer[OFFER.price] + Math.floor(offer[OFFER.localCharge] / 2);
}

/** What `localCharge` of `OfferRow` is for an amount that the feed states. */
export function statedCharge(pence: Pence): number {
  return 2 * pence + 1;
}

/** The charges of offers under one table. */
export interface OfferCharges {
  readonly rates: ChargeTable['rates'];
  /** An offer's charges by the table; 'stated': the feed has stated their amount; null: unknown. */
  of(offer: OfferRow): readonly StayCharge[] | 'stated' | null;
  /** What the visitor would pay in all at another price of the offer's provider. */
  totalAt(offer: OfferRow, price: Pence): Pence;
  /** The offer with the charge of the table. */
  charged(offer: OfferRow): OfferRow;
}

export interface ChargeNames {
  placeOf(resort: number): { country: string; region: string; resort: string };
  partyOf(party: number): Party;
}

export function offerCharges(table: ChargeTable, { placeOf, partyOf }: ChargeNames): OfferCharges {
  const chargesIn = memoizeAll((resort: number) => {
    const rules = table.rules.length === 0 ? [] : rulesOfPlace(table, placeOf(resort));
    return rules.length === 0 ? () => null : chargesOfOffers(rules, table.rates, partyOf);
  });
  const isStated = (offer: OfferRow) => offer[OFFER.localCharge] % 2 === 1;
  const byTable = (offer: OfferRow) => chargesIn(offer[OFFER.resort])(offer);

  function amountAt(offer: OfferRow, price: Pence): Pence {
    let amount = 0;
    for (const charge of byTable(offer) ?? []) amount += chargeAt(charge, price);
    return Math.min(amount, MAX_TOTAL - price);
  }

  return {
    rates: table.rates,
    of: (offer) => (isStated(offer) ? 'stated' : byTable(offer)),
    totalAt: (offer, price) =>
      isStated(offer)
        ? price + Math.floor(offer[OFFER.localCharge] / 2)
        : price + Math.max(0, amountAt(offer, price)),
    charged(offer) {
      if (isStated(offer)) return offer;
      const charge = 2 * amountAt(offer, offer[OFFER.price]);
      return charge === offer[OFFER.localCharge]
        ? offer
        : (offer.with(OFFER.localCharge, charge) as unknown as OfferRow);
    },
  };
}

/** The charges of offers in a place. Stays under the same rules, wherever in the year, are calculated once. */
function chargesOfOffers(
  rules: readonly ChargeRule[],
  rates: ChargeTable['rates'],
  partyOf: ChargeNames['partyOf'],
): (offer: OfferRow) => StayCharge[] | null {
  const numbers = new Map<string, number>();
  /** Below 0, and the same for days with the same rules in force. */
  const numberOf = memoizeAll((day) => {
    const inForce = rulesInForce(rules, day);
    const number = numbers.get(inForce) ?? -1 - numbers.size;
    numbers.set(inForce, number);
    return number;
  });
  const lastAlike = memoizeAll((day) => {
    let last = day;
    while (last < day + MAX_NIGHTS && numberOf(last + 1) === numberOf(day)) last += 1;
    return last;
  });
  const ofParty = memoizeAll(() => new Map<number, StayCharge[] | null>());
  return (offer) => {
    const [day, nights, party] = offer;
    const halfStars = offer[OFFER.halfStars];
    const days = day + nights - 1 <= lastAlike(day) ? numberOf(day) : day;
    // Below 2^30, for speed.
    const key = (days * 64 + nights) * 16 + halfStars;
    const stays = ofParty(party);
    const known = stays.get(key);
    if (known !== undefined) return known;
    const made = chargesOfStay(rules, rates, { day, nights, halfStars, ...partyOf(party) });
    stays.set(key, made);
    return made;
  };
}
