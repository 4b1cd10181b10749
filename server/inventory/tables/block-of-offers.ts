import { firstDayOfMonth } from '../../../domain/month.ts';
import type { BlockKey } from '../block-key.ts';
import { addToBlock, blockExpiry, compareCells, type PriceBlock, type PriceCell } from '../price-block.ts';
import type { DayOffer } from './block-day-source.ts';

export function blockOfOffers([, , month]: BlockKey, offers: Iterable<DayOffer>): PriceBlock {
  const first = firstDayOfMonth(month);
  const cells: (readonly [PriceCell, expiry: number])[] = [];
  for (const [departureDay, hotel, board, provider, halfStars, price, expiresAt] of offers) {
    const day = departureDay - first;
    const cell = { hotel, board, provider, halfStars, day, low: price, high: price };
    cells.push([cell, blockExpiry(expiresAt, departureDay)]);
  }
  const block: PriceBlock = { cells: [], expiries: new Map() };
  for (const [cell, expiry] of cells.sort(([one], [other]) => compareCells(one, other))) {
    addToBlock(block, cell, expiry);
  }
  return block;
}
