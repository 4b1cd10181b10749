import { boardBasisWords } from '../../../domain/board-basis.ts';
import { MONTH_NAMES } from '../../../domain/day-words.ts';
import type { Pence } from '../../../domain/money.ts';
import { monthOfDay } from '../../../domain/month.ts';
import { type Catalogue, recordOf } from '../../inventory/catalogue.ts';
import { expectedPrice, type HedonicModel, traitContributions } from './hedonic-model.ts';
import { holidayName, type PricedPackage, type Trait } from './price-traits.ts';

/** A reason for the expected price, with its amount relative to an average package. */
export interface PriceReason {
  label: string;
  amount: Pence;
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A few weeks of prices can't separate these traits: later departures are booked further ahead too. */
const WHEN_YOU_GO: readonly Trait[] = ['month', 'season', 'holiday', 'week', 'day', 'lead', 'regionLead'];

/**
 * The reasons for an expected price, largest first: how much average traits would change it. Labels are
 * subjects of sentences: 'Being 3 stars' takes £252 off. Nights are left out, because visitors know that
 * longer stays cost more.
 */
export function priceReasons(
  model: HedonicModel,
  priced: PricedPackage,
  pricedDay: number,
  catalogue: Catalogue,
): PriceReason[] {
  const contributions = traitContributions(model, priced, pricedDay);
  const { price } = expectedPrice(model, priced, pricedDay);
  const amount = (...traits: readonly Trait[]): Pence => {
    const contribution = traits.reduce((sum, trait) => sum + contributions[trait], 0);
    return Math.round(price * (1 - Math.exp(-contribution)));
  };
  const month = MONTH_NAMES[monthOfDay(priced.departureDay) % 12] ?? '';
  const when = holidayName(priced.departureDay, priced.nation) || month;
  const reasons: PriceReason[] = [
    { label: `When you go (${when})`, amount: amount(...WHEN_YOU_GO) },
    { label: `Staying in ${recordOf(catalogue.resorts, priced.resort).name}`, amount: amount('resort') },
    { label: 'This hotel', amount: amount('hotel', 'hotelMonth', 'hotelParty') },
    { label: `Being ${priced.halfStars / 2} stars`, amount: amount('stars') },
    { label: boardBasisWords(recordOf(catalogue.boards, priced.board).code), amount: amount('board') },
    {
      label: `The room (${recordOf(catalogue.rooms, priced.room).description})`,
      amount: amount('room', 'roomNights'),
    },
    {
      label: `Flying from ${airportWords(recordOf(catalogue.airports, priced.airport))}`,
      amount: amount('airport'),
    },
    { label: `Leaving on a ${WEEKDAYS[(priced.departureDay + 4) % 7]}`, amount: amount('weekday') },
    {
      label: `Booking with ${recordOf(catalogue.providers, priced.provider).name}`,
      amount: amount('provider', 'providerAge'),
    },
  ];
  return reasons.toSorted((one, other) => Math.abs(other.amount) - Math.abs(one.amount));
}

/** Shortens 'London Luton Airport' to 'London Luton'. */
export function airportWords({ name }: { name: string }): string {
  return name.replace(/ Airport$/, '');
}
