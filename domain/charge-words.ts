/** What a price says about the charges payable at the hotel: their amount is in it, or unknown (null) and not in it. */
export function chargeWords(amount: number | null): string {
  if (amount === null) return 'plus charges at the hotel';
  return amount === 0 ? 'in total' : WITH_CHARGES;
}

/** For a price that includes the charges that are known. */
export const WITH_CHARGES = 'with charges at the hotel';
