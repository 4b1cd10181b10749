/** What a price includes beyond flights, hotel and the number of bags. Null: the feed does not say. */
export interface OfferExtras {
  /** The way between airport and hotel. */
  transfer: boolean | null;
  /** Kilograms of each hold bag, and of what goes into the cabin; at most `MAX_BAG_KG`. */
  holdKg: number | null;
  cabinKg: number | null;
}

export const MAX_BAG_KG = 63;

/** Extras as one small number for the store; 0: nothing is known. */
export function extrasCode({ transfer, holdKg, cabinKg }: OfferExtras): number {
  const bags = (holdKg ?? 0) + (MAX_BAG_KG + 1) * (cabinKg ?? 0);
  return 3 * bags + (transfer === null ? 0 : 1 + Number(transfer));
}

export function extrasOf(code: number): OfferExtras {
  const bags = Math.floor(code / 3);
  return {
    transfer: code % 3 === 0 ? null : code % 3 === 2,
    holdKg: bags % (MAX_BAG_KG + 1) || null,
    cabinKg: Math.floor(bags / (MAX_BAG_KG + 1)) || null,
  };
}
