import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { FeedPackage } from './feed-package.ts';

/** More are not remembered. */
const MOST_PLACES = 10_000;

/** The places of an import's packages that the destination list lacks, so that visitors cannot choose them. */
export interface UnlistedPlaces {
  /** A row that was staged, and the package that it came from. */
  note(row: OfferRow, offer: FeedPackage): void;
  /** A row that stands: of the lines that name one package only one does. */
  count(row: OfferRow): void;
  /** With how many packages are there, the most first. */
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
      if (isListed || places.size >= MOST_PLACES || places.has(id)) return;
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
