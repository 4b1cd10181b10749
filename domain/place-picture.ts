import { placeKind } from './place-kind.ts';

/** Each picture is one file that holds three views of its kind of place; an address names one. */
const VIEWS = ['dawn', 'noon', 'dusk'];

/** The picture of a place about which nothing is known. */
export const ANY_PLACE_PICTURE = '/assets/places/coast.svg#dawn';

/**
 * The address of the drawing that stands for a hotel's own picture, which items do not carry (Section 3): of the
 * kind of place that its resort is. Hotels of one resort take turns with the views, and each keeps its own.
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
