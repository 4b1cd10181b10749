import { editDistance } from './edit-distance.ts';
import { foldText } from './fold-text.ts';

/** What a provider says about a hotel. */
export interface HotelFacts {
  name: string;
  /** The names of its country, region and resort. */
  places: readonly string[];
  latitude: number | null;
  longitude: number | null;
  /** 0: unknown. */
  halfStars: number;
  /** A code that means one hotel for all providers that use it; null: none. */
  sharedCode: string | null;
}

/** The most metres between two positions of one hotel: providers may give its gate, lobby or pool. */
export const MAX_METRES = 300;

/** The most metres between two positions of one hotel if the names are merely similar. */
const MAX_METRES_IF_SIMILAR = 150;

/**
 * Whether two providers' hotels are one. If both have shared codes, those decide; else name, position, stars and a
 * place must agree. A wrong merge sells the wrong hotel, and sister hotels have almost the same names next door: so
 * unknown positions never agree, and a hotel that matches two of one provider stays separate.
 */
export function isSameHotel(one: HotelFacts, other: HotelFacts): boolean {
  if (one.sharedCode !== null && other.sharedCode !== null) return one.sharedCode === other.sharedCode;
  if (one.halfStars > 0 && other.halfStars > 0 && Math.abs(one.halfStars - other.halfStars) > 1) return false;
  const metres = metresBetween(one, other);
  if (metres > MAX_METRES) return false;
  const [places, otherPlaces] = [one, other].map((hotel) => hotel.places.map(foldText)) as [
    string[],
    string[],
  ];
  if (!places.some((place) => otherPlaces.includes(place))) return false;
  const [words, otherWords] = [wordsOf(one.name), wordsOf(other.name)];
  if (words.length === 0 || otherWords.length === 0) return false;
  if (isEqual(words, otherWords)) return true;
  return metres <= MAX_METRES_IF_SIMILAR && isSimilar(words, otherWords, [...places, ...otherPlaces]);
}

function metresBetween(one: HotelFacts, other: HotelFacts): number {
  const { latitude, longitude } = one;
  if (latitude === null || longitude === null || other.latitude === null || other.longitude === null)
    return Number.POSITIVE_INFINITY;
  const north = latitude - other.latitude;
  const east = (longitude - other.longitude) * Math.cos((latitude * Math.PI) / 180);
  return Math.hypot(north, east) * 111_195;
}

/** Words that say nothing about which hotel it is. */
const WEAK = new Set(
  'hotel hotels hoteles otel turisticos resort resorts spa the a an and y e und by de del da do la el los las le les ex'.split(
    ' ',
  ),
);

/** Words that name a kind or a part of a hotel. Two hotels of one group often differ by such a word alone. */
const KINDS = new Set(
  `apartment aparthotel suite studio villa bungalow hostal hostel beach playa palace palas park garden village club bay
  royal grand gran golf family premium deluxe luxury select selection boutique house residence tower mar sol sun blue
  princess center maris aqua adultsonly`
    .split(/\s+/)
    .map(spelling),
);

/** The usual form of words that providers spell differently. */
const FORMS: Readonly<Record<string, string>> = {
  ...forms('apartment', 'apartments apartamentos apartamento appartements apts apt aptos'),
  ...forms('aparthotel', 'aparthotels apartotel apartahotel'),
  ...forms('suite', 'suites'),
  ...forms('studio', 'studios'),
  ...forms('villa', 'villas'),
  ...forms('bungalow', 'bungalows'),
  ...forms('garden', 'gardens'),
  ...forms('center', 'centre'),
  ...forms('saint', 'st'),
  ...forms('agios', 'aghios ayios'),
  ...forms('agia', 'aghia ayia'),
  ...forms('international', 'intl'),
  ...forms('1', 'one'),
  ...forms('2', 'ii two'),
  ...forms('3', 'iii three'),
  ...forms('4', 'iv'),
};

function forms(form: string, others: string): Record<string, string> {
  return Object.fromEntries(others.split(' ').map((other) => [other, form]));
}

/** A hotel name's words in one spelling, without `WEAK` words. */
function wordsOf(name: string): string[] {
  const text = foldText(
    name
      .replace(/\((?:ex|former|formerly)\b[^)]*\)/gi, ' ')
      .replace(/\b[1-5](?:[.,]5)?\s*(?:[*★]+|-?\s?stars?\b)/gi, ' ')
      .replace(/\+\s?1[4-8]\b|\b1[4-8]\s?\+/g, ' adults only '),
  )
    .replace(/\b(?:adults? only|only adults?|solo adultos)\b/g, 'adultsonly')
    .replace(/\b(?:ultra )?(?:all inclusive|todo incluido)\b/g, ' ')
    .replace(/\bapart hotel/g, 'aparthotel')
    .replace(/\bi$/, '1');
  const words = text.split(' ').flatMap((word) => {
    const form = FORMS[word] ?? word;
    return WEAK.has(form) ? [] : [spelling(form)];
  });
  // 'Hotel Sol' and 'Sol Resort' may be two hotels, unlike longer names.
  if (new Set(words).size === 1 && /\bresort/.test(text)) words.push('resort');
  return [...new Set(words)];
}

/** Spells transliterations alike: 'Kreta' and 'Creta', 'Phaedra' and 'Faedra', 'Aghios' and 'Agios'. */
function spelling(word: string): string {
  return word
    .replace(/ph/g, 'f')
    .replace(/([gk])h/g, '$1')
    .replace(/ou/g, 'u')
    .replace(/c(?=[aorkltu])/g, 'k')
    .replace(/y/g, 'i')
    .replace(/([a-z])\1/g, '$1');
}

function isEqual(words: readonly string[], others: readonly string[]): boolean {
  const isSameSet = words.length === others.length && words.every((word) => others.includes(word));
  return isSameSet || words.join('') === others.join('');
}

/** Whether the names differ only in words of their place, or by one typo in a long word. */
function isSimilar(words: readonly string[], others: readonly string[], places: readonly string[]): boolean {
  const ofPlaces = new Set(places.flatMap((place) => wordsOf(place)));
  const common = words.filter((word) => others.includes(word));
  const rest = words.filter((word) => !common.includes(word));
  const otherRest = others.filter((word) => !common.includes(word));
  const isName = (word: string) => !KINDS.has(word) && !ofPlaces.has(word) && !/^\d+$/.test(word);
  const [word = '', otherWord = ''] = [...rest, ...otherRest];
  if (rest.length === 1 && otherRest.length === 1) return isName(word) && isTypo(word, otherWord);
  const isOneSided = rest.length === 0 || otherRest.length === 0;
  return (
    isOneSided &&
    common.some(isName) &&
    [...rest, ...otherRest].every((each) => ofPlaces.has(each) && !KINDS.has(each))
  );
}

/** One edit inside a long word. A different ending is no typo: 'Marina' and 'Marinas' may be two hotels. */
function isTypo(word: string, other: string): boolean {
  return (
    Math.min(word.length, other.length) >= 7 &&
    word.slice(-2) === other.slice(-2) &&
    editDistance(word, 1)(other) <= 1 &&
    editDistance(other, 1)(word) <= 1
  );
}
