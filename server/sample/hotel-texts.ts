import type { HotelRecord, HotelText } from '../inventory/inventory.ts';

interface Described {
  resort: string;
  halfStars: number;
  seaDistance: number | null;
  canTakeChildren: boolean;
  hasFreeChildPlaces: boolean;
}

/** Facilities with the half stars that a hotel has at least, and the share of such hotels that have them. */
const FACILITIES: readonly [name: string, halfStars: number, share: number][] = [
  ['Free Wi-Fi', 0, 1],
  ['24-hour reception', 0, 0.7],
  ['Air conditioning', 4, 0.8],
  ['Outdoor pool', 4, 0.85],
  ['Snack bar', 4, 0.6],
  ['Lift', 6, 0.8],
  ['Buffet restaurant', 6, 0.85],
  ['Sun terrace', 6, 0.7],
  ['Evening entertainment', 6, 0.5],
  ['Car park', 6, 0.5],
  ['Gym', 7, 0.7],
  ['Tennis court', 7, 0.35],
  ['Indoor pool', 8, 0.45],
  ['À-la-carte restaurant', 8, 0.7],
  ['Spa', 8, 0.6],
  ['Room service', 9, 0.8],
];
const FOR_CHILDREN: typeof FACILITIES = [
  ['Children’s pool', 4, 0.6],
  ['Playground', 4, 0.5],
  ['Kids’ club', 7, 0.5],
];

const CHARACTERS = [
  'Family-run, with regulars who return each year.',
  'Low buildings around gardens, quiet at night.',
  'Lively, with music by the pool on most evenings.',
  'Refurbished in 2024, with plain, bright rooms.',
  'Large, with something on from morning to midnight.',
];

/** What feeds would say about an invented hotel; one in ten says little. */
export function hotelTexts(
  { resort, halfStars, seaDistance, canTakeChildren, hasFreeChildPlaces }: Described,
  random: (salt: number) => number,
): Pick<HotelRecord, Exclude<HotelText, 'photos'>> {
  const all = canTakeChildren ? [...FACILITIES, ...FOR_CHILDREN] : FACILITIES;
  const facilities = all.flatMap(([name, least, share], nth) =>
    halfStars >= least && random(60 + nth) < share ? [name] : [],
  );
  if (random(90) < 0.1) return { facilities: facilities.slice(0, 3).join('\n') };
  const rooms = 30 + Math.floor(random(91) ** 2 * 40) * 10;
  const where = seaDistance !== null && seaDistance < 0.25 ? `by the sea in ${resort}` : `in ${resort}`;
  const character = CHARACTERS[Math.floor(random(92) * CHARACTERS.length)] ?? '';
  const children = hasFreeChildPlaces
    ? 'In some family rooms, one child from 2 to 11 stays free while places last. Otherwise, the first child pays half of an adult’s part of the room, the second 60%.'
    : 'The first child from 2 to 11 pays half of an adult’s part of the room, the second 60%.';
  return {
    facilities: facilities.join('\n'),
    description: `A hotel of ${rooms} rooms ${where}. ${character}`,
    childPrices: canTakeChildren ? children : 'Adults only: guests are 16 or over.',
  };
}
