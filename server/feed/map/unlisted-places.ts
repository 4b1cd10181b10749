import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import type { FeedPackage } from './feed-package.ts';

/** Further places are ignored. */
const MAX_PLACES = 10_000;

/** Imported packages' places that visitors cannot choose, because the destination list lacks them. */
export interface UnlistedPlaces {
  /** Notes a staged row and its package. */
  note(row: OfferRow, offer: FeedPackage): void;
  /** Counts an imported row; of several lines with one package only one is. */
  count(row: OfferRow): void;
  /** Sorted by the number of packages, largest first. */
  list(): PlaceCount[];
}

export interface PlaceCount {
  place: string;
  count: number;
}

export function unlistedPlaces(): UnlistedPlaces {
  const places = new Map<OfferRow[number], PlaceCount>();
  return {
    note(row, { place: { isListed, country, region, resort } }) {
      const id = row[OFFER.resort] ?? 0;
      if (isListed || places.size >= MAX_PLACES || places.has(id)) return;
      places.set(id, { place: `${resort}, ${region}, ${country}`, count: 0 });
    },
    count(row) {
      const place = places.get(row[OFFER.resort] ?? 0);
      if (place !== undefined) place.count += 1;
    },
    list: () =>
      [...places.values()].filter(({ count }) => count > 0).toSorted((one, other) => other.count - one.count),
  };
}
