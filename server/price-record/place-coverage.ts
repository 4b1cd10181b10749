import type { CodedCatalogue } from '../inventory/catalogue.ts';
import { hotelOfKey } from '../inventory/item-key.ts';

/** With fewer settled prices, a place's share would be mostly chance. */
const MIN_PRICES = 50;

/** How many settled prices had a range, and how many of them were in it a week later. */
export interface Coverage {
  prices: number;
  inRange: number;
}

/** Adds up hotels (`provider:hotel`) by the id of their resort. Leaves out hotels that the store no longer has. */
export async function coverageByResort(
  hotels: Iterable<readonly [hotel: string, Coverage]>,
  catalogue: CodedCatalogue,
): Promise<Record<number, Coverage>> {
  const resorts: Record<number, Coverage> = {};
  for (const [key, coverage] of hotels) {
    const sold = await hotelOfKey(key, catalogue);
    if (sold !== null) resorts[sold.hotel.resort] = sum(resorts[sold.hotel.resort], coverage);
  }
  return resorts;
}

/** The coverage in some resorts, from the text of the note; null if too little is settled. */
export function coverageIn(note: string | null, isInside: (resort: number) => boolean): Coverage | null {
  const resorts = Object.entries<Coverage>(JSON.parse(note ?? '{}'));
  const inside = resorts.filter(([resort]) => isInside(Number(resort))).map(([, coverage]) => coverage);
  const total = inside.reduce(sum, NONE);
  return total.prices < MIN_PRICES ? null : total;
}

const NONE: Coverage = { prices: 0, inRange: 0 };

function sum(one = NONE, other = NONE): Coverage {
  return { prices: one.prices + other.prices, inRange: one.inRange + other.inRange };
}
