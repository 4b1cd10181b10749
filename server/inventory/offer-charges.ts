import {
  type ChargeTable,
  chargeAt,
  chargesOfStay,
  periodAt,
  rulesOfPlace,
  type StayCharge,
} from '../../domain/local-charges.ts';
import type { Pence } from '../../domain/money.ts';
import type { Party } from '../../domain/party.ts';
import { memoizeAll } from '../lib/memoize.ts';
import type { OfferRow } from './inventory.ts';
import { OFFER } from './offer-columns.ts';

/** Searches rank by prices with charges, which must stay below this. */
const MAX_TOTAL = 2 ** 25 - 1;

/** Nights of the longest stay. */
const MAX_NIGHTS = 60;

/** How many kinds of stay are cached for each place. */
const MAX_STAYS = 50_000;

/** SQL for the total that the visitor pays; see `localCharge` of `OfferRow`. Put it in brackets. */
export const TOTAL_SQL = 'price + local_charge / 2';

/** The total that the visitor pays, by which searches rank. */
export function totalPrice(offer: OfferRow): Pence {
  return offer[OFFER.price] + Math.floor(offer[OFFER.localCharge] / 2);
}

/** The `localCharge` of `OfferRow` for an amount that the feed states. */
export function statedCharge(pence: Pence): number {
  return 2 * pence + 1;
}

/** The charges of offers, calculated from one table. */
export interface OfferCharges {
  readonly rates: ChargeTable['rates'];
  /** An offer's charges from the table; 'stated' if the feed states their amount; null if unknown. */
  of(offer: OfferRow): readonly StayCharge[] | 'stated' | null;
  /** The total that the visitor would pay if the provider's price were `price`. */
  totalAt(offer: OfferRow, price: Pence): Pence;
  /** The offer with its charge from the table. */
  charged(offer: OfferRow): OfferRow;
}

export interface ChargeNames {
  placeOf(resort: number): { country: string; region: string; resort: string };
  partyOf(party: number): Party;
}

export function offerCharges(table: ChargeTable, { placeOf, partyOf }: ChargeNames): OfferCharges {
  const chargesAt = memoizeAll((resort: number) => {
    const rules = table.rules.length === 0 ? [] : rulesOfPlace(table, placeOf(resort));
    const period = memoizeAll((day) => numberedPeriod(day));
    const inForce = new Map<string, number>();
    const known = new Map<number, StayCharge[] | null>();

    /** Days with the same rules have the same negative number. */
    function numberedPeriod(day: number): { number: number; until: number } {
      const { inForce: text, until } = periodAt(rules, day, MAX_NIGHTS);
      const number = inForce.get(text) ?? -1 - inForce.size;
      inForce.set(text, number);
      return { number, until };
    }
    return (offer: OfferRow): StayCharge[] | null => {
      if (rules.length === 0) return null;
      const [day, nights, party] = offer;
      const halfStars = offer[OFFER.halfStars];
      const { number, until } = period(day);
      const days = day + nights - 1 <= until ? number : day;
      // Each part is far below its factor.
      const key = ((days * 64 + nights) * 16 + halfStars) * 2 ** 20 + party;
      const found = known.get(key);
      if (found !== undefined) return found;
      if (known.size >= MAX_STAYS) known.clear();
      const made = chargesOfStay(rules, table.rates, { day, nights, halfStars, ...partyOf(party) });
      known.set(key, made);
      return made;
    };
  });
  const isStated = (offer: OfferRow) => offer[OFFER.localCharge] % 2 === 1;
  const byTable = (offer: OfferRow) => chargesAt(offer[OFFER.resort])(offer);

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
