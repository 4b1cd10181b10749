import { foldText } from '../../domain/fold-text.ts';
import type { HotelRecord } from '../inventory/inventory.ts';
import type { FeedHotel } from './feed-package.ts';
import type { Problem } from './formats/raw-row.ts';

type Described = Pick<HotelRecord, 'name' | 'halfStars'>;

/** What a row's words for its hotel are compared with, as the reason's words for it. */
const OTHERWISE = {
  /** One of the two lines is about another hotel, and nobody can know which. */
  'in the feed': 'than an earlier line of the feed has for this hotel',
  /** The newest feed describes its own hotels. */
  'in the store': 'than the hotel had until now, and is taken',
  /** Of a code that providers share. */
  'by another provider': 'than the provider has that named this hotel first, whose words stand',
} as const;

const NONE: readonly Problem[] = [];

/**
 * Where a row describes its hotel otherwise than it is described already: by another name, whatever its case and
 * accents, or by other stars where both are known.
 */
export function otherDescription(
  described: Described,
  hotel: Pick<FeedHotel, 'name' | 'halfStars'>,
  where: keyof typeof OTHERWISE,
): readonly Problem[] {
  const { name, halfStars } = hotel;
  if (name === described.name && halfStars === described.halfStars) return NONE;
  const problems: Problem[] = [];
  if (name !== described.name && nameKey(name) !== nameKey(described.name)) {
    problems.push({ field: 'HotelName', value: name, reason: `is another name ${OTHERWISE[where]}` });
  }
  if (halfStars !== described.halfStars && halfStars > 0 && described.halfStars > 0) {
    const reason = `is another number of stars ${OTHERWISE[where]}`;
    problems.push({ field: 'StarRating', value: halfStars / 2, reason });
  }
  return problems;
}

/** Names are the same whatever their case and accents; those of nothing but signs are compared as they are. */
export function nameKey(name: string): string {
  return foldText(name) || name.toLowerCase();
}
