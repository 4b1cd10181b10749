import { boardBasisWords } from '../../../domain/board-basis.ts';
import { MONTH_NAMES } from '../../../domain/calendar-date.ts';
import type { Pence } from '../../../domain/money.ts';
import { type Catalogue, recordOf } from '../../inventory/catalogue.ts';
import { expectedPrice, type HedonicModel, traitShares } from './hedonic-model.ts';
import type { PricedPackage, Trait } from './price-traits.ts';

/** One thing that makes the expected price what it is, and by how much against the usual package. */
export interface PriceReason {
  label: string;
  amount: Pence;
}

const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];

/**
 * The reasons for an expected price, the largest first: what the price would lose (or gain) if that trait were
 * as it is on average. The nights are no reason: who asks for seven nights knows that they cost more than four.
 */
export function priceReasons(
  model: HedonicModel,
  priced: PricedPackage,
  pricedDay: number,
  catalogue: Catalogue,
): PriceReason[] {
  const shares = traitShares(model, priced, pricedDay);
  const { price } = expectedPrice(model, priced, pricedDay);
  const amount = (...traits: Trait[]): Pence => {
    const share = traits.reduce((sum, trait) => sum + shares[trait], 0);
    return Math.round(price * (1 - Math.exp(-share)));
  };
  const month = new Date(priced.departureDay * 86_400_000).getUTCMonth();
  const reasons: PriceReason[] = [
    { label: recordOf(catalogue.resorts, priced.resort).name, amount: amount('resort') },
    { label: MONTH_NAMES[month] ?? '', amount: amount('month', 'season') },
    {
      label: shares.schoolHoliday > 0 ? 'School holidays' : 'Outside school holidays',
      amount: amount('schoolHoliday'),
    },
    { label: `${priced.halfStars / 2} stars`, amount: amount('stars') },
    { label: boardBasisWords(recordOf(catalogue.boards, priced.board).code), amount: amount('board') },
    { label: recordOf(catalogue.rooms, priced.room).description, amount: amount('room') },
    { label: `From ${recordOf(catalogue.airports, priced.airport).name}`, amount: amount('airport') },
    {
      label: `Departures on ${WEEKDAYS[(priced.departureDay + 4) % 7]}`,
      amount: amount('weekday'),
    },
    { label: ahead(priced.departureDay - pricedDay), amount: amount('lead', 'regionLead') },
    { label: `Sold by ${recordOf(catalogue.providers, priced.provider).name}`, amount: amount('provider') },
  ];
  return reasons.toSorted((one, other) => Math.abs(other.amount) - Math.abs(one.amount));
}

function ahead(days: number): string {
  if (days < 14) return `${days} ${days === 1 ? 'day' : 'days'} ahead`;
  return days < 60 ? `${Math.floor(days / 7)} weeks ahead` : `${Math.floor(days / 30)} months ahead`;
}
