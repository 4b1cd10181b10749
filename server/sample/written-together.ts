import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';

/**
 * Offers in one transaction, at most. The embedded store has one write lock, for which clicks and sign-ups wait: so many are
 * written in a fifth of a second.
 */
const MOST_TOGETHER = 30_000;

/**
 * Divides offers of a month or less into parts, each of which is written in a transaction of its own. Offers of one price
 * block stay together, so that the block is written once. Each part is in the order of the offers.
 */
export function writtenTogether(offers: readonly OfferRow[], most: number = MOST_TOGETHER): OfferRow[][] {
  const sizes = new Map<number, number>();
  for (const offer of offers) {
    const block = blockOf(offer);
    sizes.set(block, (sizes.get(block) ?? 0) + 1);
  }
  const parts: OfferRow[][] = [];
  const partOf = new Map<number, OfferRow[]>();
  let size = 0;
  for (const [block, offersInIt] of sizes) {
    if (parts.length === 0 || size + offersInIt > most) {
      parts.push([]);
      size = 0;
    }
    size += offersInIt;
    partOf.set(block, parts.at(-1) ?? []);
  }
  for (const offer of offers) partOf.get(blockOf(offer))?.push(offer);
  return parts;
}

/** Of the key of a price block, a stay, a party and a resort, packed into one safe integer. */
function blockOf(offer: OfferRow): number {
  return (offer[OFFER.nights] * 256 + offer[OFFER.party]) * 2 ** 24 + offer[OFFER.resort];
}
