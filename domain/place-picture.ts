import { placeKind } from './place-kind.ts';

/** Each picture file has three views, selected by the fragment of its address. */
const VIEWS = ['dawn', 'noon', 'dusk'];

/** The picture of an unknown place. */
export const ANY_PLACE_PICTURE = '/assets/places/coast.svg#dawn';

/**
 * The address of the placeholder picture of a hotel, since items carry no images (Section 3). The kind of place decides
 * the file, and the hotel decides the view, so that a hotel always has the same picture.
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
