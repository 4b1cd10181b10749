import type { Pence } from '../../domain/money.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { totalPrice } from '../inventory/offer-charges.ts';
import { OFFER } from '../inventory/offer-columns.ts';

/** A provider's lowest total for a cell. */
export interface ProviderTotal {
  provider: number;
  total: Pence;
}

/** The cheapest package of a day and a board. */
export interface GridCell {
  offer: OfferRow;
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
export function priceGrid(offers: readonly OfferRow[], days: readonly number[]): GridRow[] {
  const cheapestFirst = [...offers].sort(compareOffers);
  const byBoard = Map.groupBy(cheapestFirst, (offer) => offer[OFFER.board]);
  return [...byBoard].map(([board, ofBoard]) => {
    const byDay = Map.groupBy(ofBoard, (offer) => offer[OFFER.departureDay]);
    return { board, cells: days.map((day) => cellOf(byDay.get(day) ?? [])) };
  });
}

/** The cheapest offer of a list; of equal totals, the first by its key. */
export function cheapestOf(offers: readonly OfferRow[]): OfferRow | undefined {
  return [...offers].sort(compareOffers)[0];
}

/** `offers` have the cheapest first. */
function cellOf(offers: readonly OfferRow[]): GridCell | null {
  const [offer] = offers;
  if (offer === undefined) return null;
  const lowest = new Map<number, Pence>();
  for (const each of offers)
    if (!lowest.has(each[OFFER.provider])) lowest.set(each[OFFER.provider], totalPrice(each));
  lowest.delete(offer[OFFER.provider]);
  return {
    offer,
    total: totalPrice(offer),
    others: Array.from(lowest, ([provider, total]) => ({ provider, total })),
  };
}

const KEY = [OFFER.departureDay, OFFER.nights, OFFER.airport, OFFER.board, OFFER.room, OFFER.provider];

function compareOffers(one: OfferRow, other: OfferRow): number {
  let difference = totalPrice(one) - totalPrice(other);
  for (const column of KEY) difference ||= Number(one[column]) - Number(other[column]);
  return difference;
}
