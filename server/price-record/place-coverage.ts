import type { CodedCatalogue } from '../inventory/catalogue.ts';
import { hotelOfKey } from '../inventory/item-key.ts';

/** With fewer settled prices, a place's share would be mostly chance. */
const MIN_PRICES = 50;

/** How many settled prices had a range, and how many of them were in it a week later. */
export interface Coverage {
  prices: number;
  inRange: number;
}

const sum = (one: Coverage | undefined, { prices, inRange }: Coverage): Coverage =>
  one ? { prices: one.prices + prices, inRange: one.inRange + inRange } : { prices, inRange };

/** Adds up hotels (`provider:hotel`) by the id of their resort. Leaves out hotels that the store no longer has. */
export async function coverageByResort(
  hotels: Iterable<readonly [hotel: string, Coverage]>,
  catalogue: CodedCatalogue,
): Promise<Record<number, Coverage>> {
  const resorts: Record<number, Coverage> = {};
  for (const [key, coverage] of hotels) {
    const resort = (await hotelOfKey(key, catalogue))?.hotel.resort;
    if (resort !== undefined) resorts[resort] = sum(resorts[resort], coverage);
  }
  return resorts;
}

/** The coverage in some resorts, from the text of the note; null if too little is settled. */
export function coverageIn(note: string | null, isInside: (resort: number) => boolean): Coverage | null {
  const resorts = Object.entries<Coverage>(JSON.parse(note ?? '{}'));
  const inside = resorts.filter(([resort]) => isInside(Number(resort))).map(([, coverage]) => coverage);
  const total = inside.reduce(sum, { prices: 0, inRange: 0 });
  return total.prices < MIN_PRICES ? null : total;
}
