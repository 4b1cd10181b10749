import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { withRefine } from '../../domain/refinements.ts';
import { useSearchContext } from '../search/search-context.tsx';

/** Says how many rooms and boards of the hotel pass the filters, and shows all. Absent where there is one, or all are shown. */
export function RoomsButton({ holiday }: { holiday: PackageHoliday }) {
  const { state, showFiltered } = useSearchContext();
  const { refine, preferences } = state;
  const { HotelIdentifierCode, HotelName } = holiday.HotelDetails;
  const count = (holiday.OtherPackages ?? 0) + 1;
  if (count === 1 || refine.hotelcode !== undefined) return null;
  const rank = preferences.sortBy === 'price-desc' ? 'One' : 'Cheapest';
  return (
    <p className="holiday-rooms">
      <button
        type="button"
        className="link-button"
        onClick={() => showFiltered({ refine: withRefine(refine, 'hotelcode', [HotelIdentifierCode]) })}
      >
        <span>{`${rank} of ${count} rooms and boards`}</span>
        <span className="visually-hidden">{` of ${HotelName}: show all`}</span>
      </button>
    </p>
  );
}
