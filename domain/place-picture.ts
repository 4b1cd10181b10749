import { placeKind } from './place-kind.ts';

/** Each picture file has three views. The URL's fragment selects one. */
const VIEWS = ['dawn', 'noon', 'dusk'];

export const ANY_PLACE_PICTURE = '/assets/places/coast.svg#dawn';

/** The pictures of a row of cards. A picture that repeats the one before gets the next view. */
export function unlikeNeighbours(pictures: readonly string[]): string[] {
  const shown: string[] = [];
  for (const picture of pictures) {
    const [file, view = ''] = picture.split('#');
    const next = VIEWS[(VIEWS.indexOf(view) + 1) % VIEWS.length];
    shown.push(picture === shown.at(-1) ? `${file}#${next}` : picture);
  }
  return shown;
}

/**
 * The URL of a hotel's placeholder picture, because items have no images (Section 3). The kind of place
 * decides the file and the hotel the view, so each hotel keeps its picture.
 */
export function placePicture(place: {
  country: string;
  region: string;
  resort: string;
  /** The hotel's code or name. */
  hotel: string;
}): string {
  const kind = placeKind(place.country, place.region, place.resort);
  let sum = 0;
  for (const letter of place.hotel) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973;
  return `/assets/places/${kind}.svg#${VIEWS[sum % VIEWS.length]}`;
}
