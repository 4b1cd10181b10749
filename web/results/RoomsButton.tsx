import { formatPounds } from '../../domain/money.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { withRefine } from '../../domain/refinements.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { isCheapestOfHotel } from './cheapest-of-hotel.ts';

const MAX_PROVIDERS = 3;

/** Leads to the hotel's other rooms, boards and providers. Absent if there are none, or if all are shown. */
export function RoomsButton({ holiday }: { holiday: PackageHoliday }) {
  const { state, config, showFiltered } = useSearchContext();
  const { refine, results, flexibility } = state;
  const { HotelIdentifierCode, HotelName } = holiday.HotelDetails;
  const count = (holiday.OtherPackages ?? 0) + 1;
  if (count === 1 || refine.hotelcode !== undefined) return null;
  const rank = results !== null && isCheapestOfHotel(results, holiday) ? 'Cheapest' : 'One';
  // Another trip may leave on another day.
  const isOneTrip = flexibility.days === 0 && flexibility.maxNights === null;
  const ofHotel = withRefine(refine, 'hotelcode', [HotelIdentifierCode]);
  const others = (holiday.OtherProviders ?? []).slice(0, MAX_PROVIDERS);
  return (
    <p className="holiday-rooms">
      <button type="button" className="link-button" onClick={() => showFiltered({ refine: ofHotel })}>
        <span>{`${rank} of ${count} ${isOneTrip ? '' : 'dates, '}rooms and boards`}</span>
        <span className="visually-hidden">{` of ${HotelName}: show all`}</span>
      </button>
      {others.map(({ Brand, TotalPrice }, nth) => (
        <span key={Brand}>
          {nth === 0 ? ' · Also with ' : ', '}
          <button
            type="button"
            className="link-button"
            onClick={() => showFiltered({ refine: withRefine(ofHotel, 'providers', [Brand]) })}
          >
            {`${config.providers[Brand]?.name ?? Brand} ${isOneTrip ? '' : 'from '}${formatPounds(TotalPrice)}`}
            <span className="visually-hidden">{` for ${HotelName}: show`}</span>
          </button>
        </span>
      ))}
    </p>
  );
}
