import type { HotelRecord } from '../inventory/inventory.ts';
import { boundedCache } from '../lib/bounded-cache.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { changedNumbers } from './changed-numbers.ts';
import type { FeedHotel } from './feed-package.ts';
import type { Problem } from './formats/raw-row.ts';
import type { HolidayProvider } from './holiday-providers.ts';
import { isSameDescription, otherDescription, otherRating } from './hotel-description.ts';
import type { NumberedRecords } from './numbered-records.ts';

/** A hotel as the feed has described it so far. */
export interface StatedHotel extends HotelRecord {
  /** What no line has said yet, and is kept from the store. */
  kept?: readonly Fact[];
}

/** What a line may leave out. */
type Fact = 'halfStars' | 'consumerRating' | 'position';

export interface DescribedHotel {
  record: HotelRecord;
  /** Why the row cannot be for this hotel. */
  problems: readonly Problem[];
  remarks: readonly Problem[];
}

/** Describes the hotels of a feed by its lines. */
export interface HotelRecords {
  /** `resort`: the row's. */
  of(hotel: FeedHotel, resort: number): DescribedHotel;
  /** A hotel's star rating, in halves, if a later line than the first has told it; else null. */
  laterHalfStars(hotel: number): number | null;
  /** Called after the feed's last line. */
  end(): void;
  /** The number of records in memory. */
  held(): number;
}

const NONE: readonly Problem[] = [];

/**
 * The first line that has a hotel's name, star rating, guest rating or position describes that part of the hotel. A later
 * line with another name or star rating is refused. What no line has is kept from the store. A change from the store's
 * name or stars is remarked on once.
 *
 * A hotel with a code that providers share is described by one of them, until its feed no longer has the hotel; feeds of
 * the others add only what is unknown. `database` is the import's own.
 */
export function hotelRecords(
  hotels: NumberedRecords<StatedHotel>,
  database: SqlDatabase,
  {
    provider,
    hotelCodes,
    most,
  }: { provider: number; hotelCodes: HolidayProvider['hotelCodes']; most: number },
): HotelRecords {
  const isShared = hotelCodes === 'shared';
  const owner = isShared ? null : provider;
  const describer = isShared ? provider : null;
  const stated = boundedCache<string, StatedHotel>(most);
  const laterStars = changedNumbers(database, 'hotel_later_stars', most);

  const isDescribedHere = ({ describedBy }: HotelRecord) => !isShared || describedBy === provider;

  /** The first line for a hotel. */
  function describeFirst(was: StatedHotel, hotel: FeedHotel, resort: number): DescribedHotel {
    const isOurs = isDescribedHere(was) || was.describedBy === null;
    const added = isOurs
      ? { ...withDescription(was, hotel), resort, describedBy: describer }
      : withUnknown(was, hotel);
    const isSame =
      isSameDescription(added, was) && added.resort === was.resort && added.describedBy === was.describedBy;
    hotels.state(added, !isSame);
    stated.set(hotel.code, added);
    const remarks = isOurs
      ? otherDescription(was, hotel, 'in the store')
      : [
          ...otherDescription(was, hotel, 'by another provider'),
          ...otherRating(was, hotel, 'by another provider'),
        ];
    return { record: added, problems: NONE, remarks };
  }

  /** A later line for a hotel. */
  function compareLater(was: StatedHotel, hotel: FeedHotel): DescribedHotel {
    if (isSameDescription(was, hotel)) return { record: was, problems: NONE, remarks: NONE };
    const now = withUnknown(was, hotel);
    const isOurs = isDescribedHere(now);
    const problems = isOurs ? otherDescription(now, hotel, 'in the feed') : NONE;
    if (problems.length > 0) return { record: was, problems, remarks: NONE };
    const remarks = isOurs ? otherRating(now, hotel, 'in the feed') : NONE;
    if (now === was) return { record: was, problems, remarks };
    hotels.state(now, !isSameDescription(now, was));
    stated.set(hotel.code, now);
    if (now.halfStars === was.halfStars) return { record: now, problems, remarks };
    laterStars.set(now.id, now.halfStars);
    const replaced = was.halfStars > 0 ? otherDescription(was, hotel, 'in the store') : NONE;
    return { record: now, problems, remarks: [...replaced, ...remarks] };
  }

  function known(hotel: FeedHotel, resort: number): { record: StatedHotel; isStated: boolean } {
    const held = stated.get(hotel.code);
    if (held !== undefined) return { record: held, isStated: true };
    const found = hotels.recordOf({ ...hotel, resort, provider: owner, describedBy: describer });
    if (found.isStated) stated.set(hotel.code, found.record);
    return found;
  }

  return {
    of(hotel, resort) {
      const { record, isStated } = known(hotel, resort);
      // Only a provider's own hotel can move: others may have packages in a hotel with a shared code.
      if (record.resort !== resort && (isStated || isShared)) {
        const reason = 'is a hotel that is in another resort elsewhere in the feed or in the store';
        const elsewhere = { field: 'HotelIdentifierCode', value: hotel.code, reason };
        const others = isDescribedHere(record) ? otherDescription(record, hotel, 'in the feed') : NONE;
        return { record, problems: [elsewhere, ...others], remarks: NONE };
      }
      return isStated ? compareLater(record, hotel) : describeFirst(record, hotel, resort);
    },
    laterHalfStars: laterStars.of,
    end() {
      if (!isShared) return;
      for (const hotel of hotels.unstated()) {
        if (hotel.describedBy === provider) hotels.state({ ...hotel, describedBy: null }, true);
      }
    },
    held: () => stated.size + laterStars.held(),
  };
}

/** The hotel as a line describes it; what the line leaves out stays. */
function withDescription(was: StatedHotel, hotel: FeedHotel): StatedHotel {
  const kept: Fact[] = [];
  if (hotel.halfStars === 0 && was.halfStars > 0) kept.push('halfStars');
  if (hotel.consumerRating === null && was.consumerRating !== null) kept.push('consumerRating');
  if (hotel.latitude === null && was.latitude !== null) kept.push('position');
  const { latitude, longitude } = hotel.latitude === null ? was : hotel;
  return {
    ...was,
    name: hotel.name,
    halfStars: hotel.halfStars || was.halfStars,
    consumerRating: hotel.consumerRating ?? was.consumerRating,
    latitude,
    longitude,
    kept,
  };
}

/** The hotel with what only this line says; the same object if it says nothing new. */
function withUnknown(was: StatedHotel, hotel: FeedHotel): StatedHotel {
  const { kept = [] } = was;
  const isNew = (fact: Fact, isKnown: boolean, isSaid: boolean) =>
    isSaid && (!isKnown || kept.includes(fact));
  const facts = {
    halfStars: isNew('halfStars', was.halfStars > 0, hotel.halfStars > 0),
    consumerRating: isNew('consumerRating', was.consumerRating !== null, hotel.consumerRating !== null),
    position: isNew('position', was.latitude !== null, hotel.latitude !== null),
  };
  if (!facts.halfStars && !facts.consumerRating && !facts.position) return was;
  const { latitude, longitude } = facts.position ? hotel : was;
  return {
    ...was,
    halfStars: facts.halfStars ? hotel.halfStars : was.halfStars,
    consumerRating: facts.consumerRating ? hotel.consumerRating : was.consumerRating,
    latitude,
    longitude,
    kept: kept.filter((fact) => !facts[fact]),
  };
}
