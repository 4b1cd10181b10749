import fc from 'fast-check';
import { expect, it } from 'vitest';
import { smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { totalPrice } from '../inventory/offer-charges.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { cheapestOf, priceGrid } from './price-grid.ts';

it('has the lowest total of every board and day, and each other provider’s', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(smallOffers(), { maxLength: 60 }), (some) => {
      const offers = some.map((offer, nth) => offer.with(OFFER.provider, nth % 3) as unknown as typeof offer);
      const days = [...new Set(offers.map((offer) => offer[OFFER.departureDay]))];
      const grid = priceGrid(offers, days);
      expect(new Set(grid.map(({ board }) => board))).toEqual(
        new Set(offers.map((offer) => offer[OFFER.board])),
      );
      for (const { board, cells } of grid) {
        for (const [nth, cell] of cells.entries()) {
          const ofCell = offers.filter(
            (offer) => offer[OFFER.board] === board && offer[OFFER.departureDay] === days[nth],
          );
          const totals = (of: typeof offers) => of.map(totalPrice).sort((one, other) => one - other);
          expect(cell?.total).toBe(totals(ofCell)[0]);
          if (cell === null) continue;
          expect(ofCell).toContain(cell.offer);
          const shown = new Map(cell.others.map(({ provider, total }) => [provider, total]));
          for (const provider of new Set(ofCell.map((offer) => offer[OFFER.provider]))) {
            const own = totals(ofCell.filter((offer) => offer[OFFER.provider] === provider))[0];
            expect(provider === cell.offer[OFFER.provider] ? cell.total : shown.get(provider)).toBe(own);
          }
        }
      }
      const lowest = Math.min(...offers.map(totalPrice));
      expect(cheapestOf(offers)).toBe(
        grid.flatMap(({ cells }) => cells).find((cell) => cell?.offer === cheapestOf(offers))?.offer,
      );
      if (offers.length > 0) expect(grid[0]?.cells.map((cell) => cell?.total)).toContain(lowest);
    }),
    { numRuns: 50 },
  );
});
