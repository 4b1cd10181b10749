import { foldText } from '../../../domain/fold-text.ts';
import type { HotelRecord } from '../../inventory/inventory.ts';
import type { Problem } from '../formats/raw-row.ts';
import type { FeedHotel } from './feed-package.ts';

type Described = Pick<HotelRecord, 'name' | 'halfStars'>;

/** What a feed may say of a hotel. */
type Description = Pick<HotelRecord, 'name' | 'halfStars' | 'consumerRating' | 'latitude' | 'longitude'>;

/** What a row is compared with, and how the reason names it. */
const DIFFERS = {
  /** One of the two lines is for another hotel. */
  'in the feed': 'differs from an earlier line for this hotel',
  /** The newest feed's description replaces the store's. */
  'in the store': 'replaces the hotel’s earlier one',
  /** For a code that providers share. */
  'by another provider': 'differs from another provider’s for this hotel, which is kept',
} as const;

/** Another rating does not make it another hotel, so the row is imported. */
const RATED_OTHERWISE = 'differs from an earlier line for this hotel, which is kept';

const NONE: readonly Problem[] = [];

/** How a row's hotel differs from the known one: in name, ignoring case and accents, or in stars. */
export function otherDescription(
  described: Described,
  hotel: Pick<FeedHotel, 'name' | 'halfStars'>,
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

/** Remarks that a row's guest rating differs from the shown one. */
export function otherRating(
  { consumerRating: known }: Pick<HotelRecord, 'consumerRating'>,
  { consumerRating: said }: Pick<FeedHotel, 'consumerRating'>,
  where: 'in the feed' | 'by another provider',
): readonly Problem[] {
  if (said === null || known === null || said === known) return NONE;
  const reason = where === 'in the feed' ? RATED_OTHERWISE : DIFFERS[where];
  return [{ field: 'ConsumerRating', value: said, reason }];
}

export function isSameDescription(one: Description, other: Description): boolean {
  return (
    one.name === other.name &&
    one.halfStars === other.halfStars &&
    one.consumerRating === other.consumerRating &&
    one.latitude === other.latitude &&
    one.longitude === other.longitude
  );
}

/** A name without case and accents; as written if it has no letters or digits. */
export function nameKey(name: string): string {
  return foldText(name) || name.toLowerCase();
}
