import type { Pence } from '../../domain/money.ts';
import type { Offer } from '../inventory/offer.ts';

/** A provider's lowest total for a cell. */
export interface ProviderTotal {
  provider: number;
  total: Pence;
}

/** The cheapest package of a day and a board. */
export interface GridCell {
  offer: Offer;
  total: Pence;
  /** Other providers with packages of this day and board, the lowest first. */
  others: ProviderTotal[];
}

/** A board's cells, one for each day; null: no package. */
export interface GridRow {
  board: number;
  cells: (GridCell | null)[];
}

/** The lowest totals of a hotel's packages: days across, boards down, the board with the lowest total first. */
export function priceGrid(offers: readonly Offer[], days: readonly number[]): GridRow[] {
  const cheapestFirst = [...offers].sort(compareOffers);
  const byBoard = Map.groupBy(cheapestFirst, (offer) => offer.board);
  return [...byBoard].map(([board, ofBoard]) => {
    const byDay = Map.groupBy(ofBoard, (offer) => offer.departureDay);
    return { board, cells: days.map((day) => cellOf(byDay.get(day) ?? [])) };
  });
}

/** The cheapest offer of a list; of equal totals, the first by its key. */
export function cheapestOf(offers: readonly Offer[]): Offer | undefined {
  return [...offers].sort(compareOffers)[0];
}

/** `offers` have the cheapest first. */
function cellOf(offers: readonly Offer[]): GridCell | null {
  const [offer] = offers;
  if (offer === undefined) return null;
  const lowest = new Map<number, Pence>();
  for (const each of offers) if (!lowest.has(each.provider)) lowest.set(each.provider, each.total);
  lowest.delete(offer.provider);
  return {
    offer,
    total: offer.total,
    others: Array.from(lowest, ([provider, total]) => ({ provider, total })),
  };
}

const KEY = ['departureDay', 'nights', 'airport', 'board', 'room', 'provider'] as const;

function compareOffers(one: Offer, other: Offer): number {
  let difference = one.total - other.total;
  for (const column of KEY) difference ||= one[column] - other[column];
  return difference;
}
