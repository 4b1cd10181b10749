import type { DatabaseSync } from 'node:sqlite';
import { foldText } from '../../../domain/fold-text.ts';
import { HOTEL_FACT_ENTRIES, type HotelFact } from '../../../domain/hotel-facts.ts';
import { HOTEL_TEXTS, type HotelRecord, type HotelText } from '../../inventory/inventory.ts';
import { NO_PROBLEMS as NONE, type Problem } from '../formats/raw-row.ts';
import type { FeedHotel, FeedPackage } from './feed-package.ts';
import type { HolidayProvider } from './holiday-providers.ts';
import { localMap } from './local-map.ts';

/** What a line may leave out. */
type Fact = 'halfStars' | 'position' | ValueFact;

/** Null or undefined if unknown. */
type ValueFact = HotelText | HotelFact;

const VALUE_FACTS: readonly ValueFact[] = [...HOTEL_FACT_ENTRIES.map(([fact]) => fact), ...HOTEL_TEXTS];

/** A hotel as the feed has described it so far. */
interface KnownHotel {
  record: HotelRecord;
  /** The record for the store. */
  stored: HotelRecord;
  /** Whether the feed has the hotel. */
  isStated: boolean;
  /** Facts that no line has given yet, kept from the store. */
  kept: readonly Fact[];
}

interface DescribedHotel {
  record: HotelRecord;
  /** Why the row cannot be for this hotel. */
  problems: readonly Problem[];
  remarks: readonly Problem[];
}

/** Whether lines that were not read describe a hotel, before the line at this place or anywhere. */
export interface UnreadLines {
  isFoundBefore(hotel: number, nth: number): boolean;
  hotels(): ReadonlySet<number>;
}

const CACHED_HOTELS = 10_000;

/**
 * The first line that states a hotel's name, stars, guest rating or position sets that fact. A later line with
 * another name or other stars is refused. A fact that no line states keeps its stored value. If providers share a code, one of
 * them describes the hotel until its feed drops it, and the others only add missing facts.
 */
export function feedHotels(
  local: DatabaseSync,
  {
    provider,
    hotelCodes,
    isChanges,
    idOf,
    unread,
  }: {
    /** The provider's id. While the store's hotels are read, 0 for a new provider. */
    provider: () => number;
    hotelCodes: HolidayProvider['hotelCodes'];
    isChanges: boolean;
    idOf: (hotel: Omit<HotelRecord, 'id'>) => number;
    /** Null: every line is read. */
    unread: () => UnreadLines | null;
  },
) {
  const isShared = hotelCodes === 'shared';
  const owner = () => (isShared ? null : provider());
  const describer = () => (isShared ? provider() : null);
  const hotels = localMap<KnownHotel>(local, 'known_hotel', CACHED_HOTELS);
  const newStars = new Map<number, number>();
  const moved = new Map<number, number>();
  const unsettled = new Set<number>();

  const isDescribedHere = ({ describedBy }: HotelRecord) => !isShared || describedBy === provider();

  function know(record: HotelRecord): KnownHotel {
    const known = { record, stored: record, isStated: false, kept: [] };
    hotels.set(known.record.code, known);
    return known;
  }

  function added(hotel: FeedHotel, resort: number): KnownHotel {
    const record = { ...hotel, resort, provider: owner(), describedBy: describer() };
    return know({ ...record, id: idOf(record) });
  }

  /** Handles the first line for a hotel. */
  function describeFirst(known: KnownHotel, hotel: FeedHotel, resort: number): DescribedHotel {
    const was = known.record;
    known.isStated = true;
    const isOurs = isDescribedHere(was) || was.describedBy === null;
    if (isOurs) {
      const stated = factsOf(hotel);
      known.kept = FACTS.filter((fact) => isKnown(was, fact) && !stated.includes(fact));
      known.record = { ...withFacts(was, hotel, stated), name: hotel.name, resort, describedBy: describer() };
    } else known.record = withFacts(was, hotel, newFacts(known, hotel));
    if (known.record.halfStars !== was.halfStars) newStars.set(was.id, known.record.halfStars);
    if (resort !== was.resort) moved.set(was.id, resort);
    hotels.set(known.record.code, known);
    const remarks = isOurs
      ? otherDescription(was, hotel, 'in the store')
      : [
          ...otherDescription(was, hotel, 'by another provider'),
          ...otherFacts(was, hotel, 'by another provider'),
        ];
    return { record: known.record, problems: NONE, remarks };
  }

  /** Handles a later line for a hotel. */
  function compareLater(known: KnownHotel, hotel: FeedHotel): DescribedHotel {
    const was = known.record;
    if (isSameDescription(was, hotel)) return { record: was, problems: NONE, remarks: NONE };
    const isOurs = isDescribedHere(was);
    const facts = newFacts(known, hotel);
    const record = withFacts(was, hotel, facts);
    const problems = isOurs ? otherDescription(record, hotel, 'in the feed') : NONE;
    if (problems.length > 0) return { record: was, problems, remarks: NONE };
    const remarks = isOurs ? otherFacts(record, hotel, 'in the feed') : NONE;
    if (facts.length > 0) {
      known.record = record;
      known.kept = known.kept.filter((fact) => !facts.includes(fact));
      hotels.set(known.record.code, known);
    }
    if (record.halfStars === was.halfStars) return { record, problems, remarks };
    newStars.set(record.id, record.halfStars);
    const replaced = was.halfStars > 0 ? otherDescription(was, hotel, 'in the store') : NONE;
    return { record, problems, remarks: [...replaced, ...remarks] };
  }

  function describeBy(known: KnownHotel, hotel: FeedHotel, resort: number): DescribedHotel {
    const { record, isStated } = known;
    // Only a provider's own hotel can move: with a shared code, others may have packages there.
    if (record.resort !== resort && (isStated || isShared)) {
      const reason = 'is a hotel that is in another resort elsewhere in the feed or in the store';
      const elsewhere = { field: 'HotelIdentifierCode', value: hotel.code, reason };
      const others = isDescribedHere(record) ? otherDescription(record, hotel, 'in the feed') : NONE;
      return { record, problems: [elsewhere, ...others], remarks: NONE };
    }
    return isStated ? compareLater(known, hotel) : describeFirst(known, hotel, resort);
  }

  return {
    /** Whether no new record is needed for a hotel. */
    isKnown: ({ code }: FeedHotel) => hotels.get(code) !== undefined,
    /** Adds a hotel from the store. */
    know(hotel: HotelRecord): void {
      if (hotel.provider === owner()) know(hotel);
    },
    /**
     * The hotel of a row in `resort`, with any problems and remarks. A deletion does not describe its hotel.
     * `isExact`: the line says what the store does, so that it can be left unread.
     */
    of(
      { hotel: written, fingerprint, isDeleted }: FeedPackage,
      resort: number,
    ): DescribedHotel & { isExact: boolean } {
      const known = hotels.get(written.code) ?? added(written, resort);
      const { record, stored, isStated } = known;
      if (isDeleted) return { record, problems: NONE, remarks: NONE, isExact: false };
      const isExact = written.name === stored.name;
      // The first line's spelling of a name is used.
      const isLater = isStated || unread()?.isFoundBefore(record.id, fingerprint?.nth ?? 0) === true;
      const isVariant = !isExact && isLater && nameKey(written.name) === nameKey(stored.name);
      const hotel = isVariant ? { ...written, name: stored.name } : written;
      if (!agrees(hotel, resort, stored)) unsettled.add(record.id);
      const described = describeBy(known, isStated ? written : hotel, resort);
      return { ...described, isExact: isExact && described.remarks.length === 0 };
    },
    /** A hotel's half stars, if they are not those in the store, or if a later line than its first states them. */
    newHalfStars: (hotel: number) => newStars.get(hotel),
    /** Hotels whose packages need other stars than their own lines say. */
    restarred: () => [...newStars.keys()],
    /** The new resorts of hotels that the store has in another one. */
    moved,
    /** Hotels that some line describes otherwise than the store. */
    unsettled,
    /** Hotels that the feed describes differently from the store, by id. Call it after the last line. */
    updates(): HotelRecord[] {
      const others = unread()?.hotels() ?? new Set();
      // Changes leave out hotels that the feed still has.
      const hasDropped = isShared && !isChanges;
      const changed: HotelRecord[] = [];
      for (const { record, stored, isStated } of hotels.values()) {
        if (isStated && !isSameHotel(record, stored)) changed.push(record);
        if (!isStated && hasDropped && record.describedBy === provider() && !others.has(record.id)) {
          changed.push({ ...record, describedBy: null });
        }
      }
      return changed.toSorted((one, other) => one.id - other.id);
    },
  };
}

/** Whether a line says nothing about its hotel that the store's record does not say. */
function agrees(hotel: FeedHotel, resort: number, stored: HotelRecord): boolean {
  if (hotel.name !== stored.name || resort !== stored.resort) return false;
  return (
    isSameDescription(stored, hotel) || isSameDescription(stored, withFacts(stored, hotel, factsOf(hotel)))
  );
}

function factsOf(hotel: FeedHotel): Fact[] {
  return FACTS.filter((fact) => isKnown(hotel, fact));
}

function isSameHotel(one: HotelRecord, other: HotelRecord): boolean {
  return (
    isSameDescription(one, other) && one.resort === other.resort && one.describedBy === other.describedBy
  );
}

const FACTS: readonly Fact[] = ['halfStars', 'position', ...VALUE_FACTS];

function isKnown(hotel: FeedHotel, fact: Fact): boolean {
  if (fact === 'halfStars') return hotel.halfStars > 0;
  return (fact === 'position' ? hotel.latitude : (hotel[fact] ?? null)) !== null;
}

/** The facts that this line is the first in the feed to state. */
function newFacts({ record, kept }: KnownHotel, hotel: FeedHotel): Fact[] {
  return FACTS.filter((fact) => isKnown(hotel, fact) && (!isKnown(record, fact) || kept.includes(fact)));
}

/** The hotel with these facts taken from a line. */
function withFacts(was: HotelRecord, hotel: FeedHotel, facts: readonly Fact[]): HotelRecord {
  const { latitude, longitude } = facts.includes('position') ? hotel : was;
  const { halfStars } = facts.includes('halfStars') ? hotel : was;
  const others = VALUE_FACTS.map((fact) => [fact, (facts.includes(fact) ? hotel : was)[fact] ?? null]);
  return { ...was, ...Object.fromEntries(others), halfStars, latitude, longitude };
}

/** Reasons for problems and remarks, by what a row is compared with. */
const DIFFERS = {
  /** One of the two lines must be for another hotel. */
  'in the feed': 'differs from an earlier line for this hotel',
  /** The newest feed's description replaces the store's. */
  'in the store': 'replaces the hotel’s earlier one',
  /** For a code that providers share. */
  'by another provider': 'differs from another provider’s for this hotel, which is kept',
} as const;

/** A different rating, for example, does not make it a different hotel, so the row is imported. */
const STATED_OTHERWISE = 'differs from an earlier line for this hotel, which is kept';

/** How a row's hotel differs from the known one: in name, ignoring case and accents, or in stars. */
function otherDescription(
  described: FeedHotel,
  hotel: FeedHotel,
  where: keyof typeof DIFFERS,
): readonly Problem[] {
  const { name, halfStars } = hotel;
  if (name === described.name && halfStars === described.halfStars) return NONE;
  const problems: Problem[] = [];
  if (name !== described.name && nameKey(name) !== nameKey(described.name)) {
    problems.push({ field: 'HotelName', value: name, reason: DIFFERS[where] });
  }
  if (halfStars !== described.halfStars && halfStars > 0 && described.halfStars > 0) {
    problems.push({ field: 'StarRating', value: halfStars / 2, reason: DIFFERS[where] });
  }
  return problems;
}

/** Remarks that facts of a row's hotel differ from the shown ones. */
function otherFacts(
  described: FeedHotel,
  hotel: FeedHotel,
  where: 'in the feed' | 'by another provider',
): readonly Problem[] {
  const reason = where === 'in the feed' ? STATED_OTHERWISE : DIFFERS[where];
  return HOTEL_FACT_ENTRIES.flatMap(([fact, { field }]) => {
    const [known = null, value = null] = [described[fact], hotel[fact]];
    return value === null || known === null || value === known ? [] : [{ field, value, reason }];
  });
}

function isSameDescription(one: FeedHotel, other: FeedHotel): boolean {
  return (
    one.name === other.name &&
    one.halfStars === other.halfStars &&
    VALUE_FACTS.every((fact) => (one[fact] ?? null) === (other[fact] ?? null)) &&
    one.latitude === other.latitude &&
    one.longitude === other.longitude
  );
}

/** A name without case and accents; as written if it has no letters or digits. */
export function nameKey(name: string): string {
  return foldText(name) || name.toLowerCase();
}
