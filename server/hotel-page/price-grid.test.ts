import fc from 'fast-check';
import { expect, it } from 'vitest';
import { smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { offerOf } from '../inventory/offer.ts';
import { cheapestOf, priceGrid } from './price-grid.ts';

it('has the lowest total of every board and day, and each other provider’s', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(smallOffers(), { maxLength: 60 }), (some) => {
      const offers = some.map((row, nth) => ({ ...offerOf(row), provider: nth % 3 }));
      const days = [...new Set(offers.map((offer) => offer.departureDay))];
      const grid = priceGrid(offers, days);
      expect(new Set(grid.map(({ board }) => board))).toEqual(new Set(offers.map((offer) => offer.board)));
      for (const { board, cells } of grid) {
        for (const [nth, cell] of cells.entries()) {
          const ofCell = offers.filter((offer) => offer.board === board && offer.departureDay === days[nth]);
          const totals = (of: typeof offers) =>
            of.map(({ total }) => total).sort((one, other) => one - other);
          expect(cell?.total).toBe(totals(ofCell)[0]);
          if (cell === null) continue;
          expect(ofCell).toContain(cell.offer);
          const shown = new Map(cell.others.map(({ provider, total }) => [provider, total]));
          for (const provider of new Set(ofCell.map((offer) => offer.provider))) {
            const own = totals(ofCell.filter((offer) => offer.provider === provider))[0];
            expect(provider === cell.offer.provider ? cell.total : shown.get(provider)).toBe(own);
          }
        }
      }
      const lowest = Math.min(...offers.map(({ total }) => total));
      expect(cheapestOf(offers)).toBe(
        grid.flatMap(({ cells }) => cells).find((cell) => cell?.offer === cheapestOf(offers))?.offer,
      );
      if (offers.length > 0) expect(grid[0]?.cells.map((cell) => cell?.total)).toContain(lowest);
    }),
    { numRuns: 50 },
  );
});
