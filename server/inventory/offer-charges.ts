import {
  type ChargeRule,
  type ChargeTable,
  chargeAt,
  chargePart,
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

export const NO_CHARGES: ChargeTable = { rules: [], rates: {} };

/** The highest price with charges: ranks have no room for more. */
const MAX_TOTAL = 2 ** 25 - 1;

/** Nights of the longest stay. */
const MAX_NIGHTS = 60;

/** The SQL of what the visitor pays in total: see `localCharge` of `OfferRow`. Put it in brackets. */
export const TOTAL_SQL = 'price + local_charge / 2';

/** What the visitor pays in total, as searches rank it. */
export function totalPrice(offer: OfferRow): Pence {
  return offer[OFFER.price] + Math.floor(offer[OFFER.localCharge] / 2);
}

/** The `localCharge` of an `OfferRow` for an amount that the feed states. */
export function statedCharge(pence: Pence): number {
  return 2 * pence + 1;
}

/** The table of charges in a note. Without a note, there are no rules. */
export function storedCharges(note: string | null): ChargeTable {
  return note === null ? NO_CHARGES : (JSON.parse(note) as ChargeTable);
}

/** The charges of offers under one table. */
export interface OfferCharges {
  /** What `AdditionalData` says about an offer's charges, as JSON without braces. */
  fieldsOf(offer: OfferRow): string;
  /** An offer's charges, of ranges the upper ends; null: unknown, and not in the total. */
  chargeOf(offer: OfferRow): Pence | null;
  /** What the visitor would pay in total at another price of the offer's provider. */
  totalAt(offer: OfferRow, price: Pence): Pence;
  /** The offer with the charge from the table, unless its feed has stated one. */
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

  function amountAt(charges: readonly StayCharge[] | null, price: Pence): Pence {
    let amount = 0;
    for (const charge of charges ?? []) amount += chargeAt(charge, price);
    return Math.min(amount, Math.max(0, MAX_TOTAL - price));
  }

  /**
   * An offer's charges from the table: null without any, undefined if its charge is not from the table. While a new
   * table is being applied, an offer may still have its charge from an earlier one.
   */
  function inForce(offer: OfferRow): readonly StayCharge[] | null | undefined {
    if (isStated(offer)) return undefined;
    const charges = byTable(offer);
    return 2 * amountAt(charges, offer[OFFER.price]) === offer[OFFER.localCharge] ? charges : undefined;
  }

  /** Cached texts of charges that do not depend on the price. */
  const texts = new WeakMap<readonly StayCharge[], string>();

  function amountOf(offer: OfferRow, charges: readonly StayCharge[] | null | undefined): Pence | null {
    const amount = totalPrice(offer) - offer[OFFER.price];
    return amount > 0 || isStated(offer) || charges ? amount : null;
  }

  return {
    fieldsOf(offer) {
      const charges = inForce(offer) ?? null;
      const known = charges && texts.get(charges);
      if (known) return known;
      const charge = amountOf(offer, charges);
      const LocalCharges = charge && charge / 100;
      if (charges === null) return fields({ LocalCharges });
      const partOf = (each: StayCharge) => chargePart(each, offer[OFFER.price], table.rates);
      const text = fields({ LocalCharges, LocalChargeParts: charges.map(partOf) });
      if (charges.every(({ percent }) => percent === 0)) texts.set(charges, text);
      return text;
    },
    chargeOf: (offer) => amountOf(offer, inForce(offer)),
    totalAt(offer, price) {
      const charges = inForce(offer);
      return (
        price + (charges === undefined ? totalPrice(offer) - offer[OFFER.price] : amountAt(charges, price))
      );
    },
    charged(offer) {
      if (isStated(offer)) return offer;
      const charge = 2 * amountAt(byTable(offer), offer[OFFER.price]);
      return charge === offer[OFFER.localCharge]
        ? offer
        : (offer.with(OFFER.localCharge, charge) as unknown as OfferRow);
    },
  };
}

/** The charges of offers in a place. Calculates stays under the same rules once, whatever their dates. */
function chargesOfOffers(
  rules: readonly ChargeRule[],
  rates: ChargeTable['rates'],
  partyOf: ChargeNames['partyOf'],
): (offer: OfferRow) => StayCharge[] | null {
  const numbers = new Map<string, number>();
  /** A number for the rules in force on a day: the same for the same rules, and below 0, unlike days. */
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

/** The fields of an object's JSON text, without its braces. */
export function fields(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
