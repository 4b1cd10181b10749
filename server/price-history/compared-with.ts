import { fromDayNumber } from '../../domain/calendar-date.ts';
import { formatBriefDay } from '../../domain/day-words.ts';
import { type Catalogue, recordOf } from '../inventory/catalogue.ts';
import type { Offer } from '../inventory/offer.ts';
import type { Comparables } from './comparables.ts';
import { nationOf } from './judged-package.ts';
import { holidayName } from './model/price-traits.ts';

const MAX_HALF_STARS = 10;

/** Describes what the comparable packages have in common. */
export function comparedWith(
  offer: Offer,
  { within, converted, firstDay, lastDay }: Comparables,
  catalogue: Catalogue,
): string {
  const { nights, region, resort, airport } = offer;
  const place =
    within === 'resort' ? recordOf(catalogue.resorts, resort).name : recordOf(catalogue.regions, region).name;
  const holiday = holidayOf(offer, catalogue);
  const season = holiday === null ? '' : ` in the ${holiday}`;
  const stars = [offer.halfStars - 1, Math.min(MAX_HALF_STARS, offer.halfStars + 1)]
    .map((halfStars) => halfStars / 2)
    .join(' to ');
  const last = fromDayNumber(lastDay);
  const parts = [
    `in ${place}`,
    `departing ${formatBriefDay(fromDayNumber(firstDay))} to ${formatBriefDay(last)} ${last.slice(0, 4)}${season}`,
    `${nights} nights`,
    `${stars} stars`,
    'similar board',
    `flying from or near ${recordOf(catalogue.airports, airport).name.replace(/ Airport$/, '')}`,
  ];
  const adjusted = converted === 0 ? '' : ` (${converted} adjusted from different groups or rooms)`;
  return `${parts.join(', ')}${adjusted}`;
}

/** The school or bank holiday of a departure; null if there is none. */
export function holidayOf(offer: Offer, catalogue: Catalogue): string | null {
  return holidayName(offer.departureDay, nationOf(catalogue, offer.airport)) || null;
}
