import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';

/** The most offers per transaction. Clicks and sign-ups wait for its lock for up to a fifth of a second. */
const MAX_TOGETHER = 30_000;

/** Splits a month's offers into transactions, in order. Keeps a price block's offers together. */
export function writtenTogether(offers: readonly OfferRow[], max: number = MAX_TOGETHER): OfferRow[][] {
  const sizes = new Map<number, number>();
  for (const offer of offers) {
    const block = blockOf(offer);
    sizes.set(block, (sizes.get(block) ?? 0) + 1);
  }
  const parts: OfferRow[][] = [];
  const partOf = new Map<number, OfferRow[]>();
  let size = 0;
  for (const [block, offersInIt] of sizes) {
    if (parts.length === 0 || size + offersInIt > max) {
      parts.push([]);
      size = 0;
    }
    size += offersInIt;
    partOf.set(block, parts.at(-1) ?? []);
  }
  for (const offer of offers) partOf.get(blockOf(offer))?.push(offer);
  return parts;
}

/** A price block's nights, party and resort, packed into one safe integer. */
function blockOf(offer: OfferRow): number {
  return (offer[OFFER.nights] * 256 + offer[OFFER.party]) * 2 ** 24 + offer[OFFER.resort];
}
