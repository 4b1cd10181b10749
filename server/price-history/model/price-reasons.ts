import { boardBasisWords } from '../../../domain/board-basis.ts';
import { MONTH_NAMES } from '../../../domain/calendar-date.ts';
import type { Pence } from '../../../domain/money.ts';
import { type Catalogue, recordOf } from '../../inventory/catalogue.ts';
import { expectedPrice, type HedonicModel, traitContributions } from './hedonic-model.ts';
import { holidayName, type PricedPackage, type Trait } from './price-traits.ts';

/** One reason for the expected price, and its amount relative to the average package. */
export interface PriceReason {
  label: string;
  amount: Pence;
}

const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];

/**
 * The reasons for an expected price, largest first. An amount is what the price would lose (or gain) if the trait were
 * average. Nights are left out: visitors know that seven cost more than four.
 */
export function priceReasons(
  model: HedonicModel,
  priced: PricedPackage,
  pricedDay: number,
  catalogue: Catalogue,
): PriceReason[] {
  const contributions = traitContributions(model, priced, pricedDay);
  const { price } = expectedPrice(model, priced, pricedDay);
  const amount = (...traits: Trait[]): Pence => {
    const contribution = traits.reduce((sum, trait) => sum + contributions[trait], 0);
    return Math.round(price * (1 - Math.exp(-contribution)));
  };
  const holiday = holidayName(priced.departureDay, priced.nation);
  const month = new Date(priced.departureDay * 86_400_000).getUTCMonth();
  const reasons: PriceReason[] = [
    { label: recordOf(catalogue.resorts, priced.resort).name, amount: amount('resort') },
    { label: MONTH_NAMES[month] ?? '', amount: amount('month', 'season') },
    {
      label: holiday === '' ? 'This week of departure, outside holidays' : holiday,
      amount: amount('holiday', 'week', 'day'),
    },
    { label: 'This hotel, for its stars', amount: amount('hotel', 'hotelMonth', 'hotelParty') },
    { label: `${priced.halfStars / 2} stars`, amount: amount('stars') },
    { label: boardBasisWords(recordOf(catalogue.boards, priced.board).code), amount: amount('board') },
    { label: recordOf(catalogue.rooms, priced.room).description, amount: amount('room', 'roomNights') },
    { label: `From ${recordOf(catalogue.airports, priced.airport).name}`, amount: amount('airport') },
    {
      label: `Departures on ${WEEKDAYS[(priced.departureDay + 4) % 7]}`,
      amount: amount('weekday'),
    },
    { label: leadTimeWords(priced.departureDay - pricedDay), amount: amount('lead', 'regionLead') },
    {
      label: `Sold by ${recordOf(catalogue.providers, priced.provider).name}`,
      amount: amount('provider', 'providerDay'),
    },
  ];
  return reasons.toSorted((one, other) => Math.abs(other.amount) - Math.abs(one.amount));
}

function leadTimeWords(days: number): string {
  if (days < 14) return `${days} ${days === 1 ? 'day' : 'days'} ahead`;
  return days < 60 ? `${Math.floor(days / 7)} weeks ahead` : `${Math.floor(days / 30)} months ahead`;
}
