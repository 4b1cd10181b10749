import { foldText } from './fold-text.ts';

/** The path of a hotel's page: `/hotel/spain/hotel-brisa-23-H123`. The code is its `HotelIdentifierCode`. */
export function hotelPath(country: string, hotelName: string, code: string): string {
  return `/hotel/${slugOf(country)}/${slugOf(hotelName)}-${encodeURIComponent(code)}`;
}

/**
 * The codes that the last part of a hotel's path may end with, each with the name's part before it. A code may
 * contain hyphens, so there may be several.
 */
export function codesInPath(part: string): { nameSlug: string; code: string }[] {
  return [...part.matchAll(/-/g)].map(({ index }) => ({
    nameSlug: part.slice(0, index),
    code: part.slice(index + 1),
  }));
}

/** A name in lower-case letters and digits of ASCII, joined by hyphens; 'hotel' if it has none. */
export function slugOf(name: string): string {
  return (
    foldText(name)
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'hotel'
  );
}
