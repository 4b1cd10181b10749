import { placeKind } from './place-kind.ts';

/** A picture file has three views, selected by the URL's fragment. */
const VIEWS = ['dawn', 'noon', 'dusk'];

export const ANY_PLACE_PICTURE = '/assets/places/coast.svg#dawn';

/**
 * The URL of a hotel's placeholder picture, since items have no images (Section 3). The kind of place decides
 * the file, the hotel the view, so that a hotel keeps its picture.
 */
export function placePicture(place: {
  country: string;
  region: string;
  resort: string;
  /** The hotel's code, or its name. */
  hotel: string;
}): string {
  const kind = placeKind(place.country, place.region, place.resort);
  let sum = 0;
  for (const letter of place.hotel) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973;
  return `/assets/places/${kind}.svg#${VIEWS[sum % VIEWS.length]}`;
}
